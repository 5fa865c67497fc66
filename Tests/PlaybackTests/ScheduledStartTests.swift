import Testing

@testable import Playback

/// The rules of a start at an instant.
@Suite("A start at an instant") struct ScheduledStartTests {
  /// A machine with an item that is paused, and the instant at which it is to start.
  private static func scheduled(in delay: Duration, isSeekable: Bool = true) -> (MachineHarness, MonotonicTime) {
    var harness = MachineHarness()
    harness.startPaused(duration: 60, isSeekable: isSeekable)
    harness.forget()
    let instant = harness.now + delay
    harness.decide(.playAt(instant))
    return (harness, instant)
  }

  private func isWaiting(_ harness: MachineHarness) -> Bool {
    harness.snapshot.transport == .playing
      && harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate)
  }

  @Test("The engine holds the first sample after a seek, and is set to play ahead of the instant")
  func ahead() {
    var (harness, instant) = Self.scheduled(in: .seconds(10))
    let position = harness.position
    #expect(harness.effects.engineCommands == [.seek(to: position, rate: 1, startingAt: instant)])
    #expect(isWaiting(harness))
    harness.settle(duration: 60)
    #expect(!harness.isWanted)
    #expect(harness.advance(.milliseconds(6_790)).engineCommands == [])
    #expect(harness.advance(.milliseconds(20)).engineCommands == [.setPlaying(true)])
    #expect(isWaiting(harness) && harness.position == position && harness.violations == [])
    harness.now = instant
    harness.run()
    #expect(harness.snapshot.timeControlStatus == .playing && harness.isAdvancing)
    // Later seeks have no instant.
    #expect(harness.seek(20).engineCommands == [.seek(to: .seconds(20), rate: 1)])
  }

  @Test("An item that loads seeks when it is ready")
  func loading() {
    var harness = MachineHarness()
    let instant = harness.now + .seconds(5)
    harness.decide(.playAt(instant))
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    #expect(harness.settle(duration: 60).engineCommands.contains(.seek(to: .zero, rate: 1, startingAt: instant)))
    #expect(harness.offer() == nil)
    harness.settle(duration: 60)
    #expect(!harness.isWanted)
    harness.advance(.seconds(2))
    #expect(harness.isWanted && harness.violations == [])
  }

  @Test("A seek before the instant keeps it")
  func seek() {
    var (harness, instant) = Self.scheduled(in: .seconds(2))
    harness.settle(duration: 60)
    #expect(harness.isWanted)
    #expect(harness.seek(30).engineCommands == [.seek(to: .seconds(30), rate: 1, startingAt: instant)])
    #expect(isWaiting(harness))
  }

  @Test("A pause cancels the start, and the sample that is held is flushed")
  func pause() {
    var (harness, _) = Self.scheduled(in: .seconds(2))
    harness.settle(duration: 60)
    let position = harness.position
    let commands = harness.pause().engineCommands
    #expect(commands == [.setPlaying(false), .seek(to: position, rate: 1)])
    #expect(harness.snapshot.timeControlStatus == .paused)
    harness.settle(duration: 60)
    #expect(harness.advance(.seconds(5)).engineCommands == [] && harness.violations == [])
    #expect(harness.play().engineCommands == [.setPlaying(true)])
    #expect(harness.snapshot.timeControlStatus == .playing)
  }

  @Test("Play cancels the start, and plays at once", arguments: [2, 60])
  func play(delay: Int) {
    var (harness, _) = Self.scheduled(in: .seconds(delay))
    harness.settle(duration: 60)
    let position = harness.position
    #expect(harness.play().engineCommands == [.seek(to: position, rate: 1)])
    #expect(harness.snapshot.timeControlStatus == .playing)
    harness.settle(duration: 60)
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

  @Test("The output starts at the instant if the item cannot seek or the instant is near", arguments: [true, false])
  func notHeld(isSeekable: Bool) {
    let delay = Duration.milliseconds(isSeekable ? 200 : 900)
    var (harness, _) = Self.scheduled(in: delay, isSeekable: isSeekable)
    #expect(harness.effects.engineCommands == [] && isWaiting(harness))
    #expect(harness.advance(delay - .milliseconds(1)).engineCommands == [])
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.setPlaying(true)])
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
}
