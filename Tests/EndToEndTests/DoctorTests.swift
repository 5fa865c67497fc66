import DBus
import TestSupport
import Testing

/// Tests of the findings and the exit status of `mpris-playerd doctor`.
@Suite
struct DoctorTests {
  private func doctor(_ environment: [String: String], _ arguments: String...) async throws -> ProcessResult {
    let output = ["MPRIS_PLAYERD_AUDIO_SINK": "fakesink sync=true"]
    return try await run(
      [DaemonUnderTest.executable, "doctor", "--verbose"] + arguments, environment: output.merging(environment) { $1 },
      within: 60)
  }

  private func errors(_ result: ProcessResult) -> [String] {
    result.output.split(separator: "\n").map(String.init).filter { $0.hasPrefix("error: ") }
  }

  @Test("On a working system doctor exits with 0, each line has its level, and the daemon's interfaces conform")
  func good() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Patient"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("Patient")
      let result = try await doctor(daemon.bus.environment)
      #expect(result.status == .exited(0), "\(result.output)\(result.error)")
      #expect(errors(result) == [])
      let lines = result.output.split(separator: "\n")
      let levels = ["error: ", "warning: ", "ok: ", "verdict: "]
      let order = lines.map { line in levels.firstIndex { line.hasPrefix($0) } }
      #expect(!order.contains(nil) && order.compactMap(\.self) == order.compactMap(\.self).sorted())
      // A warning names the remedy.
      #expect(lines.filter { $0.hasPrefix("warning: ") }.allSatisfy { $0.contains(" – ") })
      for interface in [
        "org.mpris.MediaPlayer2", "org.mpris.MediaPlayer2.Player", "org.mpris.MediaPlayer2.TrackList",
        "org.mpris.MediaPlayer2.Playlists", "org.playerd.Monitor1", "org.playerd.Control1", "org.playerd.Extras1",
      ] { #expect(lines.contains("ok: \(interface) follows the rules"), "\(result.output)") }
      for format in ["MP3", "FLAC", "Ogg Vorbis", "WAV", "HTTP"] {
        #expect(lines.contains("ok: \(format) can be played"))
      }
      #expect(try await daemon.status() == "Playing")
      #expect(lines.last?.hasPrefix("verdict: no sound is audible, because the output is fakesink") == true)
    }
  }

  @Test(
    "Mute and volumes of the sound server are causes of silence",
    .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "pulseaudio or pactl is not installed"))
  func silence() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Patient"))
    try await withPulseServer { pulse in
      try await withDaemon([file], sink: [], environment: pulse.environment) { daemon in
        try await daemon.opened(titled: "Patient")
        try await withMonitor(of: daemon) { try await $0.wait("TimeControlStatus", is: .string("playing")) }
        let environment = daemon.bus.environment.merging(pulse.environment) { $1 }
        func verdict() async throws -> String? {
          let output = try await run([DaemonUnderTest.executable, "doctor"], environment: environment, within: 60)
            .output
          return output.split(separator: "\n").last.map(String.init)
        }
        #expect(try await verdict()?.contains("no sound is audible") == false)
        _ = try await run(["pactl", "set-sink-mute", PulseServer.sink, "1"], environment: environment)
        _ = try await run([DaemonUnderTest.executable, "volume", "0"], environment: environment)
        let causes = "verdict: no sound is audible, because the volume of the player is 0 %, and Null Output is muted"
        #expect(try await verdict()?.hasPrefix(causes) == true)
      }
    }
  }

  @Test("The interfaces of a stopped daemon without a track conform")
  func empty() async throws {
    try await withDaemon([]) { daemon in
      let result = try await doctor(daemon.bus.environment)
      #expect(result.status == .exited(0), "\(result.output)\(result.error)")
    }
  }

  @Test("Without a daemon doctor reports that none runs, and starts none")
  func nobody() async throws {
    try await withPrivateBus { bus in
      let result = try await doctor(bus.environment)
      #expect(result.status == .exited(0), "\(result.output)\(result.error)")
      #expect(result.output.contains("ok: no daemon is running\n"))
    }
  }

  @Test("Without --verbose, doctor prints the faults with their remedies, the errors first, and the verdict")
  func brief() async throws {
    let broken = ["MPRIS_PLAYERD_AUDIO_SINK": "nosuchsink", "MPRIS_PLAYERD_NOSUCHKEY": "1"]
    let environment = ChildEnvironment.withoutBus.merging(broken) { $1 }
    let result = try await run([DaemonUnderTest.executable, "doctor"], environment: environment, within: 60)
    #expect(result.status == .exited(1))
    let lines = result.output.split(separator: "\n")
    let (faults, verdict) = (lines.dropLast(), lines.last)
    #expect(faults.allSatisfy { ($0.hasPrefix("error: ") || $0.hasPrefix("warning: ")) && $0.contains(" – ") })
    #expect(faults.prefix(2).allSatisfy { $0.hasPrefix("error: ") }, "\(result.output)")
    #expect(faults.contains { $0.hasPrefix("warning: $MPRIS_PLAYERD_NOSUCHKEY: unknown key") })
    #expect(verdict?.hasPrefix("verdict: ") == true, "\(result.output)")
  }

  @Test("A mistake in the configuration is an error with its line, and the other checks still run")
  func configuration() async throws {
    try await withTemporaryDirectory { directory in
      let file = try directory.write("volume = 50\nshufle = true\n", to: "config.toml")
      try await withPrivateBus { bus in
        let result = try await doctor(bus.environment, "--config", file)
        #expect(result.status == .exited(1))
        let errors = errors(result)
        #expect(errors.count == 1)
        #expect(errors.first?.contains("\(file):2: shufle") == true, "\(errors)")
        #expect(result.output.contains("ok: FLAC can be played"))
      }
    }
  }

  @Test("A missing bus is an error, and the other checks still run")
  func noBus() async throws {
    let result = try await doctor(["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(TemporaryDirectory.missing)/bus"])
    #expect(result.status == .exited(1))
    #expect(errors(result).count == 1)
    #expect(errors(result).first?.hasPrefix("error: session bus: ") == true)
    #expect(result.output.contains("ok: FLAC can be played"))
  }

  @Test(
    "A common format with a parser and no decoder is an error that names the package, and a less common one is a warning",
    arguments: [
      // A parser, a demuxer, and a parser that the only decoder needs.
      (["flacdec", "avdec_flac", "opusdec", "avdec_opus"], "FLAC", ["Opus"]),
      (["wavparse", "avdec_aac", "avdec_aac_fixed", "avdec_aac_latm", "faad", "fdkaacdec"], "WAV", ["AAC and M4A"]),
      (["flacparse", "avdec_flac", "tsdemux"], "FLAC", ["HLS"]),
    ])
  func missingPlugin(elements: [String], vital: String, others: [String]) async throws {
    try await withPrivateBus { bus in
      let ranks = ["GST_PLUGIN_FEATURE_RANK": elements.map { "\($0):NONE" }.joined(separator: ",")]
      let result = try await doctor(bus.environment.merging(ranks) { $1 })
      #expect(result.status == .exited(1))
      let errors = errors(result)
      #expect(errors.count == 1, "\(result.output)")
      #expect(
        errors.first?.contains("\(vital) cannot be played") == true && errors.first?.contains("plugins-good") == true)
      for other in others { #expect(result.output.contains("warning: \(other) cannot be played"), "\(result.output)") }
    }
  }

  @Test("An output that cannot be created and a session that cannot be read are errors")
  func outputAndSession() async throws {
    try await withTemporaryDirectory { directory in
      _ = try directory.makeDirectory("mpris-playerd")
      _ = try directory.write("{\"version\": 1, \"queue\": [", to: "mpris-playerd/session.json")
      try await withPrivateBus { bus in
        let environment = ["XDG_STATE_HOME": directory.path, "MPRIS_PLAYERD_AUDIO_SINK": "nosuchsink"]
        let result = try await doctor(bus.environment.merging(environment) { $1 })
        #expect(result.status == .exited(1))
        let errors = errors(result)
        #expect(errors.count == 2)
        #expect(errors.contains { $0.contains("nosuchsink") })
        #expect(errors.contains { $0.contains("session.json") })
        // doctor changes nothing.
        #expect(try await doctor(bus.environment.merging(environment) { $1 }).output == result.output)
      }
    }
  }
}
