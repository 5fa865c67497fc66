import Testing

@testable import Playback

extension MachineHarness {
  /// Reports that the output has failed.
  @discardableResult
  mutating func loseOutput() -> [Effect] {
    report(.output(.failed(PlayerError(code: .output, message: "scripted"))))
  }
}

@Suite("Loss and release of the output") struct OutputTests {
  private let error = PlayerError(code: .output, message: "scripted")

  @Test("Losing the output while playing holds the position, keeps the item, and reports the reason for waiting")
  func lost() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    let effects = harness.loseOutput()
    #expect(effects.events == [.outputFailed(error)])
    #expect(effects.engineCommands == [.close(harness.token), .setPlaying(false), .plan([])])
    #expect(harness.current == harness.items[0])
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.noOutput))
    #expect(harness.snapshot.lastError == error)
    harness.advance(.milliseconds(499))
    #expect(harness.position == .seconds(3))
    #expect(harness.snapshot.duration == .seconds(10))
  }

  @Test("A lost output is retried after 0.5 s, doubling to 10 s, and the failure is reported once")
  func backOff() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    harness.loseOutput()
    var waits: [Duration] = []
    for _ in 0..<8 {
      let lost = harness.now
      guard let wake = harness.nextWake else { break }
      waits.append(wake - lost)
      let opened = harness.advance(wake - lost).opened
      #expect(opened == [StreamRequest(uri: "file:///0", stream: harness.token, start: .seconds(3))])
      #expect(harness.position == .seconds(3))
      harness.loseOutput()
    }
    #expect(waits == [0.5, 1, 2, 4, 8, 10, 10, 10].map { .seconds($0) })
    #expect(harness.effects.events.filter { $0 == .outputFailed(error) }.count == 1)
  }

  @Test("When the output is back, playback resumes at its position; the next loss is retried after 0.5 s again")
  func resumed() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    harness.loseOutput()
    harness.advance(.milliseconds(500))
    harness.loseOutput()
    harness.advance(.seconds(1))
    #expect(harness.lastEffects.opened.map(\.start) == [.seconds(3)])
    #expect(harness.settle().engineCommands == [.plan([PlannedPart(harness.token)]), .setPlaying(true)])
    #expect(harness.run(measured: 3).events == [.playbackResumed(harness.items[0], at: .seconds(3))])
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(4))
    harness.loseOutput()
    #expect(harness.nextWake == harness.now + .milliseconds(500))
  }

  @Test("After another output was selected, the next loss is retried after 0.5 s again")
  func otherOutput() {
    var harness = MachineHarness()
    harness.start()
    harness.loseOutput()
    harness.advance(.milliseconds(500))
    harness.loseOutput()
    let other = AudioOutput(id: "other", name: "Other", isDefault: false, sinkDescription: "fakesink")
    harness.decide(.setAudioOutput(other))
    harness.loseOutput()
    #expect(harness.nextWake == harness.now + .milliseconds(500))
  }

  @Test("An output lost while paused is reopened, paused at the same position")
  func lostWhilePaused() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    _ = harness.pause()
    harness.loseOutput()
    #expect(harness.snapshot.timeControlStatus == .paused)
    let opened = harness.advance(.milliseconds(500)).opened
    #expect(opened == [StreamRequest(uri: "file:///0", stream: harness.token, start: .seconds(3))])
    #expect(harness.settle().engineCommands == [.plan([PlannedPart(harness.token)])])
    #expect(harness.position == .seconds(3))
    #expect(!harness.effects.events.contains { if case .playbackResumed = $0 { true } else { false } })
  }

  @Test("Pausing and playing without an output change the intent and keep the position")
  func intentWithoutOutput() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    harness.loseOutput()
    #expect(harness.pause().engineCommands.isEmpty)
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.position == .seconds(3))
    #expect(harness.play().engineCommands.isEmpty)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.noOutput))
    harness.advance(.milliseconds(500))
    #expect(harness.settle().engineCommands == [.plan([PlannedPart(harness.token)]), .setPlaying(true)])
  }

  @Test("A stop without an output ends the retries")
  func stopWithoutOutput() {
    var harness = MachineHarness()
    harness.start()
    harness.loseOutput()
    _ = harness.stop()
    #expect(harness.nextWake == nil)
    #expect(harness.advance(.seconds(60)).isEmpty)
  }

  @Test("If the output is lost when the next item is ready, the current item resumes at its position")
  func lostInTail() throws {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.prepareNext()
    #expect(harness.loseOutput().closed == [harness.token, next])
    harness.advance(.milliseconds(500))
    #expect(
      harness.lastEffects.opened == [StreamRequest(uri: "file:///0", stream: harness.token, start: .seconds(9))])
  }

  @Test("A long pause of a local file releases the output; play resumes at its position")
  func parked() {
    var harness = MachineHarness(configuration: Player.Configuration(releaseOutputAfter: .seconds(5)))
    harness.start()
    harness.advance(.seconds(3))
    _ = harness.pause()
    #expect(harness.nextWake == harness.now + .seconds(5))
    #expect(harness.advance(.milliseconds(4999)).isEmpty)
    // The duration of the media is known only while it is loaded.
    let effects = harness.advance(.milliseconds(1))
    #expect(effects == [.emit(.changed), .command(.close(harness.token)), .command(.plan([]))])
    #expect(harness.nextWake == nil)
    #expect(harness.position == .seconds(3))
    #expect(harness.snapshot.duration == .seconds(10))
    #expect(harness.snapshot.itemStatus == .readyToPlay)
    #expect(harness.snapshot.isSettled)
    #expect(harness.snapshot.isSeekable)
    let opened = harness.play().opened
    #expect(opened == [StreamRequest(uri: "file:///0", stream: harness.token, start: .seconds(3))])
    #expect(harness.position == .seconds(3))
    #expect(harness.settle().engineCommands == [.plan([PlannedPart(harness.token)]), .setPlaying(true)])
    #expect(harness.position == .seconds(3))
    #expect(harness.effects.events.isEmpty)
  }

  @Test("An item loaded while paused is also released; Next then loads the next item")
  func parkedFromLoad() {
    var harness = MachineHarness()
    _ = harness.play()
    _ = harness.pause()
    harness.settle()
    #expect(harness.advance(.seconds(60)).engineCommands == [.close(harness.token), .plan([])])
    #expect(harness.next().loads == ["file:///1"])
    harness.settle()
    #expect(harness.advance(.seconds(60)).engineCommands == [.close(harness.token), .plan([])])
    #expect(harness.stop().hasChanged)
  }

  @Test(
    "An item that cannot be reopened at its position is not released", arguments: [("http", true), ("file", false)])
  func notParked(scheme: String, isSeekable: Bool) {
    var harness = MachineHarness(scheme: scheme)
    harness.startPaused(isSeekable: isSeekable)
    #expect(harness.nextWake == nil)
    #expect(harness.advance(.seconds(600)).isEmpty)
  }

  @Test("The output is not released while playing")
  func notWhilePlaying() {
    var harness = MachineHarness()
    harness.startPaused(duration: 1000)
    harness.advance(.seconds(4))
    _ = harness.play()
    harness.run()
    #expect(harness.advance(.seconds(100)).closed.isEmpty && !harness.plan.isEmpty)
  }

  @Test("The position stands while the device is suspended, and continues where it is audible again")
  func suspended() {
    var harness = MachineHarness()
    harness.start(duration: 100)
    harness.advance(.seconds(3))
    #expect(harness.report(.output(.suspended)) == [.emit(.changed)])
    #expect(harness.report(.output(.suspended)).isEmpty)
    #expect(harness.advance(.seconds(20)).isEmpty && harness.position == .seconds(3))
    #expect(harness.snapshot.transport == .playing && harness.violations.isEmpty)
    #expect(harness.run(measured: 2.9).events.isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(3.9))
    _ = harness.pause()
    #expect(harness.report(.output(.suspended)).isEmpty)
  }
}
