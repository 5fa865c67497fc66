import DBus
import EventLoop
import MPRISService
import PlayerdInterfaces
import TestSupport
import Testing

/// A fake player that is monitored over a private bus, and a client that receives every signal.
struct ServedMonitor: Sendable {
  static let path: ObjectPath = "/org/playerd"
  static let interface: InterfaceName = "org.playerd.Monitor1"

  let fake: FakeMonitoredPlayer
  let bus: PrivateBus
  let loop: PollLoop
  let service: MonitorService
  /// The connection of the service.
  let connection: DBusConnection
  let client: Client

  /// A monitoring client.
  struct Client: Sendable {
    let connection: DBusConnection
    let service: BusName
    /// The received signals, in order.
    let signals = EventLog<DBusSignalMessage>()

    @discardableResult
    func call(_ member: MemberName, _ arguments: DBusValue...) async throws -> [DBusValue] {
      try await connection.call(on: service, at: path, of: interface, member, arguments)
    }

    /// Adds an observer and returns its ID.
    func observe(_ member: MemberName, _ argument: DBusValue) async throws -> UInt32 {
      guard case .uint32(let id)? = try await call(member, argument).first else { throw WrongReply() }
      return id
    }

    func get(_ property: String) async throws -> DBusValue {
      let reply = try await connection.call(
        on: service, at: path, of: .properties, "Get", [.string(interface.rawValue), .string(property)])
      return try #require(reply.first?.asVariant)
    }

    /// Returns the name of the D-Bus error that `action` causes, and expects that the error has a message.
    func refusal(_ action: () async throws -> Void) async throws -> String {
      let error = try await #require(throws: DBusError.self) { try await action() }
      #expect(!error.message.isEmpty && error.message != error.name)
      return error.name.split(separator: ".").last.map { String($0) } ?? ""
    }
  }

  struct WrongReply: Error {}

  /// Waits until the client has received all earlier signals, by causing a marker signal.
  ///
  /// - Returns: The signals received since index `first`, without the marker.
  @discardableResult
  func settle(from first: Int = 0, _ client: Client? = nil) async throws -> [DBusSignalMessage] {
    let client = client ?? self.client
    fake.send(.stalled(MPRISTrackID(999, in: .example), position: .zero))
    let mark = try await client.signals.first("the mark", from: first) {
      $0.arguments.first == .objectPath(MPRISTrackID(999, in: .example).path)
    }
    return Array(client.signals.elements[first..<mark.index])
  }

  /// Returns the signals that `action` causes.
  func receivedSignals(_ action: () async throws -> Void) async throws -> [DBusSignalMessage] {
    let first = client.signals.count
    try await action()
    return try await settle(from: first)
  }
}

/// Runs `body` with a monitored player; stops it when `body` returns.
func withServedMonitor(
  _ snapshot: MonitorSnapshot = .playing(), _ body: (ServedMonitor) async throws -> Void
) async throws {
  try await withPrivateBus { bus in
    let loop = PollLoop(name: "test")
    defer { loop.stop() }
    let fake = FakeMonitoredPlayer()
    fake.show { $0 = snapshot }
    let connection = try await DBusConnection.open(address: bus.address, on: loop)
    let service = MonitorService(fake, on: connection, at: ServedMonitor.path)
    try await service.export()
    await fake.attach(to: service, on: connection)
    try await withMonitorClient(of: connection, on: bus, loop) { client in
      try await body(
        ServedMonitor(fake: fake, bus: bus, loop: loop, service: service, connection: connection, client: client))
    }
  }
}

/// Runs `body` with another client.
func withMonitorClient(
  of service: DBusConnection, on bus: PrivateBus, _ loop: PollLoop, _ body: (ServedMonitor.Client) async throws -> Void
) async throws {
  let connection = try await DBusConnection.open(address: bus.address, on: loop)
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

extension DBusSignalMessage {
  /// The changed properties of a PropertiesChanged signal.
  var properties: [String: DBusValue]? {
    member == "PropertiesChanged" && arguments.count == 3 ? arguments[1].asDictionary : nil
  }
}
