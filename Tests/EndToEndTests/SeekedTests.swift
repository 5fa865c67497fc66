import DBus
import Glibc
import TestSupport
import Testing

/// Tests of Seeked on the built daemon: one signal per jump, after the other changes of the jump, and none otherwise.
@Suite
struct SeekedTests {
  /// Returns the signals since `mark`, after `count` Seeked signals and all signals that follow them.
  private func received(_ daemon: DaemonUnderTest, from mark: Int, seeks count: Int) async throws -> [DBusSignalMessage]
  {
    var next = mark
    for number in 0..<count {
      next = try await daemon.signals.first("Seeked number \(number + 1)", from: next) { $0.isSeeked }.index + 1
    }
    try await daemon.barrier()
    return Array(daemon.signals.elements[mark...])
  }

  @Test("Seek and SetPosition emit Seeked and TimeJumped once each, and a change of Rate neither, playing and paused")
  func jumps() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    for options in [[], ["--paused"]] {
      try await withDaemon(options + [file]) { daemon in
        try await daemon.opened(titled: "First")
        guard let track = try await daemon.metadata("mpris:trackid") else { throw UnexpectedReply(text: "no track id") }

        var mark = daemon.signals.count
        try await daemon.call("SetPosition", [track, .int64(20_000_000)])
        var signals = try await received(daemon, from: mark, seeks: 1)
        #expect(signals.map(\.arguments) == [[.int64(20_000_000)]], "\(options)")

        mark = daemon.signals.count
        try await daemon.call("Seek", [.int64(10_000_000)])
        signals = try await received(daemon, from: mark, seeks: 1)
        #expect(signals.map(\.member) == ["Seeked"], "\(options)")
        #expect((30_000_000..<40_000_000).contains(signals.first?.arguments.first?.asInt64 ?? 0))

        mark = daemon.signals.count
        try await daemon.call("Seek", [.int64(-100_000_000)])
        signals = try await received(daemon, from: mark, seeks: 1)
        #expect(signals.map(\.arguments) == [[.int64(0)]], "\(options)")

        try await withMonitor(of: daemon) { monitor in
          mark = daemon.signals.count
          try await daemon.set("Rate", .double(2))
          // The pipeline performs the two seeks one after the other.
          try await daemon.call("SetPosition", [track, .int64(40_000_000)])
          signals = try await received(daemon, from: mark, seeks: 1)
          #expect(signals.map(\.member) == ["PropertiesChanged", "Seeked"], "\(options)")
          #expect(signals.first?.changes == ["Rate": .double(2)])
          #expect(signals.last?.arguments == [.int64(40_000_000)])
          let jump = try await monitor.signal("TimeJumped").element.arguments
          #expect(jump.last == .int64(40_000_000))
          #expect(monitor.received("TimeJumped").count == 1, "\(options)")
        }
      }
    }
  }

  @Test("Successive seeks end at the target of the last one, and the last signal has that position")
  func row() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.opened(titled: "First")
      let mark = daemon.signals.count
      for _ in 1...20 { try await daemon.call("Seek", [.int64(1_000_000)]) }
      #expect(try await daemon.position() == 20_000_000)
      _ = try await daemon.signals.first("the last", from: mark) { $0.arguments == [.int64(20_000_000)] }
      try await daemon.barrier()
      let seeks = daemon.signals.elements[mark...]
      #expect(seeks.allSatisfy(\.isSeeked) && seeks.count <= 20)
      #expect(seeks.last?.arguments == [.int64(20_000_000)])
    }
  }

  @Test("Play, Pause, a change of tracks and Stop emit no Seeked")
  func ordinary() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(files) { daemon in
      try await daemon.titled("First")
      for method in ["Pause", "Play", "PlayPause", "PlayPause", "Next"] as [MemberName] {
        try await daemon.call(method)
      }
      try await daemon.titled("Second")
      for method in ["Pause", "Previous", "Stop"] as [MemberName] { try await daemon.call(method) }
      // An immediate Play would suppress the signal of the stop.
      try await daemon.changed("PlaybackStatus", from: 0) { $0 == .string("Stopped") }
      try await daemon.call("Play")
      try await daemon.barrier()
      #expect(daemon.signals.elements.filter(\.isSeeked).isEmpty)
    }
  }

  @Test("The restored position is readable at once, and signalled at most once")
  func restored() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withTemporaryDirectory { state in
      let environment = ["XDG_STATE_HOME": state.path]
      try await withDaemon(["--paused", file], environment: environment) { daemon in
        try await daemon.titled("First")
        let mark = daemon.signals.count
        try await daemon.call("Seek", [.int64(12_000_000)])
        try await daemon.signals.first("the jump", from: mark) { $0.arguments == [.int64(12_000_000)] }
        daemon.process.signal(SIGTERM)
        try await daemon.process.exitStatus()
      }
      try await withDaemon([], environment: environment) { daemon in
        #expect(try await daemon.position() == 12_000_000)
        try await daemon.titled("First")
        // The signal of the client's own seek follows any signal of the start.
        try await daemon.call("Seek", [.int64(1_000_000)])
        let own = try await daemon.signals.first("the client's own") { $0.arguments == [.int64(13_000_000)] }
        let before = daemon.signals.elements[..<own.index].filter(\.isSeeked)
        #expect(before.count <= 1 && before.allSatisfy { $0.arguments == [.int64(12_000_000)] }, "\(before)")
      }
    }
  }

  @Test("Play right after Stop plays from the start, and no status is signalled twice in a row")
  func stopAndPlay() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("First")
      try await daemon.call("Seek", [.int64(30_000_000)])
      try await daemon.barrier()
      let mark = daemon.signals.count
      for _ in 1...5 {
        for method in ["Stop", "Play"] as [MemberName] { try await daemon.call(method) }
      }
      #expect(try await daemon.status() == "Playing")
      #expect(try await daemon.position() < 30_000_000)
      // A status that is delayed until the track is ready is signalled before the following pause.
      try await daemon.call("Pause")
      try await daemon.changed("PlaybackStatus", from: mark) { $0 == .string("Paused") }
      let emitted = daemon.signals.elements[mark...].compactMap { $0.changes?["PlaybackStatus"]?.asString }
      #expect(zip(emitted, emitted.dropFirst()).allSatisfy { $0 != $1 }, "\(emitted)")
      #expect(emitted.last == "Paused")
    }
  }

  @Test("The end of a stall is signalled once, at the position where playback resumes")
  func stall() async throws {
    let file = try await Media.sine(seconds: 8, format: .mp3, tags: Tags(title: "Slow"))
    try await withHTTPServer { server in
      let uri = server.script("/slow.mp3", try .file(file).stalling(at: 50_000))
      try await withDaemon([uri]) { daemon in
        try await daemon.process.waitForLine(containing: "waiting for data")
        #expect(try await daemon.status() == "Playing")
        let held = try await daemon.position()
        #expect(try await daemon.position() == held)
        let mark = daemon.signals.count
        server.release("/slow.mp3")
        let seeked = try await daemon.signals.first("the end of the stall", from: mark) { $0.isSeeked }
        #expect(abs((seeked.element.arguments.first?.asInt64 ?? 0) - held) < 200_000)
        try await daemon.call("Stop")
        try await daemon.changed("PlaybackStatus", from: mark) { $0 == .string("Stopped") }
        try await daemon.barrier()
        #expect(daemon.signals.elements[mark...].filter(\.isSeeked).count == 1)
      }
    }
  }
}
