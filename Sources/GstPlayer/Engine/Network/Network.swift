import Playback
import Synchronization

/// The settings of all network sources of the process.
package enum Network {
  private static let state = Mutex(NetworkSettings())

  /// The present settings; they apply to sources that are created from then on.
  package static var settings: NetworkSettings { state.withLock { $0 } }

  /// Replaces the settings.
  package static func apply(_ settings: NetworkSettings) { state.withLock { $0 = settings } }
}
