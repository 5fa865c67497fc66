import DBus
import FoundationEssentials
import Playback
import Simulation
import TestSupport
import Testing

/// Tests of `mpris-playerd report` with the built daemon, and of the replay of its file.
@Suite("Reports")
struct ReportTests {
  private func report(_ environment: [String: String], _ arguments: String...) async throws -> ProcessResult {
    try await run([DaemonUnderTest.executable, "report"] + arguments, environment: environment, within: 60)
  }

  @Test("A replay of a report has the states of the daemon, and the report contains no names unless they are requested")
  func replay() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { directory in
      let path = directory.file("fault.report")
      try await withDaemon(files) { daemon in
        try await daemon.opened(titled: "First")
        for command in [["seek", "7"], ["volume", "50"], ["next"]] {
          #expect(try await run([DaemonUnderTest.executable] + command, environment: daemon.bus.environment).succeeded)
        }
        try await daemon.opened(titled: "Second")
        try await daemon.call("Pause")
        try await daemon.barrier()
        let result = try await report(daemon.bus.environment, path)
        #expect(result.output == path + "\n", "\(result.error)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for name in files + ["First", "Second", "Third", "file:///"] { #expect(!text.contains(name), "\(name)") }

        let file = try ReportFile(text)
        let version = try await run([DaemonUnderTest.executable, "--version"]).output
        #expect(file.header.version + "\n" == version)
        #expect(file.header.configuration.contains { $0.hasPrefix("audio-sink = ") })
        #expect(file.header.doctor.contains { $0.hasSuffix("org.playerd.Control1 follows the rules") })
        #expect(file.header.names.isEmpty)
        #expect(file.header.doctor.contains("ok: output: …") && !text.contains("sync=true"))
        let replay = Replay(try #require(file.recording))
        #expect(replay.divergence == nil && replay.breach == nil)
        #expect(replay.snapshot?.transport == .paused)
        #expect(replay.snapshot?.currentIndex == 1)
        #expect(replay.snapshot?.position.microseconds == (try await daemon.position()))
        for input in [" seek(to: 7.0 seconds", " advance(by: 1)", " pause(fading: true)", "settled("] {
          #expect(replay.lines.contains { $0.contains(input) }, "\(input)")
        }

        let again = try await report(daemon.bus.environment, path)
        #expect(again.status == .exited(73))
        #expect(again.error == "mpris-playerd: cannot write \(path): the file exists; --force replaces it\n")
        #expect(try await report(daemon.bus.environment, path, "--force", "--with-names").succeeded)
        let named = try ReportFile(String(contentsOfFile: path, encoding: .utf8))
        #expect(Set(named.header.names.values) == Set(files.map { "file://" + $0 }))
        let again2 = Replay(try #require(named.recording))
        #expect(again2.divergence == nil)
        #expect(again2.snapshot?.metadata.title == "Second")
        #expect(try await report(daemon.bus.environment, "-").output.hasPrefix(#"{"configuration":["#))
      }
    }
  }

  @Test("A report needs a running daemon")
  func nobody() async throws {
    try await withPrivateBus { bus in
      try await withTemporaryDirectory { directory in
        let result = try await report(bus.environment, directory.file("a.report"))
        #expect(result.status == .exited(69))
        #expect(result.error.hasPrefix("mpris-playerd: no instance is running"))
        #expect(!FileManager.default.fileExists(atPath: directory.file("a.report")))
      }
    }
  }
}

extension Duration {
  /// Whole microseconds, as on the bus.
  fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
