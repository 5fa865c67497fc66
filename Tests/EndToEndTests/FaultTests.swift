import DBus
import EventLoop
import TestSupport
import Testing

/// What happens when the world around the daemon breaks.
@Suite(.serialized)
struct FaultTests {
  @Test("The bus dies and comes back: the music plays on, and the player is on the new bus")
  func busRestart() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("First")
      try await daemon.bus.restart()
      try await daemon.process.waitForLine(containing: "the session bus is gone; playing on")
      try await daemon.process.waitForLine(containing: "back on the session bus")
      let loop = EventLoop(name: "again")
      defer { loop.stop() }
      let client = try await Connection.open(address: daemon.bus.address, on: loop)
      let again = DaemonUnderTest(
        bus: daemon.bus, process: daemon.process, client: client, signals: EventLog(), marks: .init())
      let changes = try await client.signals(from: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
      let hasOwner = try await client.call(
        on: .bus, at: "/org/freedesktop/DBus", of: "org.freedesktop.DBus", "NameHasOwner",
        [.string(DaemonUnderTest.name.rawValue)])
      if hasOwner != [.boolean(true)] {
        try await deadline(10, "the MPRIS name is back") {
          for await change in changes where change.arguments.first == .string(DaemonUnderTest.name.rawValue) { return }
        }
      }
      #expect(try await again.status() == "Playing")
      #expect(try await again.position() > 0)
      await client.close()
    }
  }

  @Test(
    "The devices are listed, the one that is configured plays, and one that is not there is told",
    .enabled(if: PulseServer.isAvailable, "\(PulseServer.unavailable)"))
  func devices() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "Device"))
    try await withPulseServer { pulse in
      let listed = try await run([DaemonUnderTest.executable, "devices"], environment: pulse.environment)
      #expect(listed.output == "* null\tNull Output\n")
      for device in ["null", "gone"] {
        let environment = pulse.environment.merging(["MPRIS_PLAYERD_AUDIO_DEVICE": device]) { $1 }
        try await withDaemon([file], sink: [], environment: environment) { daemon in
          try await daemon.titled("Device")
          if device == "null" {
            try await pulse.process?.waitForLine(containing: " on null with sample spec")
          } else {
            try await daemon.process.waitForLine(containing: "there is no output device “gone”")
          }
        }
      }
    }
  }

  @Test(
    "A real PulseAudio server plays it, and its death holds the position until it is back",
    .enabled(if: PulseServer.isAvailable, "\(PulseServer.unavailable)"))
  func audioServerRestart() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    let next = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Next"))
    try await withPulseServer { pulse in
      try await withDaemon([file, next], sink: ["--audio-sink", "pulsesink"], environment: pulse.environment) {
        daemon in
        try await daemon.titled("First")
        await pulse.kill()
        try await daemon.process.waitForLine(containing: "the audio output failed")
        let held = try await daemon.position()
        #expect(try await daemon.status() == "Playing")
        #expect(try await daemon.position() == held)
        let mark = daemon.signals.count
        try await pulse.restart()
        let seeked = try await daemon.signals.first("the end of the outage", from: mark, within: 20) { $0.isSeeked }
        #expect(seeked.element.arguments.first?.asInt64 ?? 0 >= held)
        #expect(try await daemon.metadata("xesam:title") == .string("First"))
      }
    }
  }

  @Test("A server that refuses, a file that is missing on it and one that never answers are skipped")
  func network() async throws {
    let good = try await Media.sine(seconds: 20, format: .mp3, tags: Tags(title: "Good"))
    try await withHTTPServer { server in
      let uri = server.script("/good.mp3", try .file(good, type: "audio/mpeg"))
      let missing = server.script("/missing.mp3", .status(404))
      try await withDaemon(["http://127.0.0.1:9/refused.mp3", missing, uri]) { daemon in
        try await daemon.titled("Good")
        let errors = daemon.process.captured(.error).split(separator: "\n").map(String.init)
        #expect(
          errors == [
            "mpris-playerd: http://127.0.0.1:9/refused.mp3: the server refuses the connection",
            "mpris-playerd: \(missing): the server answers with status 404",
          ])
      }
    }
  }
}
