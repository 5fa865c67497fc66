import DBus
import MPRISService

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
    let changes = try await connection.signals(
      from: .bus, interface: .bus, member: "NameOwnerChanged", firstArgument: name)
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
        owner = change.arguments.last?.asString.flatMap { try? BusName($0) }
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
    if let interval { try await add("AddPeriodicTimeObserver", .int64(interval.microseconds), owner) }
    let times = places.compactMap(\.time)
    if !times.isEmpty {
      try await add("AddBoundaryTimeObserver", .array("x", times.map { .int64($0.microseconds) }), owner)
    }
    let fractions = places.compactMap(\.fraction)
    if !fractions.isEmpty {
      try await add("AddBoundaryFractionObserver", .array("d", fractions.map { .double($0) }), owner)
    }
  }

  /// A daemon that leaves meanwhile is noticed elsewhere.
  private func add(_ method: MemberName, _ argument: Value, _ owner: BusName) async throws(DBusError) {
    do {
      _ = try await connection.call(owner, Names.objectPath, Names.monitorInterface, method, [argument])
    } catch {
      if case .limitsExceeded("") = error { throw error }
    }
  }

  private func properties(of owner: BusName) async throws(DBusError) -> WatchedPlayer {
    WatchedPlayer(
      mpris: try await connection.properties(of: Names.playerInterface, at: Names.mprisPath, of: owner),
      monitor: try await connection.properties(of: Names.monitorInterface, at: Names.objectPath, of: owner))
  }
}

extension Connection {
  /// All properties of one interface of an object.
  func properties(
    of interface: InterfaceName, at path: ObjectPath, of owner: BusName
  ) async throws(DBusError) -> [String: Value] {
    let reply = try await call(owner, path, .properties, "GetAll", [.string(interface.rawValue)])
    return reply.first?.asDictionary ?? [:]
  }
}
