import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the form of property values and metadata.
extension ConformanceTests {
  @Test(
    "Schemes are lower-case, media types have two parts, the normal rate is within the bounds, tracks can be edited")
  func ranges() async throws {
    try await withDaemon([]) { daemon in
      let root = try await daemon.getAll(of: "org.mpris.MediaPlayer2")
      let schemes = root["SupportedUriSchemes"]?.asStrings ?? []
      #expect(!schemes.isEmpty && schemes.allSatisfy { $0 == $0.lowercased() }, "\(schemes)")
      let types = root["SupportedMimeTypes"]?.asStrings ?? []
      #expect(!types.isEmpty && types.allSatisfy { $0.split(separator: "/").count == 2 }, "\(types)")
      let player = try await daemon.getAll(of: DaemonUnderTest.player)
      guard case .double(let minimum)? = player["MinimumRate"], case .double(let maximum)? = player["MaximumRate"]
      else {
        throw UnexpectedReply(text: "\(player)")
      }
      #expect(0 < minimum && minimum <= 1 && 1 <= maximum)
      #expect(player["Rate"] == .double(1) && player["CanControl"] == .boolean(true))
      #expect(try await daemon.get("CanEditTracks", of: TrackListUnderTest.interface) == .boolean(true))
    }
  }

  @Test("Setting a property notifies every client with the new value")
  func settingNotifies() async throws {
    try await withDaemon([]) { daemon in
      for (name, value) in [
        ("Volume", .double(0.5)), ("LoopStatus", .string("Playlist")), ("Shuffle", .boolean(true)),
        ("Rate", .double(1.5)),
      ] as [(String, DBusValue)] {
        let mark = daemon.signals.count
        try await daemon.set(name, value)
        let emitted = try await daemon.changed(name, from: mark).element
        #expect(emitted.changes?[name] == value)
        #expect(emitted.arguments.last == .strings([]))
      }
    }
  }

  @Test("Metadata has the length in microseconds, lists as arrays, and the date in ISO 8601")
  func tagged() async throws {
    let tags = Tags(
      title: "Full", artists: ["One", "Two"], album: "Album", albumArtist: "Many", genre: "Jazz", trackNumber: 3,
      date: "2024")
    let file = try await Media.sine(seconds: 20, format: .flac, tags: tags)
    try await withDaemon(["--paused", file]) { daemon in
      try await daemon.titled("Full")
      let metadata = try await daemon.get("Metadata").asDictionary ?? [:]
      #expect(metadata["mpris:length"] == .int64(20_000_000))
      #expect(metadata["xesam:url"] == .string("file://" + file))
      #expect(metadata["xesam:artist"] == .strings(["One", "Two"]))
      #expect(metadata["xesam:albumArtist"] == .strings(["Many"]))
      #expect(metadata["xesam:genre"] == .strings(["Jazz"]))
      #expect(metadata["xesam:album"] == .string("Album"))
      #expect(metadata["xesam:trackNumber"] == .int32(3))
      #expect(metadata["xesam:contentCreated"]?.asString?.hasPrefix("2024") == true, "\(metadata)")
    }
  }

  @Test("For a stream that is not seekable CanSeek is false, and Seek and SetPosition do nothing")
  func notSeekable() async throws {
    let file = try await Media.sine(seconds: 40, format: .mp3, tags: Tags(title: "Live"))
    try await withHTTPServer { server in
      let music = Array(try Data(contentsOf: URL(filePath: file)))
      let uri = server.script("/live.mp3", .bytes(music, type: "audio/mpeg").withoutLength().refusingRanges())
      // Of a station that is kept in memory, the received data is seekable.
      try await withDaemon([uri], environment: ["MPRIS_PLAYERD_TIME_SHIFT": "0"]) { daemon in
        try await daemon.titled("Live", within: 30)
        #expect(try await daemon.get("CanSeek") == .boolean(false))
        #expect(try await daemon.metadata("mpris:length") == nil)
        try await daemon.call("Pause")
        let track = try #require(try await daemon.metadata("mpris:trackid"))
        let held = try await daemon.position()
        try await daemon.call("Seek", [.int64(20_000_000)])
        try await daemon.call("SetPosition", [track, .int64(30_000_000)])
        #expect(try await daemon.position() == held)
        #expect(try await daemon.status() == "Paused")
        #expect(try await daemon.get("CanPause") == .boolean(true))
      }
    }
  }

  @Test("At a rate of 2 the position advances twice as fast as the clock")
  func doubleRate() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon(["--paused", "--rate", "2", file]) { daemon in
      try await daemon.titled("First")
      try await withMonitor(of: daemon) { monitor in
        _ = try await monitor.observe("AddBoundaryTimeObserver", .array("x", [.int64(2_000_000), .int64(5_000_000)]))
        try await daemon.call("Play")
        let first = try await monitor.signal("BoundaryReached", within: 30)
        let second = try await monitor.signal("BoundaryReached", from: first.index + 1, within: 30)
        let instants = [first, second].compactMap { $0.element.arguments[4].asInt64 }
        try #require(instants.count == 2)
        // The two boundaries are 3 s of media apart; a busy machine may delay playback, but never speeds it up.
        #expect((1_350_000..<2_700_000).contains(instants[1] - instants[0]), "\(instants)")
        #expect(try await daemon.position() >= 5_000_000)
      }
    }
  }

  @Test("A second Stop changes nothing; Next and OpenUri begin at the start of their track")
  func stopTwice() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0], files[1]]) { daemon in
      try await daemon.titled("First")
      try await daemon.call("Seek", [.int64(15_000_000)])
      try await daemon.call("Next")
      try await daemon.titled("Second")
      #expect(try await daemon.position() == 0)
      try await daemon.call("Stop")
      try await daemon.changed("PlaybackStatus") { $0 == .string("Stopped") }
      try await daemon.barrier()
      let mark = daemon.signals.count
      try await daemon.call("Stop")
      try await daemon.barrier()
      #expect(daemon.signals.elements[mark...].allSatisfy { $0.changes?["PlaybackStatus"] == nil && !$0.isSeeked })
      try await daemon.call("OpenUri", [.string("file://" + files[2])])
      try await daemon.titled("Third", from: mark)
      #expect(try await daemon.status() == "Playing")
      #expect(try await daemon.position() < 15_000_000)
    }
  }
}
