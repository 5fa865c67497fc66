import DBus
import FoundationEssentials
import TestSupport
import Testing

/// Tests of the pictures, and of the titles of a station, that clients receive.
@Suite
struct CoverArtTests {
  @Test("The picture in a file is published with its track, and not with the next track without a picture")
  func embedded() async throws {
    try await withTemporaryDirectory { cache in
      let cover = try await Media.cover(seed: 3)
      let first = try await Media.sine(seconds: 1, tags: Tags(title: "With", cover: cover))
      let second = try await Media.sine(seconds: 20, tags: Tags(title: "Without"))
      let third = try await Media.sine(seconds: 20, format: .mp3, tags: Tags(title: "Again", cover: cover))
      try await withDaemon([first, second, third], environment: ["XDG_CACHE_HOME": cache.path + "/größe"]) { daemon in
        let change = try await daemon.changed("Metadata") { $0.asDictionary?["mpris:artUrl"] != nil }
        let uri = try #require(change.element.changes?["Metadata"]?.asDictionary?["mpris:artUrl"]?.asString)
        #expect(uri.hasPrefix("file://\(cache.path)/gr%C3%B6%C3%9Fe/mpris-playerd/art/"))
        #expect(uri.hasSuffix(".png"))
        let path = cache.path + "/größe/mpris-playerd/art/" + (uri.split(separator: "/").last ?? "")
        #expect(FileManager.default.contents(atPath: path) == FileManager.default.contents(atPath: cover))
        // The track and its picture are one change, or two if the picture takes longer than signals are delayed.
        let emitted = daemon.signals.elements.compactMap { $0.changes?["Metadata"]?.asDictionary }
          .filter { $0["xesam:title"] == .string("With") }
        #expect((1...2).contains(emitted.count), "\(emitted)")
        #expect(emitted.last?["mpris:artUrl"] == .string(uri))

        let next = try await daemon.titled("Without", from: change.index + 1)
        #expect(try await daemon.metadata("mpris:artUrl") == nil)
        try await daemon.call("Next")
        // The same picture has the same name. It may follow the title.
        _ = try await daemon.changed("Metadata", from: next) {
          $0.asDictionary?["xesam:title"] == .string("Again") && $0.asDictionary?["mpris:artUrl"] == .string(uri)
        }
      }
    }
  }

  @Test("A picture beside the tracks is used for tracks without a picture")
  func beside() async throws {
    try await withTemporaryDirectory { directory in
      let music = try await Media.sine(seconds: 20, tags: Tags(title: "Plain"))
      let track = try directory.write(Array(try Data(contentsOf: URL(filePath: music))), to: "track.flac")
      let cover = Array(try Data(contentsOf: URL(filePath: try await Media.cover(seed: 4))))
      try directory.write(cover, to: "Folder.PNG")
      let cache = try directory.makeDirectory("cache")
      try await withDaemon(["--paused", track], environment: ["XDG_CACHE_HOME": cache]) { daemon in
        try await daemon.titled("Plain")
        let uri = try #require(try await daemon.metadata("mpris:artUrl")?.asString)
        #expect(uri.hasPrefix("file://\(cache)/mpris-playerd/art/"))
      }
      // Without a writable cache, the URI names the file itself.
      try await withDaemon(["--paused", track], environment: ["XDG_CACHE_HOME": "/proc/nonexistent"]) { daemon in
        try await daemon.titled("Plain")
        #expect(try await daemon.metadata("mpris:artUrl") == .string("file://\(directory.file("Folder.PNG"))"))
      }
    }
  }

  @Test("Tracks that are not playing have pictures too, and are signalled again when these are found")
  func others() async throws {
    try await withTemporaryDirectory { directory in
      let plain = try await Media.sine(seconds: 20, tags: Tags(title: "Plain"))
      let cover = try await Media.cover(seed: 5)
      let embedded = try await Media.sine(seconds: 20, tags: Tags(title: "With", cover: cover))
      try directory.makeDirectory("album")
      let beside = try directory.write(Array(try Data(contentsOf: URL(filePath: plain))), to: "album/track.flac")
      let other = Array(try Data(contentsOf: URL(filePath: try await Media.cover(seed: 6))))
      try directory.write(other, to: "album/cover.png")
      let environment = ["XDG_CACHE_HOME": directory.file("cache")]
      try await withDaemon(["--paused", plain, embedded, beside], environment: environment) { daemon in
        try await daemon.titled("Plain")
        try await withTrackList(daemon) { list in
          let tracks = try await list.tracks()
          for metadata in try await list.metadata(of: tracks) where metadata["mpris:length"] == nil {
            try await list.metadataChanged("what was found", metadata["mpris:trackid"])
          }
          let uris = try await list.metadata(of: tracks).map { $0["mpris:artUrl"]?.asString }
          #expect(uris.map { $0 != nil } == [false, true, true])
          let files = uris.compactMap { $0.map { String($0.dropFirst("file://".count)) } }
          #expect(
            files.first.flatMap { FileManager.default.contents(atPath: $0) }
              == FileManager.default.contents(atPath: cover))
          #expect(files.last.flatMap { FileManager.default.contents(atPath: $0) } == Data(other))
        }
      }
    }
  }

  @Test("Lyrics are published only if the key lyrics is true", arguments: [true, false])
  func lyrics(arePublished: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let wav = try await Media.sine(seconds: 20, format: .wav)
      let path = directory.file("song.flac")
      let made = try await run(["flac", "--silent", "--tag=TITLE=Song", "--tag=LYRICS=la la", "-o", path, wav])
      try #require(made.succeeded, "\(made.error)")
      let environment = arePublished ? ["MPRIS_PLAYERD_LYRICS": "true"] : [:]
      try await withDaemon(["--paused", path, path], environment: environment) { daemon in
        try await daemon.titled("Song")
        let words: DBusValue? = arePublished ? .string("la la") : nil
        #expect(try await daemon.metadata("xesam:asText") == words)
        try await withTrackList(daemon) { list in
          let tracks = try await list.tracks()
          for metadata in try await list.metadata(of: tracks) where metadata["mpris:length"] == nil {
            try await list.metadataChanged("what was found", metadata["mpris:trackid"])
          }
          #expect(try await list.metadata(of: tracks).map { $0["xesam:asText"] } == [words, words])
        }
      }
    }
  }

  @Test("The name of a station is the album, the current title is the title, and each new title is one signal")
  func station() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 40, format: .mp3))))
    let stream = Station.interleave(music, every: 16_000, titles: ["One", nil, "Two", nil, nil, "Three", nil, nil])
    try await withHTTPServer { server in
      let response = HTTPResponse.bytes(stream, type: "audio/mpeg").withoutLength().refusingRanges()
        .header("icy-name: The Station").header("icy-genre: Jazz").header("icy-metaint: 16000")
      let uri = server.script("/radio", response)
      try await withDaemon([uri]) { daemon in
        for title in ["One", "Two", "Three"] {
          try await daemon.titled(title, within: 30)
          #expect(try await daemon.metadata("xesam:album") == .string("The Station"))
        }
        try await daemon.barrier()
        let titles = daemon.signals.elements.compactMap {
          $0.changes?["Metadata"]?.asDictionary?["xesam:title"]?.asString
        }
        #expect(titles.filter { $0 == "Two" }.count == 1, "\(titles)")
        #expect(titles.filter { $0 == "Three" }.count == 1, "\(titles)")
        #expect(!titles.contains(""))
      }
    }
  }
}

/// A stream with titles, in the format of SHOUTcast servers.
private enum Station {
  /// Returns the music with a metadata block after each interval; nil stands for a block without a new title.
  static func interleave(_ music: [UInt8], every interval: Int, titles: [String?]) -> [UInt8] {
    var stream: [UInt8] = []
    for (index, start) in stride(from: 0, to: music.count, by: interval).enumerated() {
      let part = music[start..<min(start + interval, music.count)]
      stream += part
      guard part.count == interval else { break }
      guard index < titles.count, let title = titles[index] else {
        stream.append(0)
        continue
      }
      let text = Array("StreamTitle='\(title)';".utf8)
      let blocks = (text.count + 15) / 16
      stream += [UInt8(blocks)] + text + [UInt8](repeating: 0, count: blocks * 16 - text.count)
    }
    return stream
  }
}
