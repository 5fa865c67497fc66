import Synchronization

extension Player {
  /// One entry of a player's queue: a URI with a unique identity, so that the same file can occur twice as two items.
  ///
  /// The counterpart of `AVPlayerItem`; its status, duration and metadata, once known, are in ``Player/Snapshot``.
  public struct Item: Hashable, Identifiable, Sendable {
    /// An item's identity: unique for the life of the process, never reused.
    public struct ID: Codable, Hashable, Sendable {
      /// The number of the identity, from 1.
      public let number: UInt64
    }

    /// The item's identity.
    public let id: ID
    /// The absolute URI that is opened.
    public let uri: String
    /// The metadata given when the item was created; nil for none.
    public var externalMetadata: Player.Item.ExternalMetadata? { details?.externalMetadata }
    /// The start of the item in its media.
    public var start: Duration { details?.start ?? .zero }
    /// The end of the item in its media, the counterpart of `AVPlayerItem.forwardPlaybackEndTime`; nil for the end of the
    /// media.
    public var end: Duration? { details?.end }
    /// The headers of the HTTP requests for the item; nil for the engine's own.
    public var httpHeaders: HTTPRequestHeaders? { details?.httpHeaders }
    /// Stored separately, so that a long queue of plain URIs uses little memory.
    private let details: Details?

    private final class Details: Sendable {
      let externalMetadata: Player.Item.ExternalMetadata?
      let start: Duration
      let end: Duration?
      let httpHeaders: HTTPRequestHeaders?

      init(
        _ externalMetadata: Player.Item.ExternalMetadata?, _ start: Duration, _ end: Duration?,
        _ httpHeaders: HTTPRequestHeaders?
      ) {
        self.externalMetadata = externalMetadata
        self.httpHeaders = httpHeaders
        let (start, end) = (max(.zero, start.limited), end?.limited)
        self.start = start
        self.end = end.flatMap { $0 > start ? $0 : nil }
      }
    }

    /// Creates an item with a new identity.
    ///
    /// - Parameter uri: An absolute URI, such as `file:///music/a.flac` or `https://example.org/stream`. It is not
    ///   checked here; a URI that cannot be played fails when the item becomes current.
    public init(uri: String) { self.init(uri: uri, externalMetadata: nil) }

    /// Creates an item with a new identity and with metadata that is already known.
    ///
    /// - Parameters:
    ///   - uri: An absolute URI.
    ///   - externalMetadata: The known metadata.
    ///   - start: The start of the item in its media; its positions and durations count from there.
    ///   - end: The end of the item in its media; nil, or a time before `start`, for the end of the media. Between two
    ///     consecutive items that meet in the same media, the transition is inaudible.
    public init(
      uri: String, externalMetadata: Player.Item.ExternalMetadata?, start: Duration = .zero, end: Duration? = nil
    ) {
      self.init(uri, externalMetadata, start, end, nil)
    }

    /// Creates an item with a new identity, whose HTTP requests have their own headers.
    ///
    /// - Parameters:
    ///   - uri: An absolute URI; the headers apply only to the schemes `http` and `https`.
    ///   - httpHeaders: The headers.
    ///   - externalMetadata: The known metadata.
    ///   - start: The start of the item in its media, see ``init(uri:externalMetadata:start:end:)``.
    ///   - end: The end of the item in its media.
    public init(
      uri: String, httpHeaders: HTTPRequestHeaders, externalMetadata: Player.Item.ExternalMetadata? = nil,
      start: Duration = .zero, end: Duration? = nil
    ) {
      self.init(uri, externalMetadata, start, end, httpHeaders)
    }

    private init(
      _ uri: String, _ externalMetadata: Player.Item.ExternalMetadata?, _ start: Duration, _ end: Duration?,
      _ httpHeaders: HTTPRequestHeaders?, id: ID? = nil
    ) {
      self.id = id ?? ID(number: Self.counter.add(1, ordering: .relaxed).newValue)
      self.uri = uri
      let isPlain = externalMetadata == nil && start <= .zero && end == nil && httpHeaders == nil
      details = isPlain ? nil : Details(externalMetadata, start, end, httpHeaders)
    }

    /// Creates the stand-in of a recorded item, with its identity.
    init(replaying id: ID, uri: String, start: Duration, end: Duration?) {
      self.init(uri, nil, start, end, nil, id: id)
    }

    /// Whether two items have the same identity.
    public static func == (left: Player.Item, right: Player.Item) -> Bool { left.id == right.id }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    private static let counter = Atomic<UInt64>(0)

    /// Whether the item has nothing but its URI.
    var isPlain: Bool { details == nil }

    /// The URI of the folder that contains the item.
    var folder: Substring {
      let path = uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      return uri[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
    }

    /// Whether the item is only a part of its media.
    package var isClip: Bool { start > .zero || end != nil }

    /// Returns the duration of the item for a media duration; nil if unknown.
    package func duration(ofMedia media: Duration?) -> Duration? {
      // An estimated media duration does not shorten an item with an explicit end.
      guard isClip, let end = end ?? media?.limited else { return media }
      return max(.zero, end - start)
    }

    /// Whether the item is a file on this machine.
    var isLocal: Bool { Self.isLocal(uri) }

    /// Whether a URI refers to a file on this machine.
    package static func isLocal(_ uri: String) -> Bool {
      var bytes = uri.utf8.makeIterator()
      for letter in "file".utf8 {
        // A letter differs from its capital in one bit.
        guard let byte = bytes.next(), byte | 0x20 == letter else { return false }
      }
      return bytes.next() == UInt8(ascii: ":")
    }
  }
}
