import DBus
import EventLoop
import MPRISService
import TestSupport
import Testing

/// A fake player that is served on a private bus, and a client that receives its signals.
struct ServedPlayer: Sendable {
  static let name: BusName = "org.mpris.MediaPlayer2.playerd"
  static let root: InterfaceName = "org.mpris.MediaPlayer2"
  static let player: InterfaceName = "org.mpris.MediaPlayer2.Player"

  let fake: FakePlayer
  let bus: PrivateBus
  let clock: ManualClock
  let client: DBusConnection
  /// The connection of the service.
  let connection: DBusConnection
  let service: MPRISExportedPlayer
  /// Every PropertiesChanged and every Seeked received so far.
  let changes: EventLog<Change>
  let seeks: EventLog<Int64>

  /// The arguments of a PropertiesChanged signal.
  struct Change: Sendable {
    let interface: String
    let values: [String: DBusValue]
    let invalidated: [String]
    var keys: Set<String> { Set(values.keys) }
  }
}

/// Runs `body` with a served player; stops it when `body` returns.
func withServedPlayer(
  _ snapshot: MPRISSnapshot = .example, _ body: (ServedPlayer) async throws -> Void
) async throws {
  let fake = FakePlayer(snapshot)
  try await withServedPlayer(fake, as: fake, body)
}

/// Runs `body` with a served player that is built around a fake player.
func withServedPlayer(
  _ fake: FakePlayer, as player: any MPRISPlayer, _ body: (ServedPlayer) async throws -> Void
) async throws {
  try await withPrivateBus { bus in
    let loop = PollLoop(name: "test")
    defer { loop.stop() }
    let clock = ManualClock()
    let connection = try await DBusConnection.open(address: bus.address, on: loop)
    let client = try await DBusConnection.open(address: bus.address, on: loop)
    let service = MPRISExportedPlayer(player, on: connection, clock: clock)
    let served = ServedPlayer(
      fake: fake, bus: bus, clock: clock, client: client, connection: connection, service: service,
      changes: EventLog(), seeks: EventLog())
    try #require(await service.announce(as: ServedPlayer.name))
    let changes = try await client.signals(
      from: connection.uniqueName, path: MPRISService.path, interface: .properties, member: "PropertiesChanged")
    let seeks = try await client.signals(
      from: connection.uniqueName, path: MPRISService.path, interface: ServedPlayer.player, member: "Seeked")
    try await withThrowingTaskGroup { group in
      group.addTask { await service.run() }
      group.addTask { await served.record(changes) }
      group.addTask { for await signal in seeks { served.seeks.append(signal.arguments.first?.asInt64 ?? .min) } }
      defer { group.cancelAll() }
      _ = try await fake.listeners.first("the service reads the events")
      _ = try await served.settle()
      try await body(served)
    }
  }
}

extension ServedPlayer {
  fileprivate func record(_ signals: AsyncStream<DBusSignalMessage>) async {
    for await signal in signals {
      guard signal.arguments.count == 3, let interface = signal.arguments[0].asString,
        let values = signal.arguments[1].asDictionary, let invalidated = signal.arguments[2].asStrings
      else {
        Issue.record("a PropertiesChanged with wrong types: \(signal.arguments)")
        continue
      }
      changes.append(Change(interface: interface, values: values, invalidated: invalidated))
    }
  }

  /// Waits until the client has received all earlier signals, by causing a marked change and a marked seek.
  ///
  /// - Returns: The changes received since index `first`, up to and including the marked change.
  @discardableResult
  func settle(from first: Int = 0) async throws -> [Change] {
    let mark = fake.snapshot().maximumRate + 1
    fake.change { $0.maximumRate = mark }
    let change = try await changes.first("the marked change", from: first) {
      $0.values["MaximumRate"] == .double(mark)
    }
    fake.send(.seeked(to: .seconds(mark * 1000)))
    _ = try await seeks.first("the marked seek") { $0 == Int64(mark * 1000) * 1_000_000 }
    return Array(changes.elements[first...change.index])
  }

  /// Returns the changes that `action` causes, without the mark of ``settle(from:)`` and without empty changes.
  func changes(by action: () async throws -> Void) async throws -> [Set<String>] {
    let first = changes.count
    try await action()
    return try await settle(from: first).map { $0.keys.subtracting(["MaximumRate"]) }.filter { !$0.isEmpty }
  }

  /// Returns the next change at or after index `first`.
  func change(from first: Int) async throws -> Change {
    try await changes.first("a PropertiesChanged", from: first).element
  }

  @discardableResult
  func call(_ member: MemberName, _ arguments: DBusValue..., of interface: InterfaceName = player) async throws
    -> [DBusValue]
  {
    try await client.call(on: Self.name, at: MPRISService.path, of: interface, member, arguments)
  }

  func get(_ property: String, of interface: InterfaceName = player) async throws -> DBusValue {
    let reply = try await client.call(
      on: Self.name, at: MPRISService.path, of: .properties, "Get", [.string(interface.rawValue), .string(property)])
    return try #require(reply.first?.asVariant)
  }

  func getAll(of interface: InterfaceName = player) async throws -> [String: DBusValue] {
    let reply = try await client.call(
      on: Self.name, at: MPRISService.path, of: .properties, "GetAll", [.string(interface.rawValue)])
    return try #require(reply.first?.asDictionary)
  }

  func set(_ property: String, to value: DBusValue, of interface: InterfaceName = player) async throws {
    _ = try await client.call(
      on: Self.name, at: MPRISService.path, of: .properties, "Set",
      [.string(interface.rawValue), .string(property), .variant(value)])
  }

  /// Returns the name of the D-Bus error that `action` causes, and expects that the error has a message.
  func refusal(_ action: () async throws -> Void) async throws -> String {
    let error = try await #require(throws: DBusError.self) { try await action() }
    #expect(!error.message.isEmpty && error.message != error.name)
    return error.name
  }
}
