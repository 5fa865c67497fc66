import Dispatch
import GstPlayer
import TestSupport
import Testing

@Suite("Event observers", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct EventObserverTests {
  /// What the observers of one player were called with, in the order of the calls.
  private enum Call: Equatable, Sendable {
    case event(PlayerEvent)
    case boundary(PlayerItem, Duration)
    case tick(Duration)
  }

  /// Has everything that a player tells recorded, but for the bare news that something has changed.
  private func record(_ player: Player, in calls: EventLog<Call>) throws -> [PlayerObservation] {
    [
      try player.addPeriodicTimeObserver(forInterval: .seconds(1000)) { calls.append(.tick($0)) },
      try player.addBoundaryTimeObserver(forFractions: [0, 0.5, 1]) { calls.append(.boundary($0.item, $0.boundary)) },
      player.addEventObserver { event in
        if event != .changed { calls.append(.event(event)) }
      },
    ]
  }

  @Test("Boundaries and events come in the order of play: the end's before the end, the next item's after the change")
  func order() async throws {
    let parts = try await Media.continuousSine(samplesPerPart: 22_050)
    try await withPlayer([fileURI(parts[0]), fileURI(parts[1])]) { stage in
      let calls = EventLog<Call>()
      let observations = try record(stage.player, in: calls)
      try await stage.playOut()
      try await calls.first("the end", within: 20) { $0 == .event(.queueEnded) }
      let (first, second) = (stage.items[0], stage.items[1])
      let told = calls.elements.filter { if case .tick = $0 { false } else { true } }
      let half = Duration.milliseconds(250)
      #expect(
        told == [
          .boundary(first, .zero), .boundary(first, half), .boundary(first, half * 2),
          .event(.itemDidPlayToEnd(first)), .event(.currentItemChanged(from: first, to: second)),
          .boundary(second, .zero), .boundary(second, half), .boundary(second, half * 2),
          .event(.itemDidPlayToEnd(second)), .event(.queueEnded),
        ])
      for observation in observations { observation.cancel() }
    }
  }

  @Test("A jump is told before the position it leads to")
  func jump() async throws {
    try await withPlayer([fileURI(try await Media.sine(seconds: 1))]) { stage in
      try await stage.ready()
      let calls = EventLog<Call>()
      let observations = try record(stage.player, in: calls)
      #expect(await stage.player.seek(to: .milliseconds(700)))
      try await calls.first("the tick", within: 20) { $0 == .tick(.milliseconds(700)) }
      #expect(calls.elements == [.event(.timeJumped(from: .zero, to: .milliseconds(700))), .tick(.milliseconds(700))])
      for observation in observations { observation.cancel() }
    }
  }

  @Test("An event observer is told the same as a reader of the events, and nothing of the past")
  func sameAsEvents() async throws {
    try await withPlayer([fileURI(try await Media.sine(seconds: 0.3))]) { stage in
      try await stage.ready()
      let heard = EventLog<PlayerEvent>()
      let read = stage.player.events()
      let observation = stage.player.addEventObserver { heard.append($0) }
      stage.player.play()
      try await heard.first("the end", within: 20) { $0 == .queueEnded }
      await stage.player.close()
      let events = try await deadline(20, "the events end") { await read.reduce(into: []) { $0.append($1) } }
      #expect(heard.elements == Array(events.prefix(heard.count)))
      #expect(!heard.elements.contains { if case .currentItemChanged = $0 { true } else { false } })
      observation.cancel()
    }
  }

  @Test("Cancelled in its own call, or dropped, it is not called again")
  func cancelled() async throws {
    let player = Player()
    let (token, own, dropped) = (Token(), EventLog<PlayerEvent>(), EventLog<PlayerEvent>())
    token.hold(
      player.addEventObserver {
        own.append($0)
        token.cancel()
      })
    _ = player.addEventObserver { dropped.append($0) }
    for volume in [0.1, 0.2, 0.3] { player.setVolume(volume) }
    try await fence(player)
    #expect(own.elements == [.changed])
    #expect(dropped.elements.isEmpty)
    await player.close()
  }

  @Test("After close() has returned no call begins, though many are waiting")
  func close() async throws {
    let player = Player()
    let (calls, gate) = (EventLog<PlayerEvent>(), DispatchSemaphore(value: 0))
    let observation = player.addEventObserver {
      calls.append($0)
      gate.wait()
    }
    for volume in [0.1, 0.2, 0.3] { player.setVolume(volume) }
    try await calls.first("the first call", within: 20)
    await player.close()
    for _ in 0..<3 { gate.signal() }
    let late = player.addEventObserver { calls.append($0) }
    #expect(calls.elements == [.changed])
    withExtendedLifetime((observation, late)) {}
  }
}
