import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Chapters in MP4 files") struct MP4ChapterTests {
  private func read(_ file: [UInt8]) -> [Chapter] {
    MP4Chapters.read { offset, count in
      offset >= 0 && offset < file.count ? Array(file[offset..<min(file.count, offset + count)]) : []
    }
  }

  @Test("A text track referenced by the audio track is read as chapters, in UTF-8 and UTF-16")
  func track() {
    let file = MP4(texts: [Array("First".utf8), [0xFE, 0xFF, 0, 0x32]], lengths: [1500, 500]).bytes
    #expect(
      read(file) == [
        Chapter(start: .zero, duration: .milliseconds(1500), title: "First"),
        Chapter(start: .milliseconds(1500), duration: .milliseconds(500), title: "2"),
      ])
  }

  @Test("Without a text track the chapter list is read; without a list the result is empty")
  func list() {
    let file = MP4(list: [(0, "First"), (15_000_000, "")]).bytes
    #expect(read(file) == [Chapter(start: .zero, title: "First"), Chapter(start: .milliseconds(1500))])
    #expect(read(MP4().bytes).isEmpty)
    #expect(read(Array("no MP4 file at all, but a text".utf8)).isEmpty)
    #expect(read([]).isEmpty)
  }

  @Test("A text track and a list may have thousands of chapters")
  func thousands() {
    let starts = (0..<5000).map { Chapter(start: .seconds($0), title: "\($0)") }
    #expect(read(MP4(list: starts.indices.map { ($0 * 10_000_000, "\($0)") }).bytes) == starts)
    let track = MP4(
      texts: starts.indices.map { Array("\($0)".utf8) }, lengths: Array(repeating: 1000, count: starts.count))
    #expect(read(track.bytes).map(\.start) == starts.map(\.start))
  }

  @Test("An entry of the list whose time is out of range ends the list", arguments: [1 << 56, 1 << 59, Int.max])
  func beyond(time: Int) {
    #expect(read(MP4(list: [(5_000_000, "First"), (time, "Second")]).bytes).map(\.title) == ["First"])
    let last = (1 << 56) - 1
    #expect(read(MP4(list: [(last, "Last")]).bytes).map(\.start) == [.nanoseconds(last * 100)])
  }

  @Test("A truncated file has the first chapters; damage in the sound changes none, and in the texts no time", .seeded)
  func hostile() throws {
    var generator = SeededGenerator()
    let texts = MP4(texts: [Array("First".utf8), Array("Second".utf8)], lengths: [1500, 500]).bytes
    for file in [texts, MP4(list: [(0, "First"), (15_000_000, "Second")]).bytes] {
      let whole = read(file)
      for count in 0...file.count {
        #expect(whole.map(\.start).starts(with: read(Array(file.prefix(count))).map(\.start)), "\(count) bytes")
      }
      let (sound, titles) = (44..<32_036, 32_038..<32_050)
      for (place, isText) in [(sound, false)] + (file == texts ? [(titles, true)] : []) {
        for _ in 0..<100 {
          var broken = file
          broken[Int.random(in: place, using: &generator)] = .random(in: 0...255, using: &generator)
          if isText {
            #expect(read(broken).map(\.start) == whole.map(\.start))
          } else {
            #expect(read(broken) == whole)
          }
        }
      }
      for _ in 0..<3000 {
        var broken = file
        for _ in 0..<4 {
          let place = Int.random(in: 0..<broken.count, using: &generator)
          broken[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        }
        let chapters = read(broken)
        #expect(chapters.count <= Chapter.readLimit)
        #expect(chapters.allSatisfy { $0.start >= .zero && $0.duration ?? .zero >= .zero && $0.title != "" })
      }
    }
  }

  @Test(
    "Chapters are in the snapshot and in the inspection, whatever the encoding of the file's name",
    arguments: [Array("book.m4b".utf8), Array("caf".utf8) + [0xE9] + Array(".m4b".utf8)])
  func file(name: [UInt8]) async throws {
    let file = MP4(texts: [Array("First".utf8), Array("Second".utf8)], lengths: [1500, 500])
    try await withTemporaryDirectory { directory in
      try directory.write(file.bytes, to: "new")
      let uri = fileURI(try directory.rename("new", to: name))
      let expected = [
        Chapter(start: .zero, duration: .milliseconds(1500), title: "First"),
        Chapter(start: .milliseconds(1500), duration: .milliseconds(500), title: "Second"),
      ]
      try await withPlayer([uri]) { harness in
        harness.player.play()
        harness.player.pause()
        try await harness.reaches("its chapters") { $0.chapters == expected && $0.itemStatus == .readyToPlay }
      }
      #expect(try await MediaInspector().inspect(uri).chapters == expected)
    }
  }
}

/// An MP4 file of two seconds of PCM silence, with chapters.
private struct MP4 {
  /// The titles in the text track; `lengths` contains the duration of each chapter in milliseconds.
  var texts: [[UInt8]] = []
  var lengths: [Int] = []
  /// The chapter list: times in units of 100 ns, and titles.
  var list: [(Int, String)] = []

  private static func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func numbers(_ values: Int...) -> [UInt8] { values.flatMap { number($0) } }

  private static func atom(_ name: String, _ content: [UInt8]...) -> [UInt8] {
    let content = content.flatMap { $0 }
    return number(content.count + 8) + Array(name.utf8) + content
  }

  private static let matrix = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000)
  private static let head = atom("ftyp", Array("M4A ".utf8), number(0), Array("M4A mp42isom".utf8))

  private static func track(
    _ id: Int, _ kind: String, scale: Int, duration: Int, _ header: [UInt8], _ description: [UInt8],
    times: [(Int, Int)], sizes: [UInt8], offset: Int, perChunk: Int, reference: [UInt8] = []
  ) -> [UInt8] {
    let reading = atom(
      "stbl", atom("stsd", numbers(0, 1), description),
      atom("stts", numbers(0, times.count), times.flatMap { numbers($0.0, $0.1) }),
      atom("stsc", numbers(0, 1, 1, perChunk, 1)), atom("stsz", sizes), atom("stco", numbers(0, 1, offset)))
    let data = atom("dinf", atom("dref", numbers(0, 1), atom("url ", numbers(1))))
    return atom(
      "trak", atom("tkhd", numbers(7, 0, 0, id, 0, 2000, 0, 0, 0, 0x0100_0000), matrix, numbers(0, 0)), reference,
      atom(
        "mdia", atom("mdhd", numbers(0, 0, 0, scale, duration, 0x55C4_0000)),
        atom("hdlr", numbers(0, 0), Array(kind.utf8), numbers(0, 0, 0), [0]), atom("minf", header, data, reading)))
  }

  var bytes: [UInt8] {
    let count = 16_000
    let sound = [UInt8](repeating: 0, count: count * 2)
    let samples = texts.map { Self.number($0.count, 2) + $0 }
    let data = Self.atom("mdat", sound, samples.flatMap { $0 })
    let start = Self.head.count + 8
    let format = Self.atom(
      "sowt", Self.numbers(0), [0, 0, 0, 1], Self.numbers(0, 0), [0, 1, 0, 16], Self.numbers(0, 8000 << 16))
    var tracks = Self.track(
      1, "soun", scale: 8000, duration: count, Self.atom("smhd", Self.numbers(0, 0)), format, times: [(count, 1)],
      sizes: Self.numbers(0, 2, count), offset: start, perChunk: count,
      reference: texts.isEmpty ? [] : Self.atom("tref", Self.atom("chap", Self.number(2))))
    if !texts.isEmpty {
      let text = Self.atom("text", Self.numbers(0), [0, 0, 0, 1], [UInt8](repeating: 0, count: 43))
      tracks += Self.track(
        2, "text", scale: 1000, duration: lengths.reduce(0, +),
        Self.atom("gmhd", Self.atom("gmin", Self.numbers(0, 0))),
        text, times: lengths.map { (1, $0) },
        sizes: Self.numbers(0, 0, samples.count) + samples.flatMap { Self.number($0.count) },
        offset: start + sound.count, perChunk: samples.count)
    }
    let entries = list.flatMap { Self.number($0.0, 8) + [UInt8($0.1.utf8.count)] + Array($0.1.utf8) }
    let chapters = Self.atom("chpl", Self.numbers(0x0100_0000), [0], Self.number(list.count), entries)
    let movie = Self.atom(
      "moov",
      Self.atom(
        "mvhd", Self.numbers(0, 0, 0, 1000, 2000, 0x10000, 0x0100_0000, 0, 0), Self.matrix,
        [UInt8](repeating: 0, count: 24), Self.number(3)),
      tracks, list.isEmpty ? [] : Self.atom("udta", chapters))
    return Self.head + data + movie
  }
}
