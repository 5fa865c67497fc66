import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests that passwords and tokens of URLs do not leave the daemon, and of the files that contain them.
@Suite("Secrets of URLs") struct SecretTests {
  private static func mode(_ path: String) -> mode_t {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private static func text(of path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
  }

  @Test("A password and a token of a URL are in no line, error and report, and the files with them are private")
  func secrets() async throws {
    try await withTemporaryDirectory { directory in
      let environment = [
        "MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.file("lists"), "XDG_STATE_HOME": directory.file("state"),
        "MPRIS_PLAYERD_ON_TRACK": "true,Authorization: s3cret,t0ken", "MPRIS_PLAYERD_USER_AGENT": "Agent s3cret",
      ]
      let uri = "http://user:s3cret@127.0.0.1:9/x.mp3?key=t0ken"
      let shown = "http://127.0.0.1:9/x.mp3?key=…"
      try await withDaemon(["--log-level", "debug"], environment: environment) { daemon in
        try await daemon.call("OpenUri", [.string(uri)])
        try await daemon.process.waitForLine(containing: "\(shown): the server refuses the connection")
        let failure = try await MonitorClient(connection: daemon.client).get("LastError")
        #expect("\(failure)".contains(shown), "\(failure)")
        #expect(try await daemon.metadata("xesam:url") == .string("http://127.0.0.1:9/x.mp3?key=t0ken"))
        let queued = try await run(
          [DaemonUnderTest.executable, "queue", "--json"], environment: daemon.bus.environment)
        #expect(queued.output.contains("x.mp3") && !queued.output.contains("s3cret"), "\(queued.output)")
        let saved = try await run([DaemonUnderTest.executable, "save", "mine"], environment: daemon.bus.environment)
        #expect(saved.succeeded, "\(saved.error)")
        let report = try await run(
          [DaemonUnderTest.executable, "report", "--with-names", directory.file("report.json")],
          environment: daemon.bus.environment)
        #expect(report.succeeded, "\(report.error)")
        for text in daemon.process.lines.elements.map(\.text) + ["\(failure)"] {
          #expect(!text.contains("s3cret") && !text.contains("t0ken"), "\(text)")
        }
        // The session is written at the latest when the daemon ends.
        daemon.process.signal(SIGTERM)
        #expect(try await daemon.process.exitStatus(within: 30) == .exited(0))
      }
      #expect(try Self.text(of: directory.file("lists/mine.m3u8")).contains(uri))
      #expect(Self.mode(directory.file("lists/mine.m3u8")) == 0o600)
      #expect(try Self.text(of: directory.file("state/mpris-playerd/session.json")).contains("s3cret"))
      #expect(Self.mode(directory.file("state/mpris-playerd/session.json")) == 0o600)
      let report = try Self.text(of: directory.file("report.json"))
      #expect(report.contains("x.mp3") && !report.contains("s3cret") && !report.contains("t0ken"))
    }
  }

  @Test("The allowed folders and schemes hold for every way in: the bus, the command line, playlists and the session")
  func policy() async throws {
    let (inside, outside) = (try await Media.sine(seconds: 5), try await Media.sine(seconds: 6))
    try await withTemporaryDirectory { directory in
      for folder in ["music", "lists", "state/mpris-playerd"] { _ = try directory.makeDirectory(folder) }
      let allowed = directory.file("music/in.flac")
      try Data(contentsOf: URL(filePath: inside)).write(to: URL(filePath: allowed))
      let link = directory.file("music/link.flac")
      #expect(unsafe symlink(outside, link) == 0)
      _ = try directory.write("\(outside)\n\(link)\n\(allowed)\n", to: "lists/all.m3u")
      let session = """
        {"version":1,"generation":1,"queue":["file://\(outside)","file://\(allowed)"],"loop":"none","volume":1,"rate":1,\
        "place":{"current":1,"position":0,"state":"paused"}}
        """
      _ = try directory.write(session, to: "state/mpris-playerd/session.json")
      let environment = [
        "MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.file("lists"), "XDG_STATE_HOME": directory.file("state"),
        "MPRIS_PLAYERD_ALLOWED_ROOTS": directory.file("music"), "MPRIS_PLAYERD_ALLOWED_SCHEMES": "file",
      ]
      try await withDaemon([], environment: environment) { daemon in
        func command(_ arguments: String...) async throws -> ProcessResult {
          try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
        }
        func urls() async throws -> [String] {
          try await command("queue", "--json").output.matches(of: #/"uri":"([^"]*)"/#).map { String($0.1) }
        }
        let restored = try await urls()
        #expect(restored == ["file://\(allowed)"])
        for uri in ["file://\(outside)", "https://127.0.0.1:9/", "testbin://audio"] {
          await #expect(throws: DBusError.self) { try await daemon.call("OpenUri", [.string(uri)]) }
          #expect(try await command(uri).status == .exited(66))
          #expect(try await command("queue", "add", uri).status == .exited(66))
        }
        #expect(try await command(link).status == .exited(66))
        #expect(try await urls() == ["file://\(allowed)"])
        #expect(try await command("playlist", "play", "all").status == .exited(1))
        #expect(try await urls() == ["file://\(allowed)"])
      }
    }
  }
}
