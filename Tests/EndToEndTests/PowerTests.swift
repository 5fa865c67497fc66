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

  /// The files of the queue: the second has another rate, so the output opens again for it.
  private static func files() async throws -> [String] {
    [
      try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "One")),
      try await Media.wav(PCM(rate: 48_000).sine(count: 48_000 * 30), PCM(rate: 48_000)),
    ]
  }

  private func playing(
    _ power: String, _ body: @Sendable (DaemonUnderTest, PulseServer, UPowerMock) async throws -> Void
  ) async throws {
    let files = try await Self.files()
    let loop = PollLoop(name: "upower")
    defer { loop.stop() }
    try await withPulseServer { server in
      try await withPrivateBus { bus in
        let upower = try await UPowerMock(on: bus, loop)
        let environment = server.environment.merging(
          ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "MPRIS_PLAYERD_POWER": power]
        ) { $1 }
        try await withDaemon(files, on: bus, sink: [], environment: environment) { daemon in
          try await daemon.titled("One")
          try await play(daemon, past: 1_000_000)
          try await body(daemon, server, upower)
        }
      }
    }
  }

  private func play(_ daemon: DaemonUnderTest, past position: Int64) async throws {
    try await withMonitor(of: daemon) { monitor in
      _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(position)]))
      try await monitor.signal("BoundaryReached", within: 60)
    }
  }

  /// Returns the audio that the server holds, in seconds.
  private func buffered(_ server: PulseServer) async throws -> Double {
    let list = try await run(["pactl", "list", "sink-inputs"], environment: server.environment).output
    let latency = list.split(separator: "\n").first { $0.contains("Buffer Latency:") }?.split(separator: " ")
    return try #require(latency.flatMap { $0.dropLast().last }.flatMap { Double($0) }, "\(list)") / 1e6
  }

  @Test("The server holds up to 1 s of audio normally, and up to 4 s in low power mode", arguments: ["normal", "low"])
  func buffer(power: String) async throws {
    try await playing(power) { _, server, _ in
      let seconds = try await buffered(server)
      #expect(power == "low" ? seconds > 1.3 && seconds < 4.2 : seconds > 0.5 && seconds < 1.2, "\(seconds)")
    }
  }

  @Test("The mode follows the battery, and the next stream of the output has the buffer for it")
  func battery() async throws {
    try await playing("battery") { daemon, server, upower in
      #expect(try await buffered(server) < 1.2)
      await upower.set(true)
      try await daemon.process.waitForLine(containing: "low power mode is on")
      try await daemon.call("Next")
      try await play(daemon, past: 500_000)
      #expect(try await buffered(server) > 1.3)
      await upower.set(false)
      try await daemon.process.waitForLine(containing: "low power mode is off")
      try await daemon.call("Previous")
      try await play(daemon, past: 500_000)
      #expect(try await buffered(server) < 1.2)
    }
  }

  @Test("In low power mode, a pause and a change of the volume take effect at once")
  func commands() async throws {
    try await playing("low") { daemon, server, _ in
      try await withSoundRecorder(of: PulseServer.sink, environment: server.environment) { recorder in
        try await recorder.record(seconds: 0.3)
        #expect(recorder.isSounding)
        try await daemon.call("Pause")
        try await recorder.record(seconds: 0.3)
        #expect(!recorder.isSounding)
        try await daemon.call("Play")
        try await play(daemon, past: 2_500_000)
        try await recorder.record(seconds: 0.3)
        #expect(recorder.isSounding)
        try await daemon.set("Volume", .double(0))
        try await recorder.record(seconds: 0.3)
        #expect(!recorder.isSounding)
      }
    }
  }
}
