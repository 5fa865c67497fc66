import GstPlayer
import Synchronization
import TestSupport
import Testing

@Suite("The calls of observers, live") struct ObserverDeliveryLiveTests {
  @Test(
    "All observers of a player are called one at a time, and a long call delays boundaries and loses none",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func serial() async throws {
    try await withPlayer([fileURI(try await Media.sine(seconds: 0.5))]) { stage in
      let running = Atomic(0)
      let overlaps = Atomic(0)
      let ear = Ear(stage.player)
      let call: @Sendable () -> Void = {
        if running.add(1, ordering: .sequentiallyConsistent).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
        // A long call: something that takes time, with other calls due meanwhile.
        var sum = 0.0
        for term in 1...20_000 { sum += 1 / Double(term) }
        if sum > 0 { running.subtract(1, ordering: .sequentiallyConsistent) }
      }
      let calls = EventLog<Duration>()
      let all = (1...400).map { Duration.milliseconds($0) }
      ear.keep(
        try stage.player.addBoundaryTimeObserver(forTimes: all) {
          call()
          calls.append($0.boundary)
        })
      ear.keep(try stage.player.addPeriodicTimeObserver(forInterval: .milliseconds(1)) { _ in call() })
      ear.keep(stage.player.addEventObserver { _ in call() })
      try await stage.playOut()
      try await ear.end()
      #expect(calls.elements == all)
      #expect(overlaps.load(ordering: .relaxed) == 0)
    }
  }
}
