import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the removal of the output device in use, while the sound server keeps running.
@Suite(
  .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "pulseaudio or pactl is not installed"),
  .serialized)
struct UnplugTests {
  /// Runs `body` with a daemon that plays on one of two devices, and with a function that removes that device.
  private func playing(
    _ environment: [String: String] = [:],
    _ body: @Sendable (DaemonUnderTest, PulseServer, @Sendable () async throws -> Void) async throws -> Void
  ) async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Headset"))
    try await withPulseServer { pulse in
      let module = try await pactl(pulse.environment, "load-module", "module-null-sink", "sink_name=headset")
      _ = try await pactl(pulse.environment, "set-default-sink", "headset")
      try await withDaemon(["--paused", file], sink: [], environment: pulse.environment.merging(environment) { $1 }) {
        daemon in
        try await daemon.titled("Headset", within: 30)
        try await daemon.plays(past: 1_000_000)
        try await body(daemon, pulse) {
          _ = try await pactl(
            pulse.environment, "unload-module", module.split(separator: "\n").map(String.init).first ?? "")
        }
      }
    }
  }

  @Test("Removing the device pauses and keeps the position; Play resumes on the other device")
  func unplugged() async throws {
    try await playing { daemon, pulse, unplug in
      let server = try #require(pulse.process)
      let (place, line) = (daemon.signals.count, server.lines.count)
      try await unplug()
      try await daemon.changed("PlaybackStatus", from: place, within: 30) { $0 == .string("Paused") }
      try await daemon.process.waitForLine(containing: "the output device “headset” was removed; playback is paused")
      let held = try await daemon.position()
      #expect(held >= 1_000_000)
      // A pause also releases the output.
      try await server.waitForLine(containing: "Freeing input", from: line, within: 30)
      #expect(try await pactl(pulse.environment, "list", "short", "sink-inputs").isEmpty)
      #expect(try await daemon.position() == held)
      try await daemon.plays(past: held + 500_000)
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test("With pause-on-unplug disabled playback continues on the other device")
  func configured() async throws {
    try await playing(["MPRIS_PLAYERD_PAUSE_ON_UNPLUG": "false"]) { daemon, _, unplug in
      try await unplug()
      try await daemon.played(2)
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test("A Bluetooth device that changes its profile pauses; Play resumes on the device of the new profile")
  func profile() async throws {
    try await playing { daemon, pulse, unplug in
      let place = daemon.signals.count
      // The sound server removes the device of the previous profile before it adds the next profile's device.
      try await unplug()
      try await daemon.changed("PlaybackStatus", from: place, within: 30) { $0 == .string("Paused") }
      let held = try await daemon.position()
      _ = try await pactl(
        pulse.environment, "load-module", "module-null-sink", "sink_name=headset.handsfree", "channels=1")
      _ = try await pactl(pulse.environment, "set-default-sink", "headset.handsfree")
      try await daemon.plays(past: held + 500_000)
      let sinks = try await pactl(pulse.environment, "list", "short", "sinks")
      let streams = try await pactl(pulse.environment, "list", "short", "sink-inputs")
      let device = try #require(sinks.split(separator: "\n").first { $0.contains("headset.handsfree") })
      let stream = try #require(streams.split(separator: "\n").first)
      #expect(device.split(separator: "\t").first == stream.split(separator: "\t").dropFirst().first)
    }
  }

  @Test("Playback waits while the sound server suspends the device, and continues afterwards")
  func suspended() async throws {
    try await playing { daemon, pulse, _ in
      let server = try #require(pulse.process)
      let line = server.lines.count
      // The sound server does this when the session of its user is no longer the active one of the seat.
      _ = try await pactl(pulse.environment, "suspend-sink", "headset", "1")
      #expect(try await daemon.status() == "Playing")
      // The clock of a stream may be wrong for a minute after that, so another one is made.
      try await server.waitForLine(containing: "Freeing input", from: line, within: 30)
      // The daemon learns of it shortly before or after that. Then its position stands.
      var (held, before) = (try await daemon.position(), Int64(-1))
      for _ in 0..<50 where held != before { (held, before) = (try await daemon.position(), held) }
      #expect(held == before)
      _ = try await pactl(pulse.environment, "suspend-sink", "headset", "0")
      try await server.waitForLine(containing: "Created input", from: line, within: 30)
      try await daemon.passes(held + 1_000_000)
      #expect(try await daemon.status() == "Playing")
    }
  }

  /// Runs `body` with a daemon that plays through the headphones of a card, and with a function that unplugs the headphones or plugs
  /// them in; PulseAudio's null sink has no ports, so its answers are changed.
  private func playingThroughHeadphones(
    _ environment: [String: String] = [:],
    _ body: @Sendable (DaemonUnderTest, @Sendable () async throws -> Void) async throws -> Void
  ) async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Headphones"))
    try await withTemporaryDirectory { directory in
      try await withPulseServer { pulse in
        let (socket, server) = (directory.file("card"), String(pulse.address.dropFirst("unix:".count)))
        let proxy = "\(GeneratedTable.package)/Tests/EndToEndTests/Fixtures/pulse-ports.py"
        try await withChildProcess(["python3", proxy, socket, server]) { card in
          try await card.waitForLine(containing: "listening", within: 30)
          let environment = pulse.environment.merging(["PULSE_SERVER": "unix:\(socket)"]) { $1 }
            .merging(environment) { $1 }
          try await withDaemon(["--paused", file], sink: [], environment: environment) { daemon in
            try await daemon.titled("Headphones", within: 30)
            try await daemon.plays(past: 1_000_000)
            try await body(daemon) {
              let line = card.lines.count
              kill(card.processID, SIGUSR1)
              try await card.waitForLine(containing: "plugged", from: line)
            }
          }
        }
      }
    }
  }

  @Test(
    "Unplugging headphones pauses; plugging them in again starts nothing, and does not pause the loudspeakers",
    .enabled(if: Tool.areAvailable("python3"), "python3 is not installed"))
  func headphones() async throws {
    try await playingThroughHeadphones { daemon, plug in
      let place = daemon.signals.count
      try await plug()
      try await daemon.changed("PlaybackStatus", from: place, within: 30) { $0 == .string("Paused") }
      try await daemon.process.waitForLine(containing: "“Headphones” was unplugged; playback is paused")
      let held = try await daemon.position()
      #expect(held >= 1_000_000)
      try await plug()
      try await daemon.barrier()
      #expect(try await daemon.status() == "Paused")
      try await plug()
      try await daemon.plays(past: held + 500_000)
      try await plug()
      try await daemon.played(1)
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test(
    "With pause-on-unplug disabled playback continues through the loudspeakers",
    .enabled(if: Tool.areAvailable("python3"), "python3 is not installed"))
  func loudspeakers() async throws {
    try await playingThroughHeadphones(["MPRIS_PLAYERD_PAUSE_ON_UNPLUG": "false"]) { daemon, plug in
      try await plug()
      try await daemon.played(1)
      #expect(try await daemon.status() == "Playing")
    }
  }
}
