import Testing

@testable import Playback

@Suite("The end of an item") struct EndTests {
  @Test("An end reported at zero, without a measurement, keeps the duration")
  func endAtZero() {
    for (end, duration) in [(0, 10), (3, 3)] {
      var harness = MachineHarness()
      harness.decide(.setActionAtItemEnd(.pause))
      harness.start()
      harness.report(.stream(harness.token, .ended(at: .seconds(end))))
      #expect(harness.snapshot.duration == .seconds(duration))
    }
  }

  @Test("An end within 250 ms of the duration keeps the duration", arguments: [(9.8, 10.0), (9.7, 9.7)])
  func endNearDuration(end: Double, duration: Double) {
    var harness = MachineHarness()
    harness.decide(.setActionAtItemEnd(.pause))
    harness.start()
    harness.report(.stream(harness.token, .ended(at: .seconds(end))))
    #expect(harness.snapshot.duration == .seconds(duration))
  }

  @Test("An item that is shorter than it claims keeps its found duration when it is opened again")
  func reopenedShortItem() {
    var harness = MachineHarness(loop: .track, configuration: Player.Configuration(releaseOutputAfter: .seconds(5)))
    harness.start()
    harness.advance(.seconds(4))
    harness.report(.stream(harness.token, .ended(at: .seconds(4))))
    #expect(harness.snapshot.loopCount == 1)
    harness.settle()
    harness.run(measured: 0)
    _ = harness.pause()
    harness.advance(.seconds(6))
    #expect(harness.play().loads == ["file:///0"])
    harness.settle(duration: 10)
    #expect(harness.snapshot.duration == .seconds(4))
    // Other media with this URI.
    harness.report(.stream(harness.token, .durationChanged(.seconds(20))))
    #expect(harness.snapshot.duration == .seconds(20))
  }

  @Test("A next item that is shorter than it claims keeps its found duration when it is opened again")
  func reopenedShortSuccessor() throws {
    var harness = MachineHarness(configuration: Player.Configuration(releaseOutputAfter: .seconds(5)))
    harness.start()
    harness.advance(.seconds(9))
    let next = try harness.prepareNext()
    harness.advance(.seconds(1))
    harness.enterNext(next)
    #expect(harness.current == harness.items[1])
    harness.decide(.setActionAtItemEnd(.pause))
    harness.report(.stream(next, .ended(at: .seconds(4))))
    harness.advance(.seconds(6))
    #expect(harness.play().loads == ["file:///1"])
    harness.settle(duration: 10)
    #expect(harness.snapshot.duration == .seconds(4))
  }

  @Test("A gapless repetition of an item that is shorter than it claims keeps its found duration")
  func repeatedShortItem() throws {
    var harness = MachineHarness(1, loop: .track)
    harness.start()
    harness.advance(.seconds(3))
    let next = try harness.prepareNext()
    harness.advance(.seconds(1))
    harness.report(.stream(harness.token, .ended(at: .seconds(4))))
    harness.report(.audible(next, at: .zero))
    #expect(harness.snapshot.loopCount == 1 && harness.snapshot.duration == .seconds(4))
    // Other media with this URI.
    harness.report(.stream(harness.token, .durationChanged(.seconds(20))))
    #expect(harness.snapshot.duration == .seconds(20))
  }

  @Test("Without a successor that is open, the next item is loaded and plays")
  func next() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(10))
    let effects = harness.end()
    #expect(
      effects.events == [
        .itemDidPlayToEnd(harness.items[0]), .currentItemChanged(from: harness.items[0], to: harness.items[1]),
      ])
    #expect(effects.loads == ["file:///1"])
    // The output plays on.
    #expect(harness.settle().engineCommands == [harness.itemPlan])
  }

  @Test("The end of the last item stops at position 0 and keeps the queue")
  func last() {
    var harness = MachineHarness(at: 2)
    harness.start()
    harness.advance(.seconds(10))
    let effects = harness.end()
    #expect(effects.events == [.itemDidPlayToEnd(harness.items[2]), .queueEnded])
    #expect(effects.engineCommands == MachineHarness.end(of: harness.token))
    #expect(harness.snapshot.transport == .stopped)
    #expect(harness.snapshot.timeControlStatus == .paused)
    #expect(harness.current == harness.items[2])
    #expect(harness.position == .zero)
    #expect(harness.nextWake == nil)
    #expect(harness.play().loads == ["file:///2"])
  }

  @Test("A looped track repeats from 0 without another load")
  func loopTrack() {
    var harness = MachineHarness(loop: .track)
    harness.start()
    harness.advance(.seconds(10))
    #expect(harness.end().engineCommands == [.seek(harness.token, to: .zero)])
    #expect(
      harness.lastEffects.events == [
        .itemDidPlayToEnd(harness.items[0]), .itemRepeated(harness.items[0], loopCount: 1),
      ])
    #expect(harness.settle().events.isEmpty)
    harness.run(measured: 0)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(1))
    #expect(harness.current == harness.items[0])
  }

  @Test("A looped unseekable track is loaded again")
  func loopUnseekable() {
    var harness = MachineHarness(loop: .track)
    harness.start(isSeekable: false)
    harness.advance(.seconds(10))
    let effects = harness.end()
    #expect(effects.loads == ["file:///0"])
    #expect(
      effects.events == [.itemDidPlayToEnd(harness.items[0]), .itemRepeated(harness.items[0], loopCount: 1)])
  }

  @Test("The loop count increases with each repetition, survives a stop, and is reset by another item")
  func loopCount() {
    #expect(PlaybackMachine(configuration: Player.Configuration()).snapshot(at: .init(nanoseconds: 0)).loopCount == 0)
    var harness = MachineHarness(loop: .track)
    harness.start()
    for round in 1...3 {
      harness.advance(.seconds(10))
      harness.end()
      #expect(harness.snapshot.loopCount == round)
      harness.settle()
      harness.run(measured: 0)
    }
    harness.decide(.stop)
    _ = harness.play()
    #expect(harness.snapshot.loopCount == 3)
    _ = harness.next()
    #expect(harness.snapshot.loopCount == 0)
    harness.decide(.advance(by: -1))
    #expect(harness.snapshot.loopCount == 0)
  }

  @Test("An item without seeking that was held at its end is opened again, and the jump to its start is reported")
  func playAgain() {
    var harness = MachineHarness(1)
    harness.decide(.setActionAtItemEnd(.pause))
    harness.start(isSeekable: false)
    harness.advance(.seconds(10))
    harness.end()
    let again = harness.play()
    #expect(again.loads == ["file:///0"])
    #expect(again.events == [.timeJumped(from: .seconds(10), to: .zero)])
  }

  @Test("A seek while a repetition begins is reported as a time jump from 0")
  func seekInRepetition() {
    var harness = MachineHarness(loop: .track)
    harness.start()
    harness.advance(.seconds(10))
    harness.end()
    harness.seek(to: .seconds(4))
    #expect(harness.settle().events.isEmpty)
    #expect(harness.settle().events == [.timeJumped(from: .zero, to: .seconds(4))])
    #expect(harness.snapshot.loopCount == 1)
  }

  @Test("A looped playlist continues with its first item; a playlist of one item repeats it")
  func loopPlaylist() {
    var harness = MachineHarness(at: 2, loop: .playlist)
    harness.start()
    #expect(harness.end().loads == ["file:///0"])
    harness = MachineHarness(1, loop: .playlist)
    harness.start()
    #expect(harness.end().engineCommands == [.seek(harness.token, to: .zero)])
  }

  @Test("The next item keeps the playback rate")
  func rateIsKept() {
    var harness = MachineHarness()
    harness.start()
    harness.decide(.setRate(2))
    harness.run()
    #expect(harness.end().loads == ["file:///1"])
    #expect(harness.lastEffects.settings == nil)
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    harness.run()
    harness.advance(.seconds(2))
    #expect(harness.position == .seconds(4) && harness.engineSettings.rate == 2)
    #expect(!harness.effects.events.contains { if case .timeJumped = $0 { true } else { false } })
  }

  @Test(
    "The position at the end of a stream without a duration becomes its duration",
    arguments: [Player.ActionAtItemEnd.advance, .pause, .none, .stop])
  func unknownLength(action: Player.ActionAtItemEnd) {
    var harness = MachineHarness(1, scheme: "http")
    harness.decide(.setActionAtItemEnd(action))
    harness.start(duration: nil, isSeekable: false)
    harness.advance(.seconds(7))
    #expect(harness.snapshot.duration == nil)
    harness.end()
    #expect(harness.snapshot.duration == .seconds(7))
    _ = harness.play()
    harness.settle(duration: nil, isSeekable: false)
    #expect(harness.snapshot.duration == .seconds(7))
  }

  @Test("The duration is the time of the last sample, as reported with the end")
  func lastSample() {
    var harness = MachineHarness(1, scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    harness.advance(.seconds(7))
    let ended = harness.report(.stream(harness.token, .ended(at: .milliseconds(7040))))
    #expect(ended.events == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
    #expect(harness.snapshot.duration == .milliseconds(7040))
  }

  @Test("After a seek beyond the end of media of unknown duration, the duration stays unknown")
  func soughtBeyond() {
    var harness = MachineHarness(1)
    harness.start(duration: nil)
    _ = harness.seek(2_000_000)
    harness.settle(duration: nil)
    harness.run()
    harness.advance(.milliseconds(200))
    let ended = harness.report(.stream(harness.token, .ended(at: .seconds(2_000_000))))
    #expect(ended.events.contains(.queueEnded))
    #expect(harness.snapshot.duration == nil)
  }

  @Test("At an end without a duration, the position stands until the next item is audible")
  func waitBeyond() throws {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: nil)
    harness.seek(to: .seconds(2_000_000))
    harness.settle(duration: nil)
    harness.run()
    let next = try harness.requireOffer().stream
    let ended = harness.report(.stream(harness.token, .ended(at: .seconds(2_000_000))))
    #expect(ended.hasChanged && harness.violations == [])
    harness.advance(.seconds(3))
    #expect(harness.position == .seconds(2_000_000) && harness.snapshot.duration == nil)
    harness.settleNext(next)
    harness.report(.audible(next, at: .zero))
    harness.advance(.seconds(1))
    #expect(harness.current == harness.items[1] && harness.position == .seconds(1))
  }

  @Test("An end that was found before a seek is dropped with that end, and sets no duration")
  func foundBeforeSeek() {
    var harness = MachineHarness(1)
    harness.start(duration: nil)
    _ = harness.seek(99)
    _ = harness.seek(11)
    harness.settle(duration: nil)
    #expect(harness.report(.stream(harness.token, .ended(at: .seconds(99)))).events.isEmpty)
    harness.settle(duration: nil)
    harness.run()
    #expect(harness.snapshot.duration == nil && harness.position == .seconds(11))
  }

  @Test("The end of a live source does not set a duration")
  func live() {
    var harness = MachineHarness(1, scheme: "http")
    _ = harness.play()
    harness.settle(duration: nil, isSeekable: false, isLive: true)
    harness.run()
    harness.advance(.seconds(7))
    harness.report(.stream(harness.token, .ended(at: .seconds(7))))
    #expect(harness.snapshot.duration == nil)
  }

  @Test("An end of stream without a loaded item is ignored")
  func dropped() {
    var harness = MachineHarness()
    #expect(harness.end().isEmpty)
    _ = harness.play()
    #expect(harness.end().isEmpty)
    harness.settle()
    harness.run()
    harness.fail(.output)
    #expect(harness.end().isEmpty)
  }
}

@Suite("The playback rate") struct RateTests {
  @Test("A new rate is a setting, without a seek, and the position advances at it", arguments: [0.25, 0.5, 2, 4])
  func whilePlaying(rate: Double) {
    var harness = MachineHarness()
    harness.start(duration: 100)
    harness.advance(.seconds(3))
    let changed = harness.decide(.setRate(rate))
    #expect(changed.engineCommands == [.settings(harness.engineSettings)] && harness.engineSettings.rate == rate)
    #expect(harness.snapshot.rate == rate)
    #expect(harness.position == .seconds(3) && harness.isAdvancing)
    #expect(changed.events.isEmpty, "the position has not jumped")
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(3 + rate))
    // The output has started again.
    #expect(harness.run(measured: 3 + rate).events.isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(3 + 2 * rate))
    #expect(harness.decide(.setRate(rate)).isEmpty)
  }

  @Test("A rate set before an item is loaded applies from its start")
  func beforeLoad() {
    var harness = MachineHarness()
    harness.decide(.setRate(2))
    #expect(harness.lastEffects.engineCommands.isEmpty)
    _ = harness.play()
    let done = harness.settle()
    #expect(
      done.engineCommands == [.settings(harness.engineSettings), harness.itemPlan, .setPlaying(true)])
    #expect(done.events.isEmpty && harness.engineSettings.rate == 2)
    harness.run()
    harness.advance(.seconds(2))
    #expect(harness.position == .seconds(4))
  }

  @Test("A rate set during a seek is sent at once, and applies at the target")
  func duringSeek() {
    var harness = MachineHarness()
    harness.start()
    _ = harness.seek(5, ticket: 1)
    #expect(harness.decide(.setRate(2)).engineCommands == [.settings(harness.engineSettings)])
    #expect(harness.engineSettings.rate == 2 && harness.effects.finished.isEmpty)
    let done = harness.settle()
    #expect(done.engineCommands.isEmpty)
    #expect(done.finished == [1: [true]])
    #expect(done.events == [.timeJumped(from: .zero, to: .seconds(5))])
    harness.run()
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(7))
  }

  @Test("Another item, a stop and a released output keep the rate")
  func kept() {
    var harness = MachineHarness()
    harness.start()
    harness.decide(.setRate(2))
    harness.run()
    harness.forget()
    _ = harness.next()
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    _ = harness.stop()
    _ = harness.play()
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
    harness.run()
    harness.advance(.seconds(2))
    _ = harness.pause()
    harness.advance(.seconds(60))
    #expect(harness.play().opened.map(\.start) == [.seconds(4)])
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
    #expect(harness.effects.settings == nil && harness.engineSettings.rate == 2)
  }

  @Test("After the rate returns to 1 with nothing loaded, the next item starts without a change of the settings")
  func backToOne() {
    var harness = MachineHarness()
    harness.decide(.setRate(2))
    harness.decide(.setRate(1))
    _ = harness.play()
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
  }

  @Test("An unseekable item keeps its rate")
  func unseekable() {
    var harness = MachineHarness()
    harness.start(isSeekable: false)
    #expect(harness.decide(.setRate(2)).engineCommands.isEmpty)
    harness.advance(.seconds(3))
    #expect(harness.position == .seconds(3))
  }
}
