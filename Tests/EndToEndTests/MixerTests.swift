import DBus
import TestSupport
import Testing

/// Tests of the stream that mixers show and change.
@Suite(
  .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "pulseaudio or pactl is not installed"),
  .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
  .serialized)
struct MixerTests {
  /// Changes the only stream as a mixer does.
  private func change(_ pulse: PulseServer, _ command: String, to value: String) async throws {
    _ = try await pactl(pulse.environment, command, onlyStream(pulse.environment), value)
  }

  @Test("A volume and a mute setting of a mixer are signalled while paused, before the first start too, and kept")
  func whilePaused() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Mixed"))
    try await withPulseServer { pulse in
      try await withDaemon(["--paused", file], sink: [], environment: pulse.environment) { daemon in
        // The output is opened when the item is ready, and released 5 s later.
        let server = try #require(pulse.process)
        try await server.waitForLine(containing: "Created input", from: 0, within: 30)
        for (volume, isReleased) in [("70%", false), ("40%", true)] {
          let (mark, line) = (daemon.signals.count, server.lines.count)
          try await change(pulse, "set-sink-input-volume", to: volume)
          let value = volume == "70%" ? 0.7 : 0.4
          try await daemon.changed("Volume", from: mark, within: 20) { $0 == .double(value) }
          if isReleased { try await server.waitForLine(containing: "Freeing input", from: line, within: 30) }
          try await daemon.plays(past: isReleased ? 1_000_000 : 500_000)
          #expect(try await pactl(pulse.environment, "list", "sink-inputs").contains(" \(volume) "))
          try await daemon.call("Pause")
        }
        let line = server.lines.count
        try await change(pulse, "set-sink-input-mute", to: "1")
        try await server.waitForLine(containing: "Freeing input", from: line, within: 30)
        try await daemon.plays(past: 1_500_000)
        #expect(try await pactl(pulse.environment, "list", "sink-inputs").contains("Mute: yes"))
      }
    }
  }

  /// Returns when the server's description of the stream contains a text, after a line of its events.
  private func shows(_ text: String, _ pulse: PulseServer, _ events: ChildProcess) async throws {
    var place = 0
    while true {
      let seen = events.lines.count
      if try await pactl(pulse.environment, "list", "sink-inputs").contains(text) { return }
      place = max(place, seen)
      try await events.waitForLine(containing: "on sink-input", from: place, within: 30)
      place = events.lines.count
    }
  }

  @Test("A volume of a mixer above volume-max is set back to it, also to a later one")
  func highestVolume() async throws {
    let file = try await Media.sine(seconds: 120, format: .flac, tags: Tags(title: "Mixed"))
    try await withTemporaryDirectory { directory in
      let configuration = try directory.write("volume-max = 120\n", to: "config.toml")
      try await withPulseServer { pulse in
        try await withChildProcess(["pactl", "subscribe"], environment: pulse.environment) { events in
          let options = ["--config", configuration, "--paused", file]
          try await withDaemon(options, sink: [], environment: pulse.environment) { daemon in
            try await daemon.titled("Mixed", within: 30)
            try await daemon.plays(past: 500_000)
            for (highest, volume) in [(1.2, "180%"), (1.5, "190%")] {
              if highest > 1.2 {
                _ = try directory.write("volume-max = 150\n", to: "config.toml")
                #expect(
                  try await run([DaemonUnderTest.executable, "reload"], environment: daemon.bus.environment).succeeded)
              }
              let mark = daemon.signals.count
              try await change(pulse, "set-sink-input-volume", to: volume)
              try await daemon.changed("Volume", from: mark, within: 20) { abs(($0.asDouble ?? 0) - highest) < 0.01 }
              try await shows(" \(Int(highest * 100))% ", pulse, events)
              #expect(try await daemon.get("Volume").asDouble.map { abs($0 - highest) < 0.01 } == true)
            }
          }
        }
      }
    }
  }

  @Test("Mixers show the program with its icon and role, and the title of the audible track, not of the one read ahead")
  func named() async throws {
    let first = try await Media.sine(seconds: 3, format: .flac, tags: Tags(title: "First", artists: ["Somebody"]))
    let second = try await Media.sine(seconds: 60, format: .wav)
    let name = try #require(second.split(separator: "/").last)
    try await withPulseServer { pulse in
      try await withChildProcess(["pactl", "subscribe"], environment: pulse.environment) { events in
        try await withDaemon(["--paused", first, second], sink: [], environment: pulse.environment) { daemon in
          try await daemon.titled("First", within: 30)
          try await shows("media.name = \"'First' by 'Somebody'\"", pulse, events)
          let stream = try await pactl(pulse.environment, "list", "sink-inputs")
          for property in [
            "application.name = \"mpris-playerd\"", "application.id = \"mpris-playerd\"",
            "application.icon_name = \"mpris-playerd\"", "media.role = \"music\"", "media.title = \"First\"",
          ] { #expect(stream.contains(property), "\(property)") }
          try await daemon.plays(past: 1_500_000)
          // By then the output has buffered audio of the second track. Paused, so that a busy machine does not reach it.
          try await daemon.call("Pause")
          // The engine may pause later than the player, and pass the end of the first track before.
          if try await daemon.metadata("xesam:title") == .string("First"), try await daemon.position() < 2_300_000 {
            #expect(try await pactl(pulse.environment, "list", "sink-inputs").contains("media.title = \"First\""))
          }
          try await daemon.call("Play")
          try await shows("media.title = \"\(name)\"", pulse, events)
          #expect(!(try await pactl(pulse.environment, "list", "sink-inputs")).contains("Somebody"))
        }
      }
    }
  }
}
