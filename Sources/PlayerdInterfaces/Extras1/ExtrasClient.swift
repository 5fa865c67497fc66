package import DBus
import MPRISService

/// Calls `org.playerd.Extras1` of a running daemon.
package struct ExtrasClient: Sendable {
  private let remote: RemoteInterface

  package init(of owner: BusName, on connection: Connection) {
    remote = RemoteInterface(ExtrasInterface.name, at: PlayerdName.object, of: owner, on: connection)
  }

  package func nextChapter() async throws(DBusError) { try await remote.call(ExtrasInterface.nextChapter) }

  package func previousChapter() async throws(DBusError) { try await remote.call(ExtrasInterface.previousChapter) }

  /// Repeats a part of the current track.
  package func repeatPart(from start: Duration, to end: Duration) async throws(DBusError) {
    try await remote.call(ExtrasInterface.setABRepeat, .int64(start.microseconds), .int64(end.microseconds))
  }

  package func stopRepeating() async throws(DBusError) { try await remote.call(ExtrasInterface.clearABRepeat) }

  package func setStopsAfterCurrent(_ stops: Bool) async throws(DBusError) {
    try await remote.set(ExtrasInterface.stopAfterCurrent, to: .boolean(stops))
  }

  /// Sets the sleep timer; zero turns it off.
  package func setSleepTimer(after delay: Duration, afterTrack: Bool) async throws(DBusError) {
    try await remote.call(ExtrasInterface.setSleepTimer, .int64(delay.microseconds), .boolean(afterTrack))
  }
}
