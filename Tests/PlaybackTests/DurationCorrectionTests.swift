import Testing

@testable import Playback

@Suite("Media that is longer than it claims, and estimated positions")
struct DurationCorrectionTests {
  /// A measurement that shows decoded media ahead of the position.
  private func sample(
    _ harness: inout MachineHarness, at position: Double, decoded: Double, progress: StreamProgress = StreamProgress()
  ) -> [Effect] {
    var progress = progress
    progress.decode(until: .seconds(decoded))
    return harness.report(.stream(harness.token, .sampled(position: .seconds(position), progress)))
  }

  /// The progress of a stream of constant bit rate from a byte on.
  private func bytes(
    from first: Int64, to last: Int64, at time: Double, of size: Int64, perSecond: Double = 1000
  ) -> StreamProgress {
    var progress = StreamProgress()
    progress.size = size
    progress.forward(from: first)
    progress.decode(from: .seconds(time))
    progress.forward(bytes: 0)
    progress.decode(until: .seconds(time + Double(last - first) / perSecond))
    progress.forward(bytes: last - first)
    progress.forward(bytes: 0)
    return progress
  }

  @Test("Before the claimed end, the position is measured once, and once more after it")
  func checks() {
    var harness = MachineHarness()
    harness.start(duration: 100)
    harness.advance(.seconds(90))
    #expect(harness.advance(.milliseconds(9499)).engineCommands.isEmpty)
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    #expect(harness.advance(.milliseconds(999)).engineCommands.isEmpty)
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    // Only the limit for the end of the item remains.
    #expect(harness.nextWake == harness.now + .milliseconds(9_500))
    #expect(harness.position == .seconds(100))
  }

  @Test("Samples beyond the claimed duration extend it; if more follow, it is unknown until the end")
  func extended() {
    var harness = MachineHarness(1)
    harness.start(duration: 4)
    harness.advance(.milliseconds(3500))
    #expect(sample(&harness, at: 3.5, decoded: 4.2).isEmpty)
    #expect(sample(&harness, at: 3.5, decoded: 4.8).hasChanged)
    #expect(harness.snapshot.duration == .seconds(4.8))
    #expect(harness.advance(.milliseconds(800)).engineCommands == [.samplePosition(of: harness.token)])
    #expect(sample(&harness, at: 4.3, decoded: 5.5).hasChanged)
    #expect(harness.snapshot.duration == nil && harness.snapshot.isSeekable)
    harness.advance(.milliseconds(3700))
    #expect(harness.position == .seconds(8))
    #expect(harness.seek(11).engineCommands == [.seek(harness.token, to: .seconds(11))])
    harness.settle(duration: 4)
    harness.run()
    harness.advance(.seconds(1))
    let ended = harness.report(.stream(harness.token, .ended(at: .seconds(12))))
    #expect(harness.snapshot.duration == .seconds(12))
    #expect(ended.events == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
  }

  @Test("A position beyond the claimed duration extends it, even if decoding is not ahead")
  func measuredBeyond() {
    var harness = MachineHarness()
    harness.start(duration: 4)
    harness.advance(.milliseconds(4500))
    #expect(harness.position == .seconds(4))
    harness.sample(.seconds(4.5))
    #expect(harness.position == .seconds(4.5) && harness.snapshot.duration == .seconds(4.5))
  }

  @Test(
    "While the position is corrected gradually, it is compared with the claimed duration when the output gets there")
  func lateOutput() {
    var harness = MachineHarness(1)
    harness.start(duration: 100)
    harness.advance(.seconds(97))
    // The output has stood for a second.
    harness.sample(.seconds(96))
    #expect(harness.advance(.seconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    harness.sample(.seconds(97))
    #expect(harness.advance(.milliseconds(2499)).engineCommands.isEmpty)
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    harness.sample(.seconds(99.5))
    #expect(harness.advance(.milliseconds(999)).engineCommands.isEmpty)
    #expect(harness.advance(.milliseconds(1)).engineCommands == [.samplePosition(of: harness.token)])
    harness.sample(.seconds(100.5))
    #expect(harness.snapshot.duration == .seconds(100.5))
  }

  @Test("The new duration of a stream is estimated from its bytes, and again if it proves too short")
  func estimated() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 4)
    harness.advance(.seconds(3))
    _ = sample(&harness, at: 3, decoded: 4.5, progress: bytes(from: 0, to: 4500, at: 0, of: 12_000))
    #expect(harness.snapshot.duration == .seconds(12))
    harness.advance(.seconds(9))
    _ = sample(&harness, at: 12, decoded: 13, progress: bytes(from: 0, to: 10_000, at: 3, of: 12_000))
    #expect(harness.snapshot.duration == .seconds(15))
  }

  @Test("The found duration is kept when the item is opened again, and another claim replaces it")
  func reopened() {
    var harness = MachineHarness(configuration: Player.Configuration(releaseOutputAfter: .seconds(5)))
    harness.start(duration: 4)
    harness.advance(.seconds(4))
    _ = sample(&harness, at: 4, decoded: 5)
    harness.advance(.seconds(1))
    _ = sample(&harness, at: 5, decoded: 6)
    _ = harness.pause()
    harness.advance(.seconds(6))
    #expect(harness.play().loads == ["file:///0"])
    harness.settle(duration: 4)
    #expect(harness.snapshot.duration == nil && harness.position == .seconds(5))
    harness.report(.stream(harness.token, .durationChanged(.seconds(12))))
    #expect(harness.snapshot.duration == .seconds(12))
  }

  @Test("The range of an item that is opened again is not limited by the claimed duration")
  func rangeOfReopened() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: 4)
    harness.advance(.seconds(3))
    let whole = bytes(from: 0, to: 4500, at: 0, of: 12_000)
    _ = sample(&harness, at: 3, decoded: 4.5, progress: whole)
    _ = harness.stop()
    _ = harness.play()
    harness.settle(duration: 4)
    harness.run()
    #expect(harness.snapshot.duration == .seconds(12))
    var received = whole
    received.receive(from: 0)
    received.receive(bytes: 12_000)
    harness.advance(.seconds(1))
    harness.report(.stream(harness.token, .progressed(received)))
    #expect(harness.snapshot.loadedTimeRanges == [.seconds(1)..<(.seconds(12))])
  }

  @Test("A duration that is claimed after the position has passed it is ignored")
  func lateClaim() {
    var harness = MachineHarness(scheme: "http")
    harness.start(duration: nil, isSeekable: false)
    harness.advance(.seconds(60))
    #expect(harness.report(.stream(harness.token, .durationChanged(.seconds(12)))).isEmpty)
    #expect(harness.snapshot.duration == nil && harness.position == .seconds(60))
    harness.report(.stream(harness.token, .durationChanged(.seconds(61))))
    #expect(harness.snapshot.duration == .seconds(61))
  }

  @Test("The end of a clip is never extended; a clip up to the end of the media is")
  func clips() {
    let parts = [(2.0, 4.0 as Double?), (2, nil)].map { start, end in
      Player.Item(uri: "file:///a", externalMetadata: nil, start: .seconds(start), end: end.map { .seconds($0) })
    }
    for (part, duration) in zip(parts, [2.0, 3.5]) {
      var harness = MachineHarness(0)
      harness.decide(.replaceQueue([part]))
      _ = harness.play()
      harness.settle(duration: 4)
      harness.run(measured: 2)
      harness.advance(.seconds(1.5))
      _ = sample(&harness, at: 3.5, decoded: 5.5)
      #expect(harness.snapshot.duration == .seconds(duration))
    }
  }

  @Test("An end that is found after the claimed one is the duration, also of an item that follows without a gap")
  func laterEnd() throws {
    var harness = MachineHarness()
    harness.start(duration: 4)
    let next = try harness.prepareNext(duration: 4)
    harness.report(.stream(harness.token, .ended(at: .seconds(6))))
    #expect(harness.snapshot.duration == .seconds(6))
    harness.report(.audible(next, at: .zero))
    harness.decide(.setActionAtItemEnd(.pause))
    harness.report(.stream(next, .ended(at: .seconds(7))))
    #expect(harness.current == harness.items[1] && harness.snapshot.duration == .seconds(7))
  }

  // MARK: Estimated positions

  /// Returns a harness that plays a stream of 100 s from an estimated position.
  private func estimated(at seconds: Double) -> MachineHarness {
    var harness = MachineHarness(1, scheme: "http")
    harness.start(duration: 100)
    _ = harness.seek(seconds, ticket: 1)
    var facts = StreamFacts(duration: .seconds(100), position: .seconds(seconds))
    facts.isEstimated = true
    harness.report(.stream(harness.token, .settled(facts)))
    harness.run()
    return harness
  }

  @Test("A seek to an estimated position completes at its target, and the position is marked as an estimate")
  func mark() {
    var harness = estimated(at: 50)
    #expect(harness.effects.finished == [1: [true]])
    #expect(harness.position == .seconds(50) && harness.snapshot.isPositionEstimated)
    _ = harness.seek(1)
    harness.settle(duration: 100)
    #expect(!harness.snapshot.isPositionEstimated)
  }

  @Test(
    "An estimated position is corrected when the rest of the data shows its error, and the jump is reported",
    arguments: [55_000, 45_000] as [Int64])
  func corrected(offset: Int64) {
    var harness = estimated(at: 50)
    harness.advance(.seconds(3))
    // The first blocks also contain data before the target.
    let first = bytes(from: offset, to: offset + 8_000, at: 50, of: 100_000, perSecond: 2000)
    #expect(sample(&harness, at: 53, decoded: 54, progress: first).events.isEmpty)
    harness.advance(.seconds(7))
    // The error is less than the uncertainty of the estimate.
    #expect(
      sample(&harness, at: 60, decoded: 61, progress: bytes(from: offset, to: offset + 11_000, at: 50, of: 100_000))
        .events.isEmpty)
    #expect(harness.position == .seconds(60))
    harness.advance(.seconds(28))
    let error = Double(offset - 50_000) / 1000
    let late = sample(
      &harness, at: 88, decoded: 89, progress: bytes(from: offset, to: offset + 39_000, at: 50, of: 100_000))
    #expect(late.events == [.timeJumped(from: .seconds(88), to: .seconds(88 + error))])
    #expect(harness.position == .seconds(88 + error) && harness.snapshot.duration == .seconds(100))
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(89 + error))
    // The media times of later seeks are not affected.
    #expect(harness.seek(20).engineCommands == [.seek(harness.token, to: .seconds(20))])
    harness.settle(duration: 100)
    harness.run(measured: 20)
    #expect(harness.position == .seconds(20))
  }

  @Test("An end at an estimated position ends the item, and keeps its duration")
  func endOfEstimate() {
    var harness = estimated(at: 50)
    harness.advance(.seconds(45))
    let ended = harness.report(.stream(harness.token, .ended(at: .seconds(95))))
    #expect(ended.events == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
    #expect(harness.snapshot.duration == .seconds(100))
  }

  @Test("Samples beyond the duration at an estimated position do not extend it")
  func estimateBeyond() {
    var harness = estimated(at: 98)
    harness.advance(.seconds(3))
    _ = sample(&harness, at: 101, decoded: 102)
    #expect(harness.position == .seconds(100) && harness.snapshot.duration == .seconds(100))
  }
}
