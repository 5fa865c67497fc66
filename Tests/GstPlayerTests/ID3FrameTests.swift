import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("ID3 frames") struct ID3FrameTests {
  private func read(_ frames: [[UInt8]], version: Int = 4) -> ID3Frames {
    var result = ID3Frames()
    for frame in frames { result.take(frame, version: version) }
    return result
  }

  @Test("Lyrics are read in each encoding", arguments: [3, 4])
  func lyrics(version: Int) {
    let texts: [[UInt8]] = [
      [0] + Array("eng".utf8) + [0] + [0x6C, 0xE4],
      [1] + Array("eng".utf8) + [0xFF, 0xFE, 0x61, 0, 0, 0, 0xFF, 0xFE, 0x6C, 0, 0xE4, 0],
      [1] + Array("eng".utf8) + [0xFE, 0xFF, 0, 0, 0xFE, 0xFF, 0, 0x6C, 0, 0xE4],
      [2] + Array("eng".utf8) + [0, 0, 0, 0x6C, 0, 0xE4],
      [3] + Array("eng".utf8) + Array("a\u{0}lä".utf8),
    ]
    for text in texts {
      #expect(read([ID3.frame("USLT", text, version)], version: version).lyrics == "lä")
    }
  }

  @Test("Lyrics with times become lines in the LRC format, and syllables are joined", arguments: [3, 4])
  func timedLyrics(version: Int) {
    func frame(_ parts: [(String, UInt8)], format: UInt8 = 2) -> [UInt8] {
      let body: [UInt8] = [3] + Array("eng".utf8) + [format, 1, 0]
      return ID3.frame("SYLT", body + parts.flatMap { Array($0.0.utf8) + [0, 0, 0, $0.1, 4] }, version)
    }
    let plain = ID3.frame("USLT", Array("\u{0}eng\u{0}la la".utf8), version)
    let lines = read([plain, frame([("One", 0), ("Two", 250)])], version: version)
    #expect(lines.lyrics == "[00:00.004]One\n[01:04.004]Two")
    let syllables = read([frame([("O", 0), ("ne ", 1), ("\nTwo", 2)])], version: version)
    #expect(syllables.lyrics == "[00:00.004]One \n[00:00.516]Two")
    // Times in MPEG frames are not read.
    #expect(read([plain, frame([("One", 0)], format: 1)], version: version).lyrics == "la la")
  }

  @Test("Lyrics with times in any USLT frame or in a TXXX frame precede plain ones", arguments: [3, 4])
  func severalLyrics(version: Int) {
    let plain = ID3.frame("USLT", Array("\u{0}eng\u{0}la la".utf8), version)
    let timed = ID3.frame("USLT", Array("\u{0}deu-\u{0}[00:01.00]la".utf8), version)
    #expect(read([plain, timed], version: version).lyrics == "[00:01.00]la")
    #expect(read([timed, plain], version: version).lyrics == "[00:01.00]la")
    #expect(read([plain, plain], version: version).lyrics == "la la")
    for name in ["LYRICS", "SyncedLyrics", "UNSYNCEDLYRICS"] {
      let text = ID3.frame("TXXX", [3] + Array("\(name)\u{0}[00:02.00]ü".utf8), version)
      #expect(read([plain, text], version: version).lyrics == "[00:02.00]ü")
    }
    let other = ID3.frame("TXXX", [3] + Array("LYRICIST\u{0}[00:02.00]x".utf8), version)
    #expect(read([other], version: version).lyrics == nil)
  }

  @Test("A table of contents with more than 255 chapters lists all of them, although its count has one byte")
  func manyChapters() {
    let frames = (0..<5000).map { ID3.chapter("ch\($0)", $0, $0 + 1, "\($0)", 4) }
    let ids = (0..<5000).flatMap { Array("ch\($0)\u{0}".utf8) }
    let contents = ID3.frame("CTOC", Array("toc\u{0}".utf8) + [3, UInt8(truncatingIfNeeded: 5000)] + ids, 4)
    #expect(read([contents] + frames).chapters.map(\.title) == (0..<5000).map { Optional("\($0)") })
  }

  @Test("Star ratings are fifths, 0 means unrated, and a play count is read with or without a rating")
  func ratings() {
    for (byte, rating) in [(1, 0.2), (64, 0.4), (128, 0.6), (196, 0.8), (255, 1)] as [(UInt8, Double)] {
      #expect(read([ID3.frame("POPM", Array("me@x".utf8) + [0, byte], 4)]).rating == rating)
    }
    let none = read([ID3.frame("POPM", Array("me@x".utf8) + [0, 0, 0, 0, 0, 7], 4)])
    #expect(none.rating == nil)
    #expect(none.playCount == 7)
    #expect(read([ID3.frame("PCNT", [0, 0, 1, 0], 4)]).playCount == 256)
    #expect(read([ID3.frame("PCNT", [1, 0, 0, 0, 0], 4)]).playCount == nil)
  }

  @Test("Chapters have times and titles; chapters missing from the table of contents are hidden", arguments: [3, 4])
  func chapters(version: Int) {
    let frames = [
      ID3.chapter("a", 0, 1500, "Intro", version), ID3.chapter("b", 1500, 1500, "No end", version),
      ID3.chapter("c", 2000, 3000, nil, version),
    ]
    #expect(
      read(frames, version: version).chapters == [
        Chapter(start: .zero, duration: .milliseconds(1500), title: "Intro"),
        Chapter(start: .milliseconds(1500), title: "No end"), Chapter(start: .seconds(2), duration: .seconds(1)),
      ])
    let contents = ID3.frame("CTOC", Array("toc\u{0}\u{3}\u{2}a\u{0}c\u{0}".utf8), version)
    #expect(read(frames + [contents], version: version).chapters.map(\.title) == ["Intro", nil])
  }

  @Test("Unsynchronised frames are decoded; encrypted and compressed frames are skipped")
  func flags() {
    let body: [UInt8] = [0] + Array("eng".utf8) + [0, 0xFF, 0, 0x61]
    #expect(read([ID3.frame("USLT", body, 4, flags: 0x02)]).lyrics == "ÿa")
    #expect(read([ID3.frame("USLT", [0, 0, 0, 9] + body, 4, flags: 0x03)]).lyrics == "ÿa")
    #expect(read([ID3.frame("USLT", body, 4, flags: 0x08)]).lyrics == nil)
    #expect(read([ID3.frame("USLT", body, 3, flags: 0x40)], version: 3).lyrics == nil)
  }

  @Test("Damaged and truncated frames have possible values, and leave the frames after them as they are", .seeded)
  func hostile() {
    let intact = [
      ID3.chapter("z", 2000, 3000, "Intact", 4), ID3.frame("USLT", Array("\u{0}eng\u{0}la la".utf8), 4),
      ID3.frame("PCNT", [0, 0, 0, 9], 4),
    ]
    func check(_ frame: [UInt8], version: Int = 4) {
      let alone = read([frame], version: version)
      for chapter in alone.chapters {
        #expect(chapter.start >= .zero && chapter.start < .milliseconds(Int64(UInt32.max)))
        #expect(chapter.duration ?? .seconds(1) > .zero && chapter.title != "")
      }
      #expect(alone.lyrics != "")
      #expect(alone.rating.map { [0.2, 0.4, 0.6, 0.8, 1].contains($0) } ?? true)
      #expect(alone.playCount.map { (1...Int(Int32.max)).contains($0) } ?? true)
      guard version == 4 else { return }
      let both = read([frame] + intact)
      #expect(both.playCount == 9)
      #expect(both.lyrics == alone.lyrics ?? "la la")
      #expect(both.rating == alone.rating)
      // A table of contents hides the chapters that it does not list.
      if !frame.starts(with: Array("CTOC".utf8)) {
        #expect(both.chapters == alone.chapters + [Chapter(start: .seconds(2), duration: .seconds(1), title: "Intact")])
      }
    }
    let whole = [
      ID3.chapter("a", 0, 1500, "Intro", 4), ID3.frame("USLT", [1] + Array("eng".utf8) + [0xFF, 0xFE, 1, 0, 0], 4),
      ID3.frame("POPM", Array("me".utf8) + [0, 9, 9, 9, 9, 9, 9], 4), ID3.frame("CTOC", [0, 0, 255, 0], 4),
      ID3.frame("SYLT", [1] + Array("eng".utf8) + [2, 1, 0, 0, 0xFF, 0xFE, 65, 0, 0, 0, 9, 9, 9, 9], 4),
    ]
    var generator = SeededGenerator()
    for frame in whole {
      for count in 0...frame.count { check(Array(frame.prefix(count))) }
      for _ in 0..<2000 {
        var broken = frame
        for _ in 0..<3 {
          broken[Int.random(in: 0..<broken.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        check(broken)
        check(broken, version: 3)
      }
    }
  }

  @Test(
    "Chapters, lyrics and rating of an MP3 file are in snapshot and inspection", .enabled(if: Media.isAvailable),
    arguments: [3, 4])
  func file(version: Int) async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 4, format: .mp3))))
    let frames = [
      ID3.chapter("a", 0, 1000, "Intro", version), ID3.chapter("b", 1000, 4000, "Rest", version),
      ID3.frame("USLT", Array("\u{0}eng\u{0}la la".utf8), version),
      ID3.frame("POPM", Array("me@x".utf8) + [0, 196, 0, 0, 0, 7], version),
    ].flatMap { $0 }
    try await withTemporaryDirectory { directory in
      let path = try directory.write(
        Array("ID3".utf8) + [UInt8(version), 0, 0] + ID3.size(frames.count, 4) + frames + music, to: "chapters.mp3")
      let titles = ["Intro", "Rest"]
      try await withPlayer([fileURI(path)]) { harness in
        try await harness.ready()
        let snapshot = try await harness.reaches("all of it") {
          $0.chapters.map(\.title) == titles && $0.metadata.lyrics != nil && $0.metadata.userRating != nil
        }
        #expect(snapshot.chapters.map(\.start) == [.zero, .seconds(1)])
        #expect(snapshot.metadata.lyrics == "la la")
        #expect(snapshot.metadata.userRating == 0.8)
        #expect(snapshot.metadata.useCount == 7)
      }
      let description = try await MediaInspector().inspect(fileURI(path))
      #expect(description.chapters.map(\.title) == titles)
      #expect(description.metadata.lyrics == "la la")
      #expect(description.metadata.userRating == 0.8)
    }
  }
}

/// Frames as tagging software writes them.
enum ID3 {
  static func size(_ count: Int, _ version: Int) -> [UInt8] {
    let bits = version >= 4 ? [21, 14, 7, 0] : [24, 16, 8, 0]
    return bits.map { UInt8(count >> $0 & (version >= 4 ? 0x7F : 0xFF)) }
  }

  static func frame(_ id: String, _ body: [UInt8], _ version: Int, flags: UInt8 = 0) -> [UInt8] {
    Array(id.utf8) + size(body.count, version) + [0, flags] + body
  }

  static func chapter(_ id: String, _ start: Int, _ end: Int, _ title: String?, _ version: Int) -> [UInt8] {
    let times = [start, end].flatMap { time in [24, 16, 8, 0].map { UInt8(time >> $0 & 0xFF) } }
    let text = title.map { frame("TIT2", [0] + Array($0.utf8), version) } ?? []
    return frame("CHAP", Array(id.utf8) + [0] + times + Array(repeating: 0xFF, count: 8) + text, version)
  }
}
