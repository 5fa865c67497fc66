import Testing

@testable import Playback

@Suite("Buffering policy and time limits") struct BufferPolicyTests {
  private func filling(_ percent: Int, held: Double = 0, waits: Bool = true) -> MachineHarness {
    var harness = MachineHarness(scheme: "http")
    harness.decide(.setAutomaticallyWaits(waits))
    _ = harness.play()
    harness.buffer(percent, held: held)
    return harness
  }

  @Test("A player that does not wait plays the available data, and pauses when the buffer is empty")
  func notWaiting() {
    var harness = filling(7, held: 0.25, waits: false)
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
    #expect(harness.snapshot.timeControlStatus == .playing)
    harness.run(measured: 0)
    #expect(harness.buffer(3, held: 1.25).engineCommands.isEmpty)
    harness.advance(.seconds(1))
    let dry = harness.buffer(0)
    #expect(dry.events == [.playbackStalled(harness.items[0])])
    #expect(dry.engineCommands == [.setPlaying(false)])
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.buffer(100).engineCommands.isEmpty)
    #expect(harness.play().engineCommands == [.setPlaying(true)])
  }

  @Test("A new network time-out takes effect at once")
  func pipelineTimeout() {
    var harness = filling(50)
    harness.settle()
    harness.advance(.seconds(20))
    #expect(harness.current == harness.items[0])
    harness.decide(.setNetworkTimeout(.seconds(25)))
    harness.advance(.seconds(4))
    #expect(harness.current == harness.items[0])
    harness.advance(.seconds(2))
    #expect(harness.current == harness.items[1])
  }

  @Test("Without automatic waiting, an empty buffer still makes playback wait, but not to minimise stalls")
  func nothingThere() {
    var harness = filling(0, waits: false)
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.evaluatingBufferingRate))
    #expect(harness.buffer(1, held: 0.25).engineCommands == [.setPlaying(true)])
  }

  @Test("A report of the engine that contains enough data starts playback, even if the fill level stays the same")
  func settledWithEnough() {
    var harness = filling(0, waits: false)
    harness.decide(.setForwardBuffer(.seconds(600)))
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    let facts = StreamFacts(
      duration: .seconds(10), isSeekable: true, isLive: false, progress: .decoded(until: .milliseconds(400)))
    let effects = harness.report(.stream(harness.token, .settled(facts)))
    #expect(harness.snapshot.bufferingPercent == 0)
    #expect(effects.engineCommands == [.setPlaying(true)])
    #expect(effects.contains(.emit(.changed)))
  }

  @Test("Disabling automatic waiting starts playback at once; enabling it again plays until the buffer is empty")
  func changed() {
    var harness = filling(30, held: 0.5)
    #expect(harness.settle().engineCommands == [harness.itemPlan])
    #expect(harness.decide(.setAutomaticallyWaits(false)).engineCommands == [.setPlaying(true)])
    harness.run()
    #expect(harness.decide(.setAutomaticallyWaits(true)).engineCommands.isEmpty)
    #expect(harness.buffer(20, held: 0.3).engineCommands.isEmpty)
    #expect(harness.buffer(0).engineCommands == [.setPlaying(false)])
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(harness.buffer(50, held: 1).engineCommands.isEmpty)
    #expect(harness.buffer(100).engineCommands == [.setPlaying(true)])
  }

  @Test("Immediate playback starts with the available data; an empty buffer later is an ordinary stall")
  func immediately() {
    var harness = filling(30, held: 0.5)
    harness.settle()
    #expect(harness.decide(.playImmediately(rate: 1)).engineCommands == [.setPlaying(true)])
    harness.run()
    #expect(harness.buffer(0).events == [.playbackStalled(harness.items[0])])
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(harness.buffer(60, held: 1.2).engineCommands.isEmpty)
  }

  @Test("Immediate playback with an empty buffer waits without a stall")
  func immediatelyEmpty() {
    var harness = filling(0)
    harness.settle()
    let effects = harness.decide(.playImmediately(rate: 1))
    #expect(effects.engineCommands.isEmpty)
    #expect(effects.events.isEmpty)
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
  }

  @Test("Immediate playback with almost no data starts with the next quarter of a second of data")
  func immediatelyLow() {
    var harness = filling(1, held: 0.02)
    harness.settle()
    #expect(harness.decide(.playImmediately(rate: 1)).engineCommands.isEmpty)
    #expect(harness.buffer(15, held: 0.3).engineCommands == [.setPlaying(true)])
  }

  @Test("Immediate playback with a full buffer does not change the wait after a later seek")
  func immediatelyFull() {
    var harness = filling(100, held: 2)
    harness.settle()
    harness.decide(.playImmediately(rate: 1))
    harness.run()
    harness.seek(to: .seconds(6))
    harness.buffer(0)
    harness.settle()
    #expect(harness.buffer(50, held: 1).engineCommands.isEmpty)
    #expect(harness.buffer(100, held: 2).engineCommands == [.setPlaying(true)])
  }

  @Test("Immediate playback from Stopped does not wait for a full buffer; the next play does")
  func immediatelyFromStopped() {
    var harness = MachineHarness(scheme: "http")
    harness.decide(.playImmediately(rate: 2))
    #expect(harness.snapshot.rate == 2)
    harness.buffer(0)
    harness.buffer(5, held: 0.25)
    let started = harness.settle().engineCommands
    #expect(started == [.settings(harness.engineSettings), harness.itemPlan, .setPlaying(true)])
    #expect(harness.engineSettings.rate == 2)
    harness.run()
    _ = harness.pause()
    #expect(harness.play().engineCommands.isEmpty)
  }

  @Test("An item whose server is silent for the network time-out fails once")
  func silentServer() {
    var harness = MachineHarness(configuration: Player.Configuration(networkTimeout: .seconds(20)), scheme: "http")
    harness.start()
    harness.buffer(50)
    #expect(harness.advance(.seconds(15)).events.isEmpty)
    harness.buffer(60)
    #expect(harness.advance(.seconds(19)).events.isEmpty)
    let events = harness.advance(.seconds(1)).events
    guard case .itemFailed(harness.items[0], let error) = events.first else {
      Issue.record("no failure in \(events)")
      return
    }
    #expect(error.code == .networkTimeout)
    #expect(harness.current == harness.items[1])
  }

  @Test("The network time-out does not run while paused")
  func pausedSilence() {
    var harness = MachineHarness(configuration: Player.Configuration(networkTimeout: .seconds(20)), scheme: "http")
    harness.start()
    harness.buffer(50)
    _ = harness.pause()
    #expect(harness.nextWake == nil)
    harness.advance(.seconds(100))
    _ = harness.play()
    #expect(harness.advance(.seconds(19)).events.isEmpty)
    #expect(harness.advance(.seconds(1)).events.count == 2)
  }

  @Test("A stream without buffer messages stalls within a second of a standing position, and resumes by itself")
  func starved() {
    var harness = MachineHarness(scheme: "rtsp")
    _ = harness.play()
    harness.settle(duration: nil, isSeekable: false, isLive: true)
    harness.run(measured: 0)
    var events: [Player.Event] = []
    func measure(_ harness: inout MachineHarness, at seconds: Double) -> [Player.Event] {
      harness.advance(.milliseconds(500))
      return harness.sample(.seconds(seconds)).events
    }
    for place in [0.5, 1, 1.5, 1.7] { events += measure(&harness, at: place) }
    #expect(events.isEmpty)
    #expect(measure(&harness, at: 1.7) == [.playbackStalled(harness.items[0])])
    #expect(harness.snapshot.timeControlStatus == .waitingToPlay(.toMinimizeStalls))
    #expect(measure(&harness, at: 1.7).isEmpty)
    #expect(measure(&harness, at: 1.9) == [.playbackResumed(harness.items[0], at: .seconds(1.9))])
    #expect(harness.snapshot.timeControlStatus == .playing)
  }

  @Test("A stream that has stalled without buffer messages resumes by itself after a change of the rate")
  func starvedAtAnotherRate() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 200)
    var events: [Player.Event] = []
    for (index, place) in [500, 500, 700].enumerated() {
      if index == 2 { harness.decide(.setRate(2)) }
      harness.advance(.milliseconds(500))
      events += harness.sample(.milliseconds(place)).events
    }
    #expect(
      events == [.playbackStalled(harness.items[0]), .playbackResumed(harness.items[0], at: .milliseconds(700))])
  }

  @Test("If data arrives again in a reopened broadcast or in a clip, playback resumes there without a jump")
  func starvedElsewhere() throws {
    var broadcast = MachineHarness(scheme: "http")
    broadcast.start(duration: nil, isSeekable: false)
    broadcast.advance(.seconds(10))
    broadcast.fail(.networkCut)
    broadcast.advance(.seconds(1))
    broadcast.settle(duration: nil, isSeekable: false, isLive: true)
    broadcast.run(measured: 0)
    var clip = MachineHarness(scheme: "http")
    let part = Player.Item(uri: "http:///0", externalMetadata: nil, start: .seconds(60))
    clip.decide(.replaceQueue([part]))
    clip.start(duration: 200)
    clip.settle(duration: 200)
    clip.run(measured: 60)
    func measure(_ harness: inout MachineHarness, at milliseconds: Int) -> [Player.Event] {
      harness.advance(.milliseconds(500))
      return harness.sample(.milliseconds(milliseconds)).events
    }
    for (stream, media, shown) in [(broadcast, 0, 10_000), (clip, 60_000, 0)] {
      var harness = stream
      let item = try #require(harness.current)
      #expect(measure(&harness, at: media + 500).isEmpty)
      #expect(measure(&harness, at: media + 500) == [.playbackStalled(item)])
      #expect(measure(&harness, at: media + 700) == [.playbackResumed(item, at: .milliseconds(shown + 700))])
    }
  }
}

@Suite("Loaded and seekable time ranges") struct RangeTests {
  @Test("The whole of a ready file is loaded and seekable")
  func local() {
    var harness = MachineHarness()
    #expect(harness.snapshot.loadedTimeRanges.isEmpty)
    #expect(harness.snapshot.seekableTimeRanges.isEmpty)
    harness.start()
    #expect(harness.snapshot.loadedTimeRanges == [.zero..<(.seconds(10))])
    #expect(harness.snapshot.seekableTimeRanges == [.zero..<(.seconds(10))])
    _ = harness.stop()
    #expect(harness.snapshot.loadedTimeRanges.isEmpty)
    #expect(harness.snapshot.seekableTimeRanges.isEmpty)
  }

  @Test("The greatest time that a stream can state is within the range of numbers")
  func greatestTime() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: nil)
    harness.buffer(100, held: 9.3e9)
    harness.advance(.milliseconds(250))
    #expect(harness.snapshot.loadedTimeRanges.last?.upperBound ?? .zero > .seconds(9_223_372_036))
  }

  @Test("The loaded range of a stream follows the position and ends at the item's end")
  func stream() {
    var harness = MachineHarness(scheme: "http")
    harness.decide(.setForwardBuffer(.seconds(4)))
    #expect(harness.lastEffects.engineCommands == [.settings(harness.engineSettings)])
    #expect(harness.engineSettings.forwardBuffer == .seconds(4))
    harness.start(isSeekable: false)
    // What plays has been received.
    #expect(harness.snapshot.loadedTimeRanges == [.zero..<(.milliseconds(250))])
    harness.advance(.milliseconds(250))
    harness.receive(held: 3.75)
    harness.advance(.milliseconds(250))
    #expect(harness.snapshot.loadedTimeRanges == [.milliseconds(250)..<(.seconds(4))])
    #expect(harness.snapshot.seekableTimeRanges.isEmpty)
    harness.advance(.milliseconds(600))
    #expect(harness.receive(held: 4).hasChanged)
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(1)..<(.milliseconds(5_250))])
    harness.advance(.milliseconds(6_900))
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(8)..<(.milliseconds(8_250))])
    harness.receive(held: 4)
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(8)..<(.seconds(10))])
    harness.advance(.milliseconds(2_000))
    #expect(harness.snapshot.loadedTimeRanges.last?.upperBound == .seconds(10))
  }

  @Test("When an item is decoded to its end, its range reaches that at once, and one event reports it")
  func readRange() {
    var harness = MachineHarness(1, scheme: "http")
    harness.start(duration: 100)
    harness.advance(.seconds(90))
    harness.receive(held: 2)
    harness.advance(.seconds(1))
    #expect(harness.report(.stream(harness.token, .read)) == [.emit(.changed)])
    #expect(harness.snapshot.loadedTimeRanges.last?.upperBound == .seconds(100))
    #expect(harness.report(.stream(harness.token, .read)).isEmpty)
  }

  @Test("The loaded range changes at most four times a second, and its end never moves back without a seek")
  func pace() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.advance(.seconds(1))
    harness.receive(held: 3)
    let first = harness.snapshot.loadedTimeRanges
    harness.advance(.milliseconds(100))
    #expect(!harness.receive(held: 5).hasChanged)
    #expect(harness.snapshot.loadedTimeRanges == first)
    #expect(harness.advance(.milliseconds(150)).hasChanged)
    #expect(harness.snapshot.loadedTimeRanges.last?.upperBound == .milliseconds(6_250))
    harness.advance(.seconds(1))
    harness.receive(held: 1)
    #expect(harness.snapshot.loadedTimeRanges.last?.upperBound == .milliseconds(6_250))
  }

  @Test("A range is announced although the position leaves each one before the next may be shown")
  func leftRanges() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 100)
    harness.receive(held: 0.1)
    var changes = 0
    for _ in 0..<8 {
      harness.advance(.milliseconds(240))
      // The position may have left the range, and shows another one.
      harness.decide(.sampleForReader)
      let end = harness.position + .milliseconds(300)
      let sampled = harness.report(.stream(harness.token, .sampled(position: harness.position, .decoded(until: end))))
      if sampled.hasChanged { changes += 1 }
    }
    #expect(changes >= 2)
  }

  @Test("Before playback passes the estimated end of the received data, it is measured and reported")
  func passedEstimate() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 100)
    harness.advance(.seconds(2))
    harness.buffer(100, held: 3)
    // All that has arrived was reported, and its duration is estimated too short.
    harness.advance(.milliseconds(2_749))
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    harness.report(.stream(harness.token, .sampled(position: .seconds(4.75), .decoded(until: .seconds(6)))))
    #expect(harness.advance(.milliseconds(250)).hasChanged)
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(5)..<(.seconds(6))])
  }

  @Test("A seek clears the loaded range; the rest of a stream that is read to its end is loaded")
  func turns() {
    var harness = MachineHarness(scheme: "http")
    harness.start()
    harness.receive(held: 3)
    _ = harness.seek(6)
    #expect(harness.snapshot.loadedTimeRanges.isEmpty)
    harness.settle()
    harness.run(measured: 6)
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(6)..<(.milliseconds(6_250))])
    harness.report(.stream(harness.token, .read))
    harness.advance(.milliseconds(250))
    #expect(harness.snapshot.loadedTimeRanges.last?.upperBound == .seconds(10))
  }

  @Test("A stream keeps up unless its data arrives more slowly than it plays, and the held data is too short")
  func keepsUp() {
    for (bytes, isLikely) in [(16_000, true), (24_000, true), (12_000, false)] as [(Int64, Bool)] {
      var harness = MachineHarness(scheme: "http")
      harness.start(duration: 100)
      // A second has 16,000 bytes.
      var progress = StreamProgress()
      progress.receive(from: 0)
      progress.receive(bytes: 64_000)
      (progress.size, progress.bytesPerSecond) = (1_600_000, bytes)
      progress.forward(from: 0)
      progress.decode(from: .zero)
      progress.forward(bytes: 32_000)
      progress.decode(until: .seconds(2))
      progress.forward(bytes: 1)
      harness.report(.stream(harness.token, .progressed(progress)))
      #expect(harness.snapshot.isPlaybackBufferFull)
      #expect(harness.snapshot.isPlaybackLikelyToKeepUp == isLikely)
    }
  }

  @Test("The loaded and seekable ranges of a live stream are empty")
  func live() {
    var harness = MachineHarness(scheme: "http")
    _ = harness.play()
    harness.settle(duration: nil, isSeekable: false, isLive: true)
    #expect(harness.snapshot.loadedTimeRanges.isEmpty)
    #expect(harness.snapshot.seekableTimeRanges.isEmpty)
  }
}
