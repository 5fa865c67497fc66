public import Observation
import Synchronization

extension AVPlayer: Observable {
  /// Whether players and their items can be observed with `Observation`; initially false.
  ///
  /// The value applies to the players that are created afterwards, and to the items in them.
  nonisolated public static var isObservationEnabled: Bool {
    get { observationFlag.load(ordering: .acquiring) }
    set { observationFlag.store(newValue, ordering: .releasing) }
  }
}

extension AVPlayerItem: Observable {}
