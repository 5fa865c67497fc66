import DBus
import EventLoop
import TestSupport

/// A client of `org.playerd.Monitor1`.
struct MonitorClient: Sendable {
  static let name: BusName = "org.playerd"
  static let path: ObjectPath = "/org/playerd"
  static let interface: InterfaceName = "org.playerd.Monitor1"

  let connection: DBusConnection
  /// Every signal of both objects of the daemon, in order.
  let signals = EventLog<DBusSignalMessage>()
  /// The name of the property of each read.
  let reads = EventLog<String>()

  @discardableResult
  func call(_ member: MemberName, _ arguments: DBusValue...) async throws -> [DBusValue] {
    try await connection.call(on: Self.name, at: Self.path, of: Self.interface, member, arguments)
  }

  func get(_ property: String) async throws -> DBusValue {
    reads.append(property)
    let reply = try await connection.call(
      on: Self.name, at: Self.path, of: DaemonUnderTest.properties, "Get",
      [.string(Self.interface.rawValue), .string(property)])
    guard let value = reply.first?.asVariant else { throw UnexpectedReply(text: "\(reply)") }
    return value
  }

  /// Adds an observer and returns its number.
  func observe(_ member: MemberName, _ argument: DBusValue) async throws -> UInt32 {
    guard case .uint32(let id)? = try await call(member, argument).first else {
      throw UnexpectedReply(text: "\(member) gave no number")
    }
    return id
  }

  /// Waits for a signal at or after the index `start`.
  @discardableResult
  func signal(
    _ member: MemberName, from start: Int = 0, within seconds: Double = 15,
    _ isWanted: @escaping @Sendable ([DBusValue]) -> Bool = { _ in true }
  ) async throws -> EventLog<DBusSignalMessage>.Entry {
    try await signals.first("\(member)", from: start, within: seconds) {
      $0.member == member && isWanted($0.arguments)
    }
  }

  /// Waits until a property of Monitor1 has a value: returns at once if it has, or after a signal that reports it.
  func wait(_ property: String, is value: DBusValue) async throws {
    let start = signals.count
    if try await get(property) == value { return }
    try await signal("PropertiesChanged", from: start) {
      $0[0] == .string(Self.interface.rawValue) && $0[1].asDictionary?[property] == value
    }
  }

  /// Returns the received signals with this name from the index `start`.
  func received(_ member: MemberName, from start: Int = 0) -> [DBusSignalMessage] {
    signals.elements.dropFirst(start).filter { $0.member == member }
  }
}

/// Runs `body` with a client that monitors the daemon.
func withMonitor<T>(of daemon: DaemonUnderTest, _ body: (MonitorClient) async throws -> T) async throws -> T {
  let loop = PollLoop(name: "monitor")
  defer { loop.stop() }
  let connection = try await DBusConnection.open(address: daemon.bus.address, on: loop)
  let client = MonitorClient(connection: connection)
  let signals = try await connection.signals(from: MonitorClient.name)
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { for await signal in signals { client.signals.append(signal) } }
    defer { group.cancelAll() }
    let result = try await body(client)
    await connection.close()
    return result
  }
}

extension DaemonUnderTest {
  /// Whether the daemon has subscribed to the bus's signal of the end of a connection.
  func watchesSomebody() async throws -> Bool {
    let daemon = await client.owner(of: MonitorClient.name)
    let reply = try await client.call(
      on: .bus, at: "/org/freedesktop/DBus", of: "org.freedesktop.DBus.Debug.Stats", "GetAllMatchRules")
    guard case .array(_, let entries)? = reply.first else { return false }
    for case .dictionaryEntry(let name, let rules) in entries where name.asString == daemon?.rawValue {
      if rules.asStrings?.contains(where: { $0.contains("NameOwnerChanged") }) == true { return true }
    }
    return false
  }
}

extension [DBusValue] {
  /// The time-control status in the arguments of a PropertiesChanged.
  var timeControlStatus: String? { count > 1 ? self[1].asDictionary?["TimeControlStatus"]?.asString : nil }
}
