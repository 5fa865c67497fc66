import MPRISService
import Playback
import PlayerdInterfaces
import Testing

@testable import DBus
@testable import PlayerdService

@Suite("Reports for hooks and notifications") struct PlaybackReportTests {
  private func state(
    _ status: Player.Transport, _ number: UInt64? = 1, _ title: String = "A", whole: Bool = true, audible: Bool = true,
    isBetweenSongs: Bool = false, at seconds: Int = 0
  ) -> ReportRules.State {
    .init(
      status: status, track: number.map { MPRISTrackID($0, in: PlayerdName.tracks) }, title: title, isWhole: whole,
      isAudible: audible, isBetweenSongs: isBetweenSongs, position: .seconds(seconds))
  }

  @Test("A track is reported once, when it plays and its metadata is known; another title of a station again")
  func tracks() {
    var rules = ReportRules()
    #expect(rules.kind(for: state(.paused), at: 7) == nil)
    #expect(rules.kind(for: state(.playing, whole: false), at: 7) == nil)
    #expect(rules.kind(for: state(.playing), at: 7) == .track)
    #expect(rules.kind(for: state(.playing), at: 7) == nil)
    #expect(rules.kind(for: state(.paused), at: 7) == nil)
    #expect(rules.kind(for: state(.playing), at: 7) == nil)
    #expect(rules.kind(for: state(.playing, 1, "B"), at: 7) == .track)
    #expect(rules.kind(for: state(.playing, 2, "B"), at: 7) == .track)
    #expect(rules.kind(for: state(.playing, nil), at: 7) == nil)
  }

  @Test("A station's song is reported once, whatever the station names between two songs")
  func songs() {
    var rules = ReportRules()
    let between = { self.state(.playing, 1, "Radio", isBetweenSongs: true) }
    #expect(rules.kind(for: between(), at: 7) == .track)
    #expect(rules.kind(for: state(.playing, 1, "A"), at: 8) == .track)
    #expect(rules.kind(for: between(), at: 9) == nil)
    #expect(rules.kind(for: state(.playing, 1, "A"), at: 10) == nil)
    #expect(rules.kind(for: state(.playing, 1, "A", audible: false), at: 11) == nil, "it reconnects")
    #expect(rules.kind(for: between(), at: 12) == nil)
    #expect(rules.kind(for: state(.playing, 1, "B"), at: 13) == .track)
    #expect(rules.kind(for: state(.playing, 2, "Radio", isBetweenSongs: true), at: 14) == .track)
  }

  @Test("The songs that are audible again after a seek back are not reported again, and the next one is")
  func seekBack() {
    var rules = ReportRules()
    #expect(rules.kind(for: state(.playing, 1, "A", at: 10), at: 7) == .track)
    #expect(rules.kind(for: state(.playing, 1, "B", at: 100), at: 7) == .track)
    for (title, position) in [("A", 60), ("B", 99), ("B", 101), ("A", 20), ("B", 100), ("B", 150)] {
      #expect(rules.kind(for: state(.playing, 1, title, at: position), at: 7) == nil)
    }
    #expect(rules.kind(for: state(.playing, 1, "C", at: 200), at: 7) == .track)
    #expect(rules.kind(for: state(.playing, 2, "A", at: 0), at: 7) == .track)
  }

  @Test("The start of a track is when it became audible, and so is the start of a station's next song")
  func starts() {
    var rules = ReportRules()
    #expect(rules.kind(for: state(.playing, whole: false, audible: false), at: 1) == nil)
    #expect(rules.kind(for: state(.playing, 1, "file.mp3", whole: false), at: 2) == nil)
    #expect(rules.kind(for: state(.playing), at: 5) == .track)
    #expect(rules.started == 2)
    #expect(rules.kind(for: state(.paused), at: 6) == nil)
    #expect(rules.kind(for: state(.playing, 1, "B"), at: 8) == .track)
    #expect(rules.started == 8)
    #expect(rules.kind(for: state(.stopped), at: 9) == .stop)
    #expect(rules.started == 8)
    #expect(rules.kind(for: state(.playing, audible: false), at: 10) == .track)
    #expect(rules.started == 10, "a track that is reported before it is audible begins then")
    #expect(rules.kind(for: state(.playing, 2, whole: false), at: 20) == nil)
    #expect(rules.kind(for: state(.playing, 2), at: 21) == .track)
    #expect(rules.started == 20)
    #expect(rules.kind(for: state(.stopped), at: 22) == .stop)
    #expect(rules.kind(for: state(.paused), at: 23) == nil)
    #expect(rules.kind(for: state(.stopped), at: 24) == .stop)
    #expect(rules.started == nil, "no track was reported")
  }

  @Test("A stop is reported once, and the track again after it")
  func stops() {
    var rules = ReportRules()
    #expect(rules.kind(for: state(.stopped), at: 7) == nil)
    #expect(rules.kind(for: state(.playing), at: 7) == .track)
    #expect(rules.kind(for: state(.stopped), at: 7) == .stop)
    #expect(rules.kind(for: state(.stopped), at: 7) == nil)
    #expect(rules.kind(for: state(.playing), at: 7) == .track)
    #expect(rules.kind(for: state(.paused), at: 7) == nil)
    #expect(rules.kind(for: state(.stopped), at: 7) == .stop)
  }

  @Test("The end of the player is a stop, unless playback has stopped before or no track was reported")
  func end() {
    for (states, isStop) in [
      ([], false), ([state(.paused)], false), ([state(.playing)], true), ([state(.playing), state(.paused)], true),
      ([state(.playing), state(.stopped)], false), ([state(.playing, whole: false)], false),
    ] {
      var rules = ReportRules()
      for state in states { _ = rules.kind(for: state, at: 7) }
      let reported = rules.close()
      #expect(reported == isStop, "\(states.map(\.status))")
      // The player is stopped then, which is not reported as another stop.
      let later = [rules.kind(for: state(.playing, 7), at: 7), rules.kind(for: state(.stopped), at: 7)]
      let isStopAgain = rules.close()
      #expect(later == [nil, nil] && !isStopAgain)
    }
  }

  private var fields: MPRISMetadata.Fields {
    var fields = MPRISMetadata.Fields(trackID: MPRISTrackID(1, in: PlayerdName.tracks), title: "A & <B>")
    (fields.artists, fields.album, fields.artURL) = (["C & D", "E"], "F", "file:///cover.png")
    (fields.url, fields.length) = ("file:///a.flac", .seconds(90))
    return fields
  }

  @Test("The variables of a command have the track, the times and the error")
  func variables() {
    let report = PlaybackReport(kind: .track, track: fields, position: .milliseconds(1500), started: 1_700_000_000)
    #expect(
      report.variables == [
        "PLAYERD_EVENT": "track", "PLAYERD_TRACK": "/org/playerd/track/1", "PLAYERD_URI": "file:///a.flac",
        "PLAYERD_TITLE": "A & <B>", "PLAYERD_ARTIST": "C & D, E", "PLAYERD_ALBUM": "F",
        "PLAYERD_COVER": "file:///cover.png", "PLAYERD_POSITION": "1.5", "PLAYERD_DURATION": "90",
        "PLAYERD_STARTED": "1700000000", "PLAYERD_ERROR": "", "PLAYERD_ERROR_CODE": "",
      ])
    let error = PlayerError(code: .notFound, message: "not found")
    let failed = PlaybackReport(kind: .error(error), track: fields).variables
    #expect(failed["PLAYERD_EVENT"] == "error" && failed["PLAYERD_ERROR"] == "not found")
    #expect(failed["PLAYERD_ERROR_CODE"] == "not-found" && failed["PLAYERD_POSITION"] == "0")
    #expect(failed["PLAYERD_STARTED"] == "")
    let stopped = PlaybackReport(kind: .stop).variables
    #expect(stopped["PLAYERD_EVENT"] == "stop" && stopped["PLAYERD_TITLE"] == "" && stopped["PLAYERD_DURATION"] == "")
  }

  @Test("A notification has markup and buttons only for a server that supports them")
  func notification() {
    let notification = Notification(fields)
    let plain = notification.arguments(replacing: 0, ["body"])
    #expect(plain[1] == .uint32(0) && plain[3] == .string("A & <B>") && plain[4] == .string("C & D, E\nF"))
    #expect(plain[5] == .strings([]) && plain[6].asDictionary?["image-path"] == .string("file:///cover.png"))
    let rich = notification.arguments(replacing: 7, ["body-markup", "actions"])
    #expect(rich[1] == .uint32(7) && rich[3] == .string("A & <B>") && rich[4] == .string("C &amp; D, E\nF"))
    #expect(rich[5] == .strings(["pause", "Pause", "next", "Next"]))
    #expect(DBusSignature(of: rich).rawValue == "susssasa{sv}i")
  }

  @Test(
    "A notification has one line for each text, without characters that control it, and at most 100 characters",
    arguments: [
      ("A\r\nB\tC\u{1b}[31m", "A B C [31m"), ("  A  ", "A"), ("\u{202e}evil\u{202c} \u{2066}A\u{2069}", "evil A"),
      ("\u{5e9}\u{5dc}\u{5d5}\u{5dd}", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}"),
      (String(repeating: "a", count: 100), String(repeating: "a", count: 100)),
      (String(repeating: "a", count: 101), String(repeating: "a", count: 100) + "…"),
      // A family and a flag are one character each.
      (String(repeating: "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}", count: 99), nil),
      (String(repeating: "\u{1f1e9}\u{1f1ea}", count: 101), String(repeating: "\u{1f1e9}\u{1f1ea}", count: 100) + "…"),
      ("a" + String(repeating: "\u{301}", count: 100_000) + "b", "b"), ("e\u{301}", nil),
      ("\u{1}\u{7f}\u{85}\r\n", "tone.flac"), ("\u{200b}\u{202e}\u{ad}", "tone.flac"), ("", "tone.flac"),
    ] as [(String, String?)])
  func lines(text: String, line: String?) {
    var fields = MPRISMetadata.Fields(trackID: MPRISTrackID(1, in: PlayerdName.tracks), title: text)
    (fields.url, fields.album, fields.artists) = ("file:///music/tone.flac", text, [text])
    let shown = Notification(fields)
    #expect(shown.title == (line ?? text))
    let isTitle = shown.title != "tone.flac"
    #expect(shown.album == (isTitle ? shown.title : "") && shown.artist == shown.album)
    fields.url = nil
    #expect(Notification(fields).title == (isTitle ? shown.title : "Unknown title"))
  }

  @Test("A title of a megabyte is cut")
  func longTitle() {
    let title = String(repeating: "word ", count: 1 << 18)
    let shown = Notification(MPRISMetadata.Fields(trackID: MPRISTrackID(1, in: PlayerdName.tracks), title: title))
    #expect(shown.title == String(repeating: "word ", count: 20).dropLast() + " …")
  }
}
