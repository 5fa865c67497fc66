package import DBus
import MPRISService
package import PlayerdInterfaces

/// Delivers the events of the daemon across its restarts; also an example of a client of Monitor1.
package struct WatchFeed: Sendable {
  let connection: DBusConnection
  package let instance: InstanceName
  /// The interval of position reports, in media time; nil for none.
  let interval: Duration?
  let places: [PlaceArgument]

  package init(connection: DBusConnection, instance: InstanceName, interval: Duration?, places: [PlaceArgument]) {
    (self.connection, self.instance, self.interval, self.places) = (connection, instance, interval, places)
  }

  /// An event of the daemon or its process.
  package enum Update: Sendable {
    /// No daemon is running yet.
    case absent
    /// The records of one signal, and the state after it.
    case records([WatchRecord], WatchedPlayer)
    /// The daemon has left the bus.
    case gone
  }

  /// Passes each update to `take`, until it returns false or the connection is lost.
  func run(_ take: (Update) async -> Bool) async throws(DBusError) {
    // The MPRIS name is the last name that a daemon requests: all interfaces are available then.
    let name = try PlayerdName.mpris(instance)
    let owners = try await connection.owners(of: name)
    var isFirst = true
    for await owner in owners {
      // Calls go to the unique name, so they do not start a daemon.
      if let owner {
        // A daemon may have started and ended while the previous one was being watched.
        guard await connection.owner(of: name) == owner else { continue }
        guard try await watch(owner, take), await take(.gone) else { return }
      } else if isFirst, await !take(.absent) {
        return
      }
      isFirst = false
    }
  }

  /// Watches one daemon until it leaves the bus; returns false if `take` has returned false.
  private func watch(_ owner: BusName, _ take: (Update) async -> Bool) async throws(DBusError) -> Bool {
    // The daemon's connection ends the signals.
    let signals = try await connection.signals(from: owner)
    let player = DBusProxy(PlayerInterface.name, at: MPRISService.path, of: owner, on: connection)
    guard let mpris = try? await player.getAll(),
      let monitor = try? await MonitorClient(of: owner, on: connection).properties(),
      let extras = try? await DBusProxy(ExtrasInterface.name, at: PlayerdName.object, of: owner, on: connection)
        .getAll(),
      let control = try? await DBusProxy(ControlInterface.name, at: PlayerdName.object, of: owner, on: connection)
        .getAll()
    else { return true }
    var model = WatchModel(WatchedPlayer(mpris: mpris, monitor: monitor, extras: extras, control: control))
    guard await take(.records(model.begin(at: monotonicMicroseconds()), model.player)) else { return false }
    try await observe(owner)
    for await signal in signals {
      let records = await named(model.take(signal, at: monotonicMicroseconds()), by: owner)
      guard await take(.records(records, model.player)) else { return false }
    }
    // A cancelled task has not seen the daemon leave.
    return !Task.isCancelled
  }

  /// Adds the URIs of failed tracks.
  private func named(_ records: [WatchRecord], by owner: BusName) async -> [WatchRecord] {
    guard records.contains(where: { if case .failed = $0.event { true } else { false } }),
      let status = try? await DBusProxy(ControlInterface.name, at: PlayerdName.object, of: owner, on: connection)
        .call(ControlInterface.getStatus)
    else { return records }
    return records.map { record in
      var record = record
      record.addURI(from: status)
      return record
    }
  }

  private func observe(_ owner: BusName) async throws(DBusError) {
    let monitor = MonitorClient(of: owner, on: connection)
    let (times, fractions) = (places.compactMap(\.time), places.compactMap(\.fraction))
    do {
      if let interval { try await monitor.addPeriodicTimeObserver(interval: interval) }
      if !times.isEmpty { try await monitor.addBoundaryTimeObserver(times: times) }
      if !fractions.isEmpty { try await monitor.addBoundaryFractionObserver(fractions: fractions) }
    } catch {
      // Other errors mean that the daemon is leaving, which ends the stream of signals.
      if case .limitsExceeded("") = error { throw error }
    }
  }
}
