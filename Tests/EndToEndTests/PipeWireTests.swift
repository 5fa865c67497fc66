import DBus
import TestSupport
import Testing

/// Tests of the daemon on a PipeWire server, through `pulsesink` and, where it works, through `pipewiresink`.
@Suite(
  "The daemon on a PipeWire server",
  .enabled(if: PipeWireServer.isAvailable, "\(PipeWireServer.unavailable)"),
  .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PipeWireTests {
  /// The outputs that a configuration may name on PipeWire.
  private static let sinks = ["pulsesink", "pipewiresink"]

  private static let headset = "headset"

  /// Runs `body` with a daemon that has played one second, and with the log of the server's events.
  ///
  /// Uses the automatic output unless `sink` names another.
  private func playing(
    through sink: String? = nil, environment: [String: String] = [:], hasRoles: Bool = false,
    preparing prepare: @Sendable (PipeWireServer) async throws -> Void = { _ in },
    _ body: @Sendable (DaemonUnderTest, PipeWireServer, ChildProcess) async throws -> Void
  ) async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Here"))
    try await withPipeWireServer(hasRoles: hasRoles) { server in
      try await prepare(server)
      try await withChildProcess(["pactl", "subscribe"], environment: server.environment) { events in
        let arguments = sink.map { ["--audio-sink", $0] } ?? []
        let environment = server.environment.merging(environment) { $1 }
        try await withDaemon(["--paused", file], sink: arguments, environment: environment) { daemon in
          try await daemon.titled("Here", within: 30)
          try await daemon.plays(past: 1_000_000)
          try await body(daemon, server, events)
        }
      }
    }
  }

  @Test("Setting the volume changes the stream's volume, and a change of the stream's volume is signalled to clients")
  func volume() async throws {
    try await playing { daemon, server, events in
      let (place, mark) = (events.lines.count, daemon.signals.count)
      try await daemon.set("Volume", .double(0.5))
      try await events.waitForLine(containing: "'change' on sink-input", from: place)
      #expect(try await pactl(server.environment, "list", "sink-inputs").contains("50%"))
      _ = try await pactl(server.environment, "set-sink-input-volume", onlyStream(server.environment), "25%")
      try await daemon.changed("Volume", from: mark, within: 20) { abs(($0.asDouble ?? 0) - 0.25) < 0.01 }
    }
  }

  @Test(
    "Mixers show the program with its icon and role, and through pulsesink the title of the track", arguments: sinks)
  func named(sink: String) async throws {
    try await playing(through: sink) { _, server, _ in
      let stream = try await pactl(server.environment, "list", "sink-inputs")
      // `pipewiresink` reads its properties only when it opens, and would keep the title for later tracks.
      for property in [
        "application.name = \"mpris-playerd\"", "application.id = \"mpris-playerd\"",
        "application.icon_name = \"mpris-playerd\"", "media.role = \"music\"",
      ] + (sink == "pulsesink" ? ["media.title = \"Here\"", "media.name = \"Here\""] : []) {
        #expect(stream.contains(property), "\(property) in \(stream)")
      }
    }
  }

  @Test("An item plays for longer than the limit for items that give no more audio")
  func beyondTheLimit() async throws {
    let limit = ["MPRIS_PLAYERD_LOAD_TIMEOUT": "3"]
    try await playing(environment: limit) { daemon, _, _ in try await daemon.passes(7_000_000) }
  }

  @Test("Removing the device pauses playback, and Play resumes at the same position on the other device")
  func unplugged() async throws {
    let prepare: @Sendable (PipeWireServer) async throws -> Void = { server in
      _ = try await pactl(server.environment, "load-module", "module-null-sink", "sink_name=\(Self.headset)")
      _ = try await pactl(server.environment, "set-default-sink", Self.headset)
    }
    try await playing(preparing: prepare) { daemon, server, _ in
      let place = daemon.signals.count
      let modules = try await pactl(server.environment, "list", "short", "modules").split(separator: "\n")
      let module = modules.first { $0.contains("sink_name=\(Self.headset)") }?.split(separator: "\t").first
      _ = try await pactl(server.environment, "unload-module", String(try #require(module)))
      try await daemon.changed("PlaybackStatus", from: place, within: 30) { $0 == .string("Paused") }
      try await daemon.process.waitForLine(
        containing: "the output device “\(Self.headset)” was removed; playback is paused")
      let held = try await daemon.position()
      #expect(held >= 1_000_000)
      try await daemon.plays(past: held + 500_000)
    }
  }

  @Test(
    "A call that disconnects the music pauses it, and its end resumes it",
    .enabled("the test has no policy for this WirePlumber") { try await PipeWireServer.hasRoles })
  func call() async throws {
    let voice = try await Media.sine(seconds: 60, format: .wav)
    try await playing(hasRoles: true) { daemon, server, _ in
      let call = ["paplay", "--property=media.role=phone", voice]
      try await daemon.isPaused { held in
        try await withChildProcess(call, environment: server.environment) { _ in try await held() }
      }
    }
  }

  @Test("A stream that is moved to another device plays on, without a pause")
  func moved() async throws {
    let prepare: @Sendable (PipeWireServer) async throws -> Void = { server in
      _ = try await pactl(server.environment, "load-module", "module-null-sink", "sink_name=\(Self.headset)")
    }
    try await playing(preparing: prepare) { daemon, server, _ in
      let place = daemon.signals.count
      _ = try await pactl(server.environment, "set-default-sink", Self.headset)
      try await daemon.played(2)
      _ = try await pactl(
        server.environment, "move-sink-input", onlyStream(server.environment), PipeWireServer.sink)
      try await daemon.played(2)
      #expect(daemon.signals.elements.dropFirst(place).allSatisfy { !"\($0.arguments)".contains("Paused") })
    }
  }

  @Test("Playback waits while the server is down, and resumes at the same position when it is back")
  func restarted() async throws {
    try await playing { daemon, server, _ in
      let track = try await daemon.metadata("mpris:trackid")
      try await withMonitor(of: daemon) { monitor in
        await server.kill()
        try await monitor.wait("ReasonForWaitingToPlay", is: .string("noOutput"))
        let held = try await daemon.position()
        #expect(held >= 1_000_000)
        #expect(try await daemon.status() == "Playing")
        _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(held + 500_000)]))
        let mark = daemon.signals.count
        try await server.restart()
        try await monitor.signal("BoundaryReached", within: 60)
        #expect(try await daemon.metadata("mpris:trackid") == track)
        let seeked = daemon.signals.elements.dropFirst(mark).filter(\.isSeeked).map { $0.arguments.first?.asInt64 ?? 0 }
        #expect(seeked.count == 1 && seeked.allSatisfy((held..<held + 500_000).contains), "\(held), \(seeked)")
        #expect(try await pactl(server.environment, "list", "short", "sink-inputs").isEmpty == false)
      }
    }
  }

  @Test("Pausing releases the output, and Play resumes at the same position", arguments: sinks)
  func released(sink: String) async throws {
    try await playing(through: sink) { daemon, server, events in
      let place = events.lines.count
      try await daemon.call("Pause")
      try await events.waitForLine(containing: "'remove' on sink-input", from: place, within: 30)
      let held = try await daemon.position()
      #expect(try await pactl(server.environment, "list", "short", "sink-inputs").isEmpty)
      try await daemon.plays(past: held + 500_000)
    }
  }

  @Test("An output that was opened paused is released by Stop, and another item plays", arguments: sinks)
  func stoppedBeforeStart(sink: String) async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Held"))
    let next = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Next"))
    try await withPipeWireServer { server in
      try await withChildProcess(["pactl", "subscribe"], environment: server.environment) { events in
        try await withDaemon(["--paused", file], sink: ["--audio-sink", sink], environment: server.environment) {
          daemon in
          try await daemon.titled("Held", within: 30)
          // The server has chosen the format of the stream.
          try await events.waitForLine(containing: "on sink-input", within: 30)
          try await withMonitor(of: daemon) { try await $0.wait("ItemStatus", is: .string("readyToPlay")) }
          try await daemon.call("Stop")
          try await daemon.passes(500_000) { try await daemon.call("OpenUri", [.string("file://" + next)]) }
        }
      }
    }
  }

  @Test("After each skip, the next track is audible from its first sample on", arguments: [1024, 4096])
  func skips(quantum: Int) async throws {
    let places = (0..<5 * 44_100).map { Int32($0 % 30_000 + 1) }
    var files: [String] = []
    for number in 1...4 {
      let numbers = [Int32](repeating: Int32(number), count: places.count)
      files.append(try await Media.wav(channels: [places, numbers], PCM(rate: 44_100, bits: 16, channels: 2)))
    }
    try await withPipeWireServer { server in
      let settings = ["pw-metadata", "-n", "settings", "0", "clock.force-quantum", "\(quantum)"]
      #expect(try await run(settings, environment: server.environment).succeeded)
      let sink = try await pactl(server.environment, "get-default-sink")
      try await withSoundRecorder(of: sink, environment: server.environment) { recorder in
        try await withDaemon(["--paused"] + files, sink: [], environment: server.environment) { daemon in
          try await daemon.plays(past: 1_000_000)
          for _ in 2...4 { try await daemon.passes(700_000) { try await daemon.call("Next") } }
          try await daemon.call("Stop")
          let (left, right) = try await recorder.channels(within: 60)
          for number in 2...4 {
            let first = try #require(right.firstIndex(of: Int32(number)))
            #expect(left[first] == 1, "track \(number) after \(quantum) frames")
          }
        }
      }
    }
  }
}
