import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer

@Suite("The calls of observers") struct ObserverDeliveryTests {
  /// A queue that stands until it is let go, and what was called on it.
  private final class Held: Sendable {
    let queue = DispatchQueue(label: "observers")
    let calls = EventLog<Duration>()

    init() { queue.suspend() }

    func observer() -> ObserverDelivery {
      let calls = calls
      return ObserverDelivery(queue: queue) { if case .time(let position) = $0 { calls.append(position) } }
    }

    /// Lets everything that waits be called.
    func drain() -> [Duration] {
      queue.resume()
      queue.sync {}
      return calls.elements
    }
  }

  @Test("Of multiples that wait only the newest is told; starts, stops and jumps are told all, each in its place")
  func thinned() {
    let held = Held()
    let observer = held.observer()
    for second in 1...1000 { observer.deliver(passing: .seconds(second)) }
    observer.deliver(.time(.seconds(2000)))
    observer.deliver(.time(.seconds(3000)))
    observer.deliver(passing: .seconds(3001))
    observer.deliver(.time(.seconds(4000)))
    #expect(held.drain() == [2000, 3000, 3001, 4000].map { .seconds($0) })
  }

  @Test("One that keeps up is told every multiple, and another's delay leaves it nothing out but the wait")
  func keepsUp() {
    let (calls, queue) = (EventLog<Duration>(), DispatchQueue(label: "observers"))
    let observer = ObserverDelivery(queue: queue) { if case .time(let position) = $0 { calls.append(position) } }
    for second in 1...10 {
      observer.deliver(passing: .seconds(second))
      queue.sync {}
    }
    #expect(calls.elements == (1...10).map { .seconds($0) })
  }

  @Test("What waits when it is cancelled is not told")
  func cancelled() {
    let held = Held()
    let (observer, other) = (held.observer(), held.observer())
    observer.deliver(passing: .seconds(1))
    observer.deliver(.time(.seconds(2)))
    other.deliver(passing: .seconds(3))
    let first = [observer.cancel(), observer.cancel()]
    #expect(first == [true, false])
    #expect(held.drain() == [.seconds(3)])
  }

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
