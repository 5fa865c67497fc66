import DBus
import PlayerdInterfaces
import Testing

@testable import PlayerdClient
@testable import PlayerdSystem

@Suite("The screen of a terminal: lines and keys") struct PlayerScreenTests {
  private static func screen(
    status: String = "Playing", rate: Double = 1, chapters: Bool = false, panel: PlayerScreen.Panel = .none
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
    var screen = PlayerScreen(panel: panel)
    screen.player = player
    return screen
  }

  private func texts(_ screen: PlayerScreen, columns: Int = 80, lines: Int = 24, at now: Int64 = 1_000_000) -> [String]
  {
    var screen = screen
    screen.size = (columns, lines)
    return screen.rows(at: now).map { $0.text(.none) }
  }

  private static func page(_ tracks: [QueuedTrack], revision: UInt64 = 7) -> QueuePage {
    QueuePage(revision: revision, total: Int64(tracks.count), rows: tracks)
  }

  private static func track(_ index: Int64, _ title: String) -> QueuedTrack {
    var track = QueuedTrack()
    (track.index, track.title, track.trackID) = (index, title, "/org/playerd/track/\(index)")
    return track
  }

  @Test("The lines have the title, artist, album, progress with chapters, time, state, volume and chapter")
  func contents() {
    let lines = texts(Self.screen(chapters: true))
    #expect(lines.count == 6)
    #expect(lines[0] == "▶ A Song" && lines[1] == "  Somebody – Tones")
    #expect(lines[2].hasSuffix("  0:50 / 3:20") && lines[2].columns == 79)
    let bar = lines[2].filter { "━┿─┼".contains($0) }
    #expect(bar.count == 64 && bar.prefix(16).allSatisfy { $0 == "━" })
    #expect(bar.filter { $0 == "┼" }.count == 2 && !bar.contains("┿"))
    #expect(lines[3] == "  playing, track 3 of 12, volume 50 %, muted, speed 1.25, loop track")
    #expect(lines[4] == "  chapter 2 of 3: Two")
    #expect(lines[5] == "  ? lists the keys, q leaves")
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
    arguments: [(20, 5), (40, 10), (80, 24), (200, 50), (1, 1), (2, 2), (7, 3)])
  func sizes(columns: Int, lines: Int) {
    let long = String(repeating: "音楽はとても楽しい ", count: 30)
    for panel in [
      PlayerScreen.Panel.none, .help(page: 0), .help(page: 9), .lyrics, .next([Self.track(3, long)]),
      .find(TrackSearch()),
    ] {
      for isAsking in [false, true] {
        var screen = Self.screen(chapters: true, panel: panel)
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
    #expect(texts(Self.screen(), columns: 40, lines: 2).count == 1)
    #expect(texts(Self.screen(), columns: 40, lines: 2)[0].hasSuffix("0:50 / 3:20"))
    #expect(texts(PlayerScreen()) == ["waiting for mpris-playerd"])
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
      (.character(" "), .toggle), (.left, .seek(-5_000_000)), (.right, .seek(5_000_000)), (.up, .seek(60_000_000)),
      (.down, .seek(-60_000_000)), (.character("<"), .previous), (.character(">"), .next),
      (.character("9"), .volume(-2)),
      (.character("0"), .volume(2)), (.character("m"), .mute), (.character("s"), .shuffle), (.character("r"), .loop),
      (.character("["), .speed(1 / 1.1)), (.character("]"), .speed(1.1)), (.backspace, .speed(0)),
      (.character("l"), .lyrics(true)), (.tab, .readNext), (.character("/"), .readQueue), (.character("?"), nil),
      (.character("x"), nil), (.enter, nil), (.escape, nil),
    ] as [(ScreenKey, PlayerAction?)])
  func keys(key: ScreenKey, action: PlayerAction?) {
    var screen = Self.screen()
    #expect(screen.press(key) == action)
  }

  @Test("q asks once; y continues, n and q quit, and another key cancels")
  func leave() {
    for (key, action) in [("y", true), ("n", false), ("q", false)] {
      var screen = Self.screen()
      #expect(screen.press(.character("q")) == nil)
      #expect(texts(screen).contains("Continue playing? y: yes, n: quit the player"))
      #expect(screen.press(.character(Character(key))) == .leave(continues: action))
    }
    var screen = Self.screen()
    _ = screen.press(.character("q"))
    #expect(screen.press(.character(" ")) == nil && !screen.asksToContinue)
    #expect(screen.press(.character(" ")) == .toggle)
    var none = PlayerScreen()
    #expect(none.press(.character("q")) == .leave(continues: false))
  }

  @Test("Help, next tracks and lyrics are shown below the player, and hidden by the same key or Escape")
  func panels() {
    var screen = Self.screen()
    _ = screen.press(.character("?"))
    #expect(texts(screen).contains { $0.contains("← →") && $0.hasSuffix("seek 5 seconds") })
    _ = screen.press(.tab)
    _ = screen.show(Self.page([Self.track(3, "Four"), Self.track(4, "Five")]), isAll: false)
    #expect(texts(screen).suffix(2) == ["  4  Four", "  5  Five"])
    _ = screen.press(.tab)
    #expect(!texts(screen).contains("  4  Four"))
    // A reply that arrives late does not open the panel again.
    _ = screen.show(Self.page([Self.track(3, "Four")]), isAll: false)
    #expect(!texts(screen).contains("  4  Four"))
    _ = screen.press(.character("l"))
    #expect(texts(screen).contains("  no lyrics with times"))
    screen.lyrics.show([MonitoredLyricsLine(start: 0, text: "La la")], at: 1)
    #expect(texts(screen).contains("  ♪ La la"))
    #expect(screen.press(.character("l")) == .lyrics(false))
    _ = screen.press(.character("?"))
    _ = screen.press(.escape)
    #expect(screen.panel == .none)
  }

  @Test(
    "The list of keys is complete in every terminal: in pages with a note, and in wrapped lines",
    arguments: [(80, 24), (80, 16), (40, 10), (20, 5), (20, 40), (30, 4)])
  func help(columns: Int, lines: Int) {
    var screen = Self.screen()
    screen.size = (columns, lines)
    var pages: [[String]] = []
    while screen.press(.character("?")) == nil, screen.panel != .none, pages.count < 50 {
      pages.append(texts(screen, columns: columns, lines: lines))
    }
    let isPaged = lines < 16
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

  @Test("A question is readable in a narrow terminal")
  func question() {
    var screen = Self.screen()
    _ = screen.press(.character("q"))
    let question = texts(screen, columns: 20, lines: 5).suffix(3)
    #expect(question == ["Continue playing?", "y: yes, n: quit the", "player"])
  }

  @Test("A search finds tracks while it is typed; Enter plays the selected one, Escape ends it")
  func search() {
    var screen = Self.screen()
    _ = screen.press(.character("/"))
    #expect(texts(screen).contains { $0.hasPrefix("/▏  reading the queue") })
    let tracks = [Self.track(0, "Élan"), Self.track(1, "Other"), Self.track(2, "Eland")]
    _ = screen.show(Self.page(tracks), isAll: true)
    for character in "elx" { _ = screen.press(.character(character)) }
    #expect(texts(screen).contains { $0.hasSuffix("no track has it") })
    #expect(screen.press(.enter) == nil)
    _ = screen.press(.backspace)
    #expect(texts(screen).suffix(2) == ["  1  Élan", "  3  Eland"])
    _ = screen.press(.down)
    _ = screen.press(.down)
    #expect(screen.rows(at: 0).last == StyledText("  3  Eland", .reverse))
    // Another client removes the first track.
    #expect(screen.queueRequest == .readQueue)
    var eland = Self.track(1, "Eland")
    eland.trackID = tracks[2].trackID
    let rest = [Self.track(0, "Elena"), eland]
    _ = screen.show(Self.page(rest, revision: 8), isAll: true)
    #expect(screen.rows(at: 0).last == StyledText("  2  Eland", .reverse))
    // q is a letter here.
    var other = screen
    #expect(other.press(.character("q")) == nil && !other.asksToContinue)
    #expect(screen.press(.enter) == .play(1, revision: 8))
    #expect(screen.panel == .none && screen.queueRequest == nil)
    _ = other.press(.escape)
    #expect(other.panel == .none)
  }

  @Test("Enter before the queue is read plays the track when it is read")
  func earlyEnter() {
    var screen = Self.screen()
    for key in [ScreenKey.character("/"), .character("o"), .enter] { _ = screen.press(key) }
    let action = screen.show(Self.page([Self.track(0, "Élan"), Self.track(1, "Other")]), isAll: true)
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
      ("\u{1B}[5~x\u{1B}[1;5Cy", [.character("x"), .character("y")]), ("\u{1B}x", [.escape, .character("x")]),
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
    for panel in [PlayerScreen.Panel.none, .help(page: 0), .lyrics, .next(nil)] {
      var screen = Self.screen(panel: panel)
      screen.notice = "a notice"
      let before = texts(screen)
      #expect(screen.press(paste) == nil && texts(screen) == before)
    }
    var asking = Self.screen()
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
