import DBus
import TestSupport
import Testing

extension ConformanceTests {
  @Test("SetPosition for another track, below 0 or beyond the end is ignored", arguments: [true, false])
  func setPositionIgnored(paused: Bool) async throws {
    let files = try await TrackListTests.files()
    try await withDaemon((paused ? ["--paused"] : []) + [files[0], files[1]]) { daemon in
      try await daemon.titled("First")
      let track = try #require(try await daemon.metadata("mpris:trackid"))
      let tracks = try await daemon.get("Tracks", of: "org.mpris.MediaPlayer2.TrackList").asObjectPaths ?? []
      let other = try #require(tracks.last)
      try await daemon.barrier()
      let mark = daemon.signals.count
      let wrong: [(DBusValue, Int64)] = [
        (.objectPath(other), 5_000_000), (.objectPath("/nowhere"), 5_000_000),
        (.objectPath(TrackListTests.noTrack), 5_000_000), (track, -1), (track, .min), (track, 20_000_001),
        (track, .max),
      ]
      for (id, position) in wrong { try await daemon.call("SetPosition", [id, .int64(position)]) }
      // The valid call comes last and causes the only Seeked.
      try await daemon.call("SetPosition", [track, .int64(10_000_000)])
      let emitted = try await daemon.signals.first("a jump", from: mark) { $0.isSeeked }.element
      #expect(emitted.arguments == [.int64(10_000_000)])
      #expect(try await daemon.metadata("mpris:trackid") == track)
      #expect(try await daemon.status() == (paused ? "Paused" : "Playing"))
    }
  }

  @Test("Play after Pause resumes at the same position, and a second Pause or Play changes nothing")
  func pauseAndPlay() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("First")
      let mark = daemon.signals.count
      try await daemon.call("Seek", [.int64(30_000_000)])
      try await daemon.signals.first("the jump", from: mark) { $0.isSeeked }
      for _ in 1...2 { try await daemon.call("Pause") }
      let held = try await daemon.position()
      #expect(held >= 30_000_000)
      for _ in 1...2 { try await daemon.call("Play") }
      #expect(try await daemon.status() == "Playing")
      // A pipeline may lose data that it has not yet rendered, less than one second.
      #expect(try await daemon.position() >= held - 1_000_000)
    }
  }

  @Test("GetPlaylists returns a range of the requested order, from either end; beyond the last playlist it is empty")
  func playlistParts() async throws {
    try await withTemporaryDirectory { directory in
      for name in ["a", "b", "c", "d"] { try directory.write("", to: "\(name).m3u") }
      try await withDaemon([], environment: ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.path]) { daemon in
        let orderings = try await daemon.get("Orderings", of: PlaylistsTests.interface).asStrings
        #expect(orderings?.contains("Alphabetical") == true)
        let parts: [(UInt32, UInt32, Bool, [String])] = [
          (0, 2, false, ["a", "b"]), (1, 2, false, ["b", "c"]), (3, 5, false, ["d"]), (4, 1, false, []),
          (0, 0, false, []), (0, 2, true, ["d", "c"]), (3, 9, true, ["a"]), (.max, .max, true, []),
        ]
        for (index, count, isReversed, names) in parts {
          let reply = try await daemon.client.call(
            on: DaemonUnderTest.name, at: DaemonUnderTest.path, of: PlaylistsTests.interface, "GetPlaylists",
            [.uint32(index), .uint32(count), .string("Alphabetical"), .boolean(isReversed)])
          guard case .array("(oss)", let values)? = reply.first else { throw UnexpectedReply(text: "\(reply)") }
          #expect(values.compactMap { FoundPlaylist($0)?.name } == names, "\(index) \(count) \(isReversed)")
        }
      }
    }
  }
}
