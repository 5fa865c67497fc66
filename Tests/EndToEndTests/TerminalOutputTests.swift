import TestSupport
import Testing

/// Tests of the output of commands on a terminal, which `script` provides.
@Suite("Output on a terminal", .enabled(if: Tool.areAvailable("script"), "script(1) is not installed"))
struct TerminalOutputTests {
  /// Runs a shell command on a terminal of 60 columns; returns its output with the line ends of a file.
  private func type(_ command: String, rows: Int = 24, _ environment: [String: String]) async throws -> String {
    let line = "stty rows \(rows) cols 60; \(command)"
    let result = try await run(
      ["script", "-qefc", line, "/dev/null"],
      environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 })
    #expect(result.succeeded, "\(result.output)")
    return result.output.replacing("\r\n", with: "\n")
  }

  private func withTwoTracks(_ body: (DaemonUnderTest) async throws -> Void) async throws {
    var files: [String] = []
    for title in ["First", "Second"] {
      let tags = Tags(title: title, artists: ["Somebody"], album: "Tones")
      files.append(try await Media.sine(seconds: 20, format: .flac, tags: tags))
    }
    try await withDaemon(["--paused", "--start", "5"] + files) { daemon in
      try await daemon.opened(titled: "First")
      try await body(daemon)
    }
  }

  @Test("status shows the title in bold and a bar; NO_COLOR leaves out the colours, a dumb terminal all styles")
  func status() async throws {
    try await withTwoTracks { daemon in
      let (command, bus) = ("\(DaemonUnderTest.executable) status", daemon.bus.environment)
      let shown = try await type(command, bus)
      #expect(
        shown.hasPrefix("\u{1B}[1mFirst\u{1B}[0m\nSomebody – Tones\n\u{1B}[33mpaused\u{1B}[0m  0:05 "), "\(shown)")
      #expect(shown.contains("━") && shown.contains("─") && shown.contains("\ntrack 1 of 2, volume 100 %\n"))
      let monochrome = try await type(command, bus.merging(["NO_COLOR": "1"]) { $1 })
      #expect(monochrome.contains("\u{1B}[1mFirst") && !monochrome.contains("\u{1B}[3"), "\(monochrome)")
      #expect(try await !type(command, bus.merging(["TERM": "dumb"]) { $1 }).contains("\u{1B}"))
      let piped = try await type("\(command) | cat", bus)
      #expect(piped.hasPrefix("First — Somebody\nTones\npaused, 0:05 / 0:20, "), "\(piped)")
    }
  }

  @Test("queue shows a table with the total, and uses the pager only if the table does not fit")
  func queue() async throws {
    try await withTwoTracks { daemon in
      let (command, bus) = ("\(DaemonUnderTest.executable) queue", daemon.bus.environment)
      let pager = ["NO_COLOR": "1", "PAGER": "sed s/^/paged:/"]
      let shown = try await type(command, bus.merging(pager) { $1 }).replacing(#/\u{1B}\[\d+m/#, with: "")
      #expect(shown == "> 1  First   Somebody  0:20\n  2  Second  Somebody  0:20\n2 tracks, 0:40\n")
      let paged = try await type(command, rows: 3, bus.merging(pager) { $1 })
      #expect(paged.split(separator: "\n").allSatisfy { $0.hasPrefix("paged:") }, "\(paged)")
      for pager in ["", "no-such-pager"] {
        let direct = try await type(command, rows: 3, bus.merging(["PAGER": pager]) { $1 })
        #expect(direct.contains("2 tracks, 0:40"), "\(pager): \(direct)")
      }
      _ = try await run([DaemonUnderTest.executable, "shuffle", "on"], environment: bus)
      let shuffled = try await type(command, bus)
      #expect(shuffled.contains("First") && shuffled.contains("Second"))
    }
  }
}
