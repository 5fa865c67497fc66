import TestSupport
import Testing

@testable import PlayerdSystem

@Suite("The identity of the audio in a file") struct AudioContentTests {
  private static let tags = (
    Tags(title: "One"),
    Tags(
      title: String(repeating: "A much longer title. ", count: 40), artists: ["Somebody"], album: "Tones",
      genre: "Speech", trackNumber: 3, date: "1999")
  )

  private func content(_ path: String) throws -> AudioContent {
    let file = try #require(LocalFileSystem().readable(Array(path.utf8)))
    return try #require(AudioContent(of: file))
  }

  private func content(_ bytes: [UInt8]) -> AudioContent? { AudioContent(of: BytesInMemory(bytes: bytes)) }

  @Test(
    "Other tags and a cover do not change it, and other audio of the same length does",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"), arguments: [Media.Format.flac, .mp3, .ogg])
  func retagged(format: Media.Format) async throws {
    var tagged = Self.tags.1
    tagged.cover = try await Media.cover(seed: 7)
    let first = try content(try await Media.sine(seconds: 8, format: format, tags: Self.tags.0))
    #expect(try content(try await Media.sine(seconds: 8, format: format, tags: tagged)) == first)
    #expect(try content(try await Media.sine(seconds: 8, frequency: 660, format: format, tags: Self.tags.0)) != first)
    #expect(AudioContent(text: first.text) == first)
  }

  @Test(
    "Other tags do not change it in other containers", .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
    arguments: Film.audioContainers.filter { ["m4a", "m4b", "opus", "oga", "spx", "wv", "wav"].contains($0.suffix) })
  func containers(film: Film) async throws {
    var contents: [AudioContent] = []
    for tags in [Self.tags.0, Self.tags.1] {
      do {
        contents.append(try content(try await Media.film(film, sound: try await Media.sine(seconds: 4, tags: tags))))
      } catch is Film.Missing {
        return
      }
    }
    #expect(contents[0] == contents[1])
  }

  /// Some audio that begins like MP3.
  private static let audio = [0xFF, 0xFB] + (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }

  private static func id3(_ size: Int, footer: Bool = false) -> [UInt8] {
    let digits = [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: size >> $0 & 0x7F) }
    let content = [UInt8](repeating: 0x41, count: size)
    return Array("ID3".utf8) + [4, 0, footer ? 0x10 : 0] + digits + content
      + (footer ? Array("3DI".utf8) + [4, 0, 0x10] + digits : [])
  }

  private static func ape(_ size: Int, hasHeader: Bool) -> [UInt8] {
    let sizes = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: (size + 32) >> $0) }
    let block = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0] + sizes + [1, 0, 0, 0, 0, 0, 0, hasHeader ? 0x80 : 0]
    let marked = block + [UInt8](repeating: 0, count: 8)
    return (hasHeader ? marked : []) + [UInt8](repeating: 0x42, count: size) + marked
  }

  private static let lyrics = [UInt8](repeating: 0x43, count: 77) + Array("000077LYRICS200".utf8)
  private static let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0x44, count: 125)

  @Test(
    "Tags before and after the audio are not part of it",
    arguments: [
      id3(5_000) + audio, id3(10) + id3(900) + audio, audio + id3v1, audio + ape(3_000, hasHeader: true),
      audio + ape(50, hasHeader: false) + id3v1, audio + lyrics + id3v1, id3(4, footer: true) + audio + id3v1,
      audio + id3(30, footer: true),
    ])
  func surrounded(bytes: [UInt8]) throws {
    #expect(content(bytes) == content(Self.audio))
    #expect(content(bytes)?.size == Self.audio.count)
  }

  @Test("It depends on the size, and on the bytes at the start, in the middle and at the end")
  func parts() {
    #expect(content(Self.audio + [0]) != content(Self.audio))
    for index in [5, 30_000, 60_000, 100_001] {
      var changed = Self.audio
      changed[index] ^= 1
      #expect(content(changed) != content(Self.audio), "\(index)")
    }
  }

  @Test("The size decides before the audio is read")
  func unwanted() {
    #expect(AudioContent(of: BytesInMemory(bytes: Self.audio)) { $0 == 1 } == nil)
  }

  @Test("Every beginning of a file, and random changes of its headers, are read without a fault")
  func hostile() async throws {
    var generator = SeededGenerator(seed: 55)
    func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }
    let (start, largest) = (Array(Self.audio[..<500]), [UInt8](repeating: 255, count: 4))
    let files = [
      Self.id3(20) + start, start + Self.ape(40, hasHeader: true),
      join(text("RIFF"), largest, text("WAVEdata"), largest, [1, 2, 3]),
      join(text("FORM"), [0, 0, 0, 9], text("AIFFSSND"), largest, [1, 2, 3]),
      join([0, 0, 0, 8], text("ftyp"), [0, 0, 0, 1], text("mdat"), largest, largest, start),
      join([0, 0, 0, 8], text("ftyp"), [0, 0, 0, 0], text("mdat"), [1, 2, 3]),
      join(text("fLaC"), [0x84], largest), join(text("OggS"), [UInt8](repeating: 255, count: 600)),
    ]
    for file in files {
      for count in 0...min(file.count, 300) { _ = content(Array(file[..<count])) }
      for _ in 0..<2_000 {
        var changed = file
        for _ in 0..<3 {
          let index = Int.random(in: 0..<min(64, changed.count), using: &generator)
          changed[index] = UInt8.random(in: 0...255, using: &generator)
        }
        if let found = content(changed) { #expect(found.size <= changed.count) }
      }
    }
    #expect(content([]) == nil)
  }

  @Test(
    "A text in another form is no identity", arguments: ["", "1", "0-\(zeros)", "-1-\(zeros)", "5-\(zeros)0", "5-x"])
  func wrongText(text: String) { #expect(AudioContent(text: text) == nil) }

  private static let zeros = String(repeating: "0", count: 32)
}
