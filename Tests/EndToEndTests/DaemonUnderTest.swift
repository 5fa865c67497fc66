import DBus
import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

/// The built daemon on a private bus, with a client that records every signal.
struct DaemonUnderTest: Sendable {
  static let name: BusName = "org.mpris.MediaPlayer2.playerd"
  static let path: ObjectPath = "/org/mpris/MediaPlayer2"
  static let player: InterfaceName = "org.mpris.MediaPlayer2.Player"
  static let properties: InterfaceName = "org.freedesktop.DBus.Properties"

  let bus: PrivateBus
  let process: ChildProcess
  let client: DBusConnection
  /// Every signal of the MPRIS object's Player and Properties interfaces, in order.
  let signals: EventLog<DBusSignalMessage>
  let marks: Marks

  /// Signals that the client itself sends, with known positions among the other signals.
  final class Marks: Sendable {
    static let interface: InterfaceName = "org.playerd.Test1"
    let received = EventLog<UInt32>()
    private let last = Atomic<UInt32>(0)

    func next() -> UInt32 { last.add(1, ordering: .relaxed).newValue }

    static var rows: DBusInterface<Void> { DBusInterface(interface, signals: [DBusSignal("Marked", ["number": "u"])]) }
  }

  /// The path of the built command, beside the test bundle.
  static let executable: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/mpris-playerd"
  }()

  static let silentSink = ["--audio-sink", "fakesink sync=true"]

  // MARK: Requests of a client

  func get(_ property: String, of interface: InterfaceName = player) async throws -> DBusValue {
    let reply = try await client.call(
      on: Self.name, at: Self.path, of: Self.properties, "Get", [.string(interface.rawValue), .string(property)])
    guard let value = reply.first?.asVariant else { throw UnexpectedReply(text: "\(reply)") }
    return value
  }

  func set(_ property: String, _ value: DBusValue) async throws {
    _ = try await client.call(
      on: Self.name, at: Self.path, of: Self.properties, "Set",
      [.string(Self.player.rawValue), .string(property), .variant(value)])
  }

  func call(_ method: MemberName, _ arguments: [DBusValue] = [], of interface: InterfaceName = player) async throws {
    _ = try await client.call(on: Self.name, at: Self.path, of: interface, method, arguments)
  }

  func metadata(_ key: String) async throws -> DBusValue? { try await get("Metadata").asDictionary?[key] }

  func status() async throws -> String? { try await get("PlaybackStatus").asString }

  /// Returns the position in microseconds.
  func position() async throws -> Int64 {
    guard let position = try await get("Position").asInt64 else { throw UnexpectedReply(text: "Position is no number") }
    return position
  }

  /// Waits for a PropertiesChanged of the Player interface in which the value of `key` satisfies `isWanted`.
  @discardableResult
  func changed(
    _ key: String, from start: Int = 0, within seconds: Double = 10,
    _ isWanted: @escaping @Sendable (DBusValue) -> Bool = { _ in true }
  ) async throws -> EventLog<DBusSignalMessage>.Entry {
    try await signals.first("a change of \(key)", from: start, within: seconds) { signal in
      signal.changes?[key].map(isWanted) ?? false
    }
  }

  /// Waits until the title is `title`: returns at once if it is, or after a signal at or after `start` that reports it.
  ///
  /// - Returns: The least number of signals that had been received at that time.
  @discardableResult
  func titled(_ title: String, from start: Int = 0, within seconds: Double = 10) async throws -> Int {
    let received = signals.count
    if try await metadata("xesam:title") == .string(title) {
      try await barrier()
      return received
    }
    return try await changed("Metadata", from: start, within: seconds) {
      $0.asDictionary?["xesam:title"] == .string(title)
    }.index
  }

  /// Waits until a track has its title and is ready to play, and all signals of its opening have been received.
  func opened(titled title: String) async throws {
    try await titled(title)
    try await withMonitor(of: self) { try await $0.wait("ItemStatus", is: .string("readyToPlay")) }
    try await barrier()
  }

  /// Runs playerctl against the daemon.
  func playerctl(_ arguments: String...) async throws -> String {
    let result = try await run(["playerctl", "-p", "playerd"] + arguments, environment: bus.environment)
    guard result.succeeded else {
      throw UnexpectedReply(text: "playerctl \(arguments): \(result.error)\(process.diagnostics)")
    }
    return String(result.output.dropLast())
  }

  /// Makes a round trip through the daemon: when it returns, every signal sent before it has been recorded.
  func barrier() async throws {
    _ = try await client.call(on: Self.name, at: Self.path, of: "org.freedesktop.DBus.Peer", "Ping")
    // The bus orders the mark behind every message that it has received from the daemon.
    let mark = marks.next()
    try await client.emit("Marked", of: Marks.interface, at: Self.path, [.uint32(mark)])
    try await marks.received.first("the mark of a barrier") { $0 == mark }
  }
}

/// CLOCK_MONOTONIC in microseconds.
func monotonic() -> Int64 {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
}

struct UnexpectedReply: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}

extension DBusSignalMessage {
  /// The changed values in a PropertiesChanged of the Player interface; nil for any other signal.
  var changes: [String: DBusValue]? {
    guard member == "PropertiesChanged", arguments.first?.asString == DaemonUnderTest.player.rawValue,
      arguments.count == 3
    else { return nil }
    return arguments[1].asDictionary
  }

  var isSeeked: Bool { member == "Seeked" }
}

/// Starts the daemon with arguments on a private bus, waits until it serves, and ends both.
///
/// A launcher is a command that runs the daemon, whose command line follows its own.
///
/// If playerctld is installed, it runs beside the daemon: no signal of the daemon may crash it.
func withDaemon<T: Sendable>(
  _ arguments: [String], sink: [String] = DaemonUnderTest.silentSink, environment: [String: String] = [:],
  launcher: [String] = [], _ body: (DaemonUnderTest) async throws -> T
) async throws -> T {
  try await withPrivateBus { bus in
    guard Tool.areAvailable("playerctld") else {
      return try await withDaemon(arguments, on: bus, sink: sink, environment: environment, launcher: launcher, body)
    }
    return try await withChildProcess(["playerctld"], environment: bus.environment) { proxy in
      let result = try await withDaemon(
        arguments, on: bus, sink: sink, environment: environment, launcher: launcher, body)
      // playerctld may exit with the bus, but not by a crash.
      if !proxy.isRunning, case .signalled(let signal) = try await proxy.exitStatus() {
        #expect(![SIGABRT, SIGSEGV, SIGTRAP, SIGBUS].contains(signal), "playerctld: \(proxy.diagnostics)")
      }
      return result
    }
  }
}

/// Starts the daemon in the same way, on an existing bus.
func withDaemon<T: Sendable>(
  _ arguments: [String], on bus: PrivateBus, sink: [String] = DaemonUnderTest.silentSink,
  environment: [String: String] = [:], launcher: [String] = [],
  _ body: (DaemonUnderTest) async throws -> T
) async throws -> T {
  let loop = PollLoop(name: "client")
  defer { loop.stop() }
  let client = try await DBusConnection.open(address: bus.address, on: loop)
  let owners = try await client.signals(from: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
  // A single stream, so that the log has the order of the wire.
  let received = try await client.signals(path: DaemonUnderTest.path)
  try await client.export(at: DaemonUnderTest.path, [DaemonUnderTest.Marks.rows], state: {})
  let (names, named) = AsyncStream.makeStream(of: BusName.self)
  let log = EventLog<DBusSignalMessage>()
  let marks = DaemonUnderTest.Marks()
  return try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask {
      // playerctld repeats the signals that it receives under its own name.
      guard let daemon = await names.first(where: { _ in true }) else { return }
      for await signal in received {
        switch signal.interface {
        case DaemonUnderTest.properties, DaemonUnderTest.player: if signal.sender == daemon { log.append(signal) }
        case DaemonUnderTest.Marks.interface:
          if case .uint32(let number)? = signal.arguments.first { marks.received.append(number) }
        default: break
        }
      }
    }
    let command = launcher + [DaemonUnderTest.executable] + sink + arguments
    // A daemon starts without the state of an earlier one, unless a test passes it.
    let result = try await withTemporaryDirectory { state in
      let environment = ["XDG_STATE_HOME": state.path].merging(bus.environment) { $1 }.merging(environment) { $1 }
      return try await withChildProcess(command, environment: environment) { process in
        try await deadline(10, "the daemon takes its name") {
          for await change in owners where change.arguments.first == .string(DaemonUnderTest.name.rawValue) {
            named.yield(try BusName(change.arguments.last?.asString ?? ""))
            return
          }
        }
        return try await body(
          DaemonUnderTest(bus: bus, process: process, client: client, signals: log, marks: marks))
      }
    }
    await client.close()
    group.cancelAll()
    return result
  }
}
