import DBus
import EventLoop
import TestSupport
import Testing

/// Tests of the key `power`, with a mock of UPower and a real sound server.
@Suite(
  "Power", .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "\(PulseServer.unavailable)"),
  .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PowerTests {
  /// A mock of UPower on a bus.
  private struct UPowerMock: Sendable {
    private static let path: ObjectPath = "/org/freedesktop/UPower"
    private static let interface: InterfaceName = "org.freedesktop.UPower"
    private let connection: DBusConnection
    private let object: DBusExportedObject<Bool>

    init(on bus: PrivateBus, _ loop: PollLoop) async throws {
      connection = try await DBusConnection.open(address: bus.address, on: loop)
      let property = DBusProperty<Bool>("OnBattery", "b", get: { .boolean($0) })
      let rows = DBusInterface<Bool>(Self.interface, properties: [property])
      object = try await connection.export(at: Self.path, [rows]) { false }
      guard try await connection.requestName("org.freedesktop.UPower") else { throw UnexpectedReply(text: "no name") }
    }

    func set(_ isOnBattery: Bool) async { await connection.publish(object, showing: isOnBattery) }
  }

  /// Makes the files of the queue: a sine that becomes silent after 30 s, and silence.
  ///
  /// The second has another rate, so the output opens again for it.
  private static func files() async throws -> [String] {
    let halves = PCM().sine(count: 44_100 * 30) + Array(repeating: 0, count: 44_100 * 30)
    return [
      try await Media.wav(halves, PCM()),
      try await Media.wav(Array(repeating: 0, count: 48_000 * 30), PCM(rate: 48_000)),
    ]
  }

  /// Plays the files, or streams of them, from a daemon with the key `power`.
  private func playing(
    _ power: String, overHTTP: Bool = false, _ settings: [String: String] = [:],
    _ body: @Sendable (DaemonUnderTest, PulseServer, UPowerMock) async throws -> Void
  ) async throws {
    let files = try await Self.files()
    guard overHTTP else { return try await playing(files, power, settings, body) }
    try await withHTTPServer { server in
      let uris = try files.enumerated().map { try server.script("/\($0).wav", .file($1, type: "audio/wav")) }
      try await playing(uris, power, settings, body)
    }
  }

  private func playing(
    _ files: [String], _ power: String, _ settings: [String: String],
    _ body: @Sendable (DaemonUnderTest, PulseServer, UPowerMock) async throws -> Void
  ) async throws {
    let loop = PollLoop(name: "upower")
    defer { loop.stop() }
    try await withPulseServer { server in
      try await withPrivateBus { bus in
        let upower = try await UPowerMock(on: bus, loop)
        let environment = server.environment.merging(
          ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "MPRIS_PLAYERD_POWER": power]
        ) { $1 }.merging(settings) { $1 }
        try await withDaemon(files, on: bus, sink: [], environment: environment) { daemon in
          try await daemon.passes(1_000_000)
          try await body(daemon, server, upower)
        }
      }
    }
  }

  /// Returns the audio that the server holds, with the rendered part, in seconds.
  private func buffered(_ server: PulseServer) async throws -> Double {
    let list = try await run(["pactl", "list", "sink-inputs"], environment: server.environment).output
    let latencies = list.split(separator: "\n").filter {
      $0.contains("Buffer Latency:") || $0.contains("Sink Latency:")
    }
    let numbers = latencies.compactMap { $0.split(separator: " ").dropLast().last.flatMap { Double($0) } }
    try #require(numbers.count == 2, "\(list)")
    return numbers.reduce(0, +) / 1e6
  }

  @Test(
    "The server holds up to 2 s of a file and of a stream, in each mode",
    arguments: [("normal", false), ("normal", true), ("low", true)])
  func buffer(power: String, overHTTP: Bool) async throws {
    try await playing(power, overHTTP: overHTTP) { _, server, _ in
      // A second is written when a second is left. On a busy machine the buffer may be nearly empty at one instant.
      var seconds = 0.0
      for _ in 0..<3 { seconds = max(seconds, try await buffered(server)) }
      #expect(seconds > 0.9 && seconds < 2.2, "\(seconds)")
    }
  }

  @Test("The mode follows the battery")
  func battery() async throws {
    try await playing("battery") { daemon, _, upower in
      await upower.set(true)
      try await daemon.process.waitForLine(containing: "low power mode is on")
      await upower.set(false)
      try await daemon.process.waitForLine(containing: "low power mode is off")
    }
  }

  @Test("The audio that the server holds delays no pause, seek, skip or change of the volume")
  func commands() async throws {
    try await playing("low") { daemon, server, _ in
      try await withSoundRecorder(of: PulseServer.sink, environment: server.environment) { recorder in
        func expectSound(_ isSounding: Bool, _ command: String) async throws {
          try await recorder.record(seconds: 0.3)
          #expect(recorder.isSounding == isSounding, "\(command)")
        }
        try await expectSound(true, "before")
        try await daemon.call("Pause")
        try await expectSound(false, "Pause")
        try await daemon.call("Play")
        try await daemon.passes(2_500_000)
        try await expectSound(true, "Play")
        let track = try #require(try await daemon.metadata("mpris:trackid"))
        try await daemon.call("SetPosition", [track, .int64(45_000_000)])
        try await expectSound(false, "a seek to the silent half")
        try await daemon.call("SetPosition", [track, .int64(5_000_000)])
        try await daemon.passes(7_500_000)
        try await expectSound(true, "a seek back")
        try await daemon.call("Next")
        try await expectSound(false, "Next")
        try await daemon.call("Previous")
        try await daemon.passes(2_500_000)
        try await expectSound(true, "Previous")
        try await daemon.set("Volume", .double(0))
        try await expectSound(false, "Volume")
      }
    }
  }

  @Test("The audio that the server holds delays no fade: the output is silent when it has ended")
  func fade() async throws {
    try await playing("low", ["MPRIS_PLAYERD_FADE": "0.5"]) { daemon, server, _ in
      try await withSoundRecorder(of: PulseServer.sink, environment: server.environment) { recorder in
        try await withMonitor(of: daemon) { monitor in
          try await recorder.record(seconds: 0.3)
          #expect(recorder.isSounding)
          let mark = monitor.signals.count
          try await daemon.call("Pause")
          try await monitor.signal("PropertiesChanged", from: mark) { $0.anchorRate == 0 }
          try await recorder.record(seconds: 0.3)
          #expect(!recorder.isSounding)
        }
      }
    }
  }
}
