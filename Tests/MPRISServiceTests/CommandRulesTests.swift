import DBus
import Testing

@testable import MPRISService

/// The rules as functions of a snapshot: no bus, no player.
@Suite struct CommandRulesTests {
  typealias Snapshot = PlayerSnapshot
  static let track = TrackID(7, in: .example)
  static let paused = Snapshot.example.with { $0.status = .paused }
  static let stopped = Snapshot.example.with { $0.status = .stopped }
  static let last = Snapshot.example.with { $0.canGoNext = false }
  static let empty = Snapshot(identity: "Empty")

  @Test(arguments: [(Snapshot.example, PlayerCommand?.none), (paused, .play), (stopped, .play), (empty, nil)])
  func `Play starts what does not play`(snapshot: Snapshot, command: PlayerCommand?) {
    #expect(snapshot.forPlay == command)
    #expect(snapshot.with { $0.canPlay = false }.forPlay == nil)
  }

  @Test(arguments: [(Snapshot.example, PlayerCommand.pause), (paused, nil), (stopped, nil), (empty, nil)])
  func `Pause holds what plays`(snapshot: Snapshot, command: PlayerCommand?) {
    #expect(snapshot.forPause == command)
    #expect(snapshot.with { $0.canPause = false }.forPause == nil)
  }

  @Test(arguments: [Snapshot.example, paused, stopped])
  func `PlayPause needs something that can be paused`(snapshot: Snapshot) {
    #expect(snapshot.forPlayPause == .playPause)
    #expect(snapshot.with { $0.canPause = false }.forPlayPause == nil)
    #expect(Self.empty.forPlayPause == nil)
  }

  @Test func `Stop ends what plays or is paused`() {
    #expect(Snapshot.example.forStop == .stop)
    #expect(Self.paused.forStop == .stop)
    #expect(Self.stopped.forStop == nil)
  }

  @Test func `Next and Previous need a track to go to`() {
    #expect(Snapshot.example.forNext == .next)
    #expect(Snapshot.example.forPrevious == .previous)
    #expect(Self.last.forNext == nil)
    #expect(Snapshot.example.with { $0.canGoPrevious = false }.forPrevious == nil)
  }

  @Test(
    arguments: [
      (Snapshot.example, 5_000_000, PlayerCommand.setPosition(track, .seconds(65))),
      (.example, -5_000_000, .setPosition(track, .seconds(55))),
      (.example, 120_000_000, .setPosition(track, .seconds(180))),
      (.example, 120_000_001, .next),
      (.example, -60_000_000, .setPosition(track, .zero)),
      (.example, -60_000_001, .setPosition(track, .zero)),
      (.example, .min, .setPosition(track, .zero)),
      (.example, .max, .next),
      (last, .max, .stop),
      (last.with { $0.status = .paused }, .max, .stop),
      (last.with { $0.status = .stopped }, .max, nil),
      (
        .example.with { $0.metadata = .example(number: 7, length: nil) }, .max,
        .setPosition(track, .seconds(60) + .microseconds(Int64.max))
      ),
      (.example.with { $0.canSeek = false }, 1, nil),
      (.example.with { $0.canSeek = false }, .max, nil),
      (empty.with { $0.canSeek = true }, 1, nil),
    ] as [(Snapshot, Int64, PlayerCommand?)])
  func `Seek stays within the track or leaves it at its end`(snapshot: Snapshot, offset: Int64, command: PlayerCommand?)
  {
    #expect(snapshot.forSeek(by: .microseconds(offset)) == command)
  }

  @Test(
    arguments: [
      (Snapshot.example, track.path, 0, PlayerCommand.setPosition(track, .zero)),
      (.example, track.path, 180_000_000, .setPosition(track, .seconds(180))),
      (.example, track.path, 180_000_001, nil),
      (.example, track.path, -1, nil),
      (.example, track.path, .min, nil),
      (.example, track.path, .max, nil),
      (.example, TrackID(6, in: .example).path, 1, nil),
      (.example, TrackID.noTrack.path, 1, nil),
      (.example, "/somebody/else", 1, nil),
      (
        .example.with { $0.metadata = .example(number: 7, length: nil) }, track.path, .max,
        .setPosition(track, .microseconds(Int64.max))
      ),
      (.example.with { $0.canSeek = false }, track.path, 1, nil),
      (empty.with { $0.canSeek = true }, TrackID.noTrack.path, 1, nil),
    ] as [(Snapshot, ObjectPath, Int64, PlayerCommand?)])
  func `SetPosition reaches only into the current track`(
    snapshot: Snapshot, path: ObjectPath, position: Int64, command: PlayerCommand?
  ) {
    #expect(snapshot.forSetPosition(of: path, to: .microseconds(position)) == command)
  }

  @Test(
    arguments: [
      (0.25, PlayerCommand.setRate(0.25)), (4, .setRate(4)), (1, nil), (0, .pause), (-0.0, .pause),
    ] as [(Double, PlayerCommand?)])
  func `Rate is set within its bounds, and 0 is a pause`(rate: Double, command: PlayerCommand?) throws {
    #expect(try Snapshot.example.forRate(rate) == command)
  }

  @Test(arguments: [0.249, 4.001, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude])
  func `A rate out of bounds is refused`(rate: Double) {
    expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forRate(rate) }
  }

  @Test(
    arguments: [
      (0.5, PlayerCommand.setVolume(0.5)), (1, nil), (1.5, .setVolume(1.25)), (1e300, .setVolume(1.25)),
      (-0.1, .setVolume(0)), (0, .setVolume(0)), (-0.0, .setVolume(0)),
    ] as [(Double, PlayerCommand?)])
  func `Volume is brought within its bounds`(volume: Double, command: PlayerCommand?) throws {
    let actual = try Snapshot.example.with { $0.maximumVolume = 1.25 }.forVolume(volume)
    #expect(actual == command)
    if case .setVolume(let volume) = actual { #expect(volume.sign == .plus) }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `A volume that is no finite number is refused`(volume: Double) {
    expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forVolume(volume) }
  }

  @Test func `LoopStatus is one of three words`() throws {
    #expect(try Snapshot.example.forLoopStatus("Track") == .setLoop(.track))
    #expect(try Snapshot.example.forLoopStatus("Playlist") == .setLoop(.playlist))
    #expect(try Snapshot.example.forLoopStatus("None") == nil)
    for word in ["", "none", "Track ", "Tracks", String(repeating: "x", count: 1 << 20)] {
      expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forLoopStatus(word) }
    }
  }

  @Test func `Shuffle is set when it is different`() {
    #expect(Snapshot.example.forShuffle(true) == .setShuffle(true))
    #expect(Snapshot.example.forShuffle(false) == nil)
  }

  @Test(arguments: [
    "file:///music/a.flac", "https://radio.example/stream?x=1", "FILE:///A", "mms+x-1.0:station", "file:///Müsli.ogg",
    "x:y", "/music/a.flac", "/My Music/a b.flac",
  ])
  func `A URI is opened as it is, and so is an absolute path`(uri: String) throws {
    #expect(try Snapshot.example.forOpen(uri) == .open(uri))
  }

  @Test(arguments: [
    "", ":", "file", "file:", "music/a.flac", "not a uri", "://x", "1a:b", "-:b", "fi le:///a", "file:///a b",
    "file:///a\nb", "f\u{0}:x", "é:x", "file:///" + String(repeating: "a", count: 1 << 20),
  ])
  func `What is no URI is refused`(text: String) {
    expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forOpen(text) }
  }

  /// The refusal must be short enough to be read, however long what is refused.
  private func expectInvalid(_ rule: () throws(DBusError) -> Void) {
    do {
      try rule()
      Issue.record("accepted")
    } catch {
      #expect(error.name == "org.freedesktop.DBus.Error.InvalidArgs")
      #expect(error.message.utf8.count < 300)
    }
  }
}
