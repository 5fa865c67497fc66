import Synchronization
import Testing

@testable import Playback

@Suite("Observer registry") struct ObserverRegistryTests {
  @Test("Removing a sequence releases everything that belongs to it")
  func left() {
    var observerRegistry = ObserverRegistry()
    weak let witness = addSequence(to: &observerRegistry)
    #expect(witness != nil)
    _ = observerRegistry.remove(1)
    #expect(witness == nil)
    #expect(!observerRegistry.hasEventObservers)
  }

  private final class Held: Sendable {
    func use() {}
  }

  private func addSequence(to observerRegistry: inout ObserverRegistry) -> Held? {
    let held = Held()
    let observer = ObserverDelivery(ImmediateExecutor(), { _ in }, ending: { held.use() })
    observerRegistry.add(observer, as: 1, receivesEvents: false)
    return held
  }

  @Test("Dismissed observers of any kind are not called any more")
  func dismissed() {
    let calls = Atomic(0)
    func observer() -> ObserverDelivery {
      ObserverDelivery(ImmediateExecutor()) { _ in calls.add(1, ordering: .relaxed) }
    }
    var observerRegistry = ObserverRegistry()
    let (times, events, metadata) = (observer(), observer(), observer())
    observerRegistry.add(times, as: 1, receivesEvents: false)
    observerRegistry.add(events, as: 2, receivesEvents: true)
    observerRegistry.add(metadata, as: 3, receivesEvents: false)
    for observer in [times, events, metadata] { observer.deliver(.time(.zero)) }
    #expect(calls.load(ordering: .relaxed) == 3)
    observerRegistry.dismiss()
    for observer in [times, events, metadata] { observer.deliver(.time(.zero)) }
    #expect(calls.load(ordering: .relaxed) == 3)
  }

  @Test("Stream readers and event observers receive events; time observers do not")
  func hears() {
    var observerRegistry = ObserverRegistry()
    let (_, reader) = AsyncStream.makeStream(of: Player.Event.self)
    let observer = ObserverDelivery(ImmediateExecutor()) { _ in }
    observerRegistry.add(observer, as: 1, receivesEvents: false)
    #expect(!observerRegistry.hasEventObservers)
    observerRegistry.add(observer, as: 2, receivesEvents: true)
    #expect(observerRegistry.hasEventObservers)
    observerRegistry.add(reader, as: 3)
    _ = observerRegistry.remove(2)
    #expect(observerRegistry.hasEventObservers)
    _ = observerRegistry.remove(3)
    #expect(!observerRegistry.hasEventObservers)
  }
}
