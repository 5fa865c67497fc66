import DBus
import FoundationEssentials
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdClient
@testable import PlayerdSystem

@Suite("The screen of a terminal: lines and keys") struct PlayerScreenTests {
  private static func screen(
    status: String = "Playing", rate: Double = 1, chapters: Bool = false, panel: PlayerScreen.Panel = .none,
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
    var screen = PlayerScreen(panel: panel, ownsPlayer: ownsPlayer)
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
    for panel in [
      PlayerScreen.Panel.none, .help(page: 0), .help(page: 9), .lyrics, .find(TrackSearch()),
    ] {
      for (isAsking, isSelecting) in [(false, false), (true, false), (false, true)] {
        var screen = Self.screen(chapters: true, panel: panel, ownsPlayer: true)
        _ = screen.show(part: Self.page((0..<12).map { Self.track($0, long) }, revision: 1))
        _ = screen.show(Self.page((0..<12).map { Self.track($0, long) }, revision: 1))
        if isSelecting { _ = screen.press(.down) }
        screen.player?.mpris["Metadata"] = .dictionary([("xesam:title", .string(long))])
        screen.lyrics.show((0..<100).map { MonitoredLyricsLine(start: $0, text: long) }, at: 50)
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
    for panel in [PlayerScreen.Panel.none, .lyrics, .help(page: 0)] {
      var view = Self.screen(panel: panel)
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

  @Test("Help and lyrics are shown below the player, and hidden by the same key or Escape")
  func panels() {
    var screen = Self.screen()
    _ = screen.press(.character("?"))
    #expect(texts(screen).contains { $0.contains("← →") && $0.hasSuffix("seek 5 seconds") })
    _ = screen.press(.character("?"))
    #expect(screen.panel == .none)
    _ = screen.press(.character("l"))
    #expect(texts(screen).contains("  no lyrics with times"))
    screen.lyrics.show([MonitoredLyricsLine(start: 0, text: "La la")], at: 1)
    #expect(texts(screen).contains("  ♪ La la"))
    #expect(screen.press(.character("l")) == .lyrics(false))
    _ = screen.press(.character("?"))
    _ = screen.press(.escape)
    #expect(screen.panel == .none)
  }

  @Test("The current line of the lyrics has a mark; the queue is shown instead while a track is selected")
  func lyricsLine() {
    var screen = Self.screen(panel: .lyrics)
    screen.lyrics.show(
      ["One", "Two", "Three"].enumerated().map { MonitoredLyricsLine(start: Int64($0), text: $1) }, at: 1)
    #expect(["  One", "♪ Two", "  Three"].allSatisfy(texts(screen).contains))
    #expect(screen.queuePart() == nil)
    _ = screen.press(.tab)
    #expect(screen.queuePart() != nil)
    _ = screen.show(part: Self.page((0..<12).map { Self.track($0, "Title \($0 + 1)") }, revision: 1))
    for key in [ScreenKey.escape, .tab] {
      #expect(texts(screen).contains(">» 3  Title 3") && !texts(screen).contains("♪ Two"))
      _ = screen.press(key)
      #expect(texts(screen).contains("♪ Two") && screen.panel == .lyrics && screen.followsLyrics)
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
    while screen.press(.character("?")) == nil, screen.panel != .none, pages.count < 50 {
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
    let keys = ScreenKeys.help.flatMap { $0.keys.split(separator: " ").map { "`\($0)`" } }
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
    #expect(screen.panel == .none && screen.reloadTracks() == nil)
    _ = other.press(.escape)
    #expect(other.panel == .none)
  }

  @Test("Enter before the queue is read plays the track when it is read")
  func earlyEnter() {
    var screen = Self.screen()
    for key in [ScreenKey.character("/"), .character("o"), .enter] { _ = screen.press(key) }
    let action = screen.show(Self.page([Self.track(0, "Élan"), Self.track(1, "Other")]))
    #expect(action == .play(1, revision: 7) && screen.panel == .none)
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
    for panel in [PlayerScreen.Panel.none, .help(page: 0), .lyrics] {
      var screen = Self.screen(panel: panel)
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
