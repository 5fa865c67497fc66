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

/// A lamp and a client on a private bus, each with its own event loop.
final class LampTest: Sendable {
  let bus: PrivateBus
  let service: DBusConnection
  let client: DBusConnection
  let lamp = Mutex(Lamp())
  let calls = EventLog<DBusCall>()
  /// The calls that still wait for a reply.
  let waiting = EventLog<Waiting>()

  struct Waiting: Sendable {
    let arguments: [DBusValue]
    let reply: DBusMethod.Reply
  }

  private init(bus: PrivateBus, service: DBusConnection, client: DBusConnection) {
    self.bus = bus
    self.service = service
    self.client = client
  }

  static func run(_ body: @escaping @Sendable (LampTest) async throws -> Void) async throws {
    try await withPrivateBus { bus in
      let loops = [PollLoop(name: "service"), PollLoop(name: "client")]
      defer { for loop in loops { loop.stop() } }
      try await deadline(60) {
        let test = LampTest(
          bus: bus, service: try await DBusConnection.open(address: bus.address, on: loops[0]),
          client: try await DBusConnection.open(address: bus.address, on: loops[1]))
        try await test.service.export(at: .lamp, test.interfaces) { test.lamp.withLock { $0 } }
        try await body(test)
      }
    }
  }

  /// Calls the lamp, by default on its own interface.
  @discardableResult
  func call(
    _ member: MemberName, _ arguments: [DBusValue] = [], interface: InterfaceName = .lamp, path: ObjectPath = .lamp
  ) async throws -> [DBusValue] {
    try await client.call(on: service.uniqueName, at: path, of: interface, member, arguments)
  }

  func get(_ property: String, interface: InterfaceName = .lamp) async throws -> DBusValue? {
    try await call("Get", [.string(interface.rawValue), .string(property)], interface: .properties).first?.asVariant
  }

  func set(_ property: String, _ value: DBusValue, interface: InterfaceName = .lamp) async throws {
    try await call(
      "Set", [.string(interface.rawValue), .string(property), .variant(value)], interface: .properties)
  }

  func change(_ body: @Sendable (inout Lamp) -> Void) async {
    lamp.withLock { body(&$0) }
    await service.publish(DBusExportedObject(path: .lamp), showing: lamp.withLock(\.self))
  }

  var interfaces: [DBusInterface<Lamp>] {
    [
      DBusInterface(
        .lamp,
        methods: [
          DBusMethod("Echo", in: ["value": "v"], out: ["value": "v"]) { [calls] call in
            calls.append(call)
            return call.arguments
          },
          DBusMethod("Add", in: ["one": "i", "other": "i"], out: ["sum": "x"]) {
            call throws(DBusError) in
            guard let one = call.arguments[0].asInt64, let other = call.arguments[1].asInt64 else {
              throw .failed("no numbers")
            }
            return [.int64(one + other)]
          },
          DBusMethod("Break") { [calls] call throws(DBusError) in
            calls.append(call)
            throw .notSupported("it does not break")
          },
          DBusMethod(
            DBusMethodDeclaration("Wait", in: ["value": "v"], out: ["value": "v"]),
            later: { [waiting] call, reply in waiting.append(Waiting(arguments: call.arguments, reply: reply)) }),
          DBusMethod(
            DBusMethodDeclaration("Refuse"), later: { _, _ throws(DBusError) in throw .accessDenied("no waiting here") }
          ),
          DBusMethod("Lie", out: ["text": "s"]) { _ in [.int32(1)] },
          DBusMethod("Brighten") { [self] _ in
            service.assumeIsolated { service in
              self.lamp.withLock { $0.level += 1 }
              service.publish(DBusExportedObject(path: .lamp), showing: self.lamp.withLock(\.self))
            }
            return []
          },
        ],
        properties: [
          DBusProperty("Level", "x") {
            .int64($0.level)
          } set: { [self] value, _ throws(DBusError) in
            guard let level = value.asInt64, level >= 0 else { throw .invalidArguments("a level is not negative") }
            lamp.withLock { $0.level = level }
          },
          DBusProperty("Name", "s") {
            .string($0.name)
          } set: { [self] value, _ in
            lamp.withLock { $0.name = value.asString ?? "" }
          },
          DBusProperty("Hours", "u", changes: .never) { .uint32($0.hours) },
          DBusProperty("Serial", "s", changes: .constant) { .string($0.serial) },
          DBusProperty("Tags", "as", changes: .invalidates) { .strings($0.tags) },
          DBusProperty("Inventory", "i", differs: { $0.inventory != $1.inventory }) { .int32(Int32($0.inventory)) },
        ],
        signals: [DBusSignal("Flickered", ["times": "u", "why": "s"])]),
      DBusInterface(.empty),
    ]
  }
}

/// Returns the error that a call throws; nil if it succeeds.
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

/// A peer on the bus that does not read or reply, because the thread of its loop is blocked.
struct SilentPeer: Sendable {
  let name: BusName
  private let loop: PollLoop
  private let blockingPipe: CInt

  static func connect(to bus: PrivateBus) async throws -> SilentPeer {
    let loop = PollLoop(name: "silent")
    let connection = try await DBusConnection.open(address: bus.address, on: loop)
    var ends: [CInt] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    await withCheckedContinuation { continuation in
      loop.submit { [blockingPipe = ends[0]] in
        continuation.resume()
        var byte: UInt8 = 0
        unsafe read(blockingPipe, &byte, 1)
        Glibc.close(blockingPipe)
      }
    }
    return SilentPeer(name: connection.uniqueName, loop: loop, blockingPipe: ends[1])
  }

  /// Unblocks and ends the thread.
  func close() {
    Glibc.close(blockingPipe)
    loop.stop()
  }
}
