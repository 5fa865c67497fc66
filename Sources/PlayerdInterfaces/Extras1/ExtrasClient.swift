package import DBus
import MPRISService

/// A client of `org.playerd.Extras1` of a running daemon.
package struct ExtrasClient: Sendable {
  private let remote: DBusProxy

  package init(of owner: BusName, on connection: DBusConnection) {
    remote = DBusProxy(ExtrasInterface.name, at: PlayerdName.object, of: owner, on: connection)
  }

  package func nextChapter() async throws(DBusError) { try await remote.call(ExtrasInterface.nextChapter) }

  package func previousChapter() async throws(DBusError) { try await remote.call(ExtrasInterface.previousChapter) }

  /// Repeats a range of the current track.
  package func repeatPart(from start: Duration, to end: Duration) async throws(DBusError) {
    try await remote.call(ExtrasInterface.setABRepeat, .int64(start.microseconds), .int64(end.microseconds))
  }

  package func stopRepeating() async throws(DBusError) { try await remote.call(ExtrasInterface.clearABRepeat) }

  package func setStopsAfterCurrent(_ stops: Bool) async throws(DBusError) {
    try await remote.set(ExtrasInterface.stopAfterCurrent, to: stops)
  }

  /// Sets the sleep timer; zero turns it off.
  package func setSleepTimer(after delay: Duration, afterTrack: Bool) async throws(DBusError) {
    try await remote.call(ExtrasInterface.setSleepTimer, .int64(delay.microseconds), .boolean(afterTrack))
  }
}
