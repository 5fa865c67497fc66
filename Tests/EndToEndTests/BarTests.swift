import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of `watch --format`, and of the modules for status bars with the commands in them.
@Suite("Status bars") struct BarTests {
  private static let title = #"Say "hi" & <b> %{A1:x:}"#

  private func withTwoTracks(_ body: (DaemonUnderTest) async throws -> Void) async throws {
    var files: [String] = []
    for title in [Self.title, "Second"] {
      files.append(try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: title, artists: ["A & B"])))
    }
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.opened(titled: Self.title)
      try await body(daemon)
    }
  }

  /// Returns an environment in which the built program is in `PATH`.
  private func environment(_ daemon: DaemonUnderTest) -> [String: String] {
    let folder = DaemonUnderTest.executable.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    return daemon.bus.environment.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 }
  }

  /// Returns a file of `data/bars`.
  private func module(_ name: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    return try String(contentsOfFile: "\(root)/data/bars/\(name)", encoding: .utf8)
  }

  @Test("watch --format prints a line when the text changes, and an empty one when the player has quit")
  func format() async throws {
    try await withTwoTracks { daemon in
      let command = [
        DaemonUnderTest.executable, "watch", "--format",
        "{{lc(status)}} {{title}} {{xesam:artist}} {{volume}} {{shuffle}} {{queueIndex}}/{{queueCount}} {{mpris:length}}",
      ]
      try await withChildProcess(command, environment: daemon.bus.environment) { watch in
        var line = try await watch.waitForLine(containing: "paused \(Self.title) A & B 1 false 1/2 20000000")
        for (call, text) in [
          (["volume", "50"], "paused \(Self.title) A & B 0.5 false 1/2 20000000"),
          (["shuffle", "on"], "0.5 true 1/2"), (["shuffle", "off"], "0.5 false 1/2"),
          (["remove", "2"], "0.5 false 1/1"), (["play"], "playing \(Self.title)"),
        ] {
          #expect(try await run([DaemonUnderTest.executable] + call, environment: daemon.bus.environment).succeeded)
          line = try await watch.waitForLine(containing: text, from: line.index + 1)
        }
        let lines = watch.lines.elements.map(\.text)
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0 != $1 })
        try await daemon.call("Quit", of: "org.mpris.MediaPlayer2")
        let end = try await watch.lines.first("an empty line", from: line.index) { $0.text.isEmpty }
        #expect(end.index == watch.lines.count - 1)
      }
    }
  }

  @Test("watch reports the output, the sleep timer, stop-after, repeat-ab, the crossfade, consume and the queue")
  func events() async throws {
    try await withTwoTracks { daemon in
      let command = [DaemonUnderTest.executable, "watch", "--json"]
      try await withChildProcess(command, environment: daemon.bus.environment) { watch in
        try await watch.waitForLine(containing: #""event":"track""#)
        for (call, text) in [
          (["stop-after", "2"], #""event":"stop-after","#),
          (["crossfade", "3"], #"{"crossfade":3,"crossfadeOnSkip":null,"#),
          (["consume", "on"], #"{"consume":true,"event":"consume","#),
          (["sleep", "10m", "--after-track"], #""sleepsAfterTrack":true"#),
          (["repeat-ab", "1", "5"], #""repeatEnd":5,"#),
          (["sleep", "off"], #""sleepRemaining":null"#), (["remove", "2"], #"{"event":"queue","#),
        ] {
          let done = try await run([DaemonUnderTest.executable] + call, environment: daemon.bus.environment)
          #expect(done.succeeded, "\(call): \(done.error)")
          try await watch.waitForLine(containing: text)
        }
      }
    }
  }

  @Test("The module for Waybar prints valid JSON with markup, and its commands work")
  func waybar() async throws {
    struct Line: Decodable { var text, tooltip, alt, `class`: String }
    let text = try module("waybar.jsonc").split(separator: "\n").filter { !$0.hasPrefix("//") }.joined(separator: "\n")
    let modules = try JSONDecoder().decode([String: Module].self, from: Data(text.utf8))
    let commands = try #require(modules["custom/playerd"])
    try await withTwoTracks { daemon in
      try await withChildProcess(["sh", "-c", commands.exec], environment: environment(daemon)) { bar in
        let first = try await bar.waitForLine(containing: "{")
        let line = try JSONDecoder().decode(Line.self, from: Data(first.element.text.utf8))
        #expect(line.text == "Say &quot;hi&quot; &amp; &lt;b&gt; %{A1:x:}" && line.tooltip == "A &amp; B")
        #expect(line.alt == "Paused" && line.class == "paused")
      }
      for command in commands.clicks {
        let result = try await run(["sh", "-c", command], environment: environment(daemon))
        #expect(result.output.isEmpty && result.error.isEmpty, "\(command): \(result.error)")
      }
      #expect(try await daemon.get("Volume") == .double(1))
    }
  }

  private struct Module: Decodable {
    var exec: String
    var onClick, onClickMiddle, onClickRight, onScrollUp, onScrollDown: String
    var clicks: [String] { [onClickRight, onClickMiddle, onClick, onScrollDown, onScrollUp] }

    private enum CodingKeys: String, CodingKey {
      case exec
      case onClick = "on-click"
      case onClickMiddle = "on-click-middle"
      case onClickRight = "on-click-right"
      case onScrollUp = "on-scroll-up"
      case onScrollDown = "on-scroll-down"
    }
  }

  @Test("The modules for Polybar and i3blocks print the track without its tags and markup, and their commands work")
  func others() async throws {
    func values(_ name: String) throws -> [String: String] {
      let lines = try module(name).split(separator: "\n").filter { $0.contains("=") && !"#;[".contains($0.prefix(1)) }
      let pairs = lines.compactMap { line -> (String, String)? in
        guard let sign = line.firstIndex(of: "=") else { return nil }
        let key = line[..<sign].replacing(" ", with: "")
        return (String(key), String(line[line.index(after: sign)...].drop { $0 == " " }))
      }
      return Dictionary(pairs) { first, _ in first }
    }
    let (polybar, i3blocks) = (try values("polybar.ini"), try values("i3blocks.conf"))
    try await withTwoTracks { daemon in
      for (command, text) in [
        (polybar["exec"], "⏸️ Say \"hi\" & <b> %\u{200B}{A1:x:}  0:00"),
        (i3blocks["command"], "⏸️ Say &quot;hi&quot; &amp; &lt;b&gt; %{A1:x:} <small>A &amp; B</small>"),
      ] {
        let command = ["sh", "-c", try #require(command)]
        try await withChildProcess(command, environment: environment(daemon)) { bar in
          let line = try await bar.waitForLine(containing: "Say")
          #expect(line.element.text == text)
        }
      }
      let clicks = polybar.filter { $0.key.hasPrefix("click-") || $0.key.hasPrefix("scroll-") }
      #expect(clicks.count == 5)
      for key in clicks.keys.sorted().reversed() {
        let result = try await run(["sh", "-c", clicks[key] ?? ""], environment: environment(daemon))
        #expect(result.output.isEmpty, "\(key): \(result.error)")
      }
    }
  }
}
