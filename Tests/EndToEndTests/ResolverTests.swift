import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of the key `resolver` with a server that requires a header, and a script in place of yt-dlp.
@Suite("Resolved addresses") struct ResolverTests {
  /// Writes a script that answers for each address, and returns a configuration with it.
  ///
  /// `cases` are branches of `case $1`; `$n` is the number of runs.
  private func configuration(_ directory: TemporaryDirectory, _ cases: String) throws -> String {
    let script = try directory.write(
      """
      for address; do :; done
      echo "$address" >>"\(directory.file("runs"))"
      n=$(wc -l <"\(directory.file("runs"))")
      case $address in
      \(cases)
      *) echo "ERROR: no video at $address" >&2; exit 1;;
      esac
      """, to: "resolver.sh")
    return try directory.write(
      """
      resolver = ["sh", "\(script)", "--no-playlist"]
      resolver-for = ["video.example", "ytdl:"]
      """, to: "config.toml")
  }

  private func track(_ uri: String, _ title: String, _ more: String = "") -> String {
    #"printf '%s\n' '{"url": "\#(uri)", "title": "\#(title)", "http_headers": {"X-Token": "secret", "User-Agent": "Agent/1"}\#(more)}'"#
  }

  private func runs(_ directory: TemporaryDirectory) -> [String] {
    let text = (try? String(contentsOfFile: directory.file("runs"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test("An address plays from the URI that the command finds; clients and the session have the address")
  func track() async throws {
    let file = try await Media.sine(seconds: 20, format: .ogg)
    try await withHTTPServer { server in
      let uri = server.script("/media.ogg", try HTTPResponse.file(file).requiring("X-Token", "secret"))
      try await withTemporaryDirectory { directory in
        let thumbnail = #", "thumbnail": "https://img.example/1.jpg", "duration": 20, "uploader": "Somebody""#
        let config = try configuration(directory, "*watch*) \(track(uri, "A video", thumbnail));;")
        let address = "https://www.video.example/watch?v=1&t=2"
        let environment = ["XDG_STATE_HOME": directory.path]
        try await withDaemon(["--config", config, address], environment: environment) { daemon in
          try await daemon.opened(titled: "A video")
          #expect(try await daemon.status() == "Playing")
          #expect(try await daemon.metadata("xesam:url") == .string(address))
          #expect(try await daemon.metadata("xesam:artist")?.asStrings == ["Somebody"])
          #expect(try await daemon.metadata("mpris:artUrl") == .string("https://img.example/1.jpg"))
          let headers = server.headers(of: "/media.ogg")
          #expect(!headers.isEmpty && headers.allSatisfy { $0["x-token"] == "secret" && $0["user-agent"] == "Agent/1" })
          // The result of the opening is used for the playback.
          #expect(runs(directory) == [address])
          let queue = try await run(
            [DaemonUnderTest.executable, "queue", "--json"], environment: daemon.bus.environment)
          #expect(queue.output.contains(#""title":"A video""#) && !queue.output.contains("media.ogg"))
          daemon.process.signal(SIGTERM)
          #expect(try await daemon.process.exitStatus() == .exited(0))
        }
        let session = try String(contentsOfFile: directory.file("mpris-playerd/session.json"), encoding: .utf8)
        #expect(session.contains("watch?v=1") && !session.contains("media.ogg") && !session.contains("secret"))
        // A restored address is resolved when it is played.
        try await withDaemon(["--config", config], environment: environment) { daemon in
          try await daemon.opened(titled: "A video")
          try await daemon.call("Play")
          try await daemon.changed("PlaybackStatus") { $0 == .string("Playing") }
          #expect(runs(directory) == [address, address])
        }
      }
    }
  }

  @Test("After the server refuses the URI of a track that plays, a seek resolves its address again")
  func expired() async throws {
    // Much longer than the data that is buffered ahead.
    let file = try await Media.sine(seconds: 120, format: .wav)
    try await withHTTPServer { server in
      let response = try HTTPResponse.file(file).requiring("X-Token", "secret")
      let (old, new) = (server.script("/old.wav", response.throttled(to: 400_000)), server.script("/new.wav", response))
      try await withTemporaryDirectory { directory in
        let cases = #"*watch*) if [ "$n" = 1 ]; then \#(track(old, "Long")); else \#(track(new, "Long")); fi;;"#
        let config = try configuration(directory, cases)
        try await withDaemon(["--config", config, "ytdl://watch"]) { daemon in
          try await daemon.opened(titled: "Long")
          server.change("/old.wav") { _ in .status(403) }
          let mark = daemon.signals.count
          try await daemon.call(
            "SetPosition", [daemon.metadata("mpris:trackid") ?? .byte(0), .int64(60_000_000)])
          try await daemon.signals.first("the seek", from: mark, within: 30) { $0.isSeeked }
          try await server.events.first("the new URI", within: 30) {
            if case .requested("/new.wav", _) = $0 { true } else { false }
          }
          try await deadline(30, "the position") {
            while try await daemon.position() < 60_100_000 { try await daemon.barrier() }
          }
          #expect(try await daemon.status() == "Playing")
          #expect(runs(directory) == ["ytdl://watch", "ytdl://watch"])
        }
      }
    }
  }

  @Test("A playlist gives its tracks, each of which is resolved before it plays")
  func playlist() async throws {
    let file = try await Media.sine(seconds: 2, format: .ogg)
    try await withHTTPServer { server in
      let uri = server.script("/media.ogg", try HTTPResponse.file(file).requiring("X-Token", "secret"))
      try await withTemporaryDirectory { directory in
        let entries = (1...2).map {
          #"{"_type": "url", "url": "https://video.example/\#($0)", "title": "Part \#($0)", "duration": 2}"#
        }
        let cases = """
          */list) printf '%s\\n' '{"entries": [\(entries.joined(separator: ", "))]}';;
          */1) \(track(uri, "One"));;
          */2) \(track(uri, "Two"));;
          """
        let config = try configuration(directory, cases)
        try await withDaemon(["--config", config, "https://video.example/list"]) { daemon in
          try await daemon.titled("Part 2", within: 30)
          try await daemon.changed("PlaybackStatus", within: 30) { $0 == .string("Stopped") }
          #expect(
            runs(directory) == ["https://video.example/list", "https://video.example/1", "https://video.example/2"])
        }
      }
    }
  }

  @Test("A command that fails is reported with its own words, when an address is added and when it plays")
  func failure() async throws {
    try await withTemporaryDirectory { directory in
      let config = try configuration(directory, "")
      let list = try directory.write("https://video.example/gone\n", to: "list.m3u")
      try await withDaemon(["--config", config]) { daemon in
        let environment = daemon.bus.environment
        let add = try await run(
          [DaemonUnderTest.executable, "add", "https://video.example/none"], environment: environment)
        #expect(
          add.error.contains("the resolver failed: ERROR: no video at https://video.example/none"), "\(add.error)")
        // The entries of a playlist are resolved when they play.
        let play = try await run([DaemonUnderTest.executable, "add", list], environment: environment)
        #expect(play.succeeded, "\(play.error)")
        try await daemon.call("Play")
        try await daemon.process.waitForLine(containing: "the resolver failed: ERROR: no video at", within: 30)
        let status = try await run([DaemonUnderTest.executable, "status", "--json"], environment: environment)
        #expect(status.output.contains(#""lastErrorCode":"resolver-failed""#), "\(status.output)")
      }
    }
  }
}
