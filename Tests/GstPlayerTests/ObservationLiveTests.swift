import Synchronization
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Records every value that an observer on the actor receives, from now until `body` returns.
private func observing<Value: Sendable>(
  _ value: @escaping @Player.StateActor @Sendable () -> Value, _ body: (EventLog<Value>) async throws -> Void
) async throws {
  let log = EventLog<Value>()
  let observer = Task { @Player.StateActor in
    for await value in Observations({ value() }) { log.append(value) }
    log.finish()
  }
  defer { observer.cancel() }
  try await log.first("the value at the start")
  try await body(log)
  observer.cancel()
  try await deadline(10, "the observation ends") { await observer.value }
}

@Suite("Observation of the player state", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ObservationLiveTests {
  @Test("All changes of one command are observed in one step")
  func oneCommand() async throws {
    try await withPlayer([], inFastTime: false) { harness in
      struct Sight: Equatable, Sendable { var item: Player.Item?, hasNext, hasPrevious: Bool, volume: Double }
      let (player, state) = (harness.player, harness.player.state)
      let queue = (0..<3).map { _ in Player.Item(uri: fileURI(Media.missing)) }
      let middle = Sight(item: queue[1], hasNext: true, hasPrevious: true, volume: 1)
      let quieter = Sight(item: queue[1], hasNext: true, hasPrevious: true, volume: 0.5)
      try await observing({
        Sight(
          item: state.currentItem, hasNext: state.hasNext, hasPrevious: state.hasPrevious, volume: state.volume)
      }) { seen in
        player.replaceQueue(with: queue, startingAt: 1)
        try await seen.first("the queue") { $0 == middle }
        player.volume = 0.5
        try await seen.first("the volume") { $0 == quieter }
        let empty = Sight(item: nil, hasNext: false, hasPrevious: false, volume: 1)
        #expect(seen.elements == [empty, middle, quieter])
      }
    }
  }

  @Test("An observer on another actor receives the values from the actor of the player")
  func otherActor() async throws {
    @Player.StateActor func rates(of state: Player.State) -> Observations<Double, Never> { Observations { state.rate } }
    try await withPlayer([], inFastTime: false) { harness in
      let player = harness.player
      let seen = try await deadline(10, "the rates are seen") { @MainActor in
        var seen: [Double] = []
        for await rate in await rates(of: player.state) {
          MainActor.assertIsolated()
          seen.append(rate)
          if rate == 4 { break }
          player.rate = rate * 2
        }
        return seen
      }
      #expect(seen == [1, 2, 4])
    }
  }

  /// Waits on the main actor for a rate, with reads that do not suspend.
  @MainActor private func follow(_ player: Player, until last: Double) async -> [Double] {
    let state = player.state(on: MainActor.self)
    var seen: [Double] = []
    for await rate in Observations({ state.rate }) {
      seen.append(rate)
      // The update was made on this actor, so every read of this job is of the same update.
      #expect(state.rate == rate)
      if rate == last { break }
      player.rate = rate * 2
    }
    return seen
  }

  @Test("The main actor observes its own state and reads it synchronously")
  func mainActor() async throws {
    try await withPlayer([], inFastTime: false) { harness in
      let player = harness.player
      let seen = try await deadline(10, "the rates are seen") { await follow(player, until: 4) }
      #expect(seen == [1, 2, 4])
      #expect(player.state(on: MainActor.self) === player.state(on: MainActor.self))
      #expect(player.state(on: MainActor.self) !== player.state)
      #expect(player.state(on: Player.StateActor.self) === player.state)
    }
  }

  @Test("withObservationTracking reports the next change once")
  func tracking() async throws {
    try await withPlayer([fileURI(Media.missing)], inFastTime: false) { harness in
      let state = harness.player.state
      let received = EventLog<Double>()
      @Player.StateActor func track() -> Double {
        withObservationTracking {
          state.rate
        } onChange: {
          // `onChange` is called before the change; the new value can be read in the next job on the actor.
          Task { @Player.StateActor in received.append(state.rate) }
        }
      }
      #expect(await track() == 1)
      harness.player.volume = 0.5
      harness.player.rate = 2
      #expect(try await received.first("the first change").element == 2)
      #expect(state.volume == 0.5)
      harness.player.rate = 3
      try await observing({ state.rate }) { try await $0.first("the second change") { $0 == 3 } }
      #expect(received.elements == [2])
      #expect(await track() == 3)
      harness.player.rate = 0.5
      #expect(try await received.first("the third change", from: 1).element == 0.5)
    }
  }

  @Test("A new state has initial values, and all reads return the same object")
  func fresh() async throws {
    let player = Player(configuration: Player.Configuration(audioSink: "fakesink sync=true", volume: 0.5))
    #expect(player.states.consumers.isEmpty)
    let states = await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { player.state } }
      return await group.reduce(into: [Player.State]()) { $0.append($1) }
    }
    let state = player.state
    #expect(states.allSatisfy { $0 === state })
    expectFresh(state)
    await player.close()
  }

  private func expectFresh(_ state: Player.State) {
    #expect(state.transport == .stopped)
    #expect(state.timeControlStatus == .paused)
    #expect(state.reasonForWaitingToPlay == nil)
    #expect(state.currentItem == nil)
    #expect(state.itemStatus == .unknown)
    #expect(state.lastError == nil)
    #expect(state.duration == nil)
    #expect(state.metadata == MediaMetadata())
    #expect(state.rate == 1)
    #expect(state.volume == 0.5)
    #expect(!state.isMuted)
    #expect(!state.isSeekable)
    #expect(!state.hasNext)
    #expect(!state.hasPrevious)
  }

  @Test("A retained state does not retain its player, and keeps its last values")
  func dropped() async throws {
    var player: Player? = Player(configuration: Player.Configuration(audioSink: "fakesink sync=true"))
    weak let watched = player
    let state = try #require(player?.state)
    let consumer = try #require(player?.states.consumers[ObjectIdentifier(Player.StateActor.self)])
    let item = Player.Item(uri: fileURI(Media.missing))
    player?.replaceQueue(with: [item])
    player?.volume = 0.25
    player = nil
    #expect(watched == nil)
    try await deadline(10, "the consumer ends") { await consumer.value }
    #expect(state.currentItem == item)
    #expect(state.volume == 0.25)
  }

  @Test("Releasing a player releases its state if it is not retained")
  func droppedWithState() async throws {
    var player: Player? = Player(configuration: Player.Configuration(audioSink: "fakesink sync=true"))
    weak let state = player?.state
    let consumer = try #require(player?.states.consumers[ObjectIdentifier(Player.StateActor.self)])
    #expect(state != nil)
    player = nil
    try await deadline(10, "the consumer ends") { await consumer.value }
    #expect(state == nil)
  }

  @Test("The state of a closed player keeps its last values, even if it is first requested after closing")
  func closed() async throws {
    for isRequestedFirst in [true, false] {
      let player = Player(configuration: Player.Configuration(audioSink: "fakesink sync=true"))
      if isRequestedFirst { _ = player.state }
      let item = Player.Item(uri: fileURI(Media.missing))
      player.replaceQueue(with: [item])
      player.rate = 2
      await player.close()
      let state = player.state
      let consumer = try #require(player.states.consumers[ObjectIdentifier(Player.StateActor.self)])
      try await deadline(10, "the consumer ends") { await consumer.value }
      player.rate = 3
      #expect(state.rate == 2)
      #expect(state.currentItem == item)
    }
  }
}
