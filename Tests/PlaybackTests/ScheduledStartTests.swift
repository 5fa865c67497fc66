import TestSupport
import Testing

@testable import Playback

/// The rules of a start at an instant.
@Suite("A start at an instant") struct ScheduledStartTests {
  /// Returns a machine with an item that is paused, and the instant at which it is to start.
  private static func scheduled(in delay: Duration, isSeekable: Bool = true) -> (MachineHarness, MonotonicTime) {
    var harness = MachineHarness()
    harness.startPaused(duration: 60, isSeekable: isSeekable)
    harness.forget()
    let instant = harness.now + delay
    harness.decide(.playAt(instant))
    // An instant that is near is due at once.
    harness.advance(.zero)
    return (harness, instant)
  }

  private func isWaiting(_ harness: MachineHarness) -> Bool {
    harness.snapshot.transport == .playing
      && harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate)
  }

  @Test("The engine holds the next sample without a seek, and plays ahead of the instant", arguments: [true, false])
  func ahead(isSeekable: Bool) {
    var (harness, instant) = Self.scheduled(in: .seconds(10), isSeekable: isSeekable)
    let position = harness.position
    #expect(harness.effects.engineCommands == [.start(at: instant)])
    #expect(isWaiting(harness))
    #expect(!harness.isWanted)
    #expect(harness.advance(.milliseconds(5_790)).engineCommands == [])
    #expect(harness.advance(.milliseconds(20)).engineCommands == [.setPlaying(true)])
    #expect(isWaiting(harness) && harness.position == position && harness.violations == [])
    harness.now = instant
    harness.run()
    #expect(harness.snapshot.timeControlStatus == .playing && harness.isAdvancing)
    // Later starts do not have an instant.
    #expect(harness.pause().engineCommands == [.setPlaying(false)])
    #expect(harness.play().engineCommands == [.setPlaying(true)])
  }

  @Test("The sample of an item that loads is held when it is ready")
  func loading() {
    var harness = MachineHarness()
    let instant = harness.now + .seconds(5)
    harness.decide(.playAt(instant))
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    #expect(harness.settle(duration: 60).engineCommands == [.start(at: instant), harness.itemPlan])
    #expect(!harness.isWanted)
    harness.advance(.seconds(2))
    #expect(harness.isWanted && harness.violations == [])
  }

  @Test("A seek cancels the start, and playback begins at its target", arguments: [2, 60])
  func seek(delay: Int) {
    var (harness, _) = Self.scheduled(in: .seconds(delay))
    #expect(harness.isWanted == (delay == 2))
    #expect(harness.seek(30).engineCommands == [.seek(harness.token, to: .seconds(30))])
    #expect(!isWaiting(harness))
    #expect(harness.settle(duration: 60).engineCommands == (delay == 2 ? [] : [.setPlaying(true)]))
    harness.run()
    #expect(harness.isAdvancing && harness.position == .seconds(30) && harness.violations == [])
  }

  @Test("A seek to the present position cancels the start, and reports that")
  func seekToPosition() {
    var (harness, _) = Self.scheduled(in: .seconds(60))
    let effects = harness.decide(.seek(to: harness.position, within: .zero, SeekTicket(number: 1)))
    #expect(effects.hasChanged && !isWaiting(harness))
  }

  @Test("A change of the rate keeps the start")
  func rate() {
    var (harness, instant) = Self.scheduled(in: .seconds(2))
    let effects = harness.decide(.setRate(2))
    #expect(effects.engineCommands == [.settings(harness.engineSettings)] && isWaiting(harness))
    harness.now = instant
    harness.run()
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(2) && harness.violations == [])
  }

  /// What ends the wait of a player that plays on with another stream.
  enum Change: CaseIterable { case next, replacement, removal, choice, failure, hang }

  @Test("Another item, and a hang of the output, cancel the start", arguments: Change.allCases, [2, 60])
  func anotherStream(change: Change, delay: Int) {
    var (harness, _) = Self.scheduled(in: .seconds(delay))
    let (item, token) = (harness.items[0], harness.token)
    harness.forget()
    switch change {
    case .next: _ = harness.next()
    case .replacement: harness.decide(.replaceQueue([harness.items[1]]))
    case .removal: harness.decide(.remove(item.id))
    case .choice: harness.decide(.playItem(harness.items[2].id))
    case .failure: harness.fail()
    case .hang: harness.hangOutput()
    }
    #expect(harness.token != token && harness.violations == [])
    // The output plays on if it has been set to play for the start.
    let playsOn = delay == 2 && change != .hang
    let effects = harness.settle(duration: 60)
    #expect(effects.engineCommands == [harness.itemPlan] + (playsOn ? [] : [.setPlaying(true)]))
    harness.run()
    #expect(harness.snapshot.timeControlStatus == .playing && harness.isAdvancing)
    let starts = harness.effects.engineCommands.filter { if case .start = $0 { true } else { false } }
    // A replaced engine has forgotten it.
    #expect(starts == (change == .hang ? [] : [.start(at: nil)]))
  }

  @Test("Another output keeps the start")
  func anotherOutput() {
    var (harness, _) = Self.scheduled(in: .seconds(10))
    harness.advance(.seconds(7))
    #expect(harness.isWanted)
    let effects = harness.decide(
      .setAudioOutput(AudioOutput(id: "b", name: "B", isDefault: false, sinkDescription: "fakesink")))
    #expect(effects.engineCommands == [.settings(harness.engineSettings)])
    #expect(isWaiting(harness) && harness.violations == [])
  }

  @Test("A pause cancels the start", arguments: [2, 60])
  func pause(delay: Int) {
    var (harness, _) = Self.scheduled(in: .seconds(delay))
    #expect(harness.isWanted == (delay == 2))
    let commands = harness.pause().engineCommands
    #expect(commands == (delay == 2 ? [.setPlaying(false)] : []) + [.start(at: nil)])
    #expect(harness.snapshot.timeControlStatus == .paused)
    #expect(harness.advance(.seconds(3)).engineCommands == [] && harness.violations == [])
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    #expect(harness.snapshot.timeControlStatus == .playing)
  }

  @Test("Play cancels the start, and plays at once", arguments: [2, 60])
  func play(delay: Int) {
    var (harness, _) = Self.scheduled(in: .seconds(delay))
    let effects = harness.play()
    #expect(effects.engineCommands == [.start(at: nil)] + (delay == 2 ? [] : [.setPlaying(true)]))
    #expect(harness.snapshot.timeControlStatus == .playing && effects.hasChanged)
    #expect(harness.isWanted && harness.violations == [])
  }

  @Test("A stop cancels the start")
  func stop() {
    var (harness, _) = Self.scheduled(in: .seconds(60))
    _ = harness.stop()
    _ = harness.play()
    harness.settle(duration: 60)
    #expect(harness.isWanted && harness.snapshot.timeControlStatus == .playing)
  }

  @Test("The output starts at the instant if that is near", arguments: [true, false])
  func notHeld(isSeekable: Bool) {
    let delay = Duration.milliseconds(200)
    var (harness, _) = Self.scheduled(in: delay, isSeekable: isSeekable)
    #expect(harness.effects.engineCommands == [] && isWaiting(harness))
    #expect(harness.advance(delay - .milliseconds(1)).engineCommands == [])
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.setPlaying(true)])
  }

  @Test("After a refused seek, the output starts at the instant", arguments: [0.3, 2])
  func refused(delay: Double) {
    var harness = MachineHarness()
    harness.startPaused(duration: 60)
    harness.seek(to: .seconds(30))
    harness.decide(.playAt(harness.now + .seconds(delay)))
    harness.report(.stream(harness.token, .seekRefused(position: .zero)))
    #expect(!harness.isWanted && harness.advance(.seconds(delay - 0.001)).engineCommands == [])
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.setPlaying(true)])
  }

  @Test("A seek that is refused after a pause was taken for its end leaves the output paused until the instant")
  func refusedLate() {
    var harness = MachineHarness()
    harness.startPaused(duration: 60)
    harness.seek(to: .seconds(30))
    harness.settle(duration: 60)
    harness.decide(.playAt(harness.now + .seconds(2)))
    harness.advance(.zero)
    #expect(harness.isWanted)
    let effects = harness.report(.stream(harness.token, .seekRefused(position: .zero)))
    #expect(
      effects.engineCommands == [.setPlaying(false), .start(at: nil)] && isWaiting(harness) && harness.violations == [])
    harness.advance(.seconds(2))
    #expect(harness.isWanted)
  }

  @Test("A next item that was audible before the command is current, and waits for the instant")
  func earlierTransition() throws {
    var harness = MachineHarness()
    harness.start()
    let next = try harness.prepareNext()
    harness.advance(.seconds(9.9))
    let instant = harness.now + .seconds(2)
    let commands = harness.decide(.playAt(instant)).engineCommands
    #expect(commands == [.setPlaying(false), .start(at: instant)])
    harness.advance(.zero)
    harness.enterNext(next)
    #expect(harness.current == harness.items[1] && isWaiting(harness) && harness.violations == [])
    harness.advance(.seconds(1))
    #expect(harness.position == .zero && !harness.isAdvancing)
    harness.advance(.seconds(1))
    harness.report(.audible(next, at: .zero))
    #expect(harness.snapshot.timeControlStatus == .playing && harness.isAdvancing)
  }

  @Test("An item without a sample, which ends at the instant, is held at its end by a pause")
  func withoutSample() {
    var (harness, _) = Self.scheduled(in: .seconds(1))
    harness.decide(.setActionAtItemEnd(.pause))
    harness.advance(.seconds(1))
    harness.end()
    #expect(harness.snapshot.transport == .paused && harness.violations == [])
    // The next start does not have an instant.
    _ = harness.play()
    harness.settle(duration: 60)
    #expect(harness.snapshot.timeControlStatus == .playing)
  }

  @Test("A player that is stopped waits for the instant, too")
  func player() async {
    let player = ScriptedEngine.player()
    player.replaceQueue(with: [Player.Item(uri: "file:///a")])
    player.play(at: MonotonicTime(nanoseconds: .max))
    #expect(player.snapshot.transport == .playing)
    #expect(player.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    await player.close()
  }

  @Test("An instant that has passed is at once, and an empty queue ignores one")
  func edges() {
    var harness = MachineHarness()
    harness.startPaused(duration: 60)
    harness.forget()
    #expect(harness.decide(.playAt(harness.now)).engineCommands == [.setPlaying(true)])
    // The greatest instant.
    harness.decide(.playAt(MonotonicTime(nanoseconds: .max)))
    #expect(isWaiting(harness) && harness.nextWake.map { $0 > harness.now } == true)
    var empty = MachineHarness(0)
    #expect(empty.decide(.playAt(empty.now + .seconds(1))).isEmpty)
  }

  @Test("Random inputs and events around starts violate no rule", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var harness = MachineHarness(
      configuration: Player.Configuration(fade: .milliseconds(seed.isMultiple(of: 2) ? 0 : 300)))
    let output = AudioOutput(id: "b", name: "B", isDefault: false, sinkDescription: "fakesink")
    for step in 0..<60 {
      switch Int.random(in: 0..<24, using: &generator) {
      case 0...3: harness.decide(.playAt(harness.now + .milliseconds(Int.random(in: -100...8_000, using: &generator))))
      case 4: _ = harness.play()
      case 5: harness.decide(.pause(fading: Bool.random(using: &generator)))
      case 6: _ = harness.stop()
      case 7: _ = harness.seek(Double.random(in: 0...10, using: &generator))
      case 8: harness.decide(.setRate(Bool.random(using: &generator) ? 1 : 2))
      case 9: _ = harness.next()
      case 10: if let item = harness.current { harness.decide(.remove(item.id)) }
      case 11: harness.decide(.setAudioOutput(Bool.random(using: &generator) ? output : nil))
      case 12: harness.decide(.replaceQueue(harness.items))
      case 13: harness.end()
      case 14: harness.fail(Bool.random(using: &generator) ? .corrupt : .output)
      case 15: harness.report(.replaced)
      case 16: harness.report(.stream(harness.token, .seekRefused(position: nil)))
      case 17:
        if let next = harness.offer() {
          harness.settleNext(next.stream)
          harness.enterNext(next.stream)
        }
      case 18: harness.buffer(Bool.random(using: &generator) ? 5 : 100)
      case 19...20: harness.run()
      case 21: harness.advance(.milliseconds(Int.random(in: 0...4_000, using: &generator)))
      default: harness.settle(duration: 10, isSeekable: Int.random(in: 0..<5, using: &generator) > 0)
      }
      guard harness.violations == [] else {
        Issue.record("step \(step): \(harness.violations)")
        return
      }
    }
  }
}
