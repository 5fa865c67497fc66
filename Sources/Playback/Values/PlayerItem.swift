import Synchronization

/// One entry of a player's queue: a URI and an identity of its own, so that the same file twice is two items.
///
/// The counterpart of `AVPlayerItem`; what the player learns of an item (status, duration, metadata) is in
/// ``Player/Snapshot``.
public struct PlayerItem: Hashable, Identifiable, Sendable {
  /// An item's identity: unique for the life of the process, never reused.
  public struct ID: Hashable, Sendable {
    /// The number behind the identity, 1 and up.
    public let number: UInt64
  }

  /// The item's identity.
  public let id: ID
  /// The absolute URI that is opened.
  public let uri: String
  /// What was said of the item when it was made; nil for nothing.
  public var hints: ItemHints? { extras?.hints }
  /// Where in the media the item begins.
  public var start: Duration { extras?.start ?? .zero }
  /// Where in the media the item ends, the counterpart of `AVPlayerItem.forwardPlaybackEndTime`; nil for its end.
  public var end: Duration? { extras?.end }
  /// Apart, so that a long queue of mere URIs costs no more than that.
  private let extras: Extras?

  private final class Extras: Sendable {
    let hints: ItemHints?
    let start: Duration
    let end: Duration?

    init(_ hints: ItemHints?, _ start: Duration, _ end: Duration?) {
      self.hints = hints
      let (start, end) = (max(.zero, start.limited), end?.limited)
      self.start = start
      self.end = end.flatMap { $0 > start ? $0 : nil }
    }
  }

  /// Makes an item with a new identity.
  ///
  /// - Parameter uri: An absolute URI, such as `file:///music/a.flac` or `https://example.org/stream`. It is not
  ///   checked here; a URI that cannot be played fails when its turn comes.
  public init(uri: String) { self.init(uri: uri, hints: nil) }

  /// Makes an item with a new identity, of which something is known already.
  ///
  /// - Parameters:
  ///   - uri: An absolute URI.
  ///   - hints: What is known.
  ///   - start: Where in the media the item begins; positions and durations count from there.
  ///   - end: Where in the media it ends; nil, or a time before `start`, for the end of the media. Of two items in a row
  ///     that meet in the same media, the join is not heard.
  public init(uri: String, hints: ItemHints?, start: Duration = .zero, end: Duration? = nil) {
    id = ID(number: Self.counter.add(1, ordering: .relaxed).newValue)
    self.uri = uri
    extras = hints != nil || start > .zero || end != nil ? Extras(hints, start, end) : nil
  }

  /// Items are the same when their identities are.
  public static func == (left: PlayerItem, right: PlayerItem) -> Bool { left.id == right.id }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  private static let counter = Atomic<UInt64>(0)

  /// Whether the item is less than all of its media.
  public var isPart: Bool { start > .zero || end != nil }

  /// How long the item is when its media is this long; nil when that is not known.
  public func duration(ofMedia media: Duration?) -> Duration? {
    // A length that is only estimated does not cut off what ends where it was said to.
    guard isPart, let end = end ?? media?.limited else { return media }
    return max(.zero, end - start)
  }

  /// Whether the item is a file on this machine.
  var isLocal: Bool { Self.isLocal(uri) }

  /// Whether a URI names a file on this machine.
  package static func isLocal(_ uri: String) -> Bool { uri.utf8.count >= 5 && uri.prefix(5).lowercased() == "file:" }
}
