import DBus
import EventLoop
import MPRISService
import TestSupport
import Testing

/// A fake player, served on a bus of its own, and a client that listens to it.
struct ServedPlayer: Sendable {
  static let name: BusName = "org.mpris.MediaPlayer2.playerd"
  static let root: InterfaceName = "org.mpris.MediaPlayer2"
  static let player: InterfaceName = "org.mpris.MediaPlayer2.Player"

  let fake: FakePlayer
  let bus: PrivateBus
  let clock: ManualClock
  let client: Connection
  /// The service's side.
  let connection: Connection
  /// Every PropertiesChanged and every Seeked so far.
  let changes: EventLog<Change>
  let seeks: EventLog<Int64>

  /// What one PropertiesChanged carries.
  struct Change: Sendable {
    let interface: String
    let values: [String: Value]
    let invalidated: [String]
    var keys: Set<String> { Set(values.keys) }
  }
}

/// Runs `body` with a served player; everything ends with it.
func withServedPlayer(
  _ snapshot: PlayerSnapshot = .example, _ body: (ServedPlayer) async throws -> Void
) async throws {
  let fake = FakePlayer(snapshot)
  try await withServedPlayer(fake, as: fake, body)
}

/// The same with a player that is built around the fake one.
func withServedPlayer(
  _ fake: FakePlayer, as player: any MediaPlayer, _ body: (ServedPlayer) async throws -> Void
) async throws {
  try await withPrivateBus { bus in
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let clock = ManualClock()
    let connection = try await Connection.open(address: bus.address, on: loop)
    let client = try await Connection.open(address: bus.address, on: loop)
    let served = ServedPlayer(
      fake: fake, bus: bus, clock: clock, client: client, connection: connection, changes: EventLog(), seeks: EventLog()
    )
    let service = MPRISService(player, on: connection, clock: clock)
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
      _ = try await fake.listeners.first("the service listens")
      _ = try await served.settle()
      try await body(served)
    }
  }
}

extension ServedPlayer {
  fileprivate func record(_ signals: AsyncStream<SignalMessage>) async {
    for await signal in signals {
      guard signal.arguments.count == 3, let interface = signal.arguments[0].asString,
        let values = signal.arguments[1].asDictionary, let invalidated = signal.arguments[2].asStrings
      else {
        Issue.record("a PropertiesChanged of other types: \(signal.arguments)")
        continue
      }
      changes.append(Change(interface: interface, values: values, invalidated: invalidated))
    }
  }

  /// Waits until everything that was caused before has been heard, by causing a change and a jump and hearing them.
  ///
  /// - Returns: What came before the marks, and with the mark of the change: the changes that were on their way.
  @discardableResult
  func settle(from first: Int = 0) async throws -> [Change] {
    let mark = fake.snapshot().maximumRate + 1
    fake.change { $0.maximumRate = mark }
    let change = try await changes.first("the marked change", from: first) {
      $0.values["MaximumRate"] == .double(mark)
    }
    fake.send(.seeked(to: .seconds(mark * 1000)))
    _ = try await seeks.first("the marked jump") { $0 == Int64(mark * 1000) * 1_000_000 }
    return Array(changes.elements[first...change.index])
  }

  /// What changes for clients because of `action`, the mark of ``settle(from:)`` left out; empty changes are dropped.
  func changes(by action: () async throws -> Void) async throws -> [Set<String>] {
    let first = changes.count
    try await action()
    return try await settle(from: first).map { $0.keys.subtracting(["MaximumRate"]) }.filter { !$0.isEmpty }
  }

  /// The next change at or after place `first`.
  func change(from first: Int) async throws -> Change {
    try await changes.first("a PropertiesChanged", from: first).element
  }

  @discardableResult
  func call(_ member: MemberName, _ arguments: Value..., of interface: InterfaceName = player) async throws -> [Value] {
    try await client.call(on: Self.name, at: MPRISService.path, of: interface, member, arguments)
  }

  func get(_ property: String, of interface: InterfaceName = player) async throws -> Value {
    let reply = try await client.call(
      on: Self.name, at: MPRISService.path, of: .properties, "Get", [.string(interface.rawValue), .string(property)])
    return try #require(reply.first?.asVariant)
  }

  func getAll(of interface: InterfaceName = player) async throws -> [String: Value] {
    let reply = try await client.call(
      on: Self.name, at: MPRISService.path, of: .properties, "GetAll", [.string(interface.rawValue)])
    return try #require(reply.first?.asDictionary)
  }

  func set(_ property: String, to value: Value, of interface: InterfaceName = player) async throws {
    _ = try await client.call(
      on: Self.name, at: MPRISService.path, of: .properties, "Set",
      [.string(interface.rawValue), .string(property), .variant(value)])
  }

  /// The error that `action` is answered with; it must have a text.
  func refusal(_ action: () async throws -> Void) async throws -> String {
    let error = try await #require(throws: DBusError.self) { try await action() }
    #expect(!error.message.isEmpty && error.message != error.name)
    return error.name
  }
}
