package import DBus
import MPRISService

/// A client of `org.playerd.Monitor1` of a running daemon.
package struct MonitorClient: Sendable {
  private let remote: DBusProxy

  package init(of owner: BusName, on connection: DBusConnection) {
    remote = DBusProxy(MonitorInterface.name, at: PlayerdName.object, of: owner, on: connection)
  }

  /// Returns the values of all properties by name.
  package func properties() async throws(DBusError) -> [String: DBusValue] { try await remote.getAll() }

  /// Returns the lines of the current track's lyrics.
  package func lyrics() async throws(DBusError) -> [MonitoredLyricsLine] {
    try await remote.call(MonitorInterface.getLyrics)
  }

  /// Adds an observer of the lines of lyrics and returns its ID; this connection owns it.
  package func addLyricsObserver() async throws(DBusError) -> UInt32 {
    try await remote.call(MonitorInterface.addLyricsObserver)
  }

  /// Removes an observer of this connection.
  package func removeObserver(_ id: UInt32) async throws(DBusError) {
    try await remote.perform(MonitorInterface.removeTimeObserver, id)
  }

  /// Adds a periodic observer of media time; this connection owns it.
  package func addPeriodicTimeObserver(interval: Duration) async throws(DBusError) {
    try await remote.call(MonitorInterface.addPeriodicTimeObserver, .int64(interval.microseconds))
  }

  /// Adds a boundary observer for positions; this connection owns it.
  package func addBoundaryTimeObserver(times: [Duration]) async throws(DBusError) {
    try await remote.perform(MonitorInterface.addBoundaryTimeObserver, times.map(\.microseconds))
  }

  /// Adds a boundary observer for fractions of the duration; this connection owns it.
  package func addBoundaryFractionObserver(fractions: [Double]) async throws(DBusError) {
    try await remote.perform(MonitorInterface.addBoundaryFractionObserver, fractions)
  }
}
