package import DBus
import MPRISService

/// Calls `org.playerd.Monitor1` of a running daemon.
package struct MonitorClient: Sendable {
  private let remote: RemoteInterface

  package init(of owner: BusName, on connection: Connection) {
    remote = RemoteInterface(MonitorInterface.name, at: PlayerdName.object, of: owner, on: connection)
  }

  /// Returns the values of all properties by name.
  package func properties() async throws(DBusError) -> [String: Value] { try await remote.getAll() }

  /// Adds an observer of the multiples of an interval of media time, which belongs to this connection.
  package func addPeriodicTimeObserver(interval: Duration) async throws(DBusError) {
    try await remote.call(MonitorInterface.addPeriodicTimeObserver, .int64(interval.microseconds))
  }

  /// Adds an observer of positions, which belongs to this connection.
  package func addBoundaryTimeObserver(times: [Duration]) async throws(DBusError) {
    try await remote.call(
      MonitorInterface.addBoundaryTimeObserver, .array("x", times.map { .int64($0.microseconds) }))
  }

  /// Adds an observer of fractions of the duration, which belongs to this connection.
  package func addBoundaryFractionObserver(fractions: [Double]) async throws(DBusError) {
    try await remote.call(
      MonitorInterface.addBoundaryFractionObserver, .array("d", fractions.map { .double($0) }))
  }
}
