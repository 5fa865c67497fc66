import DBus
import FoundationEssentials
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdClient
@testable import PlayerdSystem

extension PlayerScreen {
  /// Presses a key at an instant that does not matter.
  mutating func press(_ key: ScreenKey) -> PlayerAction? { press(key, at: 0) }
}

@Suite("The screen of a terminal: lines and keys") struct PlayerScreenTests {
  private static func screen(
    status: String = "Playing", rate: Double = 1, chapters: Bool = false, showsLyrics: Bool = false,
    ownsPlayer: Bool = false
  ) -> PlayerScreen {
    var player = WatchedPlayer()
    player.mpris = [
      "PlaybackStatus": .string(status), "Volume": .double(0.5), "Shuffle": .boolean(false),
      "LoopStatus": .string("Track"), "Rate": .double(1.25),
      "Metadata": .dictionary([
        ("mpris:trackid", .objectPath("/org/playerd/track/1")), ("xesam:title", .string("A Song")),
        ("xesam:artist", .strings(["Somebody"])), ("xesam:album", .string("Tones")),
      ]),
    ]
    player.monitor = [
      "Track": .objectPath("/org/playerd/track/1"), "TimeControlStatus": .string(rate == 0 ? "paused" : "playing"),
      "Duration": .int64(200_000_000), "IsMuted": .boolean(true),
      "PositionAnchor": .structure([.int64(50_250_000), .int64(1_000_000), .double(rate)]),
      "CurrentChapter": .int32(chapters ? 1 : -1),
    ]
    player.control = ["QueueIndex": .int32(2), "QueueCount": .uint32(12), "QueueRevision": .uint64(1)]
    if chapters {
      let starts: [(Int64, String)] = [(0, "One"), (50, "Two"), (100, "Three")]
      player.monitor["Chapters"] = .array(
        "(xxs)", starts.map { .structure([.int64($0.0 * 1_000_000), .int64(0), .string($0.1)]) })
    }
    var screen = PlayerScreen(showsLyrics: showsLyrics, ownsPlayer: ownsPlayer)
    screen.player = player
    return screen
  }

  /// A screen whose queue of twelve tracks is read.
  private static func listing(ownsPlayer: Bool = false) -> PlayerScreen {
    var screen = screen(ownsPlayer: ownsPlayer)
    _ = screen.show(part: page((0..<12).map { track($0, "Title \($0 + 1)") }, revision: 1))
    return screen
  }

  private func texts(_ screen: PlayerScreen, columns: Int = 80, lines: Int = 24, at now: Int64 = 1_000_000) -> [String]
  {
    var screen = screen
    screen.size = (columns, lines)
    return screen.rows(at: now).map { row in String(row.text(.none).reversed().drop { $0 == " " }.reversed()) }
  }

  private static func page(_ tracks: [QueuedTrack], revision: UInt64 = 7) -> QueuePage {
    QueuePage(revision: revision, total: Int64(tracks.count), rows: tracks)
  }

  private static func track(_ index: Int64, _ title: String) -> QueuedTrack {
    var track = QueuedTrack()
    (track.index, track.title, track.trackID) = (index, title, "/org/playerd/track/\(index)")
    return track
  }

  @Test(
    "The position of a station has the distance from the present; within five seconds of it, none", arguments: [85, 54])
  func station(present: Int64) {
    var screen = Self.screen()
    screen.player?.monitor["Duration"] = .int64(-1)
    let range: [DBusValue] = [.structure([.int64(20_000_000), .int64((present - 20) * 1_000_000)])]
    screen.player?.monitor["SeekableTimeRanges"] = .array("(xx)", range)
    #expect(texts(screen)[2] == (present == 85 ? "  0:50, 0:34 behind live" : "  0:50"))
  }

  @Test("The lines have the title, artist, album, progress with chapters, times, state, volume, chapter and keys")
  func contents() {
    let lines = texts(Self.screen(chapters: true))
    #expect(lines.count == 23)
    #expect(lines[0] == "▶ A Song" && lines[1] == "  Somebody – Tones")
    #expect(lines[2].hasPrefix("  0:50  ━") && lines[2].hasSuffix("  -2:30 / 3:20") && lines[2].columns == 79)
    let bar = lines[2].filter { "━┿─┼".contains($0) }
    #expect(bar.count == 57 && bar.prefix(14).allSatisfy { $0 == "━" })
    #expect(bar.filter { $0 == "┼" }.count == 2 && !bar.contains("┿"))
    #expect(lines[3] == "  playing, track 3 of 12, speed 1.25, loop track")
    #expect(lines[4] == "  volume 50 %  ██████████░░░░░░░░░░  muted")
    #expect(lines[5] == "  chapter 2 of 3: Two")
    #expect(lines[22].hasPrefix("space pause  ? keys  q close  ↑↓ select  / find"))
  }

  @Test("The parts of a stream that are not loaded are dots in the bar; a file is all there")
  func loaded() {
    var screen = Self.screen()
    screen.player?.monitor["LoadedTimeRanges"] = .array("(xx)", [.structure([.int64(0), .int64(100_000_000)])])
    #expect(!texts(screen)[2].contains("·"))
    screen.player?.mpris["Metadata"] = .dictionary([("xesam:url", .string("https://example.org/a"))])
    let bar = texts(screen).first { $0.contains("0:50") }?.filter { "━─·".contains($0) } ?? ""
    #expect(bar.firstIndex(of: "·") == bar.index(bar.startIndex, offsetBy: 29))
    #expect(ProgressBar(position: 0, duration: 8, loaded: [2...4]).text(width: 8) == "··───···")
    #expect(ProgressBar(position: 0, duration: 8, marks: [6], loaded: []).text(width: 8) == "······┼·")
  }

  @Test("A passed chapter is marked in the played part of the bar")
  func bar() {
    #expect(ProgressBar(position: 50, duration: 100, marks: [25, 75]).text(width: 8) == "━━┿━──┼─")
    #expect(ProgressBar(position: 500, duration: 100).text(width: 4) == "━━━━")
    #expect(ProgressBar(position: -5, duration: 100).text(width: 4) == "────")
    #expect(ProgressBar(position: 5, duration: 0).text(width: 4).isEmpty)
  }

  @Test(
    "The lines fit into the terminal in every state and leave its last column and one line free",
    arguments: [(15, 4), (20, 5), (40, 10), (80, 24), (120, 40), (200, 50), (1, 1), (2, 2), (7, 3)])
  func sizes(columns: Int, lines: Int) {
    let long = String(repeating: "音楽はとても楽しい ", count: 30)
    for (keys, showsLyrics) in [("", false), ("?", false), ("????", false), ("", true), ("/", false)] {
      for (isAsking, isSelecting) in [(false, false), (true, false), (false, true)] {
        var screen = Self.screen(chapters: true, showsLyrics: showsLyrics, ownsPlayer: true)
        for key in keys { _ = screen.press(.character(key)) }
        _ = screen.show(part: Self.page((0..<12).map { Self.track($0, long) }, revision: 1))
        _ = screen.show(Self.page((0..<12).map { Self.track($0, long) }, revision: 1))
        if isSelecting { _ = screen.press(.down) }
        screen.player?.mpris["Metadata"] = .dictionary([("xesam:title", .string(long))])
        screen.lyrics = Self.sheet(Array(repeating: long, count: 100), at: 50)
        if isAsking { _ = screen.press(.character("q")) }
        let rows = texts(screen, columns: columns, lines: lines)
        #expect(rows.count <= max(1, lines - 1) && !rows.isEmpty)
        #expect(rows.allSatisfy { $0.columns <= max(0, columns - 1) }, "\(rows)")
      }
    }
  }

  @Test("A small terminal has the title, the time and the state; a single line has the title and the time")
  func small() {
    let small = texts(Self.screen(chapters: true), columns: 20, lines: 5)
    #expect(small == ["▶ A Song", "  Somebody – Tones", "  ━┼┼─  0:50 / 3:20", "  playing, track 3…"])
    #expect(texts(Self.listing(), columns: 15, lines: 4) == ["▶ A Song", "  0:50 / 3:20", "  playing, tr…"])
    #expect(texts(Self.screen(), columns: 40, lines: 2).count == 1)
    #expect(texts(Self.screen(), columns: 40, lines: 2)[0].hasSuffix("0:50 / 3:20"))
    let waiting = texts(PlayerScreen())
    #expect(waiting.count == 23 && waiting.first == "waiting for mpris-playerd" && waiting.last == "? keys  q close")
  }

  @Test("The screen changes once a second of playback, and not at all while the position is held")
  func redraw() {
    #expect(Self.screen().redrawDelay(at: 1_000_000) == 750_000)
    #expect(Self.screen(rate: 2).redrawDelay(at: 1_000_000) == 375_000)
    #expect(Self.screen(rate: 0).redrawDelay(at: 1_000_000) == nil)
    #expect(PlayerScreen().redrawDelay(at: 1_000_000) == nil)
    // The end of the track is another event.
    #expect(Self.screen().redrawDelay(at: 500_000_000) == nil)
    let before = Self.screen().rows(at: 1_749_000)
    #expect(before == Self.screen().rows(at: 1_000_000))
    #expect(before != Self.screen().rows(at: 1_750_000))
  }

  @Test(
    "Keys are the same as in mpv and cmus",
    arguments: [
      (.character(" "), .toggle), (.left, .seek(-5_000_000)), (.right, .seek(5_000_000)),
      (.character("."), .seek(60_000_000)), (.character(","), .seek(-60_000_000)), (.character("<"), .previous),
      (.character(">"), .next),
      (.character("9"), .volume(-2)),
      (.character("0"), .volume(2)), (.character("m"), .mute), (.character("s"), .shuffle), (.character("r"), .loop),
      (.character("["), .speed(1 / 1.1)), (.character("]"), .speed(1.1)), (.backspace, .speed(0)),
      (.character("l"), .lyrics(true)), (.character("/"), .readQueue), (.character("u"), .undo),
      (.character("q"), .leave(continues: true)), (.character("?"), nil), (.character("x"), nil), (.enter, nil),
      (.escape, nil), (.tab, nil), (.up, nil), (.down, nil), (.pageUp, nil), (.end, nil), (.character("d"), nil),
    ] as [(ScreenKey, PlayerAction?)])
  func keys(key: ScreenKey, action: PlayerAction?) {
    var screen = Self.screen()
    #expect(screen.press(key) == action)
  }

  @Test("q closes the view of a player, and asks in the foreground player: only n quits it, and another key cancels")
  func leave() {
    for (key, action) in [
      (ScreenKey.character("y"), true), (.enter, true), (.character("q"), true), (.character("n"), false),
    ] {
      var screen = Self.screen(ownsPlayer: true)
      #expect(screen.press(.character("q")) == nil)
      #expect(texts(screen).last == "Keep playing? Enter: yes, n: quit")
      #expect(screen.press(key) == .leave(continues: action))
    }
    for key in [ScreenKey.character(" "), .escape, .up, .tab] {
      var screen = Self.screen(ownsPlayer: true)
      _ = screen.press(.character("q"))
      #expect(screen.press(key) == nil && !screen.asksToContinue)
      #expect(screen.press(.character(" ")) == .toggle)
    }
    var none = PlayerScreen(ownsPlayer: true)
    #expect(none.press(.character("q")) == .leave(continues: false))
    for key in [ScreenKey.character("l"), .character("?"), .down] {
      var view = Self.screen()
      _ = view.press(key)
      #expect(view.press(.character("q")) == .leave(continues: true))
    }
  }

  @Test("An unknown key is reported once")
  func unknownKey() {
    var screen = Self.screen()
    #expect(screen.press(.character("x")) == nil && screen.notice == "no key “x”; ? lists the keys")
    #expect(screen.press(.character("x")) == nil && screen.notice == nil)
    #expect(screen.press(.character("é")) == nil && screen.notice == "no key “é”; ? lists the keys")
  }

  @Test("The list of keys is shown below the player, and hidden by the same key or Escape")
  func panels() {
    var screen = Self.screen()
    for key in [ScreenKey.character("?"), .escape] {
      _ = screen.press(.character("?"))
      #expect(texts(screen).contains { $0.contains("← →") && $0.hasSuffix("seek 5 seconds") })
      _ = screen.press(key)
      #expect(screen.panel == .queue)
    }
    #expect(!screen.helpPages.joined().contains { $0.text(.none).contains("wheel") })
  }

  private static func sheet(_ lines: [String], at position: Int64) -> LyricsSheet {
    var sheet = LyricsSheet()
    sheet.show(lines.enumerated().map { MonitoredLyricsLine(start: Int64($0), text: $1) }, at: position)
    return sheet
  }

  @Test("l shows the lyrics instead of the queue, and beside it in a wide terminal, with a mark at the current line")
  func lyrics() {
    var screen = Self.listing()
    #expect(screen.press(.character("l")) == .lyrics(true) && screen.showsLyrics)
    // Nothing is said before they are read.
    #expect(!texts(screen).contains { $0.contains("no lyrics") || $0.contains("Title 3") })
    screen.lyrics = LyricsSheet()
    #expect(texts(screen).filter { $0.contains("no lyrics with times") } == ["  no lyrics with times"])
    screen.lyrics = Self.sheet(["One", "Two", "Three"], at: 1)
    #expect(["  One", "♪ Two", "  Three"].allSatisfy(texts(screen).contains) && screen.queuePart() == nil)
    let wide = texts(screen, columns: 100)
    #expect(wide.contains { $0.hasPrefix("   1  Title 1") && $0.hasSuffix("  One") })
    #expect(wide.contains { $0.hasPrefix("   2  Title 2") && $0.hasSuffix("♪ Two") })
    #expect(!texts(screen, columns: 99).contains { $0.contains("Title 2") })
    #expect(screen.press(.character("l")) == .lyrics(false))
    #expect(texts(screen).contains(">  3  Title 3") && !texts(screen).contains("♪ Two"))
  }

  @Test("The current line of the lyrics is in the middle, long lines are wrapped, and a small terminal has lyrics too")
  func longLyrics() {
    var screen = Self.screen(showsLyrics: true)
    screen.lyrics = Self.sheet((0..<100).map { "Line \($0)" }, at: 50)
    let lines = texts(screen).filter { $0.contains("Line ") }
    #expect(lines.firstIndex(of: "♪ Line 50") == (lines.count - 1) / 2 && lines.count > 10)
    screen.lyrics = Self.sheet(["one two three four", "five"], at: 0)
    #expect(texts(screen, columns: 15, lines: 6).suffix(3) == ["♪ one two", "  three four", "  five"])
    screen.lyrics = Self.sheet(["before", "one two three four", "five"], at: 1)
    #expect(texts(screen, columns: 15, lines: 4).suffix(2) == ["♪ one two", "  three four"])
    screen.lyrics = Self.sheet(["", ""], at: 1)
    #expect(texts(screen).contains("♪"))
  }

  @Test("The queue is shown instead of the lyrics while a track is selected")
  func lyricsAndQueue() {
    var screen = Self.screen(showsLyrics: true)
    screen.lyrics = Self.sheet(["One", "Two", "Three"], at: 1)
    #expect(screen.queuePart() == nil)
    _ = screen.press(.tab)
    #expect(screen.queuePart() != nil)
    _ = screen.show(part: Self.page((0..<12).map { Self.track($0, "Title \($0 + 1)") }, revision: 1))
    for key in [ScreenKey.escape, .tab] {
      #expect(texts(screen).contains(">» 3  Title 3") && !texts(screen).contains("♪ Two"))
      _ = screen.press(key)
      #expect(texts(screen).contains("♪ Two") && screen.panel == .queue && screen.showsLyrics)
      _ = screen.press(.tab)
    }
  }

  @Test("The queue is below the player; a selected track is played with Enter and removed with d")
  func queue() {
    var screen = Self.listing()
    #expect(texts(screen).contains(">  3  Title 3") && texts(screen).contains("  12  Title 12"))
    #expect(screen.press(.character("d")) == nil && screen.notice == "select a track with ↑ ↓ first")
    #expect(screen.press(.enter) == nil && screen.notice == "select a track with ↑ ↓ first")
    _ = screen.press(.down)
    #expect(
      texts(screen).contains(" » 4  Title 4") && texts(screen).last?.hasPrefix("Enter play  d remove  u undo") == true)
    #expect(screen.press(.character("d")) == .remove(3, name: "Title 4", revision: 1))
    // Nothing happens to another track before the changed queue is read.
    #expect(screen.press(.character("d")) == nil && screen.press(.enter) == nil && screen.notice == nil)
    let rest = (0..<12).filter { $0 != 3 }.enumerated().map { index, number in
      var track = Self.track(Int64(index), "Title \(number + 1)")
      track.trackID = "/org/playerd/track/\(number)"
      return track
    }
    _ = screen.show(part: Self.page(rest, revision: 2))
    #expect(texts(screen).contains(" » 4  Title 5"))
    #expect(screen.press(.enter) == .play(3, revision: 2))
    #expect(screen.list.selected == nil && texts(screen).contains("   4  Title 5"))
    _ = screen.press(.end)
    #expect(screen.list.selected == 10)
    _ = screen.press(.pageUp)
    _ = screen.press(.home)
    #expect(screen.list.selected == 0)
    _ = screen.press(.escape)
    #expect(screen.list.selected == nil)
    // The keys of the player stay.
    _ = screen.press(.down)
    #expect(screen.press(.character(" ")) == .toggle && screen.press(.left) == .seek(-5_000_000))
  }

  @Test("In a small terminal the queue appears when a track is selected", arguments: [(15, 4), (20, 5), (30, 3)])
  func smallQueue(columns: Int, lines: Int) {
    var screen = Self.listing()
    #expect(!texts(screen, columns: columns, lines: lines).contains { $0.contains("Tit") })
    screen.size = (columns, lines)
    #expect(screen.queuePart() == nil)
    _ = screen.press(.tab)
    let rows = texts(screen, columns: columns, lines: lines)
    #expect(rows[0] == "▶ A Song" && rows.contains { $0.hasPrefix(">» 3  Tit") }, "\(rows)")
  }

  @Test("The queue is read when it is shown and has changed, and not again while it is read")
  func reading() {
    var screen = Self.screen()
    #expect(screen.queuePart() == 0..<200 && screen.queuePart() == nil)
    _ = screen.show(part: Self.page((0..<12).map { Self.track($0, "Title \($0 + 1)") }, revision: 1))
    #expect(screen.queuePart() == nil)
    screen.player?.control["QueueRevision"] = .uint64(2)
    #expect(screen.queuePart() == 0..<200 && screen.queuePart() == nil)
    _ = screen.show(part: Self.page([Self.track(0, "Other")], revision: 2))
    #expect(screen.queuePart() == nil && texts(screen).contains { $0.contains("Other") })
    // A new track: the daemon may have read tags.
    #expect(screen.reloadTracks() == nil && screen.queuePart() == 0..<200)
    screen.player = nil
    #expect(screen.queuePart() == nil && !texts(screen).contains { $0.contains("Other") })
  }

  @Test(
    "The list of keys is complete in every terminal: in pages with a note, and in wrapped lines",
    arguments: [(80, 24), (80, 16), (40, 10), (20, 5), (20, 70), (30, 4)])
  func help(columns: Int, lines: Int) {
    var screen = Self.screen()
    screen.size = (columns, lines)
    var pages: [[String]] = []
    while screen.press(.character("?")) == nil, screen.panel != .queue, pages.count < 50 {
      pages.append(texts(screen, columns: columns, lines: lines))
    }
    let isPaged = lines < 22
    #expect((pages.count > 1) == isPaged)
    let words = pages.joined().joined(separator: " ").split(separator: " ").map(String.init)
    let expected = ScreenKeys.help.flatMap { "\($0.keys) \($0.effect)".split(separator: " ").map(String.init) }
    #expect(Set(expected).subtracting(words).isEmpty, "\(pages)")
    for (index, page) in pages.enumerated() where isPaged {
      #expect(page.count <= lines - 1)
      let note = index + 1 < pages.count ? "more keys" : "close"
      #expect(page.last == "\(index + 1)/\(pages.count)  ?: \(note)", "\(page)")
    }
    // The page follows the size.
    screen.size = (20, 5)
    for _ in 1...4 { _ = screen.press(.character("?")) }
    #expect(texts(screen, columns: 80, lines: 24).contains { $0.hasSuffix("pause or resume") })
  }

  @Test("Each key is in the table of the documentation, in the order of the list")
  func documentation() throws {
    let keys = (ScreenKeys.help + ScreenKeys.mouseHelp).flatMap { $0.keys.split(separator: " ").map { "`\($0)`" } }
    let page = try String(contentsOfFile: "\(GeneratedTable.package)/docs/COMMAND-LINE.md", encoding: .utf8)
    var rest = page[try #require(page.firstRange(of: "\n## The screen\n")).upperBound...]
    rest = rest[..<(try #require(rest.firstRange(of: "\n## ")).lowerBound)]
    for key in keys {
      let found = try #require(rest.firstRange(of: key), "\(key) after the keys before it")
      rest = rest[found.upperBound...]
    }
  }

  @Test("A question is readable in a narrow terminal")
  func question() {
    var screen = Self.screen(ownsPlayer: true)
    _ = screen.press(.character("q"))
    let question = texts(screen, columns: 20, lines: 5).suffix(2)
    #expect(question == ["Keep playing?", "Enter: yes, n: quit"])
  }

  @Test("A search finds tracks while it is typed; Enter plays the selected one, Escape ends it")
  func search() {
    var screen = Self.screen()
    _ = screen.press(.character("/"))
    #expect(texts(screen).contains { $0.hasPrefix("/▏  reading the queue") })
    let tracks = [Self.track(0, "Élan"), Self.track(1, "Other"), Self.track(2, "Eland")]
    _ = screen.show(Self.page(tracks))
    for character in "elx" { _ = screen.press(.character(character)) }
    #expect(texts(screen).contains { $0.hasSuffix("no track has it") })
    #expect(screen.press(.enter) == nil)
    _ = screen.press(.backspace)
    #expect(texts(screen).contains(" »1  Élan") && texts(screen).contains("> 3  Eland"))
    _ = screen.press(.down)
    _ = screen.press(.pageDown)
    #expect(screen.rows(at: 0).contains(StyledText(">»3  ", .reverse) + StyledText("Eland", .reverse)))
    // Another client removes the first track.
    #expect(screen.reloadTracks() == .readQueue)
    var eland = Self.track(1, "Eland")
    eland.trackID = tracks[2].trackID
    let rest = [Self.track(0, "Elena"), eland]
    _ = screen.show(Self.page(rest, revision: 8))
    #expect(texts(screen).contains(" »2  Eland"))
    // q is a letter here.
    var other = screen
    #expect(other.press(.character("q")) == nil && !other.asksToContinue)
    #expect(screen.press(.enter) == .play(1, revision: 8))
    #expect(screen.panel == .queue && screen.reloadTracks() == nil)
    _ = other.press(.escape)
    #expect(other.panel == .queue)
  }

  @Test("Enter before the queue is read plays the track when it is read")
  func earlyEnter() {
    var screen = Self.screen()
    for key in [ScreenKey.character("/"), .character("o"), .enter] { _ = screen.press(key) }
    let action = screen.show(Self.page([Self.track(0, "Élan"), Self.track(1, "Other")]))
    #expect(action == .play(1, revision: 7) && screen.panel == .queue)
  }

  @Test("Control characters of titles do not reach the terminal")
  func controls() {
    var screen = Self.screen()
    screen.player?.mpris["Metadata"] = .dictionary([("xesam:title", .string("a\u{1B}[2J\nb"))])
    #expect(texts(screen)[0] == "▶ a [2J b")
  }

  @Test(
    "Bytes become keys, however they are divided",
    arguments: [
      ("q", [.character("q")]), ("\u{1B}[A\u{1B}OB", [.up, .down]), ("\u{1B}[C\u{1B}OD", [.right, .left]),
      ("\t\n\r\u{7F}\u{08}", [.tab, .enter, .enter, .backspace, .backspace]),
      ("é音", [.character("é"), .character("音")]),
      // A key without a meaning is ignored.
      ("\u{1B}[15~x\u{1B}[1;5Cy", [.character("x"), .character("y")]),
      ("\u{1B}[5~\u{1B}[6~\u{1B}[1~\u{1B}OF", [.pageUp, .pageDown, .home, .end]),
      ("\u{1B}x", [.escape, .character("x")]),
    ] as [(String, [ScreenKey])])
  func decoding(text: String, expected: [ScreenKey]) {
    var whole = ScreenKeyDecoder()
    #expect(whole.decode(Array(text.utf8)) == expected)
    var divided = ScreenKeyDecoder([(Array("\u{1B}[A".utf8), .up)])
    #expect(Array(text.utf8).flatMap { divided.decode([$0]) } == expected)
  }

  @Test("Pasted text is not keys, however its bytes are divided; its end may be late, and its rest is omitted")
  func paste() {
    let text = "a\u{1B}[200~his é\nhit\u{1B}[A\u{1B}[201~b\u{1B}[200~\u{1B}[201~"
    let expected: [ScreenKey] = [.character("a"), .paste("his é\nhit\u{1B}[A"), .character("b"), .paste("")]
    var whole = ScreenKeyDecoder()
    #expect(whole.decode(Array(text.utf8)) == expected)
    var divided = ScreenKeyDecoder()
    #expect(Array(text.utf8).flatMap { divided.decode([$0]) } == expected)
    var late = ScreenKeyDecoder()
    #expect(late.decode(Array("\u{1B}[200~q\u{1B}".utf8)).isEmpty && !late.isWaiting && late.finish().isEmpty)
    #expect(late.decode(Array("[201~q".utf8)) == [.paste("q"), .character("q")])
    #expect(late.decode(Array("\u{1B}[200~".utf8) + [UInt8](repeating: 0x61, count: 100_000)).isEmpty)
    let long = String(repeating: "a", count: ScreenKeyDecoder.pasteLimit)
    #expect(late.decode(Array("\u{1B}[201~".utf8)) == [.paste(long)])
  }

  @Test("Pasted text is ignored except in the search, which inserts it without control characters")
  func pasteOnScreen() {
    let paste = ScreenKey.paste("his\tsum\nmer\u{1B} hit q\r\u{9B}")
    for key in [ScreenKey.escape, .character("?"), .character("l")] {
      var screen = Self.screen()
      _ = screen.press(key)
      screen.notice = "a notice"
      let before = texts(screen)
      #expect(screen.press(paste) == nil && texts(screen) == before)
    }
    var asking = Self.screen(ownsPlayer: true)
    _ = asking.press(.character("q"))
    #expect(asking.press(.paste("y")) == nil && asking.asksToContinue)
    var search = Self.screen()
    _ = search.press(.character("/"))
    _ = search.press(.character("x"))
    #expect(search.press(paste) == nil)
    #expect(texts(search).contains { $0.hasPrefix("/xhissummer hit q▏") })
  }

  @Test(
    "A press of the left button and the wheel are keys with a cell; other reports and damaged ones are none",
    arguments: [
      ("\u{1B}[<0;5;3M\u{1B}[<0;5;3m", [.click(cell(4, 2))]), ("\u{1B}[<64;1;1M\u{1B}[<65;200;50M", [.up, .down]),
      // The bytes of a terminal without the mode 1006.
      ("\u{1B}[M %#\u{1B}[M#%#x", [.click(cell(4, 2)), .character("x")]),
      // The right button, a modifier, a motion, a horizontal wheel.
      ("\u{1B}[<2;5;3M\u{1B}[<4;5;3M\u{1B}[<32;5;3M\u{1B}[<66;5;3Mx", [.character("x")]),
      ("\u{1B}[<0;5M\u{1B}[<M\u{1B}[<0;5;3;9M\u{1B}[<;;Mx", [.character("x")]),
      ("\u{1B}[<-0;5;3M\u{1B}[<0;0;3M\u{1B}[<0;99999999999999999999;3M\u{1B}[<0;5;3Xx", [.character("x")]),
      // Another sequence, a control character and a letter that is not ASCII end a damaged one.
      ("\u{1B}[<0;9\u{1B}[C\u{1B}[<0;\u{7F}\u{1B}[<9é", [.right, .backspace, .character("é")]),
      ("\u{1B}[<\(String(repeating: "9", count: 500))Mx", [.character("x")]),
    ] as [(String, [ScreenKey])])
  func mouseReports(text: String, expected: [ScreenKey]) {
    let expected = expected.map { key -> ScreenKey in
      switch key {
      case .up: .wheel(-1, Self.cell(0, 0))
      case .down: .wheel(1, Self.cell(199, 49))
      default: key
      }
    }
    var whole = ScreenKeyDecoder()
    #expect(whole.decode(Array(text.utf8)) == expected && !whole.isWaiting)
    var divided = ScreenKeyDecoder()
    #expect(Array(text.utf8).flatMap { divided.decode([$0]) } == expected)
  }

  @Test("The rest of a mouse report may be late; an incomplete sequence is not the Escape key")
  func lateReport() {
    var keys = ScreenKeyDecoder()
    #expect(keys.decode(Array("\u{1B}[<0;5".utf8)).isEmpty && !keys.isWaiting && keys.finish().isEmpty)
    #expect(keys.decode(Array(";3M".utf8)) == [.click(Self.cell(4, 2))])
    #expect(keys.decode(Array("\u{1B}[1;".utf8)).isEmpty && keys.isWaiting && keys.finish().isEmpty)
    #expect(keys.decode(Array("q".utf8)) == [.character("q")])
  }

  private static func cell(_ column: Int, _ line: Int) -> ScreenCell { ScreenCell(column: column, line: line) }

  @Test(
    "A click on the bar seeks to the time of its column, and elsewhere in the line to none",
    arguments: [(40, 10), (80, 24), (120, 40), (200, 50), (20, 5)])
  func clickOnBar(columns: Int, lines: Int) throws {
    var screen = Self.screen(chapters: true, ownsPlayer: true)
    screen.size = (columns, lines)
    let rows = texts(screen, columns: columns, lines: lines)
    let line = try #require(rows.firstIndex { $0.contains("━") })
    let bar = Array(rows[line]).indices.filter { "━┿─┼".contains(Array(rows[line])[$0]) }
    for column in 0..<columns {
      guard let place = bar.firstIndex(of: column) else {
        #expect(screen.press(.click(Self.cell(column, line))) == nil)
        continue
      }
      guard case .seekTo(let time, "/org/playerd/track/1")? = screen.press(.click(Self.cell(column, line))) else {
        Issue.record("no seek in column \(column)")
        continue
      }
      #expect((0...200_000_000).contains(time) && (place > 0 || time == 0))
      // The bar then ends there.
      let parts = ProgressBar(position: time, duration: 200_000_000).text(width: bar.count)
      #expect(parts.count { $0 == "━" } == place)
    }
    screen.player = nil
    #expect(screen.press(.click(Self.cell(bar[0], line))) == nil)
  }

  @Test("A click on a track selects it where it is; a second one soon afterwards in the same cell plays it")
  func clickOnTrack() throws {
    var screen = Self.listing()
    screen.size = (80, 14)
    let before = texts(screen, lines: 14)
    let line = try #require(before.firstIndex { $0.contains("Title 6") })
    #expect(screen.press(.click(Self.cell(30, line)), at: 5) == nil)
    let after = texts(screen, lines: 14)
    #expect(after[line] == " » 6  Title 6" && after.count == before.count)
    #expect(zip(before, after).filter { $0 != $1 }.count == 2, "the selected track and the keys")
    var slow = screen
    #expect(slow.press(.click(Self.cell(30, line)), at: 6 + PlayerScreen.doubleClickTime) == nil)
    #expect(slow.list.selected == 5 && slow.press(.enter) == .play(5, revision: 1))
    var other = screen
    #expect(other.press(.click(Self.cell(31, line)), at: 6) == nil && other.list.selected == 5)
    var between = screen
    _ = between.press(.left, at: 6)
    #expect(between.press(.click(Self.cell(30, line)), at: 7) == nil)
    #expect(screen.press(.click(Self.cell(30, line)), at: 6) == .play(5, revision: 1) && screen.list.selected == nil)
    // Not on a track.
    for cell in [Self.cell(0, 0), Self.cell(0, 22), Self.cell(79, line), Self.cell(500, line), Self.cell(0, 900)] {
      var screen = Self.listing()
      #expect(screen.press(.click(cell)) == nil && screen.list.selected == nil)
    }
  }

  @Test("The wheel scrolls the queue and keeps the selection; elsewhere it changes the volume by two percent")
  func wheel() throws {
    var screen = Self.screen()
    _ = screen.show(part: Self.page((0..<100).map { Self.track($0, "Title \($0 + 1)") }, revision: 1))
    screen.size = (80, 24)
    let line = try #require(texts(screen).firstIndex { $0.contains("Title 1") && !$0.contains("Title 10") })
    func first() -> String { texts(screen)[line] }
    #expect(screen.press(.wheel(1, Self.cell(5, line))) == nil && first().hasSuffix("  4  Title 4"))
    #expect(!screen.list.isFollowing && screen.list.selected == nil)
    for _ in 1...40 { _ = screen.press(.wheel(1, Self.cell(5, line))) }
    #expect(texts(screen).contains { $0.hasSuffix("100  Title 100") })
    _ = screen.press(.wheel(-1, Self.cell(5, line)))
    #expect(!texts(screen).contains { $0.hasSuffix("100  Title 100") })
    _ = screen.press(.escape)
    #expect(screen.list.isFollowing && first().hasSuffix("  1  Title 1"))
    // A selected track that was scrolled away is shown before anything happens to it.
    _ = screen.press(.click(Self.cell(5, line)))
    for _ in 1...10 { _ = screen.press(.wheel(1, Self.cell(5, line))) }
    #expect(screen.press(.character("d")) == nil && screen.notice == nil && first().hasSuffix("»  1  Title 1"))
    #expect(screen.press(.character("d")) == .remove(0, name: "Title 1", revision: 1))
    #expect(screen.press(.wheel(-1, Self.cell(5, 0))) == .volume(2))
    #expect(screen.press(.wheel(1, Self.cell(79, 23))) == .volume(-2))
    #expect(screen.press(.wheel(1, Self.cell(80, 0))) == nil && screen.press(.wheel(1, Self.cell(0, 24))) == nil)
    screen.player = nil
    #expect(screen.press(.wheel(1, Self.cell(5, 0))) == nil)
  }

  @Test("In a search a click selects, a double click plays, and the wheel scrolls; a question ignores the mouse")
  func mouseInSearch() throws {
    var screen = Self.screen(ownsPlayer: true)
    screen.size = (80, 24)
    _ = screen.press(.character("/"))
    _ = screen.show(Self.page((0..<100).map { Self.track($0, "Title \($0 + 1)") }))
    let line = try #require(texts(screen).firstIndex { $0.contains("  Title 2") })
    _ = screen.press(.wheel(1, Self.cell(5, line)), at: 1)
    #expect(texts(screen)[line].contains("Title 5"))
    #expect(screen.press(.click(Self.cell(5, line)), at: 2) == nil && texts(screen)[line].contains("»  5  Title 5"))
    var asking = Self.screen(ownsPlayer: true)
    _ = asking.press(.character("q"))
    for key in [ScreenKey.click(Self.cell(0, 0)), .wheel(1, Self.cell(0, 0))] {
      #expect(asking.press(key) == nil && asking.asksToContinue)
    }
    var scrolled = screen
    for _ in 1...10 { _ = scrolled.press(.wheel(1, Self.cell(5, line)), at: 3) }
    #expect(!texts(scrolled).contains { $0.contains("»") } && scrolled.press(.enter) == nil)
    #expect(texts(scrolled).contains { $0.contains("»  5  Title 5") })
    #expect(scrolled.press(.enter) == .play(4, revision: 7))
    #expect(screen.press(.click(Self.cell(5, line)), at: 3) == .play(4, revision: 7) && screen.panel == .queue)
  }

  @Test("A click right of the queue, on the lyrics, selects no track")
  func clickOnLyrics() throws {
    var screen = Self.listing()
    _ = screen.press(.character("l"))
    screen.lyrics = Self.sheet((0..<12).map { "Line \($0)" }, at: 1)
    screen.size = (120, 24)
    let line = try #require(texts(screen, columns: 120).firstIndex { $0.contains("Title 2") })
    #expect(screen.press(.click(Self.cell(90, line))) == nil && screen.list.selected == nil)
    #expect(screen.press(.wheel(1, Self.cell(90, line))) == .volume(-2))
    #expect(screen.press(.click(Self.cell(10, line))) == nil && screen.list.selected == 1)
  }

  @Test("An escape without a rest is the Escape key; invalid bytes are ignored")
  func escape() {
    var keys = ScreenKeyDecoder()
    #expect(keys.decode([0x1B]).isEmpty && keys.isWaiting)
    #expect(keys.finish() == [.escape] && !keys.isWaiting)
    #expect(keys.decode([0xFF, 0xFE, 0x80, 0xC3]).isEmpty)
    #expect(keys.finish().isEmpty)
    #expect(keys.decode([0x01, UInt8(ascii: "a")]) == [.character("a")])
  }
}
