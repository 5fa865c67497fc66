import Foundation
import GstPlayer

/// The state of an ``AVPlayer`` in addition to the state of its `Player`.
///
/// A player's queue and `entries` change together, under the lock of this state. The lock may be held while a `Player`
/// is called, and never the other way round.
struct AVPlayerState {
  /// The current item and those after it.
  var entries: [PlayerEntry] = []
  /// The item that has left the queue, and fades out.
  var outgoing: PlayerEntry?
  /// The current item as of the last event; one decision may report a jump of it, and then the change to another item.
  var reportedItem: Player.Item?
  /// The items that have left the queue since the last publication.
  var departed: [AVPlayerItem] = []
  var defaultRate: Float = 1
  /// The rate at which the next item is to play, while there is none; 0 if it is to be paused.
  var awaitedRate: Float = 0
  var hasBeenReady = false
  /// The completions of prerolls that wait until the item of the identity is ready.
  var prerolls: [(item: Player.Item.ID, completion: @Sendable (Bool) -> Void)] = []
  /// The reason of the next change of the rate.
  var rateReason: AVPlayer.RateDidChangeReason?
  var publishedRate: Float = 0
  /// Whether the player plays, as of the last publication; nil while it is paused.
  var publishedActivity: Bool?
  /// Whether something may have changed since the last report; then a publication is queued, or in progress.
  var isOutdated = false
  /// Whether a publication is in progress: observers are called.
  var isPublishing = false
  var observation: Player.Observer?
  /// Follows the timed metadata of the items; nil until one of them needs it.
  var timedMetadataObservation: Player.Observer?
  var stored = StoredPlayerSettings()
  /// The criteria by which tracks are selected.
  var criteria: [AVMediaCharacteristic: AVPlayerMediaSelectionCriteria] = [:]
  var appliesCriteria = true
  weak var looper: AVPlayerLooper?
  /// The items of the identities in the logs.
  var logItems = LogItems()
  /// Posts the notifications of the logs; cancelled when the player is released.
  var logReader: Task<Void, Never>?

  /// Begins the next report of a publication; returns false and ends the publication unless there may be a change.
  mutating func beginsReport() -> Bool {
    defer { isOutdated = false }
    isPublishing = isOutdated
    return isPublishing
  }

  /// Removes and returns the completions of the prerolls of some items.
  mutating func takePrerolls(where isTaken: (Player.Item.ID) -> Bool) -> [@Sendable (Bool) -> Void] {
    defer { prerolls.removeAll { isTaken($0.item) } }
    return prerolls.filter { isTaken($0.item) }.map(\.completion)
  }
}

/// An item in the queue of a player.
struct PlayerEntry: Sendable {
  let item: AVPlayerItem
  /// The item of the `Player`; each insertion is another one.
  let playerItem: Player.Item

  var id: Player.Item.ID { playerItem.id }
}
