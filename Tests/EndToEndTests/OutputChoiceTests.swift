import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of choosing another output during playback, over the bus and by command.
@Suite(
  .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "pulseaudio or pactl is not installed"),
  .serialized)
struct OutputChoiceTests {
  private static let interface: InterfaceName = "org.playerd.Extras1"

  private func changes(_ property: String, _ isWanted: @escaping @Sendable (DBusValue) -> Bool)
    -> @Sendable ([DBusValue]) -> Bool
  {
    { values in
      values[0] == .string(Self.interface.rawValue) && values[1].asDictionary?[property].map(isWanted) ?? false
    }
  }

  @Test("Outputs are listed on request, and playback continues at the same position on the chosen one")
  func chosen() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Here"))
    try await withPulseServer { pulse in
      let loaded = try await run(
        ["pactl", "load-module", "module-null-sink", "sink_name=other"], environment: pulse.environment)
      try #require(loaded.succeeded, "\(loaded.error)")
      try await withDaemon(["--paused", file], sink: [], environment: pulse.environment) { daemon in
        try await daemon.titled("Here")
        try await withMonitor(of: daemon) { monitor in
          // The position has been measured twice: a server on a busy machine begins to render late.
          _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(3_000_000)]))
          try await daemon.call("Play")
          try await monitor.signal("BoundaryReached", within: 20)
          _ = try await daemon.client.call(
            on: MonitorClient.name, at: MonitorClient.path, of: Self.interface, "RefreshAudioOutputs")
          let listed = changes("AudioOutputs") { outputs in
            guard case .array(_, let outputs) = outputs else { return false }
            let ids = outputs.compactMap { if case .structure(let fields) = $0 { fields.first?.asString } else { nil } }
            return Set(ids) == ["null", "other"]
          }
          try await monitor.signal("PropertiesChanged", from: 0, within: 15, listed)
          let server = try #require(pulse.process)
          let (place, line) = (monitor.signals.count, server.lines.count)
          let unknown = try await run(
            [DaemonUnderTest.executable, "output", "moon"], environment: daemon.bus.environment)
          #expect(unknown.status == .exited(1))
          let lines = unknown.error.split(separator: "\n").sorted()
          #expect(lines.count == 3 && lines[0].hasPrefix("  null  ") && lines[1].hasPrefix("  other  "))
          #expect(lines.last == "mpris-playerd: the output device “moon” does not exist; the devices are:")
          let before = try await daemon.position()
          let result = try await run(
            [DaemonUnderTest.executable, "output", "other"], environment: daemon.bus.environment)
          #expect(result.succeeded, "\(result.error)")
          try await monitor.signal(
            "PropertiesChanged", from: place, within: 15, changes("AudioOutput") { $0 == .string("other") })
          try await server.waitForLine(containing: " on other with sample spec", from: line)
          #expect(try await daemon.status() == "Playing")
          let after = try await daemon.position()
          #expect(after >= before)
          let back = try await run(
            [DaemonUnderTest.executable, "output", "default"], environment: daemon.bus.environment)
          #expect(back.succeeded, "\(back.error)")
          try await monitor.signal(
            "PropertiesChanged", from: place, within: 15, changes("AudioOutput") { $0 == .string("") })
          try await server.waitForLine(containing: " on null with sample spec", from: line)
        }
      }
    }
  }

  /// An object of `devices --json`.
  private struct Device: Decodable {
    var id: String
    var name: String
    var `default`: Bool
    var inUse: Bool
  }

  @Test("devices --json lists the devices of a server, and output accepts each ID and each name")
  func devices() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Here"))
    try await withPulseServer { pulse in
      let sink = ["sink_name=kitchen.2", "sink_properties=device.description='The\\ Kitchen'"]
      let loaded = try await run(["pactl", "load-module", "module-null-sink"] + sink, environment: pulse.environment)
      try #require(loaded.succeeded, "\(loaded.error)")
      try await withDaemon(["--paused", file], sink: [], environment: pulse.environment) { daemon in
        try await daemon.titled("Here")
        let environment = daemon.bus.environment.merging(pulse.environment) { $1 }
        @Sendable func command(_ arguments: String...) async throws -> ProcessResult {
          try await run([DaemonUnderTest.executable] + arguments, environment: environment)
        }
        @Sendable func devices() async throws -> [Device] {
          let lines = try await command("devices", "--json").output.split(separator: "\n")
          return try lines.map { try JSONDecoder().decode(Device.self, from: Data($0.utf8)) }.sorted { $0.id < $1.id }
        }
        let listed = try await devices()
        #expect(listed.map(\.id) == ["kitchen.2", "null"] && listed.first?.name == "The Kitchen")
        #expect(listed.map(\.default) == [false, true] && listed.map(\.inUse) == [false, true])
        for (word, id) in listed.flatMap({ [($0.id, $0.id), ($0.name, $0.id)] }) {
          let result = try await command("output", word)
          #expect(result.succeeded, "\(word): \(result.error)")
          // The output may still be opening.
          _ = try await deadline(30, "the device \(id)") {
            while try await devices().filter(\.inUse).map(\.id) != [id] { try await daemon.barrier() }
          }
        }
        let lines = try await command("devices").output.split(separator: "\n").sorted()
        #expect(
          lines.first?.hasPrefix("  kitchen.2\tThe Kitchen") == true
            && lines.last == "* null\t\(listed.last?.name ?? "")\tin use")
      }
    }
  }

  @Test("An unknown output is reported, and playback continues")
  func unknown() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Here"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("Here")
      let result = try await run(
        [DaemonUnderTest.executable, "output", "moon"], environment: daemon.bus.environment)
      #expect(result.status == .exited(1))
      #expect(result.error == "mpris-playerd: the output device “moon” does not exist; no device was found\n")
      await #expect(throws: DBusError.invalidArguments("the output device “moon” does not exist")) {
        try await daemon.client.call(
          on: MonitorClient.name, at: MonitorClient.path, of: Self.interface, "SetAudioOutput", [.string("moon")])
      }
      #expect(try await daemon.status() == "Playing")
    }
  }
}
