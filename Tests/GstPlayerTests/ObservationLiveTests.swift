import Observation
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Every value that an observer on the actor sees, from now until `body` is left.
private func observing<Value: Sendable>(
  _ value: @escaping @PlayerActor @Sendable () -> Value, _ body: (EventLog<Value>) async throws -> Void
) async throws {
  let log = EventLog<Value>()
  let observer = Task { @PlayerActor in
    for await value in Observations({ value() }) { log.append(value) }
    log.finish()
  }
  defer { observer.cancel() }
  try await log.first("the value at the start")
  try await body(log)
  observer.cancel()
  try await deadline(10, "the observation ends") { await observer.value }
}

/// What is to be seen together.
private struct Sight: Equatable, Sendable {
  var transport: Player.Transport
  var status: Player.TimeControlStatus
  var reason: Player.WaitingReason?
  var itemStatus: Player.ItemStatus

  @PlayerActor init(_ state: PlayerState) {
    transport = state.transport
    status = state.timeControlStatus
    reason = state.reasonForWaitingToPlay
    itemStatus = state.itemStatus
  }

  var isWhole: Bool {
    switch status {
    case .paused: reason == nil && transport != .playing
    case .waitingToPlay(let why): reason == why && transport == .playing
    case .playing: reason == nil && transport == .playing && itemStatus == .readyToPlay
    }
  }
}

@Suite("Observation of a player", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct ObservationLiveTests {
  @Test("A player is seen to wait, to play and to pause, and the reason is there while it waits and only then")
  func sequence() async throws {
    let path = try await Media.sine(seconds: 8, format: .mp3)
    try await withHTTPServer { server in
      let uri = server.script("/slow", try .file(path).stalling(at: 0))
      try await withPlayer([uri]) { stage in
        let (player, state) = (stage.player, stage.player.state)
        try await observing({ Sight(state) }) { seen in
          player.play()
          var place = try await seen.first("opening") { $0.reason == .evaluatingBufferingRate }.index
          server.release("/slow")
          place = try await seen.first("playing", from: place) { $0.status == .playing }.index
          player.pause()
          try await seen.first("paused", from: place) { $0.status == .paused && $0.transport == .paused }
          #expect(seen.elements.filter { !$0.isWhole }.isEmpty)
        }
      }
    }
  }

  @Test("An item is never seen with another's duration or title, skipped to or joined without a gap")
  func items() async throws {
    var uris: [String] = []
    let lengths: [Duration] = [.milliseconds(1200), .milliseconds(1500), .milliseconds(1800)]
    for length in lengths {
      let title = Tags(title: "\(length)")
      uris.append(fileURI(try await Media.sine(seconds: length / .seconds(1), tags: title)))
    }
    try await withPlayer(uris) { stage in
      struct Sight: Sendable { let item: PlayerItem?, duration: Duration?, title: String? }
      let state = stage.player.state
      let (items, last) = (stage.items, try #require(stage.items.last))
      try await observing({
        Sight(item: state.currentItem, duration: state.duration, title: state.metadata.title)
      }) { seen in
        try await stage.ready()
        try await seen.first("the first title") { $0.title == "\(lengths[0])" && $0.duration == lengths[0] }
        stage.player.next()
        try await seen.first("the second title") { $0.title == "\(lengths[1])" && $0.duration == lengths[1] }
        stage.player.play()
        try await seen.first("the last") { $0.item == last && $0.title == "\(lengths[2])" }
        try await stage.event(.queueEnded)
        for sight in seen.elements {
          let length = try #require(items.firstIndex { $0 == sight.item }.map { lengths[$0] })
          #expect(sight.title == nil || sight.title == "\(length)")
          #expect(sight.duration == nil || sight.duration == length)
        }
        let joined = try #require(seen.elements.first { $0.item == last })
        #expect(joined.duration == lengths[2])
      }
    }
  }

  @Test("What one command changes is seen in one step")
  func oneCommand() async throws {
    try await withPlayer([]) { stage in
      struct Sight: Equatable, Sendable { var item: PlayerItem?, hasNext, hasPrevious: Bool, volume: Double }
      let (player, state) = (stage.player, stage.player.state)
      let queue = (0..<3).map { _ in PlayerItem(uri: fileURI(Media.missing)) }
      let middle = Sight(item: queue[1], hasNext: true, hasPrevious: true, volume: 1)
      let quieter = Sight(item: queue[1], hasNext: true, hasPrevious: true, volume: 0.5)
      try await observing({
        Sight(
          item: state.currentItem, hasNext: state.hasNext, hasPrevious: state.hasPrevious, volume: state.volume)
      }) { seen in
        player.replaceQueue(with: queue, startingAt: 1)
        try await seen.first("the queue") { $0 == middle }
        player.setVolume(0.5)
        try await seen.first("the volume") { $0 == quieter }
        let empty = Sight(item: nil, hasNext: false, hasPrevious: false, volume: 1)
        #expect(seen.elements == [empty, middle, quieter])
      }
    }
  }

  @Test("An observer on another actor follows what the player's actor hands it")
  func otherActor() async throws {
    @PlayerActor func rates(of state: PlayerState) -> Observations<Double, Never> { Observations { state.rate } }
    try await withPlayer([]) { stage in
      let player = stage.player
      let seen = try await deadline(10, "the rates are seen") { @MainActor in
        var seen: [Double] = []
        for await rate in await rates(of: player.state) {
          MainActor.assertIsolated()
          seen.append(rate)
          if rate == 4 { break }
          player.setRate(rate * 2)
        }
        return seen
      }
      #expect(seen == [1, 2, 4])
    }
  }

  @Test("withObservationTracking tells of the next change once")
  func tracking() async throws {
    try await withPlayer([fileURI(Media.missing)]) { stage in
      let state = stage.player.state
      let told = EventLog<Double>()
      @PlayerActor func track() -> Double {
        withObservationTracking {
          state.rate
        } onChange: {
          // Told before the change: the new value is there on the actor's next turn.
          Task { @PlayerActor in told.append(state.rate) }
        }
      }
      #expect(await track() == 1)
      stage.player.setVolume(0.5)
      stage.player.setRate(2)
      #expect(try await told.first("the first change").element == 2)
      #expect(await state.volume == 0.5)
      stage.player.setRate(3)
      try await observing({ state.rate }) { try await $0.first("the second change") { $0 == 3 } }
      #expect(told.elements == [2])
      #expect(await track() == 3)
      stage.player.setRate(0.5)
      #expect(try await told.first("the third change", from: 1).element == 0.5)
    }
  }

  @Test("Observers that look at something else are not told")
  func elsewhere() async throws {
    try await withPlayer([fileURI(try await Media.sine(seconds: 3))]) { stage in
      let state = stage.player.state
      try await stage.ready()
      try await observing({ (state.currentItem, state.volume) }) { seen in
        #expect(await stage.player.seek(to: .seconds(1)))
        try await stage.playing(pausedAt: .milliseconds(1200))
        stage.player.setVolume(0.25)
        try await seen.first("the volume") { $0.1 == 0.25 }
        #expect(seen.count == 2)
      }
    }
  }

  @Test("A state that is read before anything has happened says so, and it is always the same one")
  func fresh() async throws {
    let player = Player(configuration: PlayerConfiguration(audioSink: "fakesink sync=true", volume: 0.5))
    #expect(player.stateFeed.withLock { $0 == nil })
    let states = await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { player.state } }
      return await group.reduce(into: [PlayerState]()) { $0.append($1) }
    }
    let state = player.state
    #expect(states.allSatisfy { $0 === state })
    await expectFresh(state)
    await player.close()
  }

  @PlayerActor private func expectFresh(_ state: PlayerState) {
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

  @Test("A state that is asked for late begins with what is so")
  func late() async throws {
    try await withPlayer([fileURI(try await Media.sine(seconds: 1.5))]) { stage in
      try await stage.ready()
      let state = stage.player.state
      #expect(await state.itemStatus == .readyToPlay)
      #expect(await state.duration == .milliseconds(1500))
      #expect(await state.currentItem == stage.items[0])
    }
  }

  @Test("A dropped player goes although its state is kept, and the state keeps its last values")
  func dropped() async throws {
    var player: Player? = Player(configuration: PlayerConfiguration(audioSink: "fakesink sync=true"))
    weak let watched = player
    let state = try #require(player?.state)
    let consumer = try #require(player?.stateFeed.withLock { $0?.consumer })
    let item = PlayerItem(uri: fileURI(Media.missing))
    player?.replaceQueue(with: [item])
    player?.setVolume(0.25)
    player = nil
    #expect(watched == nil)
    try await deadline(10, "the consumer ends") { await consumer.value }
    #expect(await state.currentItem == item)
    #expect(await state.volume == 0.25)
  }

  @Test("A dropped player takes its state with it when nobody keeps that")
  func droppedWithState() async throws {
    var player: Player? = Player(configuration: PlayerConfiguration(audioSink: "fakesink sync=true"))
    weak let state = player?.state
    let consumer = try #require(player?.stateFeed.withLock { $0?.consumer })
    #expect(state != nil)
    player = nil
    try await deadline(10, "the consumer ends") { await consumer.value }
    #expect(state == nil)
  }

  @Test("A closed player's state keeps its last values, and a state first asked for then has them too")
  func closed() async throws {
    for isAskedForFirst in [true, false] {
      let player = Player(configuration: PlayerConfiguration(audioSink: "fakesink sync=true"))
      if isAskedForFirst { _ = player.state }
      let item = PlayerItem(uri: fileURI(Media.missing))
      player.replaceQueue(with: [item])
      player.setRate(2)
      await player.close()
      let state = player.state
      let consumer = try #require(player.stateFeed.withLock { $0?.consumer })
      try await deadline(10, "the consumer ends") { await consumer.value }
      player.setRate(3)
      #expect(await state.rate == 2)
      #expect(await state.currentItem == item)
    }
  }
}
