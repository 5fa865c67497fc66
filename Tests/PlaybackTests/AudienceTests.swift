import Testing

@testable import Playback

@Suite("Who is told of a player") struct AudienceTests {
  @Test("Nothing is kept of a sequence that is left")
  func left() {
    var audience = Audience()
    weak let witness = addSequence(to: &audience)
    #expect(witness != nil)
    _ = audience.remove(1)
    #expect(witness == nil)
    #expect(!audience.hearsEvents)
  }

  private final class Held: Sendable {
    func use() {}
  }

  private func addSequence(to audience: inout Audience) -> Held? {
    let held = Held()
    audience.add(ending: { held.use() }, as: 1)
    return held
  }

  @Test("Readers and event observers hear events; time observers do not")
  func hears() {
    var audience = Audience()
    let (_, reader) = AsyncStream.makeStream(of: PlayerEvent.self)
    let observer = ObserverDelivery(ImmediateExecutor()) { _ in }
    audience.add(observer, as: TimeObservers.ID(number: 1))
    #expect(!audience.hearsEvents)
    audience.add(observer, as: 2)
    #expect(audience.hearsEvents)
    audience.add(reader, as: 3)
    _ = audience.remove(2)
    #expect(audience.hearsEvents)
    _ = audience.remove(3)
    #expect(!audience.hearsEvents)
  }
}
