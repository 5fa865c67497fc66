import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer

@Suite("Lyrics in APE tags") struct APELyricsTests {
  private func item(_ key: String, _ value: String, flags: Int = 0) -> [UInt8] {
    HostileHeaders.join(
      HostileHeaders.little(value.utf8.count), HostileHeaders.little(flags), Array(key.utf8), [0], Array(value.utf8))
  }

  private func file(_ items: [UInt8]..., end: [UInt8] = []) -> [UInt8] {
    let content = Array(items.joined())
    let foot = [2000, content.count + 32, items.count, 0, 0, 0].flatMap { HostileHeaders.little($0) }
    return HostileHeaders.join(HostileHeaders.zeros(500), content, Array("APETAGEX".utf8), foot, end)
  }

  private func read(_ file: [UInt8]) -> String? {
    APELyrics.read(file.count) { offset, count in Array(file.dropFirst(offset).prefix(count)) }
  }

  @Test("Lyrics are read from the tag at the end, also before a tag of ID3v1; those with times precede others")
  func lyrics() {
    let title = item("Title", "x")
    #expect(read(file(title)) == nil)
    #expect(read(file(title, item("Lyrics", "la ü"))) == "la ü")
    #expect(read(file(title, item("Lyrics", "la"), item("SYNCEDLYRICS", "[00:01.00]a"))) == "[00:01.00]a")
    let end = Array("TAG".utf8) + HostileHeaders.zeros(125)
    #expect(read(file(item("unsyncedlyrics", "la"), end: end)) == "la")
    #expect(read(file(item("Lyrics", "binary", flags: 2), item("Cover Art (Front)", "x\u{0}y", flags: 2))) == nil)
    #expect(read([]) == nil)
  }

  @Test(
    "The lyrics of the tag are used when the file is played or inspected",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func playback() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 1, format: .mp3))))
    try await withTemporaryDirectory { directory in
      let tag = Array(file(item("Lyrics", "[00:00.10]la")).dropFirst(500))
      let uri = fileURI(try directory.write(music + tag, to: "a.mp3"))
      #expect(try await MediaInspector().inspect(uri).metadata.lyrics == "[00:00.10]la")
      try await withPlayer([uri], sink: "fakesink") { harness in
        harness.player.play()
        try await harness.reaches("the lyrics") { $0.metadata.lyrics == "[00:00.10]la" }
      }
    }
  }

  @Test("A damaged tag is read without a crash", .seeded)
  func hostile() {
    var generator = SeededGenerator()
    let whole = file(item("Title", "x"), item("Lyrics", "la la"))
    for count in 0...whole.count { _ = read(Array(whole.suffix(count))) }
    for _ in 0..<3000 {
      var broken = whole
      for _ in 0..<4 {
        let place = Int.random(in: 500..<broken.count, using: &generator)
        broken[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      }
      _ = read(broken)
    }
  }
}
