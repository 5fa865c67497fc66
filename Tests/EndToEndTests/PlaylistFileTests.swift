import DBus
import TestSupport
import Testing

/// Tests of opening playlist files.
@Suite
struct PlaylistFileTests {
  @Test(
    "Titles of a playlist apply until the file's own title is known; OpenUri and a second start open playlists")
  func titles() async throws {
    let plain = try await Media.sine(seconds: 20, format: .wav)
    let tagged = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "From the Tags"))
    try await withTemporaryDirectory { directory in
      let list = try directory.write("#EXTINF:20,From the List\n\(plain)\n#EXTINF:9,Unused\n\(tagged)\n", to: "a.m3u")
      try await withDaemon(["--paused", list]) { daemon in
        try await daemon.titled("From the List")
        var mark = daemon.signals.count
        try await daemon.call("Next")
        mark = try await daemon.titled("From the Tags", from: mark)
        try await daemon.call("OpenUri", [.string("file://\(list)")])
        mark = try await daemon.titled("From the List", from: mark)
        #expect(try await daemon.status() == "Playing")
        let second = try await run(
          [DaemonUnderTest.executable, "--paused", directory.file("a.m3u")], environment: daemon.bus.environment)
        #expect(second.status == .exited(0))
        try await daemon.changed("CanGoPrevious", from: mark) { $0 == .boolean(false) }
      }
    }
  }

  @Test("Empty and missing playlists end --quit-at-end with 66, with one line each")
  func nothing() async throws {
    try await withTemporaryDirectory { directory in
      let empty = try directory.write("", to: "empty.m3u")
      try await withPrivateBus { bus in
        let missing = directory.file("missing.pls")
        let result = try await run(
          [DaemonUnderTest.executable] + DaemonUnderTest.silentSink + ["--quit-at-end", empty, missing],
          environment: bus.environment)
        #expect(result.status == .exited(66), "\(result.error)")
        #expect(result.error.split(separator: "\n").count == 2, "\(result.error)")
        let alone = try await run(
          [DaemonUnderTest.executable] + DaemonUnderTest.silentSink + ["--quit-at-end", empty],
          environment: bus.environment)
        #expect(alone.status == .exited(66), "\(alone.error)")
      }
    }
  }
}
