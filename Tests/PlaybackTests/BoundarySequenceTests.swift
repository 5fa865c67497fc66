import TestSupport
import Testing

@testable import Playback

@Suite("Sequences of boundaries") struct BoundarySequenceTests {
  private typealias Sequence = AsyncStream<Player.BoundaryCrossing>

  /// Returns the boundaries, in seconds, that a sequence reports of an item of 100 s that plays to its end.
  ///
  /// The sequence begins at a position; nil for before playback.
  private func boundaries(
    from position: Duration? = nil, of sequence: (Player) throws -> Sequence
  ) async throws -> [Double] {
    let (engine, clock) = (ScriptedEngine(), ManualClock())
    let player = Player(
      configuration: Player.Configuration(), engine: engine, clock: clock, observers: ImmediateExecutor())
    player.replaceQueue(with: [Player.Item(uri: "file:///0")])
    let early = position == nil ? try sequence(player) : nil
    player.play()
    let stream = StreamToken(number: 1)
    engine.report(.stream(stream, .settled(StreamFacts(duration: .seconds(100)))))
    engine.report(.audible(stream, at: .zero))
    clock.advance(by: position ?? .zero)
    let crossings = try early ?? sequence(player)
    clock.advance(by: .milliseconds(99_999) - (position ?? .zero))
    engine.report(.stream(stream, .ended(at: nil)))
    await player.close()
    return try await deadline(10, "the sequence ends with its player") {
      await crossings.reduce(into: []) { boundaries, crossing in
        #expect(crossing.position - crossing.boundary < .milliseconds(5), "a late call")
        boundaries.append(crossing.boundary.seconds)
      }
    }
  }

  @Test("Fractions are reported in order, and the sequence ends when the player is closed")
  func fractions() async throws {
    #expect(try await boundaries { try $0.boundaries(atFractions: [0.5, 1, 0, 0.25]) } == [0, 25, 50, 100])
  }

  @Test("A sequence that begins during playback reports each later boundary in time, and none before it")
  func late() async throws {
    #expect(try await boundaries(from: .seconds(50)) { try $0.boundaries(atFractions: [0.25, 0.75, 1]) } == [75, 100])
  }

  @Test("The remaining time is reported once, and the sequence ends when the player is closed")
  func remaining() async throws {
    #expect(try await boundaries { try $0.boundaries(atTimeRemaining: .seconds(10)) } == [90])
    #expect(try await boundaries { try $0.boundaries(atTimeRemaining: .zero) } == [100])
  }

  @Test("Fractions and remaining times are validated")
  func invalid() async {
    let player = ScriptedEngine.player()
    for fractions in [[], [-0.1], [0.5, 1.1], [.nan]] as [[Double]] {
      #expect(throws: PlayerError.self) { _ = try player.boundaries(atFractions: fractions) }
    }
    #expect(throws: PlayerError.self) { _ = try player.boundaries(atTimeRemaining: .seconds(-1)) }
    await player.close()
  }
}
