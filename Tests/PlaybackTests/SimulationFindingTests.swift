import Testing

@testable import Playback

/// The faults that the simulation has found, each as a short script.
@Suite struct SimulationFindingTests {
  /// Reports that the server of the current item has closed the connection early.
  private func loseConnection(_ harness: inout MachineHarness) -> [Effect] {
    var error = PlayerError(code: .networkCut, message: "scripted")
    error.isFromSource = true
    return harness.report(.stream(harness.token, .failed(error)))
  }

  @Test("A reload after a missed start or a hang of the output is reported as a change")
  func reloadIsReported() throws {
    var harness = MachineHarness()
    harness.decide(.play)
    harness.settle()
    let missed = harness.report(.stream(harness.token, .startMissed(position: .zero)))
    #expect(missed.hasChanged && harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    harness.settle()
    harness.run()
    let hung = harness.hangOutput()
    #expect(hung.hasChanged && harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
  }

  @Test("A seek that opens the item again after a lost connection reports that it waits")
  func seekThatLoads() throws {
    var harness = MachineHarness(1, scheme: "http")
    harness.start()
    _ = loseConnection(&harness)
    #expect(harness.snapshot.timeControlStatus == .playing)
    let sought = harness.seek(5)
    #expect(sought.loads.count == 1 && sought.hasChanged)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
  }

  @Test("A connection that is lost beside a successor closes it, and the item fails at its end")
  func lossBesideSuccessor() throws {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    let next = try #require(harness.successors.last)
    #expect(loseConnection(&harness).closed == [next.token])
    #expect(harness.offer() == nil)
    let ended = harness.end()
    #expect(ended.events.contains { if case .itemFailed(harness.items[0], _) = $0 { true } else { false } })
    #expect(ended.loads == ["http:///1"] && harness.current == harness.items[1])
  }

  @Test("A seek in an item that is held at its end reports that it plays again, with and without an output")
  func seekFromHeldEnd() {
    for wait in [Duration.zero, .seconds(60)] {
      var harness = MachineHarness()
      harness.decide(.setActionAtItemEnd(.none))
      harness.start()
      harness.advance(.seconds(10))
      harness.end()
      harness.advance(wait)
      #expect(harness.snapshot.timeControlStatus == .paused)
      #expect(harness.seek(10).hasChanged)
      #expect(harness.snapshot.timeControlStatus != .paused)
    }
  }

  @Test("A reported end keeps the duration, however far the clock of the output has drifted")
  func endAfterDrift() {
    var harness = MachineHarness()
    harness.start(duration: 7_200)
    // The output's clock is faster by 50 parts per million.
    harness.advance(.seconds(7_199.64))
    harness.decide(.setActionAtItemEnd(.pause))
    harness.report(.stream(harness.token, .ended(at: .seconds(7_200))))
    #expect(harness.snapshot.duration == .seconds(7_200) && harness.position == .seconds(7_200))
  }

  @Test("A tolerant seek in a clip that lands before the start of the clip is repeated exactly")
  func tolerantSeekOfClip() {
    var harness = MachineHarness()
    let clip = Player.Item(uri: "file:///0", externalMetadata: nil, start: .seconds(10), end: .seconds(20))
    harness.decide(.replaceQueue([clip]))
    harness.start(duration: 60)
    harness.seek(to: .seconds(1), within: .infinity)
    // The only seek point is at the start of the media.
    let landed = harness.report(
      .stream(harness.token, .settled(StreamFacts(duration: .seconds(60), position: .seconds(0)))))
    #expect(landed.engineCommands == [.seek(harness.token, to: .seconds(11))])
  }

  @Test("A second report of a start moves the position forwards only")
  func secondStart() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.milliseconds(100))
    harness.run(measured: 0.04)
    #expect(harness.position == .milliseconds(100))
    harness.advance(.milliseconds(100))
    #expect(harness.position == .milliseconds(140))
  }

  @Test("A start position that the item does not support is left without skipping the boundaries before it")
  func refusedStartPosition() {
    var harness = ObserverHarness()
    harness.observe(times: 0, 0.08)
    harness.step { _ = $0.play() }
    harness.step { _ = $0.seek(98) }
    harness.step { $0.settle(duration: nil, isSeekable: false) }
    harness.step { $0.run() }
    harness.advance(0.2)
    #expect(harness.boundaries == [0, 0.08])
  }

  @Test("A reopened broadcast that does not support its start position reports the jump to where it continues")
  func startPositionOfBroadcast() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    harness.advance(.seconds(18))
    harness.fail(.networkCut)
    harness.advance(.seconds(2))
    _ = harness.seek(48)
    let reopened = harness.settle(duration: nil, isSeekable: false)
    #expect(reopened.events == [.timeJumped(from: .seconds(48), to: .seconds(18))])
    #expect(harness.position == .seconds(18))
  }

  @Test("A seek while a short item loads is carried out when it is ready, and a rate is a setting")
  func seekWhileLoading() throws {
    var harness = MachineHarness()
    harness.decide(.play)
    _ = harness.offer()
    harness.decide(.setRate(2))
    _ = harness.seek(0.5)
    let settled = harness.settle(duration: 1)
    #expect(settled.loads.isEmpty && settled.settings?.rate == 2)
    #expect(settled.engineCommands.contains(.seek(harness.token, to: .seconds(0.5))))
  }

  @Test("A seek to the present position of a stream reports that playback waits for data")
  func seekOfStreamWaits() {
    var harness = MachineHarness(scheme: "http")
    harness.decide(.play)
    harness.settle(duration: 100)
    harness.buffer(0)
    #expect(harness.snapshot.timeControlStatus == .playing)
    let sought = harness.seek(0)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(sought.hasChanged)
  }

  @Test("A lost output while paused by a stall keeps the stall, so that its end is reported")
  func stallBeforeLostOutput() {
    var harness = MachineHarness(scheme: "http")
    harness.decide(.setAutomaticallyWaits(false))
    harness.start(duration: nil)
    #expect(harness.buffer(0).events.contains(.playbackStalled(harness.items[0])))
    _ = harness.pause()
    harness.fail(.output)
    _ = harness.play()
    harness.advance(.seconds(1))
    harness.settle(duration: nil)
    #expect(harness.run().events == [.playbackResumed(harness.items[0], at: .zero)])
  }

  @Test("A fill level that changes while a second seek is due is reported")
  func fillLevelDuringSeeks() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 100)
    harness.buffer(100, held: 5)
    _ = harness.seek(50)
    harness.buffer(0)
    _ = harness.seek(60)
    let before = harness.snapshot.bufferingPercent
    let done = harness.report(
      .stream(harness.token, .settled(StreamFacts(duration: .seconds(100), progress: .decoded(until: .seconds(61))))))
    #expect(before != harness.snapshot.bufferingPercent)
    #expect(done.hasChanged)
  }

  @Test(
    "A start far from the shown position is a reported jump; after a slightly earlier one the position never goes back",
    arguments: [(2.0, 2.0), (7.9, 7.9), (9, 9), (9.8, 10), (9.95, 10), (10, 10), (11, 11), (13, 13)])
  func startElsewhere(measured: Double, shown: Double) {
    var harness = MachineHarness()
    harness.start(duration: 100)
    harness.advance(.seconds(10))
    _ = harness.pause()
    _ = harness.play()
    let before = harness.playhead.playbackRun.number
    let isJump = measured <= 9.75 || measured >= 12
    #expect(
      harness.run(measured: measured).events == (isJump ? [.timeJumped(from: .seconds(10), to: .seconds(shown))] : []))
    #expect(harness.position == .seconds(shown))
    #expect((harness.playhead.playbackRun.number > before) == (measured <= 9.75))
  }

  @Test(
    "A position that ran ahead of a stalled stream is corrected when the stall is noticed, and the jump is reported")
  func stallNoticedLate() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 100)
    harness.buffer(0, held: 5)
    harness.advance(.seconds(8))
    let noticed = harness.sample(.seconds(5))
    #expect(noticed.events == [.timeJumped(from: .seconds(8), to: .seconds(5)), .playbackStalled(harness.items[0])])
    #expect(harness.position == .seconds(5))
  }

  @Test("A seek in a stream without data forgets the stall: the position stands again if no data arrives there")
  func seekWithoutData() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 100)
    func measure(_ harness: inout MachineHarness, _ seconds: Double) -> [Player.Event] {
      harness.advance(.milliseconds(500))
      return harness.sample(.seconds(seconds)).events
    }
    #expect(measure(&harness, 0.3).isEmpty)
    #expect(measure(&harness, 0.3) == [.playbackStalled(harness.items[0])])
    _ = harness.seek(50)
    harness.settle(duration: 100)
    harness.run(measured: 50)
    #expect(measure(&harness, 50).isEmpty)
    #expect(measure(&harness, 50) == [.playbackStalled(harness.items[0])])
    #expect(!harness.isAdvancing)
  }

  @Test(
    "If the output is lost or the engine is replaced during a seek, the target stays and the jump to it is reported")
  func seekInterrupted() {
    let interruptions: [(inout MachineHarness) -> [Effect]] = [
      { $0.fail(.output) }, { $0.report(.replaced) },
    ]
    for interrupt in interruptions {
      var harness = MachineHarness()
      harness.start()
      harness.advance(.seconds(2))
      _ = harness.seek(7)
      let effects = interrupt(&harness)
      #expect(effects.events.contains(.timeJumped(from: .seconds(2), to: .seconds(7))))
      #expect(harness.position == .seconds(7))
    }
  }

  @Test("A clip that ends before its start was reported keeps its duration")
  func shortClipAtHighRate() {
    var harness = MachineHarness()
    let clip = Player.Item(uri: "file:///0", externalMetadata: nil, start: .seconds(10), end: .milliseconds(10_300))
    harness.decide(.replaceQueue([clip]))
    harness.decide(.setActionAtItemEnd(.pause))
    harness.decide(.setRate(4))
    harness.start(duration: 60)
    harness.report(.stream(harness.token, .ended(at: .milliseconds(10_300))))
    #expect(harness.snapshot.duration == .milliseconds(300) && harness.position == .milliseconds(300))
  }

  @Test("Joined clips that end before the start was reported are all passed")
  func joinedClipsAtHighRate() {
    var harness = MachineHarness()
    let clips = [10_000, 10_400, 10_800].map {
      Player.Item(uri: "file:///0", externalMetadata: nil, start: .milliseconds($0), end: .milliseconds($0 + 400))
    }
    harness.decide(.replaceQueue(clips))
    harness.decide(.setActionAtItemEnd(.advance))
    harness.start(duration: 60)
    let end = harness.report(.stream(harness.token, .ended(at: .milliseconds(11_200))))
    let ended = end.events.compactMap { if case .itemDidPlayToEnd(let item) = $0 { item } else { nil } }
    #expect(ended == clips)
  }

  @Test("A rate that is set at the start of an item repeats no remaining time; a stop and a repetition do")
  func remainingAtStart() {
    var harness = ObserverHarness(loop: .track)
    harness.observe(.remaining(.seconds(100)))
    harness.start()
    harness.step { _ in }
    #expect(harness.crossings.count == 1)
    harness.step { $0.decide(.setRate(2)) }
    harness.step { $0.run() }
    harness.step { _ in }
    #expect(harness.crossings.count == 1)
    harness.step { _ = $0.stop() }
    harness.step { _ = $0.play() }
    harness.step { $0.settle() }
    harness.step { $0.run() }
    harness.step { _ in }
    #expect(harness.crossings.count == 2)
    let id = harness.harness.items[0].id
    harness.step { $0.decide(.playItem(id)) }
    harness.step { $0.settle() }
    harness.step { $0.run() }
    harness.step { _ in }
    #expect(harness.crossings.count == 3)
  }

  @Test("After a jump back from beyond the duration, the ticks and boundaries after the target are reported again")
  func jumpFromBeyondDuration() {
    var harness = ObserverHarness()
    harness.observe(every: 1)
    harness.observe(times: 3)
    harness.start(duration: 4)
    harness.advance(5.2)
    harness.forget()
    harness.step { $0.sample(.milliseconds(2_200)) }
    harness.advance(1)
    #expect(harness.ticks.map { ($0 * 10).rounded() / 10 } == [2.2, 3])
    #expect(harness.boundaries == [3])
    #expect(harness.reported.first == .event(.timeJumped(from: .seconds(4), to: .milliseconds(2_200))))
  }

  @Test("A missed start that reloads the item at another position than shown reports the jump")
  func missedStartElsewhere() {
    var harness = MachineHarness()
    harness.startPaused(duration: 100)
    _ = harness.seek(9)
    harness.settle(duration: 100)
    _ = harness.play()
    let missed = harness.report(.stream(harness.token, .startMissed(position: .seconds(7))))
    #expect(missed.events.contains(.timeJumped(from: .seconds(9), to: .seconds(7))))
    #expect(harness.position == .seconds(7))
  }

  @Test("Measurements at the end of an item do not postpone the time limit of a successor that hangs")
  func hangingSuccessorAtEnd() throws {
    var harness = MachineHarness()
    harness.start()
    _ = try harness.requireOffer()
    harness.advance(.seconds(10))
    harness.end()
    for _ in 0..<11 {
      harness.sample(.seconds(10))
      harness.advance(.seconds(1))
    }
    #expect(harness.current == harness.items[1])
  }

  @Test(
    "If an item refuses the seek from its end to its start, it is opened again, also if it ended a little early",
    arguments: [10, 9.999_999, 9.8])
  func refusedRestart(end: Double) {
    var harness = MachineHarness()
    harness.decide(.setActionAtItemEnd(.pause))
    harness.start()
    harness.advance(.seconds(10))
    harness.end()
    _ = harness.play()
    let refused = harness.report(.stream(harness.token, .seekRefused(position: .seconds(end))))
    #expect(refused.loads == ["file:///0"])
    #expect(refused.events == [.timeJumped(from: .seconds(10), to: .zero)])
  }
}
