import FoundationEssentials
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Chapters in Vorbis comments")
struct CommentChapterTests {
  @Test("Vorbis comments define numbered chapters; invalid comments are ignored")
  func comments() {
    let comments = [
      "CHAPTER002NAME=Two", "chapter001=00:00:00.000", "CHAPTER001NAME=", "CHAPTER002=01:01:01.5", "CHAPTER=1",
      "CHAPTER003=00:61:00", "CHAPTER004NAME=no place", "CHAPTERxyz=00:00:01", "CHAPTER005=-1:00:00",
      "CHAPTER006=0:0:nan",
    ]
    #expect(
      read(comments) == [Chapter(start: .zero), Chapter(start: .milliseconds(3_661_500), title: "Two")])
  }

  @Test("More than a thousand chapters are numbered with four digits")
  func thousands() {
    let comments = (0..<5000).flatMap { number in
      let digits = String(repeating: "0", count: max(0, 3 - "\(number)".count)) + "\(number)"
      return ["CHAPTER\(digits)=\(number / 60):\(number % 60):00", "CHAPTER\(digits)NAME=Title \(number)"]
    }
    #expect(read(comments) == (0..<5000).map { Chapter(start: .seconds(60 * $0), title: "Title \($0)") })
  }

  @Test("A number that begins again at another time is another chapter, with its own title")
  func repeatedNumbers() {
    let comments = [
      "CHAPTER100=00:00:01", "CHAPTER100NAME=a", "CHAPTER100=00:00:01", "CHAPTER100NAME=x", "CHAPTER100=00:00:02",
      "CHAPTER100NAME=b",
    ]
    #expect(
      read(comments) == [Chapter(start: .seconds(1), title: "a"), Chapter(start: .seconds(2), title: "b")])
  }

  private func read(_ comments: [String]) -> [Chapter] {
    CommentChapters.read(
      comments.map { comment in
        let parts = comment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (key: String(parts[0]), value: String(parts[1]))
      })
  }
}

@Suite("Chapters in files", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ChapterFileTests {
  @Test("Cue points of a WAV file become its chapters")
  func wav() async throws {
    try await withTemporaryDirectory { directory in
      let plain = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 3, format: .wav))))
      let path = try directory.write(
        CueSheet.adding([(0, "Overture"), (44_100, "Größe")], to: plain), to: "cues.wav")
      #expect(
        try await chapters(path) == [
          Chapter(start: .zero, duration: .seconds(1), title: "Overture"),
          Chapter(start: .seconds(1), duration: .seconds(2), title: "Größe"),
        ])
    }
  }

  @Test("Nested Matroska chapters follow their parent")
  func matroska() async throws {
    try await withTemporaryDirectory { directory in
      let inner = Matroska.Chapter(0.5, 1, "Inner")
      let file = Matroska(
        codec: "A_PCM/INT/LIT", editions: [[.init(0, 1, "Outer", inside: [inner]), .init(1, 2, "Next")]])
      let chapters = try await chapters(try directory.write(file.bytes, to: "nested.mka"))
      #expect(chapters.map(\.title) == ["Outer", "Inner", "Next"])
      #expect(chapters.map(\.end) == [.seconds(1), .seconds(1), .seconds(2)])
    }
  }

  @Test("Vorbis comments of an Ogg file become its chapters")
  func ogg() async throws {
    try await withTemporaryDirectory { directory in
      let wav = try await Media.sine(seconds: 3, format: .wav)
      let path = directory.file("chapters.ogg")
      let made = try await run([
        "oggenc", "--quiet", "-c", "CHAPTER000=00:00:00.000", "-c", "CHAPTER000NAME=One", "-c",
        "CHAPTER001=00:00:01.500", "-o", path, wav,
      ])
      try #require(made.succeeded, "\(made.error)")
      let expected = [
        Chapter(start: .zero, duration: .milliseconds(1500), title: "One"),
        Chapter(start: .milliseconds(1500), duration: .milliseconds(1500)),
      ]
      #expect(try await chapters(path) == expected)
      #expect(try await MediaInspector().inspect(fileURI(path)).chapters == expected)
    }
  }

  @Test("The cue sheet of a FLAC file is published once, although the parser posts it with every frame")
  func flac() async throws {
    try await withTemporaryDirectory { directory in
      let wav = try await Media.sine(seconds: 3, format: .wav)
      let sheet = try directory.write(
        """
        FILE "a.wav" WAVE
          TRACK 01 AUDIO
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            INDEX 01 00:01:00
        """, to: "a.cue")
      let path = directory.file("a.flac")
      let made = try await run(["flac", "--silent", "--cuesheet=\(sheet)", "-o", path, wav])
      try #require(made.succeeded, "\(made.error)")
      try await withPlayer([fileURI(path)]) { harness in
        try await harness.ready()
        // Another thread of GStreamer reports them.
        let whole = try await harness.reaches("its chapters") { !$0.chapters.isEmpty }
        #expect(whole.chapters.map(\.start) == [.zero, .seconds(1)])
        #expect(whole.chapters.map(\.duration) == [.seconds(1), .seconds(2)])
        let place = harness.events.count
        try await harness.playToEnd()
        #expect(harness.player.snapshot.chapters == whole.chapters)
        let changes = harness.events.elements.dropFirst(place).count { $0 == .changed }
        #expect(changes < 16, "\(changes) changes within 32 frames")
      }
    }
  }

  private func chapters(_ path: String) async throws -> [Chapter] {
    var chapters: [Chapter] = []
    try await withPlayer([fileURI(path)]) { harness in
      try await harness.ready()
      chapters = try await harness.reaches("chapters") { !$0.chapters.isEmpty && $0.duration != nil }.chapters
    }
    return chapters
  }
}
