import GstPlayer
import Synchronization
import TestSupport
import Testing

@Suite("Observer calls, live") struct ObserverDeliveryLiveTests {
  @Test(
    "All observers of a player are called one at a time; a long call delays boundaries but loses none",
    .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
  func serial() async throws {
    try await withPlayer([fileURI(try await Media.sine(seconds: 0.5))], inFastTime: false) { harness in
      let running = Atomic(0)
      let overlaps = Atomic(0)
      let recorder = ObserverRecorder(harness.player)
      let call: @Sendable () -> Void = {
        if running.add(1, ordering: .sequentiallyConsistent).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
        // A long call, during which other calls become due.
        var sum = 0.0
        for term in 1...20_000 { sum += 1 / Double(term) }
        if sum > 0 { running.subtract(1, ordering: .sequentiallyConsistent) }
      }
      let calls = EventLog<Duration>()
      let all = (1...400).map { Duration.milliseconds($0) }
      recorder.keep(
        try harness.player.addBoundaryTimeObserver(forTimes: all) {
          call()
          calls.append($0.boundary)
        })
      recorder.keep(try harness.player.addPeriodicTimeObserver(forInterval: .milliseconds(1)) { _ in call() })
      recorder.keep(harness.player.addEventObserver { _, _ in call() })
      try await harness.playToEnd()
      try await recorder.end()
      #expect(calls.elements == all)
      #expect(overlaps.load(ordering: .relaxed) == 0)
    }
  }
}
