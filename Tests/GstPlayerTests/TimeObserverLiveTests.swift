import GstPlayer
import TestSupport
import Testing

@Suite("Boundary times, live", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimeObserverLiveTests {
  private static func ms(_ milliseconds: Int...) -> [Duration] { milliseconds.map { .milliseconds($0) } }

  @Test("Each boundary from 0 to the duration is reported once, in order; a time given twice counts once")
  func fromStartToEnd() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path)], inFastTime: false) { harness in
      let recorder = ObserverRecorder(harness.player)
      try recorder.listen(times: Self.ms(500, 1000, 1001, 0, 250, 500, 60_000, 750, 0))
      try await harness.playToEnd()
      try await recorder.end()
      #expect(recorder.boundaries == Self.ms(0, 250, 500, 750, 1000))
      #expect(recorder.crossings.allSatisfy { $0.item == harness.items[0] && $0.boundary <= $0.position })
      let instants = recorder.crossings.map(\.monotonicNanoseconds)
      #expect(instants == instants.sorted())
      #expect(Set(instants).count == instants.count)
    }
  }

  @Test("The boundary at the duration, and the end for periodic observers, are reported before the stop that follows")
  func end() async throws {
    let path = try await Media.sine(seconds: 0.5)
    try await withPlayer([fileURI(path)], inFastTime: false) { harness in
      let recorder = ObserverRecorder(harness.player)
      try recorder.listen(fractions: 1)
      try recorder.listen(every: .seconds(1000))
      try await harness.playToEnd()
      try await recorder.end()
      let calls = recorder.calls.elements
      let end = try #require(
        calls.firstIndex {
          if case .crossing(let crossing) = $0 { crossing.boundary == .milliseconds(500) } else { false }
        })
      #expect(end + 1 < calls.count)
      #expect(Array(calls[(end + 1)...].prefix(2)) == [.tick(.milliseconds(500)), .tick(.zero)])
      #expect(calls[(end + 2)...].allSatisfy { $0 == .tick(.zero) })
      #expect(recorder.boundaries == Self.ms(500))
    }
  }

  @Test("A thousand boundaries are reported once each and in order")
  func thousand() async throws {
    let path = try await Media.sine(seconds: 1.1)
    try await withPlayer([fileURI(path)], inFastTime: false) { harness in
      let recorder = ObserverRecorder(harness.player)
      let all = (1...1000).map { Duration.milliseconds($0) }
      try recorder.listen(times: all.reversed())
      try await harness.playToEnd()
      try await recorder.end()
      #expect(recorder.boundaries == all)
    }
  }

  @Test("Several observers of one boundary are called in the order in which they were added")
  func several() async throws {
    let path = try await Media.sine(seconds: 0.6)
    try await withPlayer([fileURI(path)], inFastTime: false) { harness in
      let recorded = EventLog<Int>()
      var observations: [Player.Observer] = []
      for number in 0..<5 {
        observations.append(
          try harness.player.addBoundaryTimeObserver(forTimes: Self.ms(300)) { _ in recorded.append(number) })
      }
      try await harness.playToEnd()
      try await waitForPendingCalls(harness.player)
      #expect(recorded.elements == [0, 1, 2, 3, 4])
      for observation in observations { observation.cancel() }
    }
  }

  // MARK: Items

  @Test("Every item of a gapless queue has its own fractions, including very short items")
  func fractions() async throws {
    let long = try await Media.continuousSine(samplesPerPart: 44_100)
    let short = try await Media.sine(seconds: 0.05)
    try await withPlayer([long[0], short, long[1], short, short].map(fileURI), inFastTime: false) { harness in
      let recorder = ObserverRecorder(harness.player)
      try recorder.listen(fractions: 0.5, 1, 0, 0.25)
      try await harness.playToEnd()
      try await recorder.end()
      let expected = [1000, 50, 1000, 50, 50].flatMap { length in
        [0, 0.25, 0.5, 1].map { Duration.microseconds(Double(length * 1000) * $0) }
      }
      #expect(recorder.boundaries == expected)
      #expect(recorder.crossings.map(\.item) == harness.items.flatMap { Array(repeating: $0, count: 4) })
    }
  }

  // MARK: Intervals

  @Test("A start, a seek to a multiple and a gapless item change cause one tick each")
  func startsOnMultiples() async throws {
    let path = try await Media.sine(seconds: 1.9)
    try await withPlayer([fileURI(path), fileURI(path)], inFastTime: false) { harness in
      let recorder = ObserverRecorder(harness.player)
      try recorder.listen(every: .milliseconds(700))
      try await harness.playing(pausedAt: .milliseconds(100))
      #expect(await harness.player.seek(to: .milliseconds(1400)).isCompleted)
      harness.player.play()
      try await harness.event(.currentItemChanged(from: harness.items[0], to: harness.items[1]))
      try await harness.playing(pausedAt: .milliseconds(600))
      try await recorder.end()
      // The start and the pause; the seek and the start; the end; the item change and the pause.
      let ticks = recorder.ticks
      try #require(ticks.count >= 7)
      #expect(ticks[0] == .zero)
      #expect(Array(ticks[2...4]) == [.milliseconds(1400), .milliseconds(1400), .milliseconds(1900)], "\(ticks)")
      let change = ticks[5...].prefix { $0 < .milliseconds(100) }
      // An item that is not prerolled in time waits at 0, and its start causes a separate tick.
      #expect(change.count == 1 || change == [.zero, .zero], "\(ticks)")
    }
  }

  @Test("A pause, each seek while paused, an item change and a stop cause one tick each")
  func discontinuities() async throws {
    let path = try await Media.sine(seconds: 2)
    try await withPlayer([fileURI(path), fileURI(path)], inFastTime: false) { harness in
      try await harness.playing(pausedAt: .milliseconds(300))
      let recorder = ObserverRecorder(harness.player)
      try recorder.listen(every: .seconds(1000))
      #expect(await harness.player.seek(to: .milliseconds(1500)).isCompleted)
      #expect(await harness.player.seek(to: .milliseconds(100)).isCompleted)
      try await harness.playing(pausedAt: .milliseconds(400))
      let paused = harness.player.snapshot.position
      harness.player.advanceToNextItem()
      #expect(harness.player.snapshot.currentItem == harness.items[1])
      harness.player.stop()
      try await recorder.end()
      let expected: [Duration] = [.milliseconds(1500), .milliseconds(100), .milliseconds(100), paused, .zero]
      // Another tick may follow for the queue that the test emptied.
      #expect(Array(recorder.ticks.prefix(5)) == expected)
      #expect(recorder.ticks.count <= 6)
    }
  }
}
