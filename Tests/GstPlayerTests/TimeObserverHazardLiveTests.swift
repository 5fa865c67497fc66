import Dispatch
import GstPlayer
import TestSupport
import Testing

@Suite("Time observers where play is not simple", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct TimeObserverHazardLiveTests {
  @Test("What is added while playing gets nothing of the past, whether it is the first or not")
  func addedWhilePlaying() async throws {
    let path = try await Media.sine(seconds: 2)
    try await withPlayer([fileURI(path)]) { stage in
      let (ear, player) = (Ear(stage.player), stage.player)
      let first = EventLog<Duration>()
      let early = try player.addBoundaryTimeObserver(forTimes: [.milliseconds(100)]) { _ in
        let added = try? player.addBoundaryTimeObserver(forTimes: [0, 50, 1700].map { .milliseconds($0) }) { crossing in
          first.append(crossing.boundary)
        }
        if let added { ear.keep(added) }
        try? ear.listen(times: [0, 99, 1800].map { .milliseconds($0) })
      }
      try await stage.playOut()
      try await ear.end()
      #expect(first.elements == [.milliseconds(1700)])
      #expect(ear.boundaries == [.milliseconds(1800)])
      early.cancel()
    }
  }

  @Test("After close() has returned no call begins, though many are waiting")
  func close() async throws {
    let hundred = (1...100).map { Duration.milliseconds($0 * 4) }
    try await withPlayer([fileURI(try await Media.sine(seconds: 0.5))]) { stage in
      let (calls, gate) = (EventLog<Duration>(), DispatchSemaphore(value: 0))
      let (freed, freeing) = AsyncStream.makeStream(of: Void.self)
      let token = Token()
      token.hold(
        try stage.player.addBoundaryTimeObserver(forTimes: hundred) { [witness = Witness(freeing)] in
          calls.append(witness.seen($0.boundary))
          gate.wait()
        })
      try await stage.playOut()
      await stage.player.close()
      #expect(calls.count == 1)
      for _ in hundred { gate.signal() }
      // When the last waiting call is done with, nothing holds what they held.
      token.drop()
      try await allFreed(freed)
      #expect(calls.elements == [hundred[0]])
    }
  }
}
