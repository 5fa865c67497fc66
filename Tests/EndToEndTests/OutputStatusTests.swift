import DBus
import TestSupport
import Testing

/// Tests of the output that `status`, `output` and `doctor` report.
@Suite(
  .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "pulseaudio or pactl is not installed"),
  .serialized)
struct OutputStatusTests {
  /// Disables every output except PulseAudio's, so that a sound card of this machine is not used.
  private static let onlyPulse = [
    "GST_PLUGIN_FEATURE_RANK": ["pipewire", "alsa", "jackaudio", "oss", "oss4"].map { "\($0)sink:NONE" }
      .joined(separator: ",")
  ]

  /// Checks that `status`, `output` and `doctor` name this output; `doctor` runs without a configuration.
  private func expect(
    _ output: String, _ level: String, of daemon: DaemonUnderTest, _ environment: [String: String] = [:]
  ) async throws {
    let environment = daemon.bus.environment.merging(environment) { $1 }
    let status = try await run([DaemonUnderTest.executable, "status"], environment: environment)
    #expect(status.output.hasSuffix("\noutput: \(output)\n"), "\(status.output)")
    // The text that the command prints selects the output again.
    let verb = try await run([DaemonUnderTest.executable, "output"], environment: environment)
    #expect(level == "ok" ? verb.output == output + "\n" : verb.error == "mpris-playerd: output: \(output)\n")
    let doctor = try await run(
      [DaemonUnderTest.executable, "doctor", "--verbose"], environment: environment, within: 60)
    let lines = doctor.output.split(separator: "\n").filter { $0.contains(": output: ") }
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("\(level): output: \(output)") == true, "\(doctor.output)")
  }

  private func loadHeadset(_ pulse: PulseServer) async throws -> String {
    let module = try await pactl(
      pulse.environment, "load-module", "module-null-sink", "sink_name=headset",
      "sink_properties=device.description=Headset")
    return module.split(separator: "\n").map(String.init).first ?? ""
  }

  @Test("doctor names a sink that only the start of the daemon specified")
  func sink() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Here"))
    try await withDaemon([file]) { daemon in
      try await daemon.opened(titled: "Here")
      try await expect("fakesink sync=true", "ok", of: daemon)
    }
  }

  @Test(
    "Without an output all commands report silent playback; a server that starts is used, on the configured device",
    arguments: ["", "null"])
  func silent(device: String) async throws {
    let file = try await Media.sine(seconds: 120, format: .flac, tags: Tags(title: "Here"))
    try await withPulseServer(startsLater: true) { pulse in
      let configuration = Self.onlyPulse.merging(["MPRIS_PLAYERD_AUDIO_DEVICE": device]) { $1 }
      let environment = pulse.environment.merging(configuration) { $1 }
      try await withDaemon([file], sink: [], environment: environment) { daemon in
        try await daemon.process.waitForLine(containing: "playing silently", within: 30)
        try await daemon.opened(titled: "Here")
        try await expect("none; playing silently", "warning", of: daemon, environment)
        try await withMonitor(of: daemon) { monitor in
          try await pulse.restart()
          try await daemon.process.waitForLine(containing: "an audio output is available", within: 60)
          if !device.isEmpty {
            try await monitor.signal("PropertiesChanged", within: 30) { values in
              values[0] == .string("org.playerd.Extras1") && values[1].asDictionary?["AudioOutput"] == .string(device)
            }
          }
        }
        try await #require(pulse.process).waitForLine(containing: "Created input", within: 30)
        try await daemon.played(0.5)
        let output = device.isEmpty ? "the default device" : "Null Output"
        try await expect(output, "ok", of: daemon, environment)
        let doctor = try await run(
          [DaemonUnderTest.executable, "doctor", "--verbose"],
          environment: daemon.bus.environment.merging(environment) { $1 }, within: 60)
        let name = device.isEmpty ? "the default device, Null Output" : "Null Output"
        #expect(doctor.output.contains("\nok: output: \(name)\n"), "\(doctor.output)")
      }
    }
  }

  @Test("A missing configured device is named; when it appears, output default plays on it")
  func configured() async throws {
    let file = try await Media.sine(seconds: 120, format: .flac, tags: Tags(title: "Here"))
    try await withPulseServer { pulse in
      let device = ["MPRIS_PLAYERD_AUDIO_DEVICE": "headset"]
      try await withDaemon([file], sink: [], environment: pulse.environment.merging(device) { $1 }) { daemon in
        try await daemon.process.waitForLine(containing: "the output device “headset” does not exist", within: 30)
        let missing = "the default device, instead of headset"
        try await expect(missing, "warning", of: daemon, pulse.environment)
        _ = try await loadHeadset(pulse)
        let environment = daemon.bus.environment.merging(pulse.environment) { $1 }
        for (choice, name) in [
          ("default", "Headset"), ("null", "Null Output"), ("Headset", "Headset"), ("Null Output", "Null Output"),
          ("headset", "Headset"),
        ] {
          let chosen = try await run([DaemonUnderTest.executable, "output", choice], environment: environment)
          #expect(chosen.output == name + "\n", "\(chosen.error)")
        }
        let devices = try await run([DaemonUnderTest.executable, "devices"], environment: environment)
        let used = devices.output.split(separator: "\n").filter { $0.hasSuffix("\tin use") }
        #expect(used.count == 1 && used.first?.contains(" headset\tHeadset\t") == true, "\(devices.output)")
      }
    }
  }

  @Test(
    "A chosen device that was removed is reported as replaced, and is used again when it returns; a pause stays",
    arguments: [true, false])
  func unplugged(pauses: Bool) async throws {
    let file = try await Media.sine(seconds: 120, format: .flac, tags: Tags(title: "Here"))
    try await withPulseServer { pulse in
      let module = try await loadHeadset(pulse)
      let setting = ["MPRIS_PLAYERD_PAUSE_ON_UNPLUG": "\(pauses)"]
      try await withDaemon([file], sink: [], environment: pulse.environment.merging(setting) { $1 }) { daemon in
        try await daemon.opened(titled: "Here")
        let environment = daemon.bus.environment.merging(pulse.environment) { $1 }
        let server = try #require(pulse.process)
        let choice = [DaemonUnderTest.executable, "output", "headset"]
        #expect(try await run(choice, environment: environment).output == "Headset\n")
        try await server.waitForLine(containing: " on headset with sample spec", within: 30)
        try await daemon.played(0.5)
        let place = daemon.signals.count
        _ = try await pactl(pulse.environment, "unload-module", module)
        if pauses {
          try await daemon.changed("PlaybackStatus", from: place, within: 30) { $0 == .string("Paused") }
        } else {
          try await daemon.played(2)
          #expect(try await daemon.status() == "Playing")
        }
        let replaced = "another device, instead of Headset"
        try await expect(replaced, "warning", of: daemon, pulse.environment)
        let line = server.lines.count
        _ = try await loadHeadset(pulse)
        try await daemon.process.waitForLine(
          containing: "the output device “headset” is connected again; switching to it", within: 30)
        if pauses {
          try await daemon.barrier()
          #expect(try await daemon.status() == "Paused")
          try await daemon.call("Play")
        }
        try await server.waitForLine(containing: " on headset with sample spec", from: line, within: 30)
        try await expect("Headset", "ok", of: daemon, pulse.environment)
      }
    }
  }

  @Test(
    "When the only device is removed, playback pauses, and continues on the next one; a server's dummy is no device",
    arguments: [false, true])
  func onlyDevice(hasDummy: Bool) async throws {
    let file = try await Media.sine(seconds: 120, format: .flac, tags: Tags(title: "Here"))
    try await withPulseServer { pulse in
      if hasDummy { _ = try await pactl(pulse.environment, "load-module", "module-always-sink") }
      try await withDaemon([file], sink: [], environment: pulse.environment) { daemon in
        try await daemon.opened(titled: "Here")
        try await daemon.played(0.5)
        let server = try #require(pulse.process)
        let place = daemon.signals.count
        _ = try await pactl(pulse.environment, "unload-module", "module-null-sink")
        try await daemon.changed("PlaybackStatus", from: place, within: 30) { $0 == .string("Paused") }
        try await daemon.call("Play")
        if hasDummy { try await daemon.played(0.5) }
        let line = server.lines.count
        _ = try await loadHeadset(pulse)
        if !hasDummy {
          try await server.waitForLine(containing: " on headset with sample spec", from: line, within: 60)
        }
        try await daemon.played(2)
        #expect(try await daemon.status() == "Playing")
        let inputs = try await pactl(pulse.environment, "list", "sink-inputs")
        let sinks = try await pactl(pulse.environment, "list", "short", "sinks")
        #expect(sinks.contains("headset") && !sinks.contains("auto_null"))
        #expect(inputs.contains("Corked: no"))
      }
    }
  }
}
