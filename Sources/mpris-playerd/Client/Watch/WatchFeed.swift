import DBus
import MPRISService
import PlayerdInterfaces

/// The daemon over the bus, for as long as it is there and whenever it comes back: an example of how Monitor1 is used.
struct WatchFeed: Sendable {
  let connection: Connection
  let instance: InstanceName
  /// How often the position is told, in media time.
  let interval: Duration?
  let places: [PlaceArgument]

  /// What comes from it.
  enum Update: Sendable {
    /// No daemon is there yet.
    case absent
    /// The records of one signal, and what is known then.
    case records([WatchRecord], WatchedPlayer)
    /// The daemon has left.
    case gone
  }

  /// Hands on what comes, until `take` returns false or the bus is gone.
  func run(_ take: (Update) async -> Bool) async throws(DBusError) {
    // The MPRIS name is the last thing that a daemon puts on the bus: with it, everything is there.
    let name = try Names.mpris(instance)
    let changes = try await connection.ownerChanges(of: name)
    // Calls go to the unique name: they start no daemon.
    var owner = await connection.owner(of: name)
    if owner == nil, await !take(.absent) { return }
    var iterator = changes.makeAsyncIterator()
    while true {
      if let present = owner {
        guard try await watch(present, take), await take(.gone) else { return }
        owner = nil
      }
      while owner == nil {
        guard let change = await iterator.next() else { return }
        owner = change.newOwner
        // Come and gone while the last one was being watched.
        if let come = owner, await connection.owner(of: name) != come { owner = nil }
      }
    }
  }

  /// Watches one daemon until it leaves; false when `take` wants no more.
  private func watch(_ owner: BusName, _ take: (Update) async -> Bool) async throws(DBusError) -> Bool {
    let signals = try await connection.signals(from: owner)
    let (updates, feed) = AsyncStream.makeStream(of: SignalMessage.self)
    let end = Task(executorPreference: connection.taskExecutor) { [connection] in
      await connection.untilGone(owner)
      feed.finish()
    }
    let forwarding = Task(executorPreference: connection.taskExecutor) {
      for await signal in signals { feed.yield(signal) }
      feed.finish()
    }
    defer {
      end.cancel()
      forwarding.cancel()
    }
    guard let player = try? await properties(of: owner) else { return true }
    var model = WatchModel(player)
    guard await take(.records(model.begin(at: monotonicMicroseconds()), model.player)) else { return false }
    try await observe(owner)
    for await signal in updates {
      let records = model.take(signal, at: monotonicMicroseconds())
      guard await take(.records(records, model.player)) else { return false }
    }
    // Who stops watching has not seen the daemon leave.
    return !Task.isCancelled
  }

  private func observe(_ owner: BusName) async throws(DBusError) {
    let monitor = MonitorClient(of: owner, on: connection)
    let (times, fractions) = (places.compactMap(\.time), places.compactMap(\.fraction))
    do {
      if let interval { try await monitor.addPeriodicTimeObserver(interval: interval) }
      if !times.isEmpty { try await monitor.addBoundaryTimeObserver(times: times) }
      if !fractions.isEmpty { try await monitor.addBoundaryFractionObserver(fractions: fractions) }
    } catch {
      // A daemon that leaves meanwhile is noticed elsewhere.
      if case .limitsExceeded("") = error { throw error }
    }
  }

  private func properties(of owner: BusName) async throws(DBusError) -> WatchedPlayer {
    WatchedPlayer(
      mpris: try await PlayerClient(of: owner, on: connection).properties(),
      monitor: try await MonitorClient(of: owner, on: connection).properties())
  }
}
