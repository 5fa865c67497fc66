import DBus
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdClient
@testable import PlayerdSystem

/// The screens as `make tables` records them: texts, and the same lines with their styles.
@Suite("The recorded screens of a terminal") struct RecordedScreenTests {
  private static let sizes = [(15, 4), (40, 10), (80, 24), (120, 40), (200, 50)]
  private static let titles = [
    "Paper Boats", "音楽はとても楽しい", "שיר של ערב",
    "Ein sehr langer Titel, der in keinem schmalen Terminal Platz hat, und noch mehr",
    "مرحبا", "e\u{301}le\u{300}ve", "Lost",
  ]

  private static func screen(columns: Int, lines: Int) -> PlayerScreen {
    var player = WatchedPlayer()
    player.mpris = [
      "PlaybackStatus": .string("Playing"), "Volume": .double(0.5), "LoopStatus": .string("Playlist"),
      "Metadata": .dictionary([
        ("mpris:trackid", .objectPath("/t/1")), ("xesam:title", .string(titles[1])), ("xesam:artist", .strings(["楽団"])),
        ("xesam:album", .string("Tones")), ("xesam:url", .string("https://example.org/a.flac")),
      ]),
    ]
    let chapters: [(Int64, String)] = [(0, "One"), (80, "Two")]
    player.monitor = [
      "Track": .objectPath("/t/1"), "TimeControlStatus": .string("playing"), "Duration": .int64(200_000_000),
      "PositionAnchor": .structure([.int64(50_000_000), .int64(0), .double(1)]), "CurrentChapter": .int32(0),
      "Chapters": .array("(xxs)", chapters.map { .structure([.int64($0.0 * 1_000_000), .int64(0), .string($0.1)]) }),
      "LoadedTimeRanges": .array("(xx)", [.structure([.int64(0), .int64(120_000_000)])]),
    ]
    player.control = ["QueueIndex": .int32(1), "QueueCount": .uint32(30), "QueueRevision": .uint64(1)]
    var screen = PlayerScreen()
    (screen.player, screen.size) = (player, (columns, lines))
    let tracks = (0..<Int64(30)).map { index in
      var track = QueuedTrack()
      (track.index, track.title, track.artist) = (index, titles[Int(index) % titles.count], "Somebody")
      (track.trackID, track.duration) = ("/t/\(index)", (200 + index) * 1_000_000)
      if index % 7 == 6 { track.errorMessage = "not found" }
      return track
    }
    _ = screen.show(part: QueuePage(revision: 1, total: 30, rows: tracks))
    return screen
  }

  /// Numbers the lines, so that empty ones count, and names their styles.
  private static func record(_ screen: PlayerScreen) -> String {
    let names = [1: "bold", 2: "dim", 7: "reverse", 31: "red", 32: "green", 33: "yellow"]
    let rows = screen.rows(at: 0)
    let texts = rows.enumerated().map { "\($0 + 1)\t\($1.text(.none))|\n" }.joined()
    let styles = rows.enumerated().map { index, row in
      let text = names.reduce(row.text(.all)) { $0.replacing("\u{1B}[\($1.key)m", with: "<\($1.value)>") }
        .replacing("\u{1B}[0m", with: "</>").replacing("\u{200E}", with: "<LRM>")
      return text.contains("<") ? "\(index + 1)\t\(text)|\n" : ""
    }
    return "```\n\(texts)```\n```\n\(styles.joined())```\n"
  }

  @Test(
    "The player and the queue fill terminals of five sizes, with wide characters and right-to-left titles",
    arguments: sizes)
  func following(columns: Int, lines: Int) throws {
    let screen = Self.screen(columns: columns, lines: lines)
    try GeneratedTable("\(columns)x\(lines)", in: Self.fixture).expect(Self.record(screen))
  }

  @Test("A selected track is marked", arguments: [(15, 4), (40, 10), (80, 24)])
  func selecting(columns: Int, lines: Int) throws {
    var screen = Self.screen(columns: columns, lines: lines)
    _ = screen.press(.down)
    try GeneratedTable("\(columns)x\(lines), selecting", in: Self.fixture).expect(Self.record(screen))
  }

  @Test("The lyrics are instead of the queue, or beside it", arguments: sizes)
  func lyrics(columns: Int, lines: Int) throws {
    var screen = Self.screen(columns: columns, lines: lines)
    _ = screen.press(.character("l"))
    let texts =
      ["夜の川を渡って", "Paper boats, and all the lights that we have left on in the house", "שיר של ערב", ""]
      + (1...60).map { "Line \($0)" }
    screen.lyrics = LyricsSheet(
      lines: texts.enumerated().map { MonitoredLyricsLine(start: Int64($0), text: $1) }, index: 1)
    try GeneratedTable("\(columns)x\(lines), lyrics", in: Self.fixture).expect(Self.record(screen))
  }

  @Test("A track without lyrics has one line that says so", arguments: [(15, 4), (80, 24), (120, 40)])
  func noLyrics(columns: Int, lines: Int) throws {
    var screen = Self.screen(columns: columns, lines: lines)
    _ = screen.press(.character("l"))
    screen.lyrics = LyricsSheet()
    try GeneratedTable("\(columns)x\(lines), no lyrics", in: Self.fixture).expect(Self.record(screen))
  }

  @Test("After a step of the wheel and a click, the track under the mouse is selected", arguments: sizes)
  func clicking(columns: Int, lines: Int) throws {
    var screen = Self.screen(columns: columns, lines: lines)
    let cell = ScreenCell(column: 5, line: lines - 4)
    for key in [ScreenKey.wheel(1, cell), .click(cell)] { _ = screen.press(key) }
    try GeneratedTable("\(columns)x\(lines), clicking", in: Self.fixture).expect(Self.record(screen))
  }

  private static let fixture = "Tests/EndToEndTests/Fixtures/Screens.md"
}
