import GstPlayer
import TestSupport
import Testing

@Suite("Observers on an actor, live") struct ActorObserverLiveTests {
  /// Plays an item with an observer on the main actor that appends to a variable; returns the boundaries.
  @MainActor private func boundaries(ofPlaying player: Player) async throws -> [Duration] {
    var seen: [Duration] = []
    let all = EventLog<Never>()
    let observer = try player.addBoundaryTimeObserver(forFractions: [0.25, 0.5, 0.75, 1], on: MainActor.shared) {
      seen.append($0.boundary)
      if seen.count == 4 { all.finish() }
    }
    player.play()
    try await deadline(20, "every boundary is reported") { for await _ in all.entries() {} }
    observer.cancel()
    return seen
  }

  @Test("While an item plays, an observer on the main actor receives its quarters and its end in order")
  func quarters() async throws {
    let path = try await Media.sine(seconds: 1)
    try await withPlayer([fileURI(path)], inFastTime: false) { harness in
      let seen = try await boundaries(ofPlaying: harness.player)
      #expect(seen == [250, 500, 750, 1000].map { .milliseconds($0) })
    }
  }
}
