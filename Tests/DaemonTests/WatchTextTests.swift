import DBus
import PlayerdInterfaces
import Testing

@testable import PlayerdClient

/// Tests of the lines of `watch`, and of the answers to keys on a plain terminal.
@Suite("Lines of watch") struct WatchTextTests {
  private func record(_ event: WatchRecord.Event, position: Int64? = nil) -> WatchRecord {
    WatchRecord(event: event, position: position, monotonic: 0)
  }

  private func state(_ status: String, waits reason: String? = nil) -> WatchRecord {
    let control = reason != nil ? "waitingToPlay" : status == "Playing" ? "playing" : "paused"
    return record(.state(status: status, timeControlStatus: control, reason: reason ?? ""))
  }

  private func track(_ title: String?, _ artist: String? = nil, duration: Int64? = nil) -> WatchRecord {
    record(.track(title: title, artist: artist, album: nil, uri: "file:///m/a%20b.flac", duration: duration))
  }

  @Test("A change is one line, and a record that changes no line has none")
  func changes() {
    var text = WatchText()
    func lines(_ records: WatchRecord...) -> [String] { text.lines(of: .records(records, WatchedPlayer())) }
    #expect(lines(state("Playing", waits: "noOutput"), track(nil)) == ["waiting for a sound device", "a b.flac"])
    #expect(lines(track("One", "Somebody")) == ["One — Somebody"])
    #expect(lines(track("One", "Somebody", duration: 5), state("Playing")) == ["playing"])
    #expect(lines(record(.buffering(percent: 3)), record(.stalled)) == [])
    #expect(lines(state("Playing", waits: "toMinimizeStalls"), state("Playing")) == ["buffering", "playing"])
    #expect(lines(record(.ended), track("Two")) == ["Two"])
    #expect(lines(state("Paused"), state("Stopped")) == ["paused", "stopped"])
    #expect(lines(state("Playing"), record(.ended), state("Stopped")) == ["playing", "stopped at the end"])
    #expect(text.lines(of: .gone) == ["the player has quit"])
    #expect(lines(state("Stopped"), track("Two")) == ["stopped", "Two"])
  }

  @Test("A wait for a track that opens is a line on a plain terminal only when it is long")
  func waits() {
    var text = WatchText(withholdsLoading: true)
    func lines(_ records: WatchRecord...) -> [String] { text.lines(of: .records(records, WatchedPlayer())) }
    #expect(lines(state("Playing"), track("One")) == ["playing", "One"])
    #expect(lines(track("Two"), state("Playing", waits: "evaluatingBufferingRate")) == ["Two"] && text.isWaiting)
    #expect(lines(state("Playing")) == [] && !text.isWaiting && text.overdue() == nil)
    #expect(lines(state("Playing", waits: "noItemToPlay")) == [] && text.overdue() == "opening" && !text.isWaiting)
    #expect(lines(state("Playing", waits: "toMinimizeStalls"), state("Playing")) == ["buffering", "playing"])
    #expect(lines(state("Playing", waits: "evaluatingBufferingRate"), state("Paused")) == ["paused"])
  }

  @Test("Events and settings have the words of the commands")
  func words() {
    var player = WatchedPlayer()
    player.control = ["QueueCount": .uint32(2)]
    player.extras = [
      "AudioOutputs": [ExtrasSnapshot.AudioOutput(id: "alsa.1", name: "Speakers", isDefault: true)].dbusValue
    ]
    let cases: [(WatchRecord, String)] = [
      (record(.seeked(from: 0), position: 61_000_000), "position 1:01"),
      (record(.boundary(2_500_000)), "reached 0:02.5"),
      (record(.failed(code: "not-found", message: "not found", uri: "file:///a.mp3")), "failed: a.mp3: not found"),
      (record(.chapter(index: 1, title: "End")), "chapter 2: End"), (record(.mute(false)), "unmuted"),
      (record(.queue), "2 tracks in the queue"), (record(.output("alsa.1")), "output: Speakers"),
      (record(.output("other")), "output: other"), (record(.output("")), "output: the configured device"),
      (record(.sleepTimer(remaining: nil, afterTrack: false)), "the sleep timer is off"),
      (record(.stopAfter(1)), "stops after this track"), (record(.stopAfter(0)), "stop-after is off"),
      (record(.repeatAB(1_000_000...2_500_000)), "repeats 0:01 to 0:02.5"),
      (record(.repeatAB(nil)), "repeat-ab is off"),
      (record(.crossfade(6_000_000, onSkip: 0)), "crossfade 6 s"), (record(.crossfade(0, onSkip: 0)), "crossfade off"),
      (record(.consume(true)), "consume on"), (record(.consume(false)), "consume off"),
      (record(.pausedFor("Firefox")), "paused for Firefox"),
      (record(.book("file:///b/Moby%20Dick")), "book: Moby Dick"), (record(.book(nil)), "no book"),
    ]
    for (record, line) in cases {
      var text = WatchText()
      #expect(text.lines(of: .records([record], player)) == [line])
    }
    player.control = [:]
    var text = WatchText()
    #expect(text.lines(of: .records([record(.queue)], player)) == ["the queue is empty"])
  }

  // MARK: Keys

  private func player(_ count: UInt32) -> WatchedPlayer {
    var player = WatchedPlayer()
    player.mpris = [
      "PlaybackStatus": .string("Paused"),
      "Metadata": .dictionary([("mpris:trackid", .objectPath("/a")), ("xesam:title", .string("One"))]),
    ]
    player.monitor = [
      "Track": .objectPath("/a"), "TimeControlStatus": .string("paused"), "Duration": .int64(200_000_000),
      "PositionAnchor": .structure([.int64(5_000_000), .int64(0), .double(0)]),
    ]
    player.control = ["QueueCount": .uint32(count), "QueueIndex": .int32(0)]
    return player
  }

  private func queue(_ titles: [String]) -> QueuePage {
    QueuePage(
      revision: 1, total: Int64(titles.count),
      rows: titles.enumerated().map { index, title in
        var track = QueuedTrack()
        (track.index, track.title, track.isCurrent) = (Int64(index), title, index == 0)
        return track
      })
  }

  @Test("The selected track of the queue is a line when it is read, once")
  func selection() {
    var (screen, plain) = (PlayerScreen(), PlainScreen())
    screen.player = player(2)
    _ = screen.press(.down, at: 0)
    #expect(plain.lines(of: &screen) == [])
    _ = screen.show(part: queue(["One", "Two"]))
    #expect(plain.lines(of: &screen) == ["2: Two"] && plain.lines(of: &screen) == [])
    _ = screen.press(.up, at: 0)
    #expect(plain.lines(of: &screen) == ["1: One, current"])
    _ = screen.press(.escape, at: 0)
    #expect(plain.lines(of: &screen) == [])
    _ = screen.press(.tab, at: 0)
    #expect(plain.lines(of: &screen) == ["1: One, current"])
  }

  @Test("A search prints the found track after each key")
  func search() {
    var (screen, plain) = (PlayerScreen(), PlainScreen())
    screen.player = player(3)
    _ = screen.press(.character("/"), at: 0)
    #expect(plain.lines(of: &screen).first?.hasPrefix("find: ") == true)
    _ = screen.show(queue(["One", "Two", "Twenty"]))
    #expect(plain.lines(of: &screen) == [])
    var answers: [[String]] = []
    for key in [ScreenKey.character("t"), .character("w"), .down, .character("x"), .backspace] {
      #expect(!screen.isTimeKey(key))
      _ = screen.press(key, at: 0)
      answers.append(plain.lines(of: &screen))
    }
    #expect(
      answers == [
        ["t: 1 of 2, Two"], ["tw: 1 of 2, Two"], ["tw: 2 of 2, Twenty"], ["twx: no track has it"], ["tw: 1 of 2, Two"],
      ])
    _ = screen.press(.escape, at: 0)
    #expect(plain.lines(of: &screen) == [] && screen.isTimeKey(.character("t")))
  }

  @Test("The time is printed on request, and messages and the list of keys once")
  func answers() {
    var (screen, plain) = (PlayerScreen(), PlainScreen())
    #expect(PlainScreen.time(screen, at: 0) == "waiting for mpris-playerd")
    screen.player = player(2)
    #expect(PlainScreen.time(screen, at: 0) == "One, 0:05 of 3:20, paused, track 1 of 2")
    _ = screen.press(.character("x"), at: 0)
    #expect(plain.lines(of: &screen) == ["no key “x”; ? lists the keys"] && plain.lines(of: &screen) == [])
    for _ in 1...2 {
      _ = screen.press(.character("?"), at: 0)
      let help = plain.lines(of: &screen)
      #expect(help.count == ScreenKeys.help.count + 1 && help.first == "t: the track, the time and the state")
      #expect(help.contains("Left or Right: seek 5 seconds") && !help.contains { $0.contains(#/[←→↑↓]/#) })
      #expect(plain.lines(of: &screen) == [])
    }
  }

  @Test("The lines of the lyrics are printed while they are on")
  func lyrics() {
    var (screen, plain) = (PlayerScreen(), PlainScreen())
    _ = screen.press(.character("l"), at: 0)
    #expect(plain.lines(of: &screen) == ["lyrics on"])
    let lines = [MonitoredLyricsLine(start: 0, text: "La"), MonitoredLyricsLine(start: 5, text: "Li")]
    for (index, line) in [(nil, []), (0, ["La"]), (0, []), (1, ["Li"])] as [(Int?, [String])] {
      screen.lyrics = LyricsSheet(lines: lines, index: index)
      #expect(plain.lines(of: &screen) == line)
    }
    screen.lyrics = LyricsSheet()
    #expect(plain.lines(of: &screen) == ["no lyrics with times"])
    _ = screen.press(.character("l"), at: 0)
    #expect(plain.lines(of: &screen) == ["lyrics off"] && plain.lines(of: &screen) == [])
  }

  @Test("An edit by a key has one answer: its message, not the change of the queue")
  func edits() {
    var plain = PlainScreen()
    func update(_ count: UInt32) -> WatchFeed.Update { .records([record(.queue), track("Two")], player(count)) }
    // Both edits are reported after their keys.
    plain.expect(.undo)
    plain.expect(nil)
    plain.expect(.undo)
    #expect(plain.lines(of: update(2)) == ["Two"])
    #expect(plain.lines(of: update(2)) == [] && plain.lines(of: update(4)) == [])
    #expect(plain.lines(of: update(3)) == ["3 tracks in the queue"])
    plain.expect(.undo)
    plain.expect(.next)
    #expect(plain.lines(of: update(2)) == ["2 tracks in the queue"])
  }
}
