import Testing

@testable import PlaylistFormats

/// The tests of cue sheets, in their own files and inside FLAC files.
struct CueTests {
  private static let sheet = """
    REM GENRE Rock
    REM DATE 1979
    PERFORMER "The Band"
    TITLE "The Album"
    FILE "The Album.wav" WAVE
      TRACK 01 AUDIO
        TITLE "First"
        ISRC ABCDE1234567
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "Second"
        PERFORMER "A Guest"
        PREGAP 00:02:00
        INDEX 00 03:00:00
        INDEX 01 03:02:37
    FILE "More.wav" WAVE
      TRACK 03 AUDIO
        INDEX 01 00:00:00
    """

  @Test("A track lasts from its INDEX 01 to the next one in the same file, with the metadata of the sheet")
  func tracks() throws {
    let playlist = try read(.cue, Self.sheet)
    #expect(playlist.title == "The Album")
    #expect(playlist.warnings.isEmpty)
    try #require(playlist.entries.count == 3)
    let (first, second, third) = (playlist.entries[0], playlist.entries[1], playlist.entries[2])
    let join = Duration.seconds(182) + .nanoseconds(493_333_334)
    #expect(playlist.entries.map(\.location) == [.path("The Album.wav"), .path("The Album.wav"), .path("More.wav")])
    #expect(playlist.entries.map(\.start) == [nil, join, nil])
    #expect(playlist.entries.map(\.end) == [join, nil, nil])
    #expect(playlist.entries.map(\.duration) == [join, nil, nil])
    #expect(playlist.entries.map(\.title) == ["First", "Second", nil])
    #expect(playlist.entries.map(\.artist) == ["The Band", "A Guest", "The Band"])
    #expect(playlist.entries.map(\.trackNumber) == [1, 2, 3])
    #expect(first.isrc == "ABCDE1234567")
    #expect(second.albumArtist == "The Band")
    #expect((third.album, third.genre, third.date) == ("The Album", "Rock", "1979"))
  }

  @Test("A pregap at the end of the previous file belongs to that file; data tracks are left out")
  func oddSheets() throws {
    let playlist = try read(
      .cue,
      """
      FILE a.wav WAVE
      TRACK 01 AUDIO
      INDEX 01 00:00:00
      TRACK 02 AUDIO
      INDEX 00 04:00:00
      FILE b.wav WAVE
      INDEX 01 00:00:00
      TRACK 03 MODE1/2352
      INDEX 01 05:00:00
      """)
    #expect(playlist.entries.map(\.location) == [.path("a.wav"), .path("b.wav")])
    #expect(playlist.entries.map(\.end) == [nil, .seconds(300)])
    #expect(playlist.warnings.isEmpty)
  }

  @Test(
    "An invalid line is one warning",
    arguments: [
      ("FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 0:99:00\n", [3, 2]), ("INDEX 01 00:00:00", [1]), ("FILE", [1]),
      ("HELLO", [1]), ("FILE a\nTRACK x\nINDEX 01 00:00:00", [2]),
      ("FILE a\nTRACK 1\nINDEX 01 00:09:00\nTRACK 2\nINDEX 01 00:05:00", [2]),
    ])
  func badLines(text: String, lines: [Int]) throws {
    #expect(try read(.cue, text).warnings.map(\.line) == lines)
  }

  @Test("The sheet in the tags of a FLAC file is read, else its CUESHEET block")
  func embedded() throws {
    let sheet = table([(1, 0), (2, 44_100 * 10 + 1), (170, 44_100 * 20)])
    let both = file([(0, info), (5, sheet), (1, [1, 2, 3]), (4, comments(Self.sheet))])
    let found = try #require(FLACCueSheet.read { Array(both.dropFirst($0).prefix($1)) })
    #expect(found.entries.map(\.title) == ["First", "Second", nil])

    let block = file([(0, info), (5, sheet)])
    let tracks = try #require(FLACCueSheet.read { Array(block.dropFirst($0).prefix($1)) }).entries
    #expect(tracks.map(\.start) == [nil, .seconds(10) + .nanoseconds(22_676)])
    #expect(tracks.map(\.end) == [.seconds(10) + .nanoseconds(22_676), nil])
    #expect(tracks.map(\.trackNumber) == [1, 2])

    #expect(FLACCueSheet.read { _, _ in [] } == nil)
    for length in block.indices { _ = FLACCueSheet.read { Array(block.prefix(length).dropFirst($0).prefix($1)) } }
  }

  @Test("A sheet in the tags needs no FILE line, and one without a track does not replace the CUESHEET block")
  func embeddedWithoutFile() throws {
    let text = Self.sheet.split(separator: "\n").filter { !$0.hasPrefix("FILE") }.prefix(14).joined(separator: "\n")
    let tagged = file([(0, info), (4, comments(text))])
    let tracks = try #require(FLACCueSheet.read { Array(tagged.dropFirst($0).prefix($1)) })
    #expect(tracks.entries.map(\.title) == ["First", "Second"])
    #expect(tracks.warnings.isEmpty)

    let (sheet, empty) = (table([(1, 0), (2, 44_100), (170, 44_100 * 2)]), comments("REM none"))
    for both in [file([(0, info), (5, sheet), (4, empty)]), file([(0, info), (4, empty), (5, sheet)])] {
      let found = try #require(FLACCueSheet.read { Array(both.dropFirst($0).prefix($1)) })
      #expect(found.entries.count == 2)
    }
  }

  /// The first block of a file at 44,100 Hz.
  private var info: [UInt8] {
    [UInt8](repeating: 0, count: 10) + [0x0A, 0xC4, 0x42, 0xF0] + [UInt8](repeating: 0, count: 20)
  }

  /// Returns a block of tags with a sheet.
  private func comments(_ sheet: String) -> [UInt8] {
    let tag = Array("cuesheet=\(sheet)".utf8)
    return [count(4), Array("test".utf8), count(2), count(3), Array("a=b".utf8), count(tag.count), tag].flatMap(\.self)
  }

  private func count(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> ($0 * 8) & 0xFF) } }

  private func big(_ value: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) } }

  private func table(_ tracks: [(number: UInt8, sample: Int)]) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: 395) + [UInt8(tracks.count)]
    for track in tracks {
      block += big(track.sample) + [track.number] + [UInt8](repeating: 0, count: 26)
      block += track.number == 170 ? [0] : [1] + big(0) + [1, 0, 0, 0]
    }
    return block
  }

  private func file(_ blocks: [(kind: UInt8, bytes: [UInt8])]) -> [UInt8] {
    var bytes = Array("fLaC".utf8)
    for (place, block) in blocks.enumerated() {
      bytes.append(block.kind | (place == blocks.count - 1 ? 0x80 : 0))
      let length: [UInt8] = big(block.bytes.count)
      bytes += length.suffix(3)
      bytes += block.bytes
    }
    return bytes
  }
}
