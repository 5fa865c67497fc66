import Synchronization
import Testing

@testable import Playback

@Suite("Delivery to observers") struct ObserverDeliveryTests {
  /// An executor that holds the calls until it is drained, and the delivered positions.
  private final class Held: ObserverExecutor {
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let reported = Mutex<[Duration]>([])

    func run(_ body: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(body) } }

    func observer() -> ObserverDelivery {
      ObserverDelivery(self) { if let position = $0.time { self.reported.withLock { $0.append(position) } } }
    }

    /// Runs the pending calls; returns the positions of all calls so far.
    func drain() -> [Duration] {
      let calls = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for call in calls { call() }
      return reported.withLock { $0 }
    }
  }

  @Test("Only the newest pending periodic tick is delivered; starts, stops and jumps are all delivered in order")
  func thinned() {
    let held = Held()
    let observer = held.observer()
    for second in 1...1000 { observer.deliver(.passing(.seconds(second))) }
    observer.deliver(.time(.seconds(2000)))
    observer.deliver(.time(.seconds(3000)))
    observer.deliver(.passing(.seconds(3001)))
    observer.deliver(.time(.seconds(4000)))
    #expect(held.drain() == [2000, 3000, 3001, 4000].map { .seconds($0) })
  }

  @Test("An observer that keeps up receives every tick")
  func keepsUp() {
    let held = Held()
    let observer = held.observer()
    for second in 1...10 {
      observer.deliver(.passing(.seconds(second)))
      #expect(held.drain().count == second)
    }
    #expect(held.drain() == (1...10).map { .seconds($0) })
  }

  @Test("Cancelling drops pending deliveries")
  func cancelled() {
    let held = Held()
    let (observer, other) = (held.observer(), held.observer())
    observer.deliver(.passing(.seconds(1)))
    observer.deliver(.time(.seconds(2)))
    other.deliver(.passing(.seconds(3)))
    let first = [observer.cancel(), observer.cancel()]
    #expect(first == [true, false])
    #expect(held.drain() == [.seconds(3)])
  }
}
