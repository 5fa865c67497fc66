import TestSupport
import Testing

@testable import Playback

@Suite("Observers of the remaining time") struct TimeObserverRemainingTests {
  private func harness(_ remaining: Double..., items: Int = 1, loop: Player.LoopMode = .none) -> ObserverHarness {
    var harness = ObserverHarness(items, loop: loop)
    for seconds in remaining { harness.observe(.remaining(.seconds(seconds))) }
    return harness
  }

  /// Sets the rate, at which the output starts again.
  private func setRate(_ rate: Double, _ harness: inout ObserverHarness) {
    harness.step { $0.decide(.setRate(rate)) }
    if harness.harness.isWanted { harness.step { $0.run() } }
  }

  @Test("Each observer fires once, the longest time first, and no further wake-up is scheduled")
  func once() {
    var harness = harness(5, 0, 20)
    harness.start(duration: 100)
    harness.advance(79.9)
    #expect(harness.boundaries.isEmpty)
    harness.advance(20)
    #expect(harness.boundaries == [80, 95])
    harness.advance(0.2)
    harness.step { $0.end() }
    #expect(harness.boundaries == [80, 95, 100])
    #expect(harness.reported.last { if case .crossing = $0 { true } else { false } } == .crossing(2, 100))
    #expect(harness.nextWake == nil)
  }

  @Test("The remaining time is wall time at any rate", arguments: [(2.0, 90.0), (0.5, 97.5), (4, 80)])
  func rates(rate: Double, boundary: Double) {
    var harness = harness(5)
    harness.step { $0.decide(.setRate(rate)) }
    harness.step { _ = $0.play() }
    harness.step { $0.settle(duration: 100) }
    harness.step { $0.run() }
    harness.advance(100 / rate - 5.001)
    #expect(harness.boundaries.isEmpty)
    harness.advance(0.002)
    #expect(harness.boundaries == [boundary])
    harness.advance(10)
    #expect(harness.boundaries == [boundary])
  }

  @Test("A higher rate that leaves less time fires at once; a lower rate defers the observer and does not repeat it")
  func changesOfRate() {
    var faster = harness(5)
    faster.start(duration: 100)
    faster.advance(92)
    setRate(2, &faster)
    faster.advance(0.01)
    #expect(faster.boundaries == [92])
    setRate(1, &faster)
    faster.advance(20)
    #expect(faster.boundaries == [92])

    var slower = harness(5)
    slower.start(duration: 100)
    slower.advance(90)
    setRate(0.5, &slower)
    slower.advance(14)
    #expect(slower.boundaries.isEmpty)
    slower.advance(2)
    #expect(slower.boundaries == [97.5])
    setRate(0.25, &slower)
    slower.advance(30)
    #expect(slower.boundaries == [97.5])
  }

  @Test("A seek back that another seek replaces before playback continues does not repeat the observer")
  func mergedSeeks() {
    var harness = harness(5)
    harness.start(duration: 100)
    harness.advance(97)
    #expect(harness.boundaries == [95])
    for seconds in [50.0, 97] { harness.step { _ = $0.seek(seconds) } }
    harness.step { $0.settle(duration: 100) }
    harness.step { $0.run() }
    harness.advance(1)
    #expect(harness.boundaries == [95])
  }

  @Test("After the end of an item that is held there, a seek back begins another passage")
  func heldAtEnd() {
    var harness = harness(60)
    harness.step { $0.decide(.setActionAtItemEnd(.none)) }
    harness.start(duration: 100)
    harness.advance(99.9)
    harness.step { $0.end() }
    #expect(harness.boundaries == [40])
    harness.seek(70, duration: 100)
    harness.advance(1)
    #expect(harness.boundaries == [40, 70])
  }

  @Test("A shorter item fires at each start")
  func shorter() {
    var harness = harness(5, loop: .track)
    harness.start(duration: 3)
    harness.advance(0.1)
    #expect(harness.boundaries == [0])
    harness.advance(3)
    harness.step { $0.end() }
    harness.step { $0.settle(duration: 3) }
    harness.step { $0.run() }
    harness.advance(0.1)
    #expect(harness.boundaries == [0, 0])
    harness.advance(1)
    harness.seek(0, duration: 3)
    harness.advance(1)
    #expect(harness.boundaries == [0, 0, 0])
    harness.seek(0.5, duration: 3)
    harness.advance(1)
    #expect(harness.boundaries == [0, 0, 0])
  }

  @Test("A seek back before the boundary allows it to fire again; a seek into the remaining time fires at once")
  func seeks() {
    var harness = harness(5, 2)
    harness.start(duration: 100)
    harness.advance(1)
    harness.seek(96, duration: 100)
    #expect(harness.boundaries.isEmpty)
    harness.advance(0.5)
    #expect(harness.boundaries == [96])
    harness.seek(97, duration: 100)
    harness.advance(0.5)
    harness.seek(95.5, duration: 100)
    harness.advance(0.5)
    #expect(harness.boundaries == [96])
    harness.advance(2.5)
    #expect(harness.boundaries == [96, 98])
    harness.seek(97, duration: 100)
    harness.advance(1.5)
    #expect(harness.boundaries == [96, 98, 98])
    harness.seek(50, duration: 100)
    harness.advance(49)
    #expect(harness.boundaries == [96, 98, 98, 95, 98])
    harness.seek(95, duration: 100)
    harness.advance(1)
    #expect(harness.boundaries == [96, 98, 98, 95, 98, 95])
  }

  @Test("A pause, even one that releases the output, and a stall do not fire the observer again")
  func interruptions() {
    var harness = harness(5)
    harness.start(duration: 100)
    harness.advance(96)
    harness.step { _ = $0.pause() }
    harness.advance(100)
    #expect(harness.harness.isReleased)
    harness.step { _ = $0.play() }
    harness.step { $0.settle(duration: 100) }
    harness.step { $0.run() }
    harness.advance(1)
    harness.step { $0.buffer(10) }
    harness.step { $0.buffer(100) }
    harness.step { $0.run() }
    harness.advance(1)
    #expect(harness.boundaries == [95])
  }

  @Test(
    "A faded pause repeats and skips no observer, also if the rate changes or the output is released",
    arguments: [false, true])
  func fadedPause(isReleased: Bool) {
    var harness = ObserverHarness(configuration: Player.Configuration(fade: .seconds(1)))
    harness.observe(.remaining(.seconds(5)))
    harness.observe(times: 86.39)
    harness.observe(fractions: 0.8639)
    harness.observe(every: 21.5975)
    harness.start(duration: 100)
    harness.seek(79, duration: 100)
    setRate(4, &harness)
    harness.advance(1)
    #expect(harness.boundaries == [80])
    harness.step { _ = $0.pause() }
    harness.step { $0.report(.output(.fadeOutEnds(in: .milliseconds(830)))) }
    let wakes = harness.wakes
    harness.advance(1)
    // The end of the fade and a measurement.
    #expect(harness.wakes - wakes <= 2)
    let paused: [EngineCommand] = [.seek(harness.token, to: .milliseconds(86_320)), .setPlaying(false)]
    #expect(harness.harness.effects.engineCommands.suffix(2) == paused)
    harness.step { $0.settle(duration: 100) }
    if isReleased {
      harness.advance(100)
      #expect(harness.harness.isReleased)
    }
    harness.observe(times: 86.38)
    setRate(1, &harness)
    harness.step { _ = $0.play() }
    if isReleased { harness.step { $0.settle(duration: 100) } }
    harness.step { $0.run() }
    #expect(harness.harness.position == .milliseconds(86_320))
    harness.advance(12)
    // The silence after the fade-out has passed no observer.
    #expect(harness.boundaries == [80, 86.38, 86.39, 86.39])
    #expect(harness.ticks.count { abs($0 - 86.39) < 0.001 } == 1)
  }

  @Test("Without a duration nothing fires; a late duration fires at once if less time remains")
  func durations() {
    var harness = harness(5)
    harness.start(duration: nil)
    harness.advance(500)
    #expect(harness.boundaries.isEmpty)
    #expect(harness.nextWake == nil)
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(510)))) }
    harness.advance(1)
    #expect(harness.boundaries.isEmpty)
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(504)))) }
    harness.advance(0.1)
    #expect(harness.boundaries == [499])
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(600)))) }
    harness.advance(100)
    #expect(harness.boundaries == [499])
  }

  @Test("An end that is found after playback has passed it does not fire the observer again when the item is reloaded")
  func endFoundLate() {
    var harness = harness(0)
    harness.start(duration: nil)
    harness.advance(50.01)
    harness.step { $0.report(.stream($0.token, .durationChanged(.seconds(50)))) }
    harness.advance(0.001)
    #expect(harness.boundaries == [50])
    harness.step { _ = $0.pause() }
    harness.advance(100)
    #expect(harness.harness.isReleased)
    harness.step { _ = $0.play() }
    harness.step { $0.settle(duration: nil) }
    harness.step { $0.run() }
    harness.advance(0.1)
    #expect(harness.boundaries == [50])
  }

  @Test("No time remains at the end that is reported, whatever duration the media claimed")
  func endFoundAtEnd() {
    for (duration, end) in [(nil, 50), (60, 50), (50, 50.1)] as [(Double?, Double)] {
      var harness = harness(0)
      harness.observe(fractions: 1)
      harness.start(duration: duration)
      harness.advance(end - 0.3)
      harness.end(at: end)
      #expect(harness.boundaries == [50, 50])
    }
  }

  @Test("Every item of a gapless sequence fires, including one that ended before its start was noticed")
  func items() throws {
    var harness = harness(2, items: 2)
    harness.start()
    harness.advance(9)
    let stream = try harness.prepareNext(duration: 0.5)
    harness.stand(3)
    harness.enterNext(stream)
    harness.step { $0.end() }
    let items = harness.harness.items
    #expect(harness.boundaries == [8, 0])
    #expect(harness.crossings.map(\.item) == items)
  }

  @Test("After a skip the next item fires; after a stop and a play the same item fires again")
  func skips() {
    var harness = harness(5, items: 2)
    harness.start()
    harness.advance(6)
    harness.step { _ = $0.next() }
    harness.step { $0.settle(duration: 20) }
    harness.step { $0.run() }
    harness.advance(16)
    harness.step { _ = $0.stop() }
    harness.start(duration: 20)
    harness.advance(16)
    #expect(harness.boundaries == [5, 15, 15])
  }

  @Test("An observer added when less time remains waits for the next repetition")
  func late() {
    var harness = harness(loop: .track)
    harness.start()
    harness.advance(7)
    harness.observe(.remaining(.seconds(5)))
    harness.advance(3.1)
    #expect(harness.boundaries.isEmpty)
    harness.step { $0.end() }
    harness.step { $0.settle() }
    harness.step { $0.run() }
    harness.advance(6)
    #expect(harness.boundaries == [5])
  }

  @Test("The longest remaining time fires at the start of an item, at any rate", arguments: [1.0, 0.25, 4])
  func longest(rate: Double) {
    var harness = harness()
    harness.observe(.remaining(.seconds(Int64.max)))
    harness.start(duration: 100)
    harness.advance(0.01)
    setRate(rate, &harness)
    harness.advance(1)
    #expect(harness.boundaries == [0])
  }
}
