import Dispatch
import GstPlayer
import Synchronization
import TestSupport
import Testing

@Suite("The lifetime of time observers", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimeObserverLifeTests {
  private static let hundred = (1...100).map { Duration.milliseconds($0 * 4) }

  private func uri() async throws -> String { fileURI(try await Media.sine(seconds: 0.5)) }

  // MARK: Cancelling

  @Test("An observation released in its own call is not called again, and releases its captures")
  func dropInCall() async throws {
    try await withPlayer([try await uri()], inFastTime: false) { harness in
      let (token, calls) = (Token(), EventLog<Duration>())
      let (freed, freeing) = AsyncStream.makeStream(of: Void.self)
      token.hold(
        try harness.player.addPeriodicTimeObserver(forInterval: .milliseconds(50)) {
          [witness = DeallocationProbe(freeing)] in
          calls.append(witness.seen($0))
          token.drop()
        })
      try await harness.playToEnd()
      try await waitForPendingCalls(harness.player)
      #expect(calls.count == 1)
      try await allFreed(freed)
    }
  }

  @Test("Observers are added and removed by many tasks concurrently during playback")
  func manyTasks() async throws {
    try await withPlayer([try await uri()], inFastTime: false) { harness in
      let player = harness.player
      player.loop = .track
      let kept = EventLog<Duration>()
      let observation = try player.addBoundaryTimeObserver(forFractions: [0.5]) { kept.append($0.boundary) }
      player.play()
      try await deadline(30, "all observers are added and removed") {
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

  @Test("An object captured by an observer may call the player in its deinit, after a cancel or a close")
  func freedCaller() async throws {
    for isClosed in [false, true] {
      let player = Player()
      let (freed, freeing) = AsyncStream.makeStream(of: Void.self)
      var observations = [
        player.addEventObserver { [caller = Caller(player, freeing)] _, _ in caller.call() },
        try player.addPeriodicTimeObserver(forInterval: .seconds(1)) { [caller = Caller(player, freeing)] _ in
          caller.call()
        },
      ]
      player.volume = 0.5
      if isClosed { await player.close() }
      for observation in observations { observation.cancel() }
      observations = []
      try await deadline(20, "the captures of both are released") {
        for await _ in freed.prefix(2) {}
        try Task.checkCancellation()
      }
    }
  }

  // MARK: Closing the player

  @Test("An observation may outlive its player and be cancelled afterwards")
  func outlives() async throws {
    let (calls, late) = (EventLog<Duration>(), EventLog<Duration>())
    let (freed, freeing) = AsyncStream.makeStream(of: Void.self)
    var observations: [Player.Observer] = []
    let path = try await uri()
    try await withPlayer([path], inFastTime: false) { harness in
      observations.append(
        try harness.player.addPeriodicTimeObserver(forInterval: .seconds(1)) { [witness = DeallocationProbe(freeing)] in
          calls.append(witness.seen($0))
        })
      try await harness.ready()
      try await waitForPendingCalls(harness.player)
      await harness.player.close()
      observations.append(
        try harness.player.addBoundaryTimeObserver(forTimes: [.zero]) { late.append($0.boundary) })
    }
    let count = calls.count
    #expect(count > 0)
    for observation in observations { observation.cancel() }
    observations = []
    try await allFreed(freed)
    #expect(calls.count == count)
    #expect(late.elements.isEmpty)
  }

  @Test("A player may be closed and released in an observer call")
  func dropPlayerInCall() async throws {
    let player = Mutex<Player?>(Player(configuration: Player.Configuration(audioSink: "fakesink sync=true")))
    let (called, call) = AsyncStream.makeStream(of: Void.self)
    let path = try await uri()
    let observation = try player.withLock { held in
      try #require(held).addBoundaryTimeObserver(forTimes: [.milliseconds(50), .milliseconds(60)]) { _ in
        player.withLock { $0 = nil }
        call.finish()
      }
    }
    player.withLock {
      $0?.replaceQueue(with: [Player.Item(uri: path)])
      $0?.play()
    }
    try await deadline(20, "the call") { for await _ in called {} }
    observation.cancel()
  }

  // MARK: Sequences

  @Test("A sequence delivers the same boundaries as an observer, in order, and ends with the player")
  func boundaries() async throws {
    try await withPlayer([try await uri()], inFastTime: false) { harness in
      let boundaries = try harness.player.boundaries(at: Self.hundred.reversed())
      try await harness.playToEnd()
      try await waitForPendingCalls(harness.player)
      await harness.player.close()
      let recorded = try await deadline(20, "the sequence ends") {
        await boundaries.reduce(into: [Duration]()) { $0.append($1.boundary) }
      }
      #expect(recorded == Self.hundred)
    }
  }

  @Test("Times as a sequence keep the newest value for a slow consumer, and end with the player")
  func times() async throws {
    try await withPlayer([try await uri()], inFastTime: false) { harness in
      let times = try harness.player.times(every: .milliseconds(20))
      try await harness.playing(pausedAt: .milliseconds(300))
      #expect(await harness.player.seek(to: .milliseconds(123)).isCompleted)
      try await waitForPendingCalls(harness.player)
      await harness.player.close()
      let recorded = try await deadline(20, "the sequence ends") { await times.reduce(into: []) { $0.append($1) } }
      #expect(recorded == [.zero])
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

  @Test("Cancelling the consumer of a sequence also removes its observer")
  func cancelledReader() async throws {
    try await withPlayer([try await uri()], inFastTime: false) { harness in
      let times = try harness.player.times(every: .milliseconds(10))
      let (began, begin) = AsyncStream.makeStream(of: Void.self)
      let reader = Task {
        for await _ in times { begin.finish() }
      }
      harness.player.loop = .track
      harness.player.play()
      try await deadline(20, "the first time") { for await _ in began {} }
      reader.cancel()
      try await deadline(20, "the reader ends") { await reader.value }
    }
  }

  // MARK: Arguments

  @Test(
    "An interval below one millisecond is rejected, and the error contains it",
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

  @Test("An empty list of times and a negative time are rejected, and the error contains the reason")
  func wrongTimes() throws {
    let player = Player()
    for times in [[], [.seconds(1), .nanoseconds(-1)]] as [[Duration]] {
      for attempt in [
        { _ = try player.addBoundaryTimeObserver(forTimes: times) { _ in } },
        { _ = try player.boundaries(at: times) },
      ] as [() throws -> Void] {
        let error = try #require(throws: PlayerError.self) { try attempt() }
        #expect(error.code == .invalidArgument)
        #expect(error.message.contains(times.last.map { "boundary \($0)" } ?? "boundary times"))
      }
    }
  }

  @Test(
    "An empty list of fractions and a fraction outside 0...1 are rejected, and the error contains the reason",
    arguments: [[], [0.5, -0.001], [1.001], [0, .nan], [.infinity]] as [[Double]])
  func wrongFractions(fractions: [Double]) throws {
    let player = Player()
    let error = try #require(throws: PlayerError.self) {
      _ = try player.addBoundaryTimeObserver(forFractions: fractions) { _ in }
    }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains(fractions.last.map { "fraction \($0)" } ?? "boundary fractions"))
  }

  @Test("A negative remaining time is rejected, and the error contains it")
  func wrongRemaining() throws {
    let player = Player()
    let error = try #require(throws: PlayerError.self) {
      _ = try player.addBoundaryTimeObserver(forTimeRemaining: .nanoseconds(-1)) { _ in }
    }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains("time remaining \(Duration.nanoseconds(-1))"))
  }

  @Test("Boundary values of the arguments are accepted")
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

/// An object that calls its player, and calls it once more in its deinit.
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
