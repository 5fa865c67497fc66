import DBus
import Synchronization

// The code of the pages in Sources/DBus/DBus.docc; DocumentationTests compares the texts, ListingTests runs it.

func openSessionBus() async throws -> DBusConnection {
  return try await DBusConnection.session()
}

/// A lamp: its state, and the stream of its changes.
final class Lamp: Sendable {
  struct State: Sendable {
    var isOn = false
    var level = 0.5
  }

  let changes: AsyncStream<State>
  private let continuation: AsyncStream<State>.Continuation
  private let state = Mutex(State())

  init() { (changes, continuation) = AsyncStream.makeStream() }

  var current: State { state.withLock { $0 } }

  func change(_ change: (inout State) -> Void) {
    let new = state.withLock { state in
      change(&state)
      return state
    }
    continuation.yield(new)
  }
}

func interface(of lamp: Lamp) -> DBusInterface<Lamp.State> {
  DBusInterface(
    "org.example.Lamp1",
    methods: [
      DBusMethod("Toggle", out: ["isOn": "b"]) { _ in
        lamp.change { $0.isOn.toggle() }
        return [.boolean(lamp.current.isOn)]
      }
    ],
    properties: [
      DBusProperty("IsOn", "b") { .boolean($0.isOn) },
      DBusProperty("Level", "d") { .double($0.level) }
        .writable { value, _ throws(DBusError) in
          guard let level = value.asDouble, (0...1).contains(level) else {
            throw .invalidArguments("the level is not within 0…1")
          }
          lamp.change { $0.level = level }
        },
    ],
    signals: [DBusSignal("BulbFailed", ["message": "s"])])
}

func serve(_ lamp: Lamp, on connection: DBusConnection) async throws {
  let object = try await connection.export(at: "/org/example/Lamp1", [interface(of: lamp)]) { lamp.current }
  guard try await connection.requestName("org.example.Lamp") else {
    throw DBusError.failed("another program owns org.example.Lamp")
  }
  for await state in lamp.changes { await connection.publish(object, showing: state) }
}

func reportFailure(on connection: DBusConnection) async throws {
  try await connection.emit(
    "BulbFailed", of: "org.example.Lamp1", at: "/org/example/Lamp1", [.string("the filament is broken")])
}

func delayedMethod(_ lamp: Lamp, _ dim: @escaping @Sendable (Lamp, @escaping @Sendable () -> Void) -> Void)
  -> DBusMethod
{
  let fadeOut = DBusMethod(DBusMethodDeclaration("FadeOut")) { _, reply in
    dim(lamp) { reply(.success([])) }
  }
  return fadeOut
}

/// The declarations that the server and its clients share.
enum Lamp1 {
  static let name: InterfaceName = "org.example.Lamp1"
  static let toggle = DBusMethodDeclaration("Toggle", out: ["isOn": "b"])
  static let level = DBusPropertyDeclaration<Double>("Level")
  static let bulbFailed = DBusSignal("BulbFailed", ["message": "s"])
}

func sharedRows() -> DBusInterface<Lamp.State> {
  DBusInterface(
    Lamp1.name,
    methods: [DBusMethod(Lamp1.toggle, calling: { true })],
    properties: [DBusProperty(Lamp1.level, get: { $0.level })],
    signals: [Lamp1.bulbFailed])
}

func lamp(on connection: DBusConnection) -> DBusProxy {
  let lamp = DBusProxy(Lamp1.name, at: "/org/example/Lamp1", of: "org.example.Lamp", on: connection)
  return lamp
}

func toggle(_ lamp: DBusProxy) async throws -> Bool {
  let isOn: Bool = try await lamp.call(Lamp1.toggle)
  return isOn
}

func toggle(on connection: DBusConnection) async throws -> Bool? {
  let reply = try await connection.call(
    on: "org.example.Lamp", at: "/org/example/Lamp1", of: "org.example.Lamp1", "Toggle")
  let isOn = reply.first?.asBool
  return isOn
}

func setLevel(_ lamp: DBusProxy) async throws {
  try await lamp.set(Lamp1.level, to: 0.8)
  print(try await lamp.get(Lamp1.level))
  print(try await lamp.getAll()["IsOn"]?.asBool ?? false)
}

func printLevels(_ lamp: DBusProxy) async throws {
  for await level in try await lamp.contents(of: Lamp1.level) {
    print(level.map { "level \($0)" } ?? "the lamp is gone")
  }
}

func printFailures(_ lamp: DBusProxy) async throws {
  for await signal in try await lamp.signals(Lamp1.bulbFailed) {
    let message: String = try signal.contents()
    print(message)
  }
}

func printChanges(on connection: DBusConnection) async throws {
  let rule = DBusMatchRule(pathNamespace: "/org/example", interface: .properties, firstArgument: "org.example.Lamp1")
  for await signal in try await connection.signals(matching: rule) {
    print(signal.path, signal.changedProperties?.values["IsOn"]?.asBool ?? "unchanged")
  }
}

func waitForService(on connection: DBusConnection) async throws {
  for await owner in try await connection.owners(of: "org.example.Lamp") {
    print(owner == nil ? "the lamp is gone" : "the lamp is there")
  }
}

func passDescriptor(_ lamp: DBusProxy, _ descriptor: Int32) async throws {
  let play = DBusMethodDeclaration("PlayPattern", in: ["file": "h"])
  try await lamp.perform(play, DBusFileDescriptor(duplicating: descriptor))
}

func listDevices(on connection: DBusConnection) async throws {
  let objects = try await connection.managedObjects(of: "org.bluez", at: "/")
  for (path, interfaces) in objects {
    print(path, interfaces["org.bluez.Device1"]?["Alias"]?.asString ?? "not a device")
  }
}

func errors(on connection: DBusConnection) async throws {
  do {
    _ = try await toggle(on: connection)
  } catch DBusError.serviceUnknown("") {
    print("no program serves the lamp")
  } catch DBusError.noReply("") {
    print("the lamp did not reply")
  }
}

func text(_ path: String) throws(DBusError) -> ObjectPath {
  let object: ObjectPath = "/org/example/Lamp1"
  let other = try ObjectPath(path)
  return path.isEmpty ? object : other
}
