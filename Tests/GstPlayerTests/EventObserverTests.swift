import Dispatch
import GstPlayer
import TestSupport
import Testing

@Suite("Event observers", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct EventObserverTests {
  /// A call to one of the observers of a player, recorded in the order of the calls.
  private enum Call: Equatable, Sendable {
    case event(Player.Event)
    case boundary(Player.Item, Duration)
    case tick(Duration)
  }

  /// Records everything that a player reports, except for `changed` events.
  private func record(_ player: Player, in calls: EventLog<Call>) throws -> [Player.Observer] {
    [
      try player.addPeriodicTimeObserver(forInterval: .seconds(1000)) { calls.append(.tick($0)) },
      try player.addBoundaryTimeObserver(forFractions: [0, 0.5, 1]) { calls.append(.boundary($0.item, $0.boundary)) },
      player.addEventObserver { event, _ in
        if event != .changed { calls.append(.event(event)) }
      },
    ]
  }

  @Test("Observers are called in playback order: the end's boundary before the end, the next item's after the change")
  func order() async throws {
    let parts = try await Media.continuousSine(samplesPerPart: 22_050)
    try await withPlayer([fileURI(parts[0]), fileURI(parts[1])], inFastTime: false) { harness in
      let calls = EventLog<Call>()
      let observations = try record(harness.player, in: calls)
      try await harness.playToEnd()
      try await calls.first("the end", within: 20) { $0 == .event(.queueEnded) }
      let (first, second) = (harness.items[0], harness.items[1])
      let notified = calls.elements.filter { if case .tick = $0 { false } else { true } }
      let half = Duration.milliseconds(250)
      #expect(
        notified == [
          .boundary(first, .zero), .boundary(first, half), .boundary(first, half * 2),
          .event(.itemDidPlayToEnd(first)), .event(.currentItemChanged(from: first, to: second)),
          .boundary(second, .zero), .boundary(second, half), .boundary(second, half * 2),
          .event(.itemDidPlayToEnd(second)), .event(.queueEnded),
        ])
      for observation in observations { observation.cancel() }
    }
  }

  @Test("An observer that is cancelled in its own call, or released, is not called again")
  func cancelled() async throws {
    let player = Player()
    let (token, own, dropped) = (Token(), EventLog<Player.Event>(), EventLog<Player.Event>())
    token.hold(
      player.addEventObserver { event, _ in
        own.append(event)
        token.cancel()
      })
    _ = player.addEventObserver { event, _ in dropped.append(event) }
    for volume in [0.1, 0.2, 0.3] { player.volume = volume }
    try await waitForPendingCalls(player)
    #expect(own.elements == [.changed])
    #expect(dropped.elements.isEmpty)
    await player.close()
  }

  @Test("After close() has returned no call begins, even if calls are pending")
  func close() async throws {
    let player = Player()
    let (calls, gate) = (EventLog<Player.Event>(), DispatchSemaphore(value: 0))
    let observation = player.addEventObserver { event, _ in
      calls.append(event)
      gate.wait()
    }
    for volume in [0.1, 0.2, 0.3] { player.volume = volume }
    try await calls.first("the first call", within: 20)
    await player.close()
    for _ in 0..<3 { gate.signal() }
    let late = player.addEventObserver { event, _ in calls.append(event) }
    #expect(calls.elements == [.changed])
    withExtendedLifetime((observation, late)) {}
  }
}
