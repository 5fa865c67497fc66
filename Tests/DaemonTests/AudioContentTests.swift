import FoundationEssentials
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
    arguments: Film.audioContainers.filter {
      ["m4a", "m4b", "opus", "oga", "spx", "wv", "wav", "mka", "webm", "wma"].contains($0.suffix)
    })
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
    #expect(content(bytes)?.extent == Self.audio.count)
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

  // MARK: Matroska

  /// Returns an EBML element whose size has eight bytes, or is unknown.
  private static func element(_ id: Int, _ content: [UInt8], hasSize: Bool = true) -> [UInt8] {
    let (ids, sizes) = (
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) }, stride(from: 48, through: 0, by: -8)
    )
    let size = sizes.map { hasSize ? UInt8(truncatingIfNeeded: content.count >> $0) : 0xFF }
    return Array(ids.drop { $0 == 0 }) + [1] + size + content
  }

  /// The ways in which an editor or another muxer changes a Matroska file.
  private struct Edit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var before: [UInt8] = []
    var after: [UInt8] = []
    var hasSizes = true
    var blocksPerCluster = 3
    var isGrouped = false
    var isInfoAtEnd = false
    /// The flags of a block, and the bytes between them and the frames.
    var lacing: [UInt8] = [0x80]
    /// The duration in seconds, as a number of one precision.
    var duration = bytes(of: 600.021.bitPattern)

    static func bytes(of bits: some FixedWidthInteger) -> [UInt8] {
      stride(from: bits.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
    }
  }

  private static func matroska(_ edit: Edit, _ sound: [UInt8] = audio) -> [UInt8] {
    let blocks = stride(from: 0, to: sound.count, by: 700).map { offset in
      let frame = [0x81, 0, UInt8(truncatingIfNeeded: offset)] + edit.lacing + sound[offset...].prefix(700)
      return edit.isGrouped
        ? element(0xA0, element(0xA1, frame) + element(0x9B, [1]), hasSize: edit.hasSizes) : element(0xA3, frame)
    }
    let clusters = stride(from: 0, to: blocks.count, by: edit.blocksPerCluster).flatMap { index in
      let time = element(0xE7, [UInt8(truncatingIfNeeded: index)])
      return element(
        0x1F43_B675, time + blocks[index...].prefix(edit.blocksPerCluster).joined(), hasSize: edit.hasSizes)
    }
    let info = element(0x1549_A966, element(0x2A_D7B1, [0x3B, 0x9A, 0xCA, 0]) + element(0x4489, edit.duration))
    let tracks = element(0x1654_AE6B, element(0xAE, [0xD7, 0x81, 1]))
    func index(_ position: Int) -> [UInt8] {
      element(
        0x114D_9B74,
        element(0x4DBB, element(0x53AB, [0x15, 0x49, 0xA9, 0x66]) + element(0x53AC, Edit.bytes(of: position))))
    }
    let content =
      edit.isInfoAtEnd
      ? index(index(0).count + tracks.count + clusters.count) + tracks + clusters + info
      : edit.before + info + tracks + clusters + edit.after
    return element(0x1A45_DFA3, element(0x4282, Array("webm".utf8)))
      + element(0x1853_8067, content, hasSize: edit.hasSizes)
  }

  private static let (tagList, void, cues, attachments, seekHead) = (
    element(0x1254_C367, [UInt8](repeating: 0x45, count: 3_000)), element(0xEC, [0, 0, 0]),
    element(0x1C53_BB6B, [UInt8](repeating: 0x46, count: 500)),
    element(0x1941_A469, [UInt8](repeating: 0x47, count: 90_000)), element(0x114D_9B74, element(0xEC, [0]))
  )

  @Test(
    "Edits of a Matroska file, and another muxer, keep it",
    arguments: [
      Edit(testDescription: "tags at the start", before: seekHead + tagList),
      Edit(testDescription: "tags and an index at the end", after: cues + tagList),
      Edit(testDescription: "a cover and padding", before: void + attachments, after: attachments),
      Edit(testDescription: "unknown sizes", hasSizes: false, isGrouped: true),
      Edit(testDescription: "groups of blocks", before: cues, isGrouped: true),
      Edit(testDescription: "other clusters", blocksPerCluster: 17),
      Edit(testDescription: "the information at the end", isInfoAtEnd: true),
      Edit(testDescription: "Xiph lacing", lacing: [0x82, 2, 255, 7, 9]),
      Edit(testDescription: "EBML lacing", lacing: [0x86, 2, 0x40, 200, 0x81]),
      Edit(testDescription: "fixed lacing", lacing: [0x84, 6]),
      Edit(testDescription: "a less precise duration", duration: Edit.bytes(of: Float(600).bitPattern)),
    ])
  private func edited(edit: Edit) throws {
    let original = try #require(content(Self.matroska(Edit(testDescription: "original"))))
    #expect(original.extent == 600)
    #expect(content(Self.matroska(edit)) == original)
    var other = Self.audio
    other[99_000] ^= 1
    #expect(content(Self.matroska(edit, other)) != original)
  }

  @Test("A Matroska file with the same sound and another duration is another one")
  func longer() {
    let longer = Edit(testDescription: "longer", duration: Edit.bytes(of: 601.021.bitPattern))
    #expect(content(Self.matroska(longer)) != content(Self.matroska(Edit(testDescription: "original"))))
  }

  @Test(
    "Programs that edit or remux a real Matroska file keep it", .enabled(if: Media.isAvailable, "\(Media.unavailable)"),
    arguments: [
      "mkvpropedit --edit info --set title=Longer --attachment-mime-type text/plain --add-attachment /etc/passwd NEW",
      "mkvmerge -q -o NEW OLD", "ffmpeg -v error -y -i OLD -c copy -metadata title=Longer NEW",
    ], Film.audioContainers.filter { ["mka", "webm"].contains($0.suffix) })
  func remuxed(command: String, film: Film) async throws {
    let words = command.split(separator: " ").map(String.init)
    guard Tool.areAvailable(words[0]) else { try Test.cancel("\(words[0]) is not installed") }
    let old: String
    do { old = try await Media.film(film, sound: try await Media.sine(seconds: 4, tags: Self.tags.0)) } catch is Film
      .Missing
    {
      return
    }
    try await withTemporaryDirectory { directory in
      let new = directory.file("new.\(film.suffix)")
      try FileManager.default.copyItem(atPath: old, toPath: new)
      let result = try await run(words.map { $0 == "OLD" ? old : $0 == "NEW" ? new : $0 })
      #expect(result.succeeded, "\(result.error)\(result.output)")
      #expect(try content(new) == content(old))
    }
  }

  // MARK: ASF

  /// Returns an ASF object.
  private static func object(_ guid: [UInt8], _ content: [UInt8], size: Int? = nil) -> [UInt8] {
    let size = size ?? content.count + 24
    return guid + (0..<8).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) } + content
  }

  private static let guid: [UInt8] = [0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C]

  private static func asf(
    _ sound: [UInt8] = audio, tags: Int, size: Int? = nil, index: [UInt8] = []
  ) -> [UInt8] {
    object([0x30, 0x26, 0xB2, 0x75] + guid, [UInt8](repeating: 0x48, count: tags))
      + object(
        [0x36, 0x26, 0xB2, 0x75] + guid, [UInt8](repeating: UInt8(truncatingIfNeeded: tags), count: 26) + sound,
        size: size)
      + index
  }

  @Test("The tags and the index of an ASF file are not part of it, and a live recording has its packets")
  func windowsMedia() {
    let first = content(Self.asf(tags: 40))
    #expect(first?.extent == Self.audio.count)
    let index = Self.object([UInt8](repeating: 7, count: 16), [1, 2, 3])
    for file in [Self.asf(tags: 7_000, index: index), Self.asf(tags: 9, size: 0), Self.asf(tags: 9, size: .max)] {
      #expect(content(file) == first)
    }
  }

  // MARK: Damaged files

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
      Self.matroska(Edit(testDescription: "short", before: Self.void), start),
      Self.matroska(Edit(testDescription: "no sizes", hasSizes: false, isGrouped: true), start),
      Self.matroska(Edit(testDescription: "laced", isInfoAtEnd: true, lacing: [0x86, 255]), start),
      Self.asf(start, tags: 5), Self.asf(start, tags: 5, size: 0),
      join(text("fLaC"), [0x84], largest), join(text("OggS"), [UInt8](repeating: 255, count: 600)),
    ]
    for file in files {
      for count in 0...min(file.count, 300) { _ = content(Array(file[..<count])) }
      for _ in 0..<2_000 {
        var changed = file
        for _ in 0..<3 {
          let index = Int.random(in: 0..<min(200, changed.count), using: &generator)
          changed[index] = UInt8.random(in: 0...255, using: &generator)
        }
        _ = content(changed)
      }
    }
    #expect(content([]) == nil)
  }

  @Test(
    "A text in another form is no identity", arguments: ["", "1", "0-\(zeros)", "-1-\(zeros)", "5-\(zeros)0", "5-x"])
  func wrongText(text: String) { #expect(AudioContent(text: text) == nil) }

  private static let zeros = String(repeating: "0", count: 32)
}
