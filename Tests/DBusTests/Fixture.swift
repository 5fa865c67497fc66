import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DBus

/// The object under test: one interface with a member of each kind.
struct Lamp: Sendable {
  var level: Int64 = 5
  var name = "desk"
  var hours: UInt32 = 7
  var serial = "A1"
  var tags: [String] = []
  var inventory = 0
}

extension ObjectPath {
  static let lamp: ObjectPath = "/org/example/Lamp"
}

extension InterfaceName {
  static let lamp: InterfaceName = "org.example.Lamp"
  static let empty: InterfaceName = "org.example.Empty"
  static let introspectable: InterfaceName = "org.freedesktop.DBus.Introspectable"
  static let peer: InterfaceName = "org.freedesktop.DBus.Peer"
}

/// A lamp on a bus and a client beside it, each on a loop of its own.
final class LampTest: Sendable {
  let bus: PrivateBus
  let service: Connection
  let client: Connection
  let lamp = Mutex(Lamp())
  let calls = EventLog<Call>()
  /// The calls that have not been answered yet.
  let waiting = EventLog<Waiting>()

  struct Waiting: Sendable {
    let arguments: [Value]
    let reply: Method.Reply
  }

  private init(bus: PrivateBus, service: Connection, client: Connection) {
    self.bus = bus
    self.service = service
    self.client = client
  }

  static func run(_ body: @escaping @Sendable (LampTest) async throws -> Void) async throws {
    try await withPrivateBus { bus in
      let loops = [EventLoop(name: "service"), EventLoop(name: "client")]
      defer { for loop in loops { loop.stop() } }
      try await deadline(60) {
        let test = LampTest(
          bus: bus, service: try await Connection.open(address: bus.address, on: loops[0]),
          client: try await Connection.open(address: bus.address, on: loops[1]))
        try await test.service.export(at: .lamp, test.interfaces) { test.lamp.withLock { $0 } }
        try await body(test)
      }
    }
  }

  /// Calls the lamp, on its own interface unless told otherwise.
  @discardableResult
  func call(
    _ member: MemberName, _ arguments: [Value] = [], interface: InterfaceName = .lamp, path: ObjectPath = .lamp
  ) async throws -> [Value] {
    try await client.call(on: service.uniqueName, at: path, of: interface, member, arguments)
  }

  func get(_ property: String, interface: InterfaceName = .lamp) async throws -> Value? {
    try await call("Get", [.string(interface.rawValue), .string(property)], interface: .properties).first?.asVariant
  }

  func set(_ property: String, _ value: Value, interface: InterfaceName = .lamp) async throws {
    try await call(
      "Set", [.string(interface.rawValue), .string(property), .variant(value)], interface: .properties)
  }

  func change(_ body: @Sendable (inout Lamp) -> Void) async {
    lamp.withLock { body(&$0) }
    await service.publish(ExportedObject(path: .lamp), showing: lamp.withLock(\.self))
  }

  var interfaces: [Interface<Lamp>] {
    [
      Interface(
        .lamp,
        methods: [
          Method("Echo", in: ["value": "v"], out: ["value": "v"]) { [calls] call in
            calls.append(call)
            return call.arguments
          },
          Method("Add", in: ["one": "i", "other": "i"], out: ["sum": "x"]) {
            call throws(DBusError) in
            guard let one = call.arguments[0].asInt64, let other = call.arguments[1].asInt64 else {
              throw .failed("no numbers")
            }
            return [.int64(one + other)]
          },
          Method("Break") { [calls] call throws(DBusError) in
            calls.append(call)
            throw .notSupported("it does not break")
          },
          Method(
            MethodDeclaration("Wait", in: ["value": "v"], out: ["value": "v"]),
            later: { [waiting] call, reply in waiting.append(Waiting(arguments: call.arguments, reply: reply)) }),
          Method(
            MethodDeclaration("Refuse"), later: { _, _ throws(DBusError) in throw .accessDenied("no waiting here") }),
          Method("Lie", out: ["text": "s"]) { _ in [.int32(1)] },
          Method("Brighten") { [self] _ in
            service.assumeIsolated { service in
              self.lamp.withLock { $0.level += 1 }
              service.publish(ExportedObject(path: .lamp), showing: self.lamp.withLock(\.self))
            }
            return []
          },
        ],
        properties: [
          Property("Level", "x") {
            .int64($0.level)
          } set: { [self] value, _ throws(DBusError) in
            guard let level = value.asInt64, level >= 0 else { throw .invalidArguments("a level is not negative") }
            lamp.withLock { $0.level = level }
          },
          Property("Name", "s") {
            .string($0.name)
          } set: { [self] value, _ in
            lamp.withLock { $0.name = value.asString ?? "" }
          },
          Property("Hours", "u", changes: .never) { .uint32($0.hours) },
          Property("Serial", "s", changes: .constant) { .string($0.serial) },
          Property("Tags", "as", changes: .invalidates) { .strings($0.tags) },
          Property("Inventory", "i", differs: { $0.inventory != $1.inventory }) { .int32(Int32($0.inventory)) },
        ],
        signals: [Signal("Flickered", ["times": "u", "why": "s"])]),
      Interface(.empty),
    ]
  }
}

/// What a call throws, nil when it succeeds.
func failure(_ body: () async throws -> Void) async -> DBusError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? DBusError ?? .failed("no error of D-Bus: \(error)")
  }
}

extension Optional where Wrapped: ~Copyable {
  var isSome: Bool {
    switch self {
    case .some: true
    case .none: false
    }
  }
}

/// A peer on the bus that reads nothing and answers nothing: its loop's thread is kept waiting.
struct SilentPeer: Sendable {
  let name: BusName
  private let loop: EventLoop
  private let leash: CInt

  static func connect(to bus: PrivateBus) async throws -> SilentPeer {
    let loop = EventLoop(name: "silent")
    let connection = try await Connection.open(address: bus.address, on: loop)
    var ends: [CInt] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    await withCheckedContinuation { continuation in
      loop.submit { [leash = ends[0]] in
        continuation.resume()
        var byte: UInt8 = 0
        unsafe read(leash, &byte, 1)
        Glibc.close(leash)
      }
    }
    return SilentPeer(name: connection.uniqueName, loop: loop, leash: ends[1])
  }

  /// Lets the thread go on, and end.
  func close() {
    Glibc.close(leash)
    loop.stop()
  }
}
