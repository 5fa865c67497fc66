import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// Tests of failures in the daemon's environment.
@Suite
struct FaultTests {
  @Test("After a restart of the bus playback has continued, and the player is on the new bus")
  func busRestart() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("First")
      try await daemon.bus.restart()
      try await daemon.process.waitForLine(containing: "lost the connection to the session bus; playback continues")
      try await daemon.process.waitForLine(containing: "reconnected to the session bus")
      let loop = PollLoop(name: "again")
      defer { loop.stop() }
      let client = try await DBusConnection.open(address: daemon.bus.address, on: loop)
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

  @Test("While a lost station is reconnected, the state says so")
  func station() async throws {
    let music = try await Media.sine(seconds: 3, format: .mp3)
    try await withHTTPServer { server in
      let response = try HTTPResponse.file(music, type: "audio/mpeg").withoutLength().refusingRanges()
      try await withDaemon([server.script("/radio", response.header("icy-name: The Station"))]) { daemon in
        try await withMonitor(of: daemon) { monitor in
          try await monitor.wait("ReasonForWaitingToPlay", is: .string("noConnection"))
          try await monitor.wait("TimeControlStatus", is: .string("playing"))
        }
      }
    }
  }

  @Test("A daemon whose bus is lost ends after a minute if it plays nothing, and continues if it plays")
  func busLoss() async throws {
    let file = try await Media.sine(seconds: 200, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { playing in
      try await playing.titled("First")
      try await withDaemon(["--paused", file]) { idle in
        try await idle.opened(titled: "First")
        for daemon in [playing, idle] {
          await daemon.bus.kill()
          try await daemon.process.waitForLine(containing: "lost the connection to the session bus")
        }
        #expect(try await idle.process.exitStatus(within: 90) == .exited(0))
        #expect(idle.process.lines.elements.contains { $0.text.contains("lost for a minute and nothing plays") })
        #expect(playing.process.isRunning)
      }
    }
  }

  @Test("A file whose name is not UTF-8 plays, and the warnings of GStreamer and GLib about it have the level debug")
  func libraryMessages() async throws {
    let sound = try await Media.sine(seconds: 0.3, format: .wav)
    try await withTemporaryDirectory { directory in
      let name: [CChar] =
        Array("\(directory.path)/".utf8CString.dropLast()) + [0xCA, 0xE8].map { CChar(bitPattern: $0) }
      #expect(unsafe symlink(sound, name + [0]) == 0)
      for level in ["info", "debug"] {
        let result = try await run([
          DaemonUnderTest.executable, "--quit-at-end", "--audio-sink", "fakesink", "--log-level", level,
          "file://\(directory.path)/%CA%E8", "file://\(directory.path)/%ED%EE",
        ])
        #expect(result.status == .exited(0), "\(result.error)")
        // GStreamer warns about the missing file.
        #expect(result.error.contains("not found"), "\(result.error)")
        #expect(result.error.contains("not valid UTF-8") == (level == "debug"), "\(result.error)")
      }
    }
  }

  @Test(
    "devices lists the outputs, the configured one plays, and a missing one is reported",
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
            try await daemon.process.waitForLine(containing: "the output device “gone” does not exist")
          }
        }
      }
    }
  }

  @Test(
    "A PulseAudio server plays the track, and after its death the position is kept until it is back",
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
        // The first attempt to reopen it fails for another reason.
        try await daemon.process.waitForLine(containing: "the audio output failed and is reopened: Failed to connect")
        let held = try await daemon.position()
        #expect(try await daemon.status() == "Playing")
        #expect(try await daemon.position() == held)
        let mark = daemon.signals.count
        try await pulse.restart()
        let seeked = try await daemon.signals.first("the end of the outage", from: mark, within: 20) { $0.isSeeked }
        #expect(seeked.element.arguments.first?.asInt64 ?? 0 >= held)
        #expect(try await daemon.metadata("xesam:title") == .string("First"))
        // The daemon would also hold the position for another engine process.
        #expect(!daemon.process.captured(.error).contains("process ended"))
      }
    }
  }

  @Test("Items that the server refuses or does not have are skipped")
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
            "mpris-playerd: \(missing): the server responds with status 404",
          ])
      }
    }
  }
}
