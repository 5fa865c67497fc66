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
  /// Apart, so that a long queue of mere URIs costs no more than that.
  private let extras: Extras?

  private final class Extras: Sendable {
    let hints: ItemHints

    init(hints: ItemHints) { self.hints = hints }
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
  public init(uri: String, hints: ItemHints?) {
    id = ID(number: Self.counter.add(1, ordering: .relaxed).newValue)
    self.uri = uri
    extras = hints.map { Extras(hints: $0) }
  }

  /// Items are the same when their identities are.
  public static func == (left: PlayerItem, right: PlayerItem) -> Bool { left.id == right.id }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  private static let counter = Atomic<UInt64>(0)

  /// Whether the item is a file on this machine.
  var isLocal: Bool { uri.hasPrefix("file:") }
}
