import DBus
import EventLoop
import MPRISService
import PlayerdInterfaces
import TestSupport
import Testing

/// A fake player watched over a bus of its own, and a client that hears every signal.
struct ServedMonitor: Sendable {
  static let path: ObjectPath = "/org/playerd"
  static let interface: InterfaceName = "org.playerd.Monitor1"

  let fake: FakeMonitoredPlayer
  let bus: PrivateBus
  let loop: EventLoop
  let service: MonitorService
  /// The service's side.
  let connection: Connection
  let client: Client

  /// One who watches.
  struct Client: Sendable {
    let connection: Connection
    let service: BusName
    /// Every signal that it was sent, in order.
    let signals = EventLog<SignalMessage>()

    @discardableResult
    func call(_ member: MemberName, _ arguments: Value...) async throws -> [Value] {
      try await connection.call(on: service, at: path, of: interface, member, arguments)
    }

    /// The number of a new observer.
    func observe(_ member: MemberName, _ argument: Value) async throws -> UInt32 {
      guard case .uint32(let id)? = try await call(member, argument).first else { throw WrongReply() }
      return id
    }

    func get(_ property: String) async throws -> Value {
      let reply = try await connection.call(
        on: service, at: path, of: .properties, "Get", [.string(interface.rawValue), .string(property)])
      return try #require(reply.first?.asVariant)
    }

    /// The name of the error that `action` is answered with; it must have a text.
    func refusal(_ action: () async throws -> Void) async throws -> String {
      let error = try await #require(throws: DBusError.self) { try await action() }
      #expect(!error.message.isEmpty && error.message != error.name)
      return error.name.split(separator: ".").last.map { String($0) } ?? ""
    }
  }

  struct WrongReply: Error {}

  /// Waits until everything that was caused before has been heard, by causing a signal and hearing it.
  ///
  /// - Returns: What came from place `first` on.
  @discardableResult
  func settle(from first: Int = 0, _ client: Client? = nil) async throws -> [SignalMessage] {
    let client = client ?? self.client
    fake.send(.stalled(TrackID(999, in: .example), position: .zero))
    let mark = try await client.signals.first("the mark", from: first) {
      $0.arguments.first == .objectPath(TrackID(999, in: .example).path)
    }
    return Array(client.signals.elements[first..<mark.index])
  }

  /// What the client hears because of `action`.
  func heard(_ action: () async throws -> Void) async throws -> [SignalMessage] {
    let first = client.signals.count
    try await action()
    return try await settle(from: first)
  }
}

/// Runs `body` with a watched player; everything ends with it.
func withServedMonitor(
  _ snapshot: MonitorSnapshot = .playing(), isAttached: Bool = true, _ body: (ServedMonitor) async throws -> Void
) async throws {
  try await withPrivateBus { bus in
    let loop = EventLoop(name: "test")
    defer { loop.stop() }
    let fake = FakeMonitoredPlayer()
    fake.show { $0 = snapshot }
    let connection = try await Connection.open(address: bus.address, on: loop)
    let service = MonitorService(on: connection, at: ServedMonitor.path)
    try await service.export()
    if isAttached { await service.attach(fake) }
    try await withMonitorClient(of: connection, on: bus, loop) { client in
      try await body(
        ServedMonitor(fake: fake, bus: bus, loop: loop, service: service, connection: connection, client: client))
    }
  }
}

/// Runs `body` with one more client.
func withMonitorClient(
  of service: Connection, on bus: PrivateBus, _ loop: EventLoop, _ body: (ServedMonitor.Client) async throws -> Void
) async throws {
  let connection = try await Connection.open(address: bus.address, on: loop)
  let client = ServedMonitor.Client(connection: connection, service: service.uniqueName)
  // One stream for both interfaces keeps their order.
  let own = try await connection.signals(from: service.uniqueName, path: ServedMonitor.path)
  try await withThrowingTaskGroup { group in
    group.addTask { for await signal in own { client.signals.append(signal) } }
    defer { group.cancelAll() }
    try await body(client)
    await connection.close()
  }
}

extension SignalMessage {
  /// What a PropertiesChanged carries.
  var properties: [String: Value]? {
    member == "PropertiesChanged" && arguments.count == 3 ? arguments[1].asDictionary : nil
  }
}
