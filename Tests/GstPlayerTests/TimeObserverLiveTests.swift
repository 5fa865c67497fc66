import GstPlayer
import TestSupport
import Testing

@Suite("Boundaries of what plays", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimeObserverLiveTests {
  private static func ms(_ milliseconds: Int...) -> [Duration] { milliseconds.map { .milliseconds($0) } }

  @Test("From 0 to the duration each is told once, in order, and none beyond; a time named twice is one")
  func fromStartToEnd() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(times: Self.ms(500, 1000, 1001, 0, 250, 500, 60_000, 750, 0))
      try await stage.playOut()
      try await ear.end()
      #expect(ear.boundaries == Self.ms(0, 250, 500, 750, 1000))
      #expect(ear.crossings.allSatisfy { $0.item == stage.items[0] && $0.boundary <= $0.position })
      let instants = ear.crossings.map(\.monotonicNanoseconds)
      #expect(instants == instants.sorted())
      #expect(Set(instants).count == instants.count)
    }
  }

  @Test("The one at the duration, and the end to periodic observers, are told before the stop that follows")
  func end() async throws {
    let path = try await Media.sine(seconds: 0.5)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(fractions: 1)
      try ear.listen(every: .seconds(1000))
      try await stage.playOut()
      try await ear.end()
      let calls = ear.calls.elements
      let end = try #require(
        calls.firstIndex {
          if case .crossing(let crossing) = $0 { crossing.boundary == .milliseconds(500) } else { false }
        })
      #expect(end + 1 < calls.count)
      #expect(Array(calls[(end + 1)...].prefix(2)) == [.tick(.milliseconds(500)), .tick(.zero)])
      #expect(calls[(end + 2)...].allSatisfy { $0 == .tick(.zero) })
      #expect(ear.boundaries == Self.ms(500))
    }
  }

  @Test("At another rate the same are told", arguments: [0.5, 2, 4])
  func rates(rate: Double) async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(times: Self.ms(0, 200, 400, 600, 800, 1000))
      stage.player.setRate(rate)
      try await stage.playOut()
      try await ear.end()
      #expect(ear.boundaries == Self.ms(0, 200, 400, 600, 800, 1000))
    }
  }

  @Test("A thousand of them arrive once each and in order")
  func thousand() async throws {
    let path = try await Media.sine(seconds: 1.1)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      let all = (1...1000).map { Duration.milliseconds($0) }
      try ear.listen(times: all.reversed())
      try await stage.playOut()
      try await ear.end()
      #expect(ear.boundaries == all)
    }
  }

  @Test("Several observers hear of the same place in the order in which they came")
  func several() async throws {
    let path = try await Media.sine(seconds: 0.6)
    try await withPlayer([fileURI(path)]) { stage in
      let heard = EventLog<Int>()
      var observations: [PlayerObservation] = []
      for number in 0..<5 {
        observations.append(
          try stage.player.addBoundaryTimeObserver(forTimes: Self.ms(300)) { _ in heard.append(number) })
      }
      try await stage.playOut()
      try await fence(stage.player)
      #expect(heard.elements == [0, 1, 2, 3, 4])
      for observation in observations { observation.cancel() }
    }
  }

  // MARK: Seeks

  @Test("A seek across one does not tell it; a seek back lets it be told again")
  func seeks() async throws {
    let path = try await Media.sine(seconds: 2)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(times: Self.ms(300, 900, 1500))
      try await stage.playing(pausedAt: .milliseconds(400))
      #expect(await stage.player.seek(to: .milliseconds(1200)))
      try await stage.playing(pausedAt: .milliseconds(1600))
      #expect(await stage.player.seek(to: .milliseconds(200)))
      #expect(await stage.player.seek(to: .milliseconds(1400)))
      try await stage.playOut()
      try await ear.end()
      #expect(ear.boundaries == Self.ms(300, 1500, 1500))
    }
  }

  @Test("A seek onto one tells it once, when play goes on and not before")
  func seekOnto() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(times: Self.ms(700))
      try ear.listen(every: .seconds(1000))
      try await stage.ready()
      #expect(await stage.player.seek(to: .milliseconds(700)))
      try await ear.calls.first("the seek is told") { $0 == .tick(.milliseconds(700)) }
      #expect(ear.boundaries.isEmpty)
      try await stage.playOut()
      try await ear.end()
      #expect(ear.boundaries == Self.ms(700))
    }
  }

  @Test("A start from a position tells what lies there and beyond, and nothing before it")
  func startPosition() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(times: Self.ms(0, 300, 500, 800))
      stage.player.play()
      stage.seek(.milliseconds(500))
      try await stage.event(.queueEnded)
      try await ear.end()
      #expect(ear.boundaries == Self.ms(500, 800))
    }
  }

  @Test("A pause on the way neither repeats nor loses one")
  func pauses() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(times: Self.ms(0, 200, 400, 600, 800, 1000))
      for pause in Self.ms(200, 399, 600, 800) { try await stage.playing(pausedAt: pause) }
      try await stage.playOut()
      try await ear.end()
      #expect(ear.boundaries == Self.ms(0, 200, 400, 600, 800, 1000))
    }
  }

  // MARK: Items

  @Test("On a loop they are told each time round, without a gap or with one", arguments: [1.0, 2])
  func loop(rate: Double) async throws {
    let path = try await Media.continuousSine(samplesPerPart: 44_100)[0]
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(fractions: 0, 0.5, 1)
      // Only at the normal rate is it gapless.
      stage.player.setRate(rate)
      stage.player.setLoop(.track)
      stage.player.play()
      var place = 0
      for _ in 0..<3 { place = try await ear.crossed(.seconds(1), from: place) }
      stage.player.stop()
      try await ear.end()
      let round = Self.ms(0, 500, 1000)
      #expect(Array(ear.boundaries.prefix(9)) == round + round + round)
      let repetitions = stage.story.filter { if case .itemRepeated = $0 { true } else { false } }
      #expect(repetitions.count >= 2)
    }
  }

  @Test("Every item of a gapless queue has its own fractions, a very short one too")
  func fractions() async throws {
    let long = try await Media.continuousSine(samplesPerPart: 44_100)
    let short = try await Media.sine(seconds: 0.05)
    try await withPlayer([long[0], short, long[1], short, short].map(fileURI)) { stage in
      let ear = Ear(stage.player)
      try ear.listen(fractions: 0.5, 1, 0, 0.25)
      try await stage.playOut()
      try await ear.end()
      let expected = [1000, 50, 1000, 50, 50].flatMap { length in
        [0, 0.25, 0.5, 1].map { Duration.microseconds(Double(length * 1000) * $0) }
      }
      #expect(ear.boundaries == expected)
      #expect(ear.crossings.map(\.item) == stage.items.flatMap { Array(repeating: $0, count: 4) })
    }
  }

  @Test("Next and previous leave the rest of an item untold, and begin the other from 0")
  func skips() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path), fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(times: Self.ms(0, 200, 900))
      try await stage.playing(pausedAt: .milliseconds(300))
      stage.player.next()
      try await stage.playing(pausedAt: .milliseconds(400))
      stage.player.previous()
      try await stage.playing(pausedAt: .milliseconds(500))
      try await ear.end()
      #expect(ear.boundaries == Self.ms(0, 200, 0, 200, 0, 200))
      let (first, second) = (stage.items[0], stage.items[1])
      #expect(ear.crossings.map(\.item) == [first, first, second, second, first, first])
    }
  }

  // MARK: Intervals

  @Test("Ticks tell each multiple that is passed once, at any rate", arguments: [0.5, 1, 4])
  func ticks(rate: Double) async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      stage.player.setRate(rate)
      try ear.listen(every: .milliseconds(100))
      try await stage.playOut()
      let ticks = ear.ticks
      try await ear.end()
      // A late timer passes several at once, and an end from which nothing follows is at 0 again.
      let multiples = ticks.map { Int($0 / .milliseconds(100)) }.filter { $0 > 0 }
      #expect(multiples == Array(Set(multiples)).sorted())
      #expect(multiples.count <= 10)
      #expect(multiples.count >= 2)
    }
  }

  @Test("A start, a seek onto a multiple and a gapless change of items are one tick each")
  func startsOnMultiples() async throws {
    let path = try await Media.sine(seconds: 1.9)
    try await withPlayer([fileURI(path), fileURI(path)]) { stage in
      let ear = Ear(stage.player)
      try ear.listen(every: .milliseconds(700))
      try await stage.playing(pausedAt: .milliseconds(100))
      #expect(await stage.player.seek(to: .milliseconds(1400)))
      stage.player.play()
      try await stage.event(.currentItemChanged(from: stage.items[0], to: stage.items[1]))
      try await stage.playing(pausedAt: .milliseconds(600))
      try await ear.end()
      // The start and the pause; the seek and the start; the end; the change and the pause.
      let ticks = ear.ticks
      try #require(ticks.count >= 7)
      #expect(ticks[0] == .zero)
      #expect(Array(ticks[2...4]) == [.milliseconds(1400), .milliseconds(1400), .milliseconds(1900)], "\(ticks)")
      let change = ticks[5...].prefix { $0 < .milliseconds(100) }
      // An item that was not ready in time waits at 0, and its start is a tick of its own.
      #expect(change.count == 1 || change == [.zero, .zero], "\(ticks)")
    }
  }

  @Test("A pause, each seek while paused, an item and a stop are one tick each")
  func discontinuities() async throws {
    let path = try await Media.sine(seconds: 2)
    try await withPlayer([fileURI(path), fileURI(path)]) { stage in
      try await stage.playing(pausedAt: .milliseconds(300))
      let ear = Ear(stage.player)
      try ear.listen(every: .seconds(1000))
      #expect(await stage.player.seek(to: .milliseconds(1500)))
      #expect(await stage.player.seek(to: .milliseconds(100)))
      try await stage.playing(pausedAt: .milliseconds(400))
      let paused = stage.player.snapshot.position
      stage.player.next()
      #expect(stage.player.snapshot.currentItem == stage.items[1])
      stage.player.stop()
      try await ear.end()
      let expected: [Duration] = [.milliseconds(1500), .milliseconds(100), .milliseconds(100), paused, .zero]
      // Beyond them there may be that of the queue that the test emptied.
      #expect(Array(ear.ticks.prefix(5)) == expected)
      #expect(ear.ticks.count <= 6)
    }
  }
}
