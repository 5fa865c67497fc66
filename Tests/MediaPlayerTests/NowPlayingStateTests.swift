import MPRISService
import TestSupport
import Testing

@testable import MediaPlayer

/// Tests of the rules, without a bus and a clock.
@Suite struct NowPlayingStateTests {
  /// A state, and the time of its clock.
  private struct Program {
    var state = NowPlayingState(MPNowPlayingInfoCenter.Identity(name: "Test", desktopEntry: nil))
    var input = NowPlayingState.Input()
    var now = Duration.zero

    init(_ info: [String: Any]? = NowPlayingTest.song) { _ = set(info) }

    mutating func set(_ info: [String: Any]?) -> MPRISPlayerEvent? {
      input.info = NowPlayingInfo(info)
      (input.revision, input.time) = (input.revision + 1, now)
      return state.update(to: input, at: now)
    }

    mutating func update(_ change: (inout NowPlayingState.Input) -> Void) -> MPRISPlayerEvent? {
      change(&input)
      return state.update(to: input, at: now)
    }

    var snapshot: MPRISSnapshot { state.snapshot(at: now) }
  }

  private func song(at elapsed: Double, rate: Double = 1, _ other: [String: Any] = [:]) -> [String: Any] {
    NowPlayingTest.song.merging(
      [MPNowPlayingInfoPropertyElapsedPlaybackTime: elapsed, MPNowPlayingInfoPropertyPlaybackRate: rate]
        .merging(other) { $1 }
    ) { $1 }
  }

  @Test("The elapsed time advances with the rate, and stops at the duration")
  func advances() {
    var program = Program(song(at: 10, rate: 2))
    #expect(program.snapshot.position == .seconds(10) && program.snapshot.rate == 2)
    program.now = .seconds(30)
    #expect(program.snapshot.position == .seconds(70))
    program.now = .seconds(300)
    #expect(program.snapshot.position == .seconds(180))
  }

  @Test(
    "An elapsed time that agrees with the running time to a second is no event", arguments: [-1.0, -0.4, 0, 0.4, 1])
  func agreeing(difference: Double) {
    var program = Program(song(at: 10))
    program.now = .seconds(20)
    #expect(program.set(song(at: 30 + difference)) == nil)
    #expect(program.snapshot.position == .seconds(30 + difference))
  }

  @Test("An elapsed time that differs by more than a second is a jump", arguments: [0.0, 28, 32, 170])
  func jumps(elapsed: Double) {
    var program = Program(song(at: 10))
    program.now = .seconds(20)
    #expect(program.set(song(at: elapsed)) == .seeked(to: .seconds(elapsed)))
    program.now = .seconds(25)
    #expect(program.set(song(at: elapsed + 5)) == nil)
  }

  @Test("Small differences are a jump when they add up")
  func drift() {
    var program = Program(song(at: 10))
    var events: [MPRISPlayerEvent] = []
    for step in 1...4 {
      program.now += .seconds(10)
      if let event = program.set(song(at: 10 + Double(step) * 9.4)) { events.append(event) }
    }
    #expect(events == [.seeked(to: .seconds(28.8)), .seeked(to: .seconds(47.6))])
  }

  @Test("A pause keeps the time, and its continuation is no jump")
  func pause() {
    var program = Program(song(at: 10))
    program.now = .seconds(20)
    #expect(program.set(song(at: 30, rate: 0)) == .changed)
    program.now = .seconds(60)
    #expect(program.snapshot.status == .paused && program.snapshot.position == .seconds(30))
    #expect(program.set(song(at: 30)) == .changed)
    #expect(program.snapshot.status == .playing && program.snapshot.rate == 1)
  }

  @Test("The same info is no event, and a later one without an elapsed time continues the time")
  func unchanged() {
    var program = Program(song(at: 10))
    #expect(program.set(song(at: 10)) == nil)
    program.now = .seconds(5)
    var info = song(at: 0)
    info[MPNowPlayingInfoPropertyElapsedPlaybackTime] = nil
    #expect(program.set(info) == nil)
    #expect(program.snapshot.position == .seconds(15))
  }

  @Test("Another item is another track from 0, and one that starts elsewhere is also a jump")
  func items() {
    var program = Program(song(at: 10))
    let first = program.snapshot.track
    #expect(program.set(song(at: 0, [MPMediaItemPropertyTitle: "Other"])) == .changed)
    #expect(program.snapshot.track != first && program.snapshot.position == .zero)
    #expect(program.set(song(at: 40, [MPMediaItemPropertyTitle: "Third"])) == .seeked(to: .seconds(40)))
    #expect(program.set(nil) == .changed)
    #expect(program.snapshot.track == nil && program.snapshot.status == .stopped)
    #expect(program.set(song(at: 0, [MPMediaItemPropertyTitle: "Third"])) == .changed)
    #expect(program.snapshot.track == MPRISTrackID(4))
  }

  @Test("Values that are known later do not make another track, and an identifier does")
  func sameItem() {
    var program = Program([MPMediaItemPropertyTitle: "Song"])
    let first = program.snapshot.track
    #expect(program.set(song(at: 0, [MPMediaItemPropertyArtist: "Artist"])) == .changed)
    #expect(program.snapshot.track == first)
    _ = program.set(song(at: 0, [MPNowPlayingInfoPropertyExternalContentIdentifier: "1"]))
    #expect(program.snapshot.track == first)
    _ = program.set(song(at: 0, [MPNowPlayingInfoPropertyExternalContentIdentifier: "2"]))
    let second = program.snapshot.track
    #expect(second != first)
    _ = program.set(song(at: 0, [MPMediaItemPropertyPersistentID: UInt64.max]))
    let third = program.snapshot.track
    _ = program.set(song(at: 0, [MPMediaItemPropertyPersistentID: NSNumber(value: UInt64.max)]))
    #expect(program.snapshot.track == third)
    _ = program.set(song(at: 0, [MPMediaItemPropertyPersistentID: UInt64.max - 1]))
    #expect(program.snapshot.track != third)
  }

  @Test("A return from the end to the start is another play of the track, without a jump")
  func repetition() {
    var program = Program(song(at: 10))
    program.now = .seconds(170)
    #expect(program.set(song(at: 0)) == .changed)
    #expect(program.snapshot.track == MPRISTrackID(1, passage: 2))
  }

  @Test(
    "The declared state precedes the rate and the players, and a rate does not play while the players are paused",
    arguments: [
      (MPNowPlayingPlaybackState.playing, 0.0 as Double?, false as Bool?, MPRISPlaybackStatus.playing),
      (.paused, 1, true, .paused), (.interrupted, 1, true, .paused), (.stopped, 1, true, .stopped),
      (.unknown, 1, nil, .playing), (.unknown, 1, true, .playing), (.unknown, 1, false, .paused),
      (.unknown, 0, true, .paused), (.unknown, nil, true, .playing), (.unknown, nil, false, .paused),
      (.unknown, nil, nil, .paused),
    ])
  func status(_ declared: MPNowPlayingPlaybackState, _ rate: Double?, _ plays: Bool?, _ status: MPRISPlaybackStatus) {
    var info = NowPlayingTest.song
    info[MPNowPlayingInfoPropertyPlaybackRate] = rate
    var program = Program(info)
    _ = program.update { ($0.playbackState, $0.isPlaying) = (declared, plays) }
    #expect(program.snapshot.status == status)
  }

  @Test("A live stream has no duration and cannot be sought")
  func live() {
    var program = Program(song(at: 0, [MPNowPlayingInfoPropertyIsLiveStream: true]))
    _ = program.update { $0.commands.canSeek = true }
    #expect(program.snapshot.metadata.length == nil && !program.snapshot.canSeek)
    _ = program.set(song(at: 0, [MPNowPlayingInfoPropertyIsLiveStream: NSNumber(value: false)]))
    #expect(program.snapshot.metadata.length == .seconds(180) && program.snapshot.canSeek)
  }

  @Test(
    "A number may have any type, and an unusable one is ignored",
    arguments: [
      (180 as any Sendable, 180.0 as Double?), (180.0, 180), (Float(180), 180), (UInt8(180), 180),
      (NSNumber(value: 180), 180), (CMTime(seconds: 180, preferredTimescale: 600), 180), (Double.nan, nil),
      (Double.infinity, nil), (CMTime.indefinite, nil), ("180", nil), (-5, 0), (1e300, 3.2e9),
    ])
  func numbers(value: any Sendable, seconds: Double?) {
    let info = NowPlayingInfo([MPMediaItemPropertyTitle: "Song", MPMediaItemPropertyPlaybackDuration: value])
    #expect(info?.duration == seconds.map { .seconds($0) })
  }

  @Test("The bounds of the rate contain 1 and the present rate")
  func rates() {
    var program = Program(song(at: 0, rate: 3))
    #expect(program.snapshot.minimumRate == 1 && program.snapshot.maximumRate == 3)
    _ = program.update { $0.commands.rates = [0.5, 2] }
    #expect(program.snapshot.minimumRate == 0.5 && program.snapshot.maximumRate == 3)
    _ = program.set(song(at: 0, rate: 0, [MPNowPlayingInfoPropertyDefaultPlaybackRate: 1.5]))
    #expect(program.snapshot.rate == 1.5)
    _ = program.set(song(at: 0, rate: -2))
    #expect(program.snapshot.rate == 1 && program.snapshot.status == .playing)
  }
}
