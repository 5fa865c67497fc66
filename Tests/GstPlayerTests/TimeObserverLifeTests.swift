import Dispatch
import GstPlayer
import Synchronization
import TestSupport
import Testing

@Suite("The life of a time observer", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimeObserverLifeTests {
  private static let hundred = (1...100).map { Duration.milliseconds($0 * 4) }

  private func uri() async throws -> String { fileURI(try await Media.sine(seconds: 0.5)) }

  // MARK: Cancelling

  @Test("Cancelled in its own call it is not called again")
  func cancelInCall() async throws {
    try await withPlayer([try await uri()]) { stage in
      let (token, calls) = (Token(), EventLog<Duration>())
      token.hold(
        try stage.player.addBoundaryTimeObserver(forTimes: Self.hundred) { crossing in
          calls.append(crossing.boundary)
          if crossing.boundary == Self.hundred[2] { token.cancel() }
        })
      try await stage.playOut()
      try await fence(stage.player)
      #expect(calls.elements == Array(Self.hundred.prefix(3)))
    }
  }

  @Test("Dropped in its own call it is not called again, and frees what it holds")
  func dropInCall() async throws {
    try await withPlayer([try await uri()]) { stage in
      let (token, calls) = (Token(), EventLog<Duration>())
      let (freed, freeing) = AsyncStream.makeStream(of: Void.self)
      token.hold(
        try stage.player.addPeriodicTimeObserver(forInterval: .milliseconds(50)) { [witness = Witness(freeing)] in
          calls.append(witness.seen($0))
          token.drop()
        })
      try await stage.playOut()
      try await fence(stage.player)
      #expect(calls.count == 1)
      try await allFreed(freed)
    }
  }

  @Test("One that nobody keeps is never called")
  func notKept() async throws {
    try await withPlayer([try await uri()]) { stage in
      let calls = EventLog<Duration>()
      _ = try stage.player.addBoundaryTimeObserver(forTimes: Self.hundred) { calls.append($0.boundary) }
      _ = try stage.player.addPeriodicTimeObserver(forInterval: .milliseconds(10)) { calls.append($0) }
      try await stage.playOut()
      try await fence(stage.player)
      #expect(calls.elements.isEmpty)
    }
  }

  @Test("After a cancel from another thread no call begins, though many are waiting; a second cancel does nothing")
  func cancelElsewhere() async throws {
    try await withPlayer([try await uri()]) { stage in
      let (calls, gate) = (EventLog<Duration>(), DispatchSemaphore(value: 0))
      let observation = try stage.player.addBoundaryTimeObserver(forTimes: Self.hundred) {
        calls.append($0.boundary)
        gate.wait()
      }
      try await stage.playOut()
      // The first call still runs, and the others wait for it.
      await withTaskGroup { group in for _ in 0..<8 { group.addTask { observation.cancel() } } }
      gate.signal()
      try await fence(stage.player)
      #expect(calls.elements == [Self.hundred[0]])
      observation.cancel()
    }
  }

  @Test("Observers come and go from many tasks at once while it plays")
  func manyTasks() async throws {
    try await withPlayer([try await uri()]) { stage in
      let player = stage.player
      player.setLoop(.track)
      let kept = EventLog<Duration>()
      let observation = try player.addBoundaryTimeObserver(forFractions: [0.5]) { kept.append($0.boundary) }
      player.play()
      try await deadline(30, "all have come and gone") {
        try await withThrowingTaskGroup { group in
          for task in 0..<8 {
            group.addTask {
              for round in 1...100 {
                let one = try player.addPeriodicTimeObserver(forInterval: .milliseconds(round)) { _ in }
                let other = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(task * round)]) { _ in }
                if round.isMultiple(of: 2) { one.cancel() }
                withExtendedLifetime((one, other)) {}
              }
            }
          }
          try await group.waitForAll()
        }
      }
      let place = kept.count
      try await kept.first("a later round", from: place + 1, within: 20)
      observation.cancel()
    }
  }

  @Test("What an observer holds may call the player when it goes, be the observer cancelled or the player closed")
  func freedCaller() async throws {
    for isClosed in [false, true] {
      let player = Player()
      let (freed, freeing) = AsyncStream.makeStream(of: Void.self)
      var observations = [
        player.addEventObserver { [caller = Caller(player, freeing)] _ in caller.call() },
        try player.addPeriodicTimeObserver(forInterval: .seconds(1)) { [caller = Caller(player, freeing)] _ in
          caller.call()
        },
      ]
      player.setVolume(0.5)
      if isClosed { await player.close() }
      for observation in observations { observation.cancel() }
      observations = []
      try await deadline(20, "what both hold is freed") {
        for await _ in freed.prefix(2) {}
        try Task.checkCancellation()
      }
    }
  }

  // MARK: The player's end

  @Test("An observation outlives its player, and is cancelled then as well")
  func outlives() async throws {
    let (calls, late) = (EventLog<Duration>(), EventLog<Duration>())
    let (freed, freeing) = AsyncStream.makeStream(of: Void.self)
    var observations: [PlayerObservation] = []
    let path = try await uri()
    try await withPlayer([path]) { stage in
      observations.append(
        try stage.player.addPeriodicTimeObserver(forInterval: .seconds(1)) { [witness = Witness(freeing)] in
          calls.append(witness.seen($0))
        })
      try await stage.ready()
      try await fence(stage.player)
      await stage.player.close()
      observations.append(
        try stage.player.addBoundaryTimeObserver(forTimes: [.zero]) { late.append($0.boundary) })
    }
    let count = calls.count
    #expect(count > 0)
    for observation in observations { observation.cancel() }
    observations = []
    try await allFreed(freed)
    #expect(calls.count == count)
    #expect(late.elements.isEmpty)
  }

  @Test("A player is closed and dropped in an observer's call")
  func dropPlayerInCall() async throws {
    let player = Mutex<Player?>(Player(configuration: PlayerConfiguration(audioSink: "fakesink sync=true")))
    let (called, call) = AsyncStream.makeStream(of: Void.self)
    let path = try await uri()
    let observation = try player.withLock { held in
      try #require(held).addBoundaryTimeObserver(forTimes: [.milliseconds(50), .milliseconds(60)]) { _ in
        player.withLock { $0 = nil }
        call.finish()
      }
    }
    player.withLock {
      $0?.replaceQueue(with: [PlayerItem(uri: path)])
      $0?.play()
    }
    try await deadline(20, "the call") { for await _ in called {} }
    observation.cancel()
  }

  // MARK: Sequences

  @Test("Boundaries as a sequence are those of the observer, in order, and end with the player")
  func boundaries() async throws {
    try await withPlayer([try await uri()]) { stage in
      let boundaries = try stage.player.boundaries(at: Self.hundred.reversed())
      try await stage.playOut()
      try await fence(stage.player)
      await stage.player.close()
      let heard = try await deadline(20, "the sequence ends") {
        await boundaries.reduce(into: [Duration]()) { $0.append($1.boundary) }
      }
      #expect(heard == Self.hundred)
    }
  }

  @Test("Times as a sequence keep the newest for a slow reader, and end with the player")
  func times() async throws {
    try await withPlayer([try await uri()]) { stage in
      let times = try stage.player.times(every: .milliseconds(20))
      try await stage.playing(pausedAt: .milliseconds(300))
      #expect(await stage.player.seek(to: .milliseconds(123)))
      try await fence(stage.player)
      await stage.player.close()
      let heard = try await deadline(20, "the sequence ends") { await times.reduce(into: []) { $0.append($1) } }
      #expect(heard == [.zero])
    }
  }

  @Test("A sequence of a closed player ends at once")
  func closedSequences() async throws {
    let player = Player()
    await player.close()
    let (times, boundaries) = (try player.times(every: .seconds(1)), try player.boundaries(at: [.zero]))
    try await deadline(20, "both end") {
      for await _ in times {}
      for await _ in boundaries {}
    }
  }

  @Test("A reader that is cancelled ends, and so does its observer")
  func cancelledReader() async throws {
    try await withPlayer([try await uri()]) { stage in
      let times = try stage.player.times(every: .milliseconds(10))
      let (began, begin) = AsyncStream.makeStream(of: Void.self)
      let reader = Task {
        for await _ in times { begin.finish() }
      }
      stage.player.setLoop(.track)
      stage.player.play()
      try await deadline(20, "the first time") { for await _ in began {} }
      reader.cancel()
      try await deadline(20, "the reader ends") { await reader.value }
    }
  }

  // MARK: Arguments

  @Test(
    "An interval under a millisecond is refused, and named",
    arguments: [.zero, .microseconds(999), .seconds(-1)] as [Duration])
  func wrongInterval(interval: Duration) throws {
    let player = Player()
    for attempt in [
      { _ = try player.addPeriodicTimeObserver(forInterval: interval) { _ in } },
      { _ = try player.times(every: interval) },
    ] as [() throws -> Void] {
      let error = try #require(throws: PlayerError.self) { try attempt() }
      #expect(error.code == .invalidArgument)
      #expect(error.message.contains("interval \(interval)"))
    }
  }

  @Test("No time, or a negative one, is refused, and named")
  func wrongTimes() throws {
    let player = Player()
    for times in [[], [.seconds(1), .nanoseconds(-1)]] as [[Duration]] {
      for attempt in [
        { _ = try player.addBoundaryTimeObserver(forTimes: times) { _ in } },
        { _ = try player.boundaries(at: times) },
      ] as [() throws -> Void] {
        let error = try #require(throws: PlayerError.self) { try attempt() }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(times.last.map { "boundary \($0)" } ?? "time among the boundaries"))
      }
    }
  }

  @Test(
    "No fraction, or one that is not within 0 and 1, is refused, and named",
    arguments: [[], [0.5, -0.001], [1.001], [0, .nan], [.infinity]] as [[Double]])
  func wrongFractions(fractions: [Double]) throws {
    let player = Player()
    let error = try #require(throws: PlayerError.self) {
      _ = try player.addBoundaryTimeObserver(forFractions: fractions) { _ in }
    }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains(fractions.last.map { "fraction \($0)" } ?? "fraction among the boundaries"))
  }

  @Test("A negative time remaining is refused, and named")
  func wrongRemaining() throws {
    let player = Player()
    let error = try #require(throws: PlayerError.self) {
      _ = try player.addBoundaryTimeObserver(forTimeRemaining: .nanoseconds(-1)) { _ in }
    }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains("time remaining \(Duration.nanoseconds(-1))"))
  }

  @Test("What is just right is taken")
  func rightArguments() throws {
    let player = Player()
    _ = try player.addPeriodicTimeObserver(forInterval: .milliseconds(1)) { _ in }
    _ = try player.addPeriodicTimeObserver(forInterval: .seconds(Int64.max)) { _ in }
    _ = try player.addBoundaryTimeObserver(forTimes: [.zero, .seconds(Int64.max)]) { _ in }
    _ = try player.addBoundaryTimeObserver(forFractions: [0, 1, -0.0]) { _ in }
    _ = try player.addBoundaryTimeObserver(forTimeRemaining: .zero) { _ in }
    _ = try player.addBoundaryTimeObserver(forTimeRemaining: .seconds(Int64.max)) { _ in }
  }
}

/// Calls its player, and once more when it goes.
private final class Caller: Sendable {
  private let player: Player
  private let freeing: AsyncStream<Void>.Continuation

  init(_ player: Player, _ freeing: AsyncStream<Void>.Continuation) {
    self.player = player
    self.freeing = freeing
  }

  func call() { _ = player.snapshot }

  deinit {
    call()
    freeing.yield()
  }
}
