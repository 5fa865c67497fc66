import FoundationEssentials
import GstPlayer
import TestSupport
import Testing

@Suite(
  "Films", .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
  .enabled(if: Film.isAvailable, "\(Film.unavailable)"))
struct FilmTests {
  @Test(
    "Playing and inspecting a film creates no element for video or subtitles",
    arguments: Film.all + [.mappedProgramStream])
  func elements(film: Film) async throws {
    // The demuxer of MPEG program streams finds no duration in half a second.
    let path = try await made(film, seconds: film.suffix == "mpg" ? 1.8 : 0.5)
    try await withTemporaryDirectory { directory in
      let log = directory.file("factories.log")
      await #expect(processExitsWith: .success) { [path = path as String, log = log as String] in
        try await expectingAudioElements(loggedTo: log) {
          try await withPlayer([fileURI(path)]) { harness in
            try await harness.playToEnd()
            harness.expectEvents([.itemDidPlayToEnd(harness.items[0]), .queueEnded])
          }
          let description = try await MediaInspector().inspect(fileURI(path))
          #expect(description.hasVideo, "\(description)")
          #expect(description.audioTracks.count == 1, "\(description)")
          #expect(description.duration != nil, "\(description)")
        }
      }
    }
  }

  @Test("The audio of a film plays from start to end once", arguments: Film.all)
  func wholeSound(film: Film) async throws {
    let path = try await made(film)
    try await withTappedPlayer([fileURI(path)]) { harness, tap in
      try await harness.playToEnd()
      // Encoders of AAC and MP3 add up to three frames.
      let count = try tap.recorded().count
      #expect((22_045..<22_050 + 3 * 1152).contains(count), "\(count)")
      harness.expectEvents([.itemDidPlayToEnd(harness.items[0]), .queueEnded])
    }
  }

  @Test(
    "An MP4 film whose index follows the media data plays over HTTP without its video", arguments: [true, false])
  func indexAtTheEnd(acceptsRanges: Bool) async throws {
    let path = try await made(.mp4, seconds: 1)
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let data = try #require(bytes.firstRange(of: Array("mdat".utf8)))
    let index = try #require(bytes.firstRange(of: Array("moov".utf8)))
    #expect(data.upperBound < index.lowerBound)
    try await withTemporaryDirectory { directory in
      let log = directory.file("factories.log")
      await #expect(processExitsWith: .success) {
        [path = path as String, log = log as String, acceptsRanges = acceptsRanges as Bool] in
        try await expectingAudioElements(loggedTo: log) {
          try await withHTTPServer { server in
            let response = try HTTPResponse.file(path, type: "video/mp4")
            let uri = server.script("/film.mp4", acceptsRanges ? response : response.refusingRanges())
            try await withTappedPlayer([uri]) { harness, tap in
              try await harness.playToEnd()
              #expect((44_100..<44_100 + 3 * 1152).contains(try tap.recorded().count))
              harness.expectEvents([.itemDidPlayToEnd(harness.items[0]), .queueEnded])
            }
          }
        }
      }
    }
  }

  @Test("A film plays without an installed decoder for its video", arguments: [Film.mp4, .transportStream])
  func missingVideoDecoder(film: Film) async throws {
    let path = try await made(film)
    try await withTemporaryDirectory { directory in
      let log = directory.file("factories.log")
      await #expect(processExitsWith: .success) { [path = path as String, log = log as String] in
        try await expectingAudioElements(loggedTo: log) {
          hideVideoDecoders()
          try await withPlayer([fileURI(path)]) { harness in
            try await harness.playToEnd()
            harness.expectEvents([.itemDidPlayToEnd(harness.items[0]), .queueEnded])
          }
        }
      }
    }
  }

  @Test("Styled subtitles are skipped as well")
  func styledSubtitles() async throws {
    // An identifier in Matroska may be padded with zeros.
    let film = try await patched(.subtitled, replacing: "S_TEXT/UTF8", with: "S_TEXT/ASS\0")
    try await withTemporaryDirectory { directory in
      let (path, log) = (try directory.write(film, to: "styled.mkv"), directory.file("factories.log"))
      await #expect(processExitsWith: .success) { [path = path as String, log = log as String] in
        try await expectingAudioElements(loggedTo: log) {
          try await withPlayer([fileURI(path)]) { harness in
            try await harness.playToEnd()
            harness.expectEvents([.itemDidPlayToEnd(harness.items[0]), .queueEnded])
          }
        }
      }
    }
  }

  @Test(
    "An HTTP live stream with video plays without the video",
    .enabled(if: LiveStreaming.isAvailable, "gstreamer1.0-plugins-bad is not installed"))
  func liveStream() async throws {
    let path = try await made(.transportStream, sound: try await Media.sine(seconds: 1, format: .wav), seconds: 1)
    try await withTemporaryDirectory { directory in
      let log = directory.file("factories.log")
      await #expect(processExitsWith: .success) { [path = path as String, log = log as String] in
        try await expectingAudioElements(loggedTo: log) {
          try await withHTTPServer { server in
            server.script("/film.ts", try .file(path, type: "video/mp2t"))
            let list = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:1\n#EXTINF:1.0,\nfilm.ts\n#EXT-X-ENDLIST\n"
            let uri = server.script(
              "/film.m3u8", .bytes(Array(list.utf8), type: "application/vnd.apple.mpegurl"))
            try await withPlayer([uri]) { harness in
              try await harness.playToEnd()
              harness.expectEvents([.itemDidPlayToEnd(harness.items[0]), .queueEnded])
            }
          }
        }
      }
    }
  }

  @Test("Two films join without an extra or missing sample, with shorter or longer video", arguments: [0.4, 1.6])
  func gapless(videoSeconds: Double) async throws {
    let parts = try await Media.continuousSine(format: .wav)
    let original = try parts.flatMap { try samples(ofWAV: $0) }
    let films = [
      try await made(.subtitled, sound: parts[0], seconds: videoSeconds),
      try await made(.matroska, sound: parts[1], seconds: videoSeconds),
    ]
    try await withTappedPlayer(films.map(fileURI), keeping: .sinceLastBreak) { harness, tap in
      try await harness.playToEnd()
      expectSamples(try tap.recorded(), original)
      #expect(
        harness.significantEvents == [
          .itemDidPlayToEnd(harness.items[0]),
          .currentItemChanged(from: harness.items[0], to: harness.items[1]),
          .itemDidPlayToEnd(harness.items[1]),
          .queueEnded,
        ])
    }
  }

  @Test("Seeking in a film is exact to the millisecond, regardless of key frames")
  func seek() async throws {
    let sound = try await Media.sine(seconds: 2, format: .wav)
    let film = try await made(.subtitled, sound: sound, seconds: 2)
    try await withTappedPlayer([fileURI(film)], keeping: .sinceLastBreak) { harness, tap in
      try await harness.ready()
      #expect(await harness.player.seek(to: .milliseconds(1500)).isCompleted)
      try await harness.playToEnd()
      let (recorded, expected) = (try tap.recorded(), try samples(ofWAV: sound))
      // Times in Matroska are whole milliseconds.
      let start = (66_150 - 45...66_150 + 45).first { recorded.elementsEqual(expected.dropFirst($0)) }
      #expect(start != nil)
    }
  }

  @Test("A film without audio fails once, and the next item plays")
  func silent() async throws {
    let film = fileURI(try await made(.silent))
    let good = fileURI(try await Media.sine(seconds: 0.3))
    try await withPlayer([film, good]) { harness in
      try await harness.playToEnd()
      #expect(harness.failures.map(\.item) == [harness.items[0]])
      #expect(harness.player.snapshot.lastError?.description == "no-audio: no audio track")
      #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[1]), .queueEnded])
    }
    let error = await #expect(throws: PlayerError.self) { _ = try await MediaInspector().inspect(film) }
    #expect(error?.code == .noAudio)
  }

  @Test("A film without an installed audio decoder fails with the decoder's name, and the next item plays")
  func missingAudioDecoder() async throws {
    let good = fileURI(try await Media.sine(seconds: 0.3))
    let unknown = try await patched(.matroska, replacing: "A_FLAC", with: "A_NONE")
    try await withTemporaryDirectory { directory in
      let film = fileURI(try directory.write(unknown, to: "unknown.mkv"))
      try await withPlayer([film, good]) { harness in
        try await harness.playToEnd()
        #expect(harness.failures.map(\.item) == [harness.items[0]])
        #expect(harness.player.snapshot.lastError?.code == .codecMissing)
        #expect(harness.player.snapshot.lastError?.message == "not installed: audio/x-unknown decoder")
        #expect(harness.significantEvents.suffix(2) == [.itemDidPlayToEnd(harness.items[1]), .queueEnded])
      }
    }
  }

  @Test("Cover and tags of a film are read during playback and inspection")
  func cover() async throws {
    let tags = Tags(title: "Bars", cover: try await Media.cover(seed: 3))
    let film = fileURI(try await made(.mp4, sound: try await Media.sine(seconds: 0.5, tags: tags)))
    let picture = Array(try Data(contentsOf: URL(filePath: try await Media.cover(seed: 3))))
    let description = try await MediaInspector().inspect(film)
    #expect(description.metadata.title == "Bars")
    #expect(description.metadata.artwork?.bytes == picture)
    try await withPlayer([film]) { harness in
      harness.player.play()
      let snapshot = try await harness.reaches("cover") { $0.metadata.artwork != nil }
      #expect(snapshot.metadata.title == "Bars")
      #expect(snapshot.metadata.artwork?.bytes == picture)
    }
  }
}
