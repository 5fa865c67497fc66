import Dispatch
import GstPlayer
import TestSupport
import Testing

@Suite("Time observers in special cases", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimeObserverHazardLiveTests {
  @Test("An observer added during playback receives no earlier boundary, whether it is the first or not")
  func addedWhilePlaying() async throws {
    let path = try await Media.sine(seconds: 2)
    try await withPlayer([fileURI(path)], inFastTime: false) { harness in
      let (recorder, player) = (ObserverRecorder(harness.player), harness.player)
      let first = EventLog<Duration>()
      let early = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(100)]) { _ in
        let added = try? player.addBoundaryTimeObserver(forTimes: [0, 50, 1700].map { .milliseconds($0) }) { crossing in
          first.append(crossing.boundary)
        }
        if let added { recorder.keep(added) }
        try? recorder.listen(times: [0, 99, 1800].map { .milliseconds($0) })
      }
      try await harness.playToEnd()
      try await recorder.end()
      #expect(first.elements == [.milliseconds(1700)])
      #expect(recorder.boundaries == [.milliseconds(1800)])
      early.cancel()
    }
  }

  @Test("After close() has returned no call begins, even if calls are pending")
  func close() async throws {
    let hundred = (1...100).map { Duration.milliseconds($0 * 4) }
    try await withPlayer([fileURI(try await Media.sine(seconds: 0.5))], inFastTime: false) { harness in
      let (calls, gate) = (EventLog<Duration>(), DispatchSemaphore(value: 0))
      let (freed, freeing) = AsyncStream.makeStream(of: Void.self)
      let token = Token()
      token.hold(
        try harness.player.addBoundaryTimeObserver(forTimes: hundred) { [witness = DeallocationProbe(freeing)] in
          calls.append(witness.seen($0.boundary))
          gate.wait()
        })
      try await harness.playToEnd()
      await harness.player.close()
      #expect(calls.count == 1)
      for _ in hundred { gate.signal() }
      // After the last pending call has ended, the captures of the calls are released.
      token.drop()
      try await allFreed(freed)
      #expect(calls.elements == [hundred[0]])
    }
  }
}
