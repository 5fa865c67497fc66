import DBus
import Testing

@testable import MPRISService

/// Tests of the rules as functions of a snapshot, without a bus or a player.
@Suite struct CommandRulesTests {
  typealias Snapshot = MPRISSnapshot
  static let track = MPRISTrackID(7, in: .example)
  static let paused = Snapshot.example.with { $0.status = .paused }
  static let stopped = Snapshot.example.with { $0.status = .stopped }
  static let last = Snapshot.example.with { $0.canGoNext = false }
  static let empty = Snapshot(identity: "Empty")

  @Test(
    "Play starts a paused or stopped player",
    arguments: [(Snapshot.example, MPRISCommand?.none), (paused, .play), (stopped, .play), (empty, nil)])
  func play(snapshot: Snapshot, command: MPRISCommand?) {
    #expect(snapshot.forPlay == command)
    #expect(snapshot.with { $0.canPlay = false }.forPlay == nil)
  }

  @Test(
    "Pause reaches a playing player, and a paused one, which may be about to play by itself",
    arguments: [(Snapshot.example, MPRISCommand.pause), (paused, .pause), (stopped, nil), (empty, nil)])
  func pause(snapshot: Snapshot, command: MPRISCommand?) {
    #expect(snapshot.forPause == command)
    #expect(snapshot.with { $0.canPause = false }.forPause == nil)
  }

  @Test("PlayPause requires CanPause", arguments: [Snapshot.example, paused, stopped])
  func playPause(snapshot: Snapshot) {
    #expect(snapshot.forPlayPause == .playPause)
    #expect(snapshot.with { $0.canPause = false }.forPlayPause == nil)
    #expect(Self.empty.forPlayPause == nil)
  }

  @Test("Stop stops a playing or paused player")
  func stop() {
    #expect(Snapshot.example.forStop == .stop)
    #expect(Self.paused.forStop == .stop)
    #expect(Self.stopped.forStop == nil)
  }

  @Test("Next and Previous require a track to go to")
  func nextAndPrevious() {
    #expect(Snapshot.example.forNext == .next)
    #expect(Snapshot.example.forPrevious == .previous)
    #expect(Self.last.forNext == nil)
    #expect(Snapshot.example.with { $0.canGoPrevious = false }.forPrevious == nil)
  }

  @Test(
    "Seek stays within the track or ends it",
    arguments: [
      (Snapshot.example, 5_000_000, MPRISCommand.setPosition(of: track, to: .seconds(65))),
      (.example, -5_000_000, .setPosition(of: track, to: .seconds(55))),
      (.example, 120_000_000, .setPosition(of: track, to: .seconds(180))),
      (.example, 120_000_001, .next),
      (.example, -60_000_000, .setPosition(of: track, to: .zero)),
      (.example, -60_000_001, .setPosition(of: track, to: .zero)),
      (.example, .min, .setPosition(of: track, to: .zero)),
      (.example, .max, .next),
      (last, .max, .stop),
      (last.with { $0.status = .paused }, .max, .stop),
      (last.with { $0.status = .stopped }, .max, nil),
      (
        .example.with { $0.metadata = .example(number: 7, length: nil) }, .max,
        .setPosition(of: track, to: .seconds(60) + .microseconds(Int64.max))
      ),
      (.example.with { $0.canSeek = false }, 1, nil),
      (.example.with { $0.canSeek = false }, .max, nil),
      (empty.with { $0.canSeek = true }, 1, nil),
    ] as [(Snapshot, Int64, MPRISCommand?)])
  func seek(snapshot: Snapshot, offset: Int64, command: MPRISCommand?) {
    #expect(snapshot.timeline.forSeek(by: .microseconds(offset)) { snapshot } == command)
  }

  @Test(
    "SetPosition affects only the current track and its range",
    arguments: [
      (Snapshot.example, track.path, 0, MPRISCommand.setPosition(of: track, to: .zero)),
      (.example, track.path, 180_000_000, .setPosition(of: track, to: .seconds(180))),
      (.example, track.path, 180_000_001, nil),
      (.example, track.path, -1, nil),
      (.example, track.path, .min, nil),
      (.example, track.path, .max, nil),
      (.example, MPRISTrackID(6, in: .example).path, 1, nil),
      (.example, MPRISTrackID.noTrack.path, 1, nil),
      (.example, "/somebody/else", 1, nil),
      (
        .example.with { $0.metadata = .example(number: 7, length: nil) }, track.path, .max,
        .setPosition(of: track, to: .microseconds(Int64.max))
      ),
      (.example.with { $0.canSeek = false }, track.path, 1, nil),
      (empty.with { $0.canSeek = true }, MPRISTrackID.noTrack.path, 1, nil),
    ] as [(Snapshot, ObjectPath, Int64, MPRISCommand?)])
  func setPosition(
    snapshot: Snapshot, path: ObjectPath, position: Int64, command: MPRISCommand?
  ) {
    #expect(snapshot.timeline.forSetPosition(of: path, to: .microseconds(position)) == command)
  }

  @Test(
    "Rate is set within its range, and 0 pauses",
    arguments: [
      (0.25, MPRISCommand.setRate(0.25)), (4, .setRate(4)), (1, nil), (0, .pause), (-0.0, .pause),
    ] as [(Double, MPRISCommand?)])
  func rate(rate: Double, command: MPRISCommand?) throws {
    #expect(try Snapshot.example.forRate(rate) == command)
  }

  @Test(
    "A rate out of range is rejected",
    arguments: [0.249, 4.001, -1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude])
  func rateOutOfRange(rate: Double) {
    expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forRate(rate) }
  }

  @Test(
    "Volume is clamped to its range",
    arguments: [
      (0.5, MPRISCommand.setVolume(0.5)), (1, nil), (1.5, .setVolume(1.25)), (1e300, .setVolume(1.25)),
      (-0.1, .setVolume(0)), (0, .setVolume(0)), (-0.0, .setVolume(0)),
    ] as [(Double, MPRISCommand?)])
  func volume(volume: Double, command: MPRISCommand?) throws {
    let actual = try Snapshot.example.with { $0.maximumVolume = 1.25 }.forVolume(volume)
    #expect(actual == command)
    if case .setVolume(let volume) = actual { #expect(volume.sign == .plus) }
  }

  @Test("A volume that is not finite is rejected", arguments: [Double.nan, .infinity, -.infinity])
  func volumeNotFinite(volume: Double) {
    expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forVolume(volume) }
  }

  @Test("LoopStatus accepts its three values only")
  func loopStatus() throws {
    #expect(try Snapshot.example.forLoopStatus("Track") == .setLoop(.track))
    #expect(try Snapshot.example.forLoopStatus("Playlist") == .setLoop(.playlist))
    #expect(try Snapshot.example.forLoopStatus("None") == nil)
    for word in ["", "none", "Track ", "Tracks", String(repeating: "x", count: 1 << 20)] {
      expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forLoopStatus(word) }
    }
  }

  @Test("Shuffle is set only if it differs")
  func shuffle() {
    #expect(Snapshot.example.forShuffle(true) == .setShuffle(true))
    #expect(Snapshot.example.forShuffle(false) == nil)
  }

  @Test(
    "A URI and an absolute path are opened unchanged",
    arguments: [
      "file:///music/a.flac", "https://radio.example/stream?x=1", "FILE:///A", "mms+x-1.0:station", "file:///Müsli.ogg",
      "x:y", "/music/a.flac", "/My Music/a b.flac",
    ])
  func open(uri: String) throws {
    #expect(try Snapshot.example.forOpen(uri) == .open(uri))
    let longest = "file:///" + String(repeating: "a", count: 16_384 - 8)
    #expect(try Snapshot.example.forOpen(longest) == .open(longest))
    expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forOpen(longest + "a") }
  }

  @Test(
    "An invalid URI is rejected",
    arguments: [
      "", ":", "file", "file:", "music/a.flac", "not a uri", "://x", "1a:b", "-:b", "fi le:///a", "file:///a b",
      "file:///a\nb", "f\u{0}:x", "é:x", "file:///" + String(repeating: "a", count: 1 << 20),
    ])
  func openInvalid(text: String) {
    expectInvalid { () throws(DBusError) in _ = try Snapshot.example.forOpen(text) }
  }

  /// Expects an `InvalidArgs` error whose message stays short, however long the rejected value is.
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
