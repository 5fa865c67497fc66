import MPRISService
import PlayerdInterfaces
import TestSupport
import Testing

@testable import DBus
@testable import PlayerdClient
@testable import PlayerdSystem

/// Table tests of the records that `watch` derives from the daemon's signals, without a bus.
@Suite struct WatchModelTests {
  private let one = ObjectPath("/org/playerd/track/1")
  private let two = ObjectPath("/org/playerd/track/2")

  private func metadata(_ track: ObjectPath, _ title: String) -> DBusValue {
    .dictionary([("mpris:trackid", .objectPath(track)), ("xesam:title", .string(title))])
  }

  private func anchor(_ position: Int64, _ instant: Int64, _ rate: Double) -> DBusValue {
    .structure([.int64(position), .int64(instant), .double(rate)])
  }

  private func signal(_ interface: InterfaceName, _ member: MemberName, _ arguments: DBusValue...) -> DBusSignalMessage
  {
    DBusSignalMessage(sender: ":1.1", path: "/", interface: interface, member: member, arguments: arguments)
  }

  private func changed(_ interface: InterfaceName, _ values: (String, DBusValue)...) -> DBusSignalMessage {
    signal(.properties, "PropertiesChanged", .string(interface.rawValue), .dictionary(values), .strings([]))
  }

  /// Returns a model in which the first track, of ten seconds, plays since 100 s.
  private func playing() -> WatchModel {
    var player = WatchedPlayer()
    player.mpris = ["PlaybackStatus": .string("Playing"), "Metadata": metadata(one, "One")]
    player.monitor = [
      "Track": .objectPath(one), "TimeControlStatus": .string("playing"), "ReasonForWaitingToPlay": .string(""),
      "Duration": .int64(10_000_000),
      "PositionAnchor": anchor(0, 100_000_000, 1), "BufferingPercent": .uint32(100),
    ]
    var model = WatchModel(player)
    _ = model.begin(at: 100_000_000)
    return model
  }

  /// Returns the lines about records, as the first ones of a player.
  private func lines(_ records: [WatchRecord]) -> [String] {
    var text = WatchText()
    return text.lines(of: .records(records, WatchedPlayer()))
  }

  @Test("The first records are the state and the track")
  func firstRecords() {
    var model = WatchModel(playing().player)
    let records = model.begin(at: 103_000_000)
    #expect(records.map(\.name) == ["state", "track"])
    #expect(records.allSatisfy { $0.trackID == one.rawValue && $0.position == 3_000_000 })
    var nothing = WatchModel(WatchedPlayer())
    let first = nothing.begin(at: 5)
    #expect(first.map(\.name) == ["state"] && first.first?.position == nil && first.first?.trackID == nil)
  }

  @Test("A state is recorded after both objects have signalled their part")
  func completeState() {
    var model = playing()
    let half = model.take(
      changed(
        MonitorInterface.name, ("TimeControlStatus", .string("paused")),
        ("PositionAnchor", anchor(4_000_000, 104_000_000, 0))),
      at: 104_000_000)
    #expect(half.isEmpty)
    let whole = model.take(changed(PlayerInterface.name, ("PlaybackStatus", .string("Paused"))), at: 104_000_100)
    #expect(whole.map(\.event) == [.state(status: "Paused", timeControlStatus: "paused", reason: "")])
    #expect(whole.first?.position == 4_000_000)
    #expect(model.take(changed(PlayerInterface.name, ("Volume", .double(1))), at: 105_000_000).isEmpty)
  }

  @Test("A duration that becomes known or changes is a record of the track, once, whichever object signals it first")
  func duration() {
    for isMonitorFirst in [true, false] {
      var player = playing().player
      player.monitor["Duration"] = .int64(-1)
      var model = WatchModel(player)
      let first = model.begin(at: 100_000_000)
      #expect(first.last.map { durations([$0]) } == [nil])
      var metadata = self.metadata(one, "One").asDictionary ?? [:]
      metadata["mpris:length"] = .int64(60_000_000)
      let length = changed(PlayerInterface.name, ("Metadata", .dictionary(metadata.map { ($0, $1) })))
      let duration = changed(MonitorInterface.name, ("Duration", .int64(60_000_000)))
      let records = (isMonitorFirst ? [duration, length] : [length, duration]).map {
        model.take($0, at: 101_000_000)
      }
      #expect(durations(records.joined()) == (isMonitorFirst ? [60_000_000, 60_000_000] : [60_000_000]))
      let longer = model.take(changed(MonitorInterface.name, ("Duration", .int64(61_000_000))), at: 102_000_000)
      #expect(durations(longer) == [61_000_000])
      #expect(model.take(changed(MonitorInterface.name, ("Duration", .int64(61_000_000))), at: 103_000_000).isEmpty)
    }
  }

  /// Returns the durations in the records of tracks.
  private func durations(_ records: some Sequence<WatchRecord>) -> [Int64?] {
    records.compactMap { if case .track(_, _, _, _, let duration) = $0.event { duration } else { nil } }
  }

  @Test("Changes of volume, mute, shuffle, loop and speed are records, and their first values are not")
  func settings() {
    var model = playing()
    #expect(
      model.take(
        changed(
          PlayerInterface.name, ("Volume", .double(1)), ("Shuffle", .boolean(false)), ("LoopStatus", .string("None")),
          ("Rate", .double(1))), at: 101_000_000
      ).isEmpty)
    let changes: [(DBusSignalMessage, WatchRecord.Event, String)] = [
      (changed(PlayerInterface.name, ("Volume", .double(0.5))), .volume(0.5), "volume 50 %"),
      (changed(MonitorInterface.name, ("IsMuted", .boolean(true))), .mute(true), "muted"),
      (changed(PlayerInterface.name, ("Shuffle", .boolean(true))), .shuffle("tracks"), "shuffle on"),
      (changed(PlayerInterface.name, ("LoopStatus", .string("Track"))), .loop("Track"), "loop track"),
      (changed(PlayerInterface.name, ("Rate", .double(1.25))), .speed(1.25), "speed 1.25"),
    ]
    for (signal, event, text) in changes {
      let records = model.take(signal, at: 101_000_000)
      #expect(records.map(\.event) == [event] && lines(records) == [text])
      #expect(model.take(signal, at: 101_000_000).isEmpty)
    }
    let all = changed(
      PlayerInterface.name, ("Volume", .double(1)), ("Shuffle", .boolean(false)), ("LoopStatus", .string("None")),
      ("Rate", .double(.nan)))
    #expect(model.take(all, at: 102_000_000).map(\.name) == ["volume", "shuffle", "loop", "speed"])
  }

  @Test("A random order of tracks or albums is one record, although MPRIS reports it too")
  func shuffleMode() {
    var player = playing().player
    player.mpris["Shuffle"] = .boolean(false)
    player.control = ["ShuffleMode": .string("off")]
    var model = WatchModel(player)
    _ = model.begin(at: 100_000_000)
    for (isShuffled, mode, text) in [
      (true, "albums", "shuffle albums"), (true, "tracks", "shuffle on"), (false, "off", "shuffle off"),
    ] {
      let signals = [
        changed(PlayerInterface.name, ("Shuffle", .boolean(isShuffled))),
        changed(ControlInterface.name, ("ShuffleMode", .string(mode))),
      ]
      let records = signals.flatMap { model.take($0, at: 101_000_000) }
      #expect(records.map(\.event) == [.shuffle(mode)] && lines(records) == [text])
      #expect(records.first?.json.contains("\"shuffle\":\(isShuffled)") == true)
    }
  }

  @Test("A change of the queue is recorded by its revision; the track's index follows without a record")
  func queue() {
    var player = playing().player
    player.control = ["QueueIndex": .int32(2), "QueueCount": .uint32(12), "QueueRevision": .uint64(4)]
    var model = WatchModel(player)
    _ = model.begin(at: 100_000_000)
    #expect(model.player.placeText == "track 3 of 12")
    let added = changed(ControlInterface.name, ("QueueCount", .uint32(13)), ("QueueRevision", .uint64(5)))
    #expect(model.take(added, at: 101_000_000).map(\.event) == [.queue])
    #expect(model.player.placeText == "track 3 of 13")
    #expect(model.take(changed(ControlInterface.name, ("QueueIndex", .int32(3))), at: 102_000_000).isEmpty)
    #expect(model.player.placeText == "track 4 of 13")
    _ = model.take(changed(ControlInterface.name, ("QueueIndex", .int32(-1))), at: 103_000_000)
    #expect(model.player.placeText == nil)
  }

  @Test("A stall is recorded from Monitor1 alone")
  func stall() {
    var model = playing()
    let records = model.take(
      changed(
        MonitorInterface.name, ("TimeControlStatus", .string("waitingToPlay")),
        ("ReasonForWaitingToPlay", .string("toMinimizeStalls")), ("BufferingPercent", .uint32(7))),
      at: 101_000_000)
    #expect(records.map(\.name) == ["state", "buffering"])
    #expect(records.last?.event == .buffering(percent: 7))
  }

  @Test("The record of a track has the time of its first sample")
  func trackTime() {
    var model = playing()
    #expect(
      model.take(
        signal(
          MonitorInterface.name, "TrackBoundary", .objectPath(one), .objectPath(two), .int64(110_000_000)),
        at: 110_001_000
      ).isEmpty)
    let state = model.take(
      changed(
        MonitorInterface.name, ("Track", .objectPath(two)), ("TimeControlStatus", .string("playing")),
        ("Duration", .int64(5_000_000)), ("PositionAnchor", anchor(0, 110_000_000, 1))),
      at: 110_002_000)
    #expect(state.isEmpty)
    let track = model.take(changed(PlayerInterface.name, ("Metadata", metadata(two, "Two"))), at: 110_150_000)
    #expect(track.map(\.monotonic) == [110_000_000])
    #expect(track.first?.position == 0 && track.first?.trackID == two.rawValue)
    guard case .track(let title, _, _, _, let duration)? = track.first?.event else { return }
    #expect(title == "Two" && duration == 5_000_000)
  }

  @Test("After a skip each record describes a single track, and times never decrease")
  func skip() {
    var model = playing()
    var records = model.take(
      changed(
        MonitorInterface.name, ("Track", .objectPath(two)), ("TimeControlStatus", .string("waitingToPlay")),
        ("ReasonForWaitingToPlay", .string("evaluatingBufferingRate")), ("Duration", .int64(-1)),
        ("PositionAnchor", anchor(0, 104_000_000, 0))),
      at: 104_000_100)
    #expect(records.map(\.name) == ["state"])
    records += model.take(
      changed(
        MonitorInterface.name, ("TimeControlStatus", .string("playing")), ("ReasonForWaitingToPlay", .string("")),
        ("Duration", .int64(5_000_000)), ("PositionAnchor", anchor(0, 104_050_000, 1))),
      at: 104_051_000)
    records += model.take(
      signal(MonitorInterface.name, "TrackBoundary", .objectPath(one), .objectPath(two), .int64(104_050_000)),
      at: 104_052_000)
    records += model.take(changed(PlayerInterface.name, ("Metadata", metadata(two, "Two"))), at: 104_250_000)
    #expect(records.map(\.name) == ["state", "state", "track"])
    #expect(records.allSatisfy { $0.trackID == two.rawValue })
    #expect(records.map(\.monotonic) == [104_000_100, 104_051_000, 104_051_000])
    #expect(records.map(\.position) == [0, 1_000, 1_000])
  }

  @Test("Metadata of a track is held until Monitor1 reports that track")
  func earlyMetadata() {
    var model = playing()
    #expect(model.take(changed(PlayerInterface.name, ("Metadata", metadata(two, "Two"))), at: 104_000_000).isEmpty)
    let records = model.take(
      changed(
        MonitorInterface.name, ("Track", .objectPath(two)), ("PositionAnchor", anchor(0, 104_000_000, 1))),
      at: 104_001_000)
    #expect(records.map(\.name) == ["track"])
    #expect(records.first?.trackID == two.rawValue && records.first?.position == 1_000)
  }

  @Test("The record of a jump has both positions")
  func jump() {
    var model = playing()
    #expect(
      model.take(
        signal(MonitorInterface.name, "TimeJumped", .objectPath(one), .int64(2_000_000), .int64(7_000_000)),
        at: 102_000_000
      ).isEmpty)
    let records = model.take(signal(PlayerInterface.name, "Seeked", .int64(7_000_000)), at: 102_000_100)
    #expect(records.map(\.event) == [.seeked(from: 2_000_000)] && records.first?.position == 7_000_000)
    let alone = model.take(signal(PlayerInterface.name, "Seeked", .int64(7_000_000)), at: 103_000_000)
    #expect(alone.map(\.event) == [.seeked(from: nil)])
  }

  @Test("Each signal of Monitor1 becomes the corresponding record")
  func records() {
    let signals: [(DBusSignalMessage, WatchRecord.Event, Int64?, Int64)] = [
      (
        signal(MonitorInterface.name, "PeriodicTime", .uint32(1), .objectPath(one), .int64(3_000_000)), .periodic,
        3_000_000, 104_000_000
      ),
      (
        signal(
          MonitorInterface.name, "BoundaryReached", .uint32(2), .objectPath(one), .int64(3_000_000),
          .int64(3_000_400), .int64(103_000_000)), .boundary(3_000_000), 3_000_400, 103_000_000
      ),
      (
        signal(MonitorInterface.name, "PlaybackStalled", .objectPath(one), .int64(9)), .stalled, 9, 104_000_000
      ),
      (
        signal(MonitorInterface.name, "ItemDidPlayToEnd", .objectPath(one)), .ended, 10_000_000, 104_000_000
      ),
      (
        signal(
          MonitorInterface.name, "ItemFailedToPlayToEnd", .objectPath(one), .string("tls"), .string("no")),
        .failed(code: "tls", message: "no", uri: nil), 4_000_000, 104_000_000
      ),
      (
        signal(MonitorInterface.name, "ChapterChanged", .objectPath(one), .int32(2), .string("Three")),
        .chapter(index: 2, title: "Three"), 4_000_000, 104_000_000
      ),
      (
        signal(MonitorInterface.name, "ChapterChanged", .objectPath(one), .int32(-1), .string("")),
        .chapter(index: nil, title: ""), 4_000_000, 104_000_000
      ),
    ]
    for (signal, event, position, instant) in signals {
      var model = playing()
      let records = model.take(signal, at: 104_000_000)
      let expected = WatchRecord(event: event, trackID: one.rawValue, position: position, monotonic: instant)
      #expect(records == [expected])
    }
  }

  @Test(
    "The line of a wait has words; its JSON has the names of the interface",
    arguments: [
      ("toMinimizeStalls", "buffering"), ("evaluatingBufferingRate", "loading"), ("noItemToPlay", "opening"),
      ("noOutput", "waiting for a sound device"), ("noConnection", "reconnecting"),
    ])
  func waitWords(reason: String, words: String) {
    let record = WatchRecord(
      event: .state(status: "Playing", timeControlStatus: "waitingToPlay", reason: reason), trackID: nil, position: nil,
      monotonic: 0)
    #expect(lines([record]) == [words] && record.json.contains(#""\#(reason)""#))
  }

  @Test("A failure gets the URI of its own track")
  func failedTrack() {
    let failed = WatchRecord(
      event: .failed(code: "not-media", message: "not media", uri: nil), trackID: one.rawValue, position: nil,
      monotonic: 0)
    var status = PlayerStatus()
    (status.lastErrorTrackID, status.lastErrorURI) = (one.rawValue, "file:///music/bad%20one.mp3")
    var (named, other, ended) = (failed, failed, failed)
    named.addURI(from: status)
    #expect(lines([named]) == ["failed: bad one.mp3: not media"])
    #expect(named.json.contains(#""uri":"file:///music/bad%20one.mp3""#))
    (other.trackID, ended.event) = (two.rawValue, .ended)
    other.addURI(from: status)
    ended.addURI(from: status)
    #expect(lines([other]) == ["failed: not media"] && ended.event == .ended)
  }

  @Test("Signals of other interfaces, unknown signals and wrong types are ignored")
  func ignoredSignals() {
    var model = playing()
    let strange = [
      signal("org.example.Other", "Seeked", .int64(1)), signal(MonitorInterface.name, "Invented", .int64(1)),
      signal(.properties, "PropertiesChanged", .int64(1)), signal(MonitorInterface.name, "TrackBoundary"),
      signal(MonitorInterface.name, "TimeJumped", .string("a")),
    ]
    for signal in strange { #expect(model.take(signal, at: 101_000_000).isEmpty) }
    #expect(model.take(signal(MonitorInterface.name, "PeriodicTime"), at: 101_000_000).map(\.position) == [nil])
  }

  @Test("Any number in a signal becomes a record without an overflow", arguments: [Int64.min, -1, .max])
  func extremes(number: Int64) {
    let value = DBusValue.int64(number)
    let signals = [
      signal(MonitorInterface.name, "ChapterChanged", .objectPath(one), value, .string("")),
      signal(MonitorInterface.name, "BoundaryReached", .uint32(1), .objectPath(two), value, value, value),
      signal(PlayerInterface.name, "Seeked", value),
    ]
    for signal in signals {
      var model = playing()
      let records = model.take(signal, at: 104_000_000)
      #expect(records.count == 1)
      for record in records {
        #expect(!lines([record]).isEmpty && !record.json.isEmpty)
        // The title of the other track is not known, so its boundary waits for a second.
        let isReady = WatchAction.isReady(record, model.player, at: 104_000_000)
        #expect(isReady == (record.trackID == one.rawValue || number < 0))
      }
    }
  }

  // MARK: Values

  @Test(
    "The position follows from the anchor",
    arguments: [
      (Int64(2_000_000), Int64(100_000_000), 1.0, Int64(103_000_000), Int64(5_000_000)),
      (2_000_000, 100_000_000, 2, 103_000_000, 8_000_000), (2_000_000, 100_000_000, 0, 103_000_000, 2_000_000),
      (2_000_000, 100_000_000, 1, 199_000_000, 10_000_000), (0, 100_000_000, 1, 90_000_000, 0),
      (5, 100, .nan, 200, 5), (5, .min, 1, .max, 5),
    ])
  func position(_ start: Int64, _ instant: Int64, _ rate: Double, _ now: Int64, _ expected: Int64) {
    var player = playing().player
    player.monitor["PositionAnchor"] = anchor(start, instant, rate)
    #expect(player.position(at: now) == expected)
  }

  @Test("JSON has seconds, and null for unknown values")
  func json() {
    let record = WatchRecord(
      event: .track(title: "A “b” \"c\"\n", artist: nil, album: nil, uri: "file:///a/b", duration: nil), trackID: nil,
      position: 1_500_000, monotonic: 12_345_678)
    #expect(
      record.json
        == #"{"album":null,"artist":null,"duration":null,"event":"track","monotonic":12.345678,"position":1.5,"#
        + #""title":"A “b” \"c\"\n","trackId":null,"uri":"file:///a/b"}"#)
    let gone = WatchRecord(event: .gone, monotonic: 2_000_000)
    #expect(gone.json == #"{"event":"gone","monotonic":2,"position":null,"trackId":null}"#)
  }

  @Test(
    "A text line contains no character that moves the cursor",
    arguments: ["a\nb", "a\u{1B}[2Jb", "a\rb", "a\u{9B}31mb", "a\u{2028}b", "a \u{202E}b"])
  func controls(title: String) {
    let record = WatchRecord(
      event: .track(title: title, artist: nil, album: nil, uri: nil, duration: nil), position: 0, monotonic: 0)
    let lines = lines([record])
    #expect(lines.count == 1 && lines[0].hasPrefix("a ") && !lines[0].unicodeScalars.contains { $0.isControl })
  }

  @Test(
    "A boundary argument is a time or a percentage",
    arguments: [
      ("50%", PlaceArgument.fraction(0.5)), ("0%", .fraction(0)), ("100%", .fraction(1)), ("12.5%", .fraction(0.125)),
      ("1:30", .time(.seconds(90))), ("90", .time(.seconds(90))),
    ])
  func places(text: String, place: PlaceArgument) { #expect(PlaceArgument(argument: text) == place) }

  @Test("Other texts are refused", arguments: ["101%", "-1%", "%", "1e1%", "nan%", "5 %", "soon", "", "0x5%"])
  func noPlaces(text: String) { #expect(PlaceArgument(argument: text) == nil) }
}
