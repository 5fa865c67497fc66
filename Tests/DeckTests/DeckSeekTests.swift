import Joining
import Playback
import TestSupport
import Testing

@testable import GstPlayer

@Suite("Seeks in a deck", .serialized, .enabled(if: Tool.areAvailable("ffmpeg", "flac"), "an encoder is missing"))
struct DeckSeekTests {
  /// A file of 40 s of noise, and its suffix.
  private static func file(_ directory: TemporaryDirectory, _ suffix: String, _ options: String = "") async throws
    -> String
  {
    let path = directory.file("file.\(suffix)")
    let source = "anoisesrc=r=44100:d=40:a=0.5:c=pink:seed=3"
    try await shell("ffmpeg -v error -y -f lavfi -i '\(source)' -ac 2 \(options) '\(path)'")
    return path
  }

  /// Every sample of a file, as a deck delivers it from the start.
  private static func whole(_ path: String) async throws -> (bytes: [UInt8], format: PCMFormat) {
    try await DeckHarness.with(path) { harness in
      try await harness.end()
      #expect(harness.isContinuous())
      let first = try #require(harness.blocks().first)
      #expect(first.first == 0)
      return (harness.bytes(), first.format)
    }
  }

  @Test(
    "An exact seek begins at the sample of the target",
    arguments: [
      ("wav", "-c:a pcm_s24le"), ("wav", "-c:a pcm_f32le"), ("flac", ""), ("flac", "-frame_size 777"), ("mp3", ""),
      ("mp3", "-q:a 4"), ("aac", "-aac_pns 0"), ("ogg", "-c:a libvorbis"), ("m4a", "-c:a aac -aac_pns 0"),
      ("mka", "-c:a flac"), ("aiff", ""),
    ])
  func exact(_ suffix: String, _ options: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, suffix, options)
      let (whole, format) = try await Self.whole(path)
      let frames = Int64(whole.count / format.bytesPerFrame)
      var generator = SeededGenerator(seed: 11)
      try await DeckHarness.with(path, usesSamples: false) { harness in
        _ = try await harness.settled()
        for number in 0..<20 {
          let frame = Int64.random(in: 0..<frames - 8_192, using: &generator)
          let passage = harness.seek(to: format.time(at: frame), exactly: true)
          #expect(passage == Passage(DeckHarness.stream, seek: number + 1))
          try await harness.frames(8_192, of: passage)
          let blocks = harness.blocks(of: passage)
          #expect(blocks.first?.first == frame)
          #expect(harness.isContinuous(passage))
          let bytes = Array(harness.bytes(of: passage).prefix(8_192 * format.bytesPerFrame))
          let start = Int(frame) * format.bytesPerFrame
          // Matroska has times in milliseconds.
          if suffix != "mka" {
            #expect(difference(bytes, Array(whole[start..<start + bytes.count])) == nil, "at frame \(frame)")
          }
        }
        #expect(harness.failures.isEmpty)
      }
    }
  }

  @Test("A seek that need not be exact begins at a sample that it names", arguments: ["wav", "flac", "ogg", "m4a"])
  func inexact(_ suffix: String) async throws {
    try await withTemporaryDirectory { directory in
      let options = ["ogg": "-c:a libvorbis", "m4a": "-aac_pns 0"]
      let path = try await Self.file(directory, suffix, options[suffix] ?? "")
      let (whole, format) = try await Self.whole(path)
      try await DeckHarness.with(path, usesSamples: false) { harness in
        _ = try await harness.settled()
        for second in [31.7, 3.33, 17.05] {
          let passage = harness.seek(to: .seconds(second), exactly: false)
          try await harness.frames(8_192, of: passage)
          let first = try #require(harness.blocks(of: passage).first)
          #expect(abs(format.time(at: first.first) / .seconds(1) - second) < 1.5)
          // The first frame of a codec with overlapping ones is incomplete.
          let skipped = suffix == "wav" || suffix == "flac" ? 0 : 4_096 * format.bytesPerFrame
          let bytes = Array(harness.bytes(of: passage).prefix(8_192 * format.bytesPerFrame)[skipped...])
          let start = Int(first.first) * format.bytesPerFrame + skipped
          #expect(difference(bytes, Array(whole[start..<start + bytes.count])) == nil, "at \(second) s")
        }
      }
    }
  }

  @Test("Opus is at its position after a seek, although its decoder begins in another state")
  func opus() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "opus", "-c:a libopus -b:a 128k")
      let (whole, format) = try await Self.whole(path)
      #expect(format == PCMFormat(.int16, rate: 48_000, channels: 2))
      #expect(abs(whole.count / format.bytesPerFrame - 40 * 48_000) <= 1)
      func samples(_ bytes: ArraySlice<UInt8>) -> [Int] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
          Int(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8))
        }
      }
      try await DeckHarness.with(path, usesSamples: false) { harness in
        _ = try await harness.settled()
        for frame in [48_001 as Int64, 777_777, 1_500_000] {
          let passage = harness.seek(to: format.time(at: frame), exactly: true)
          try await harness.frames(8_192, of: passage)
          #expect(harness.blocks(of: passage).first?.first == frame)
          let found = samples(harness.bytes(of: passage).prefix(8_192 * 4))
          let expected = samples(whole[(Int(frame) * 4)..<(Int(frame) * 4 + 8_192 * 4)])
          let error = zip(found, expected).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
          let power = expected.reduce(0) { $0 + $1 * $1 }
          #expect(Double(error) < 0.01 * Double(power), "at frame \(frame): \(error) of \(power)")
        }
      }
    }
  }

  @Test("A deck that begins at a time delivers nothing before it")
  func start() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "flac")
      let (whole, format) = try await Self.whole(path)
      let frame: Int64 = 1_234_567
      try await DeckHarness.with(path, from: format.time(at: frame)) { harness in
        try await harness.end()
        #expect(harness.blocks().first?.first == frame)
        #expect(difference(harness.bytes(), Array(whole[(Int(frame) * format.bytesPerFrame)...])) == nil)
        let position = try await harness.settled().position
        #expect(position.map { format.frame(at: $0) } == frame)
        #expect(harness.log.elements.count { if case .event(.settled) = $0 { true } else { false } } == 1)
      }
    }
  }

  @Test("A seek before the first data replaces the start")
  func early() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "flac")
      let harness = DeckHarness("file://\(path)", from: .seconds(3))
      let passage = harness.seek(to: .seconds(38), exactly: true)
      try await harness.opened { harness in
        try await harness.end(of: passage)
        #expect(harness.blocks(of: passage).first?.first == Int64(38 * 44_100))
        #expect(harness.blocks().isEmpty)
      }
    }
  }

  @Test("After the end, a seek delivers the samples again")
  func afterEnd() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "flac")
      try await DeckHarness.with(path, from: .seconds(39)) { harness in
        try await harness.end()
        let first = harness.bytes()
        let passage = harness.seek(to: .seconds(39), exactly: true)
        try await harness.end(of: passage)
        #expect(difference(harness.bytes(of: passage), first) == nil)
      }
    }
  }

  @Test("No block of an earlier passage follows the first one of a later passage")
  func order() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "flac")
      try await DeckHarness.with(path) { harness in
        _ = try await harness.settled()
        var last = Passage(DeckHarness.stream)
        for number in 0..<60 {
          last = harness.seek(to: .seconds(39) - .milliseconds(number * 300), exactly: true)
          if number.isMultiple(of: 7) { try await harness.frames(1, of: last) }
        }
        try await harness.end(of: last)
        let passages = harness.log.elements.compactMap {
          if case .block(let block) = $0 { block.passage.seek } else { nil }
        }
        #expect(passages == passages.sorted())
        #expect(passages.last == 60)
      }
    }
  }

  @Test("A refused seek loses no sample of the passage before it")
  func refused() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "ogg", "-c:a libvorbis")
      let (whole, format) = try await Self.whole(path)
      try await withHTTPServer { server in
        let uri = server.script("/a.ogg", try .file(path).ignoringRanges())
        let harness = DeckHarness(uri, usesSamples: false)
        try await harness.opened { harness in
          let facts = try await harness.settled()
          #expect(!facts.isSeekable)
          let passage = harness.seek(to: .seconds(20), exactly: true)
          try await harness.log.first("the refusal") { if case .refused(passage) = $0 { true } else { false } }
          harness.use(true)
          try await harness.end()
          #expect(harness.isContinuous())
          // Without seeking, the demuxer does not know where in the last packet the media ends.
          let bytes = Array(harness.bytes().prefix(whole.count))
          #expect(difference(bytes, whole) == nil)
          #expect(harness.blocks().first?.format == format)
        }
      }
    }
  }

  @Test("A stream that cannot begin at a time begins at its start")
  func refusedStart() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "ogg", "-c:a libvorbis")
      try await withHTTPServer { server in
        let harness = DeckHarness(server.script("/a.ogg", try .file(path).ignoringRanges()), from: .seconds(20))
        try await harness.opened { harness in
          try await harness.end()
          #expect(harness.blocks().first?.first == 0)
          #expect(harness.isContinuous())
          #expect(try await harness.settled().position == .zero)
        }
      }
    }
  }

  @Test("A start behind the end is the end")
  func behindEnd() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "flac", "-t 2")
      try await DeckHarness.with(path, from: .seconds(60)) { harness in
        try await harness.end()
        #expect(harness.bytes().isEmpty)
        _ = try await harness.settled()
        let passage = harness.seek(to: .seconds(1), exactly: true)
        try await harness.end(of: passage)
        #expect(harness.blocks(of: passage).first?.first == 44_100)
      }
    }
  }

  @Test("A seek converts the passage to another format")
  func converted() async throws {
    try await withTemporaryDirectory { directory in
      let path = try await Self.file(directory, "flac", "-sample_fmt s16")
      let format = try #require(PCMFormat(.float32, rate: 96_000, channels: 1))
      try await DeckHarness.with(path, usesSamples: false) { harness in
        _ = try await harness.settled()
        let passage = harness.seek(to: .seconds(39), exactly: true, as: format)
        harness.use(true)
        try await harness.end(of: passage)
        let blocks = harness.blocks(of: passage)
        #expect(blocks.allSatisfy { $0.format == format })
        #expect(harness.isContinuous(passage))
        #expect(blocks.first?.first == Int64(39 * 96_000))
        #expect(blocks.last?.end == Int64(40 * 96_000))
        // The next passage has the decoder's format again.
        let next = harness.seek(to: .seconds(39), exactly: true)
        try await harness.end(of: next)
        #expect(harness.blocks(of: next).first?.format == PCMFormat(.int16, rate: 44_100, channels: 2))
      }
    }
  }
}
