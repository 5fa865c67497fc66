import Testing

@testable import Playback

/// The rules of an item that begins while another one still fades out.
@Suite("Order of crossfades") struct CrossfadeOrderTests {
  private func harness(_ items: [Player.Item]) -> MachineHarness {
    var configuration = Player.Configuration()
    configuration.crossfade = Player.Crossfade(length: .seconds(6), skipLength: .seconds(3))
    configuration.silenceTrimming = .init()
    var harness = MachineHarness(configuration: configuration)
    harness.decide(.replaceQueue(items))
    harness.start(duration: 60)
    return harness
  }

  /// Returns a machine in the overlap of its first two items.
  private func overlap() throws -> (MachineHarness, first: StreamToken, next: StreamToken) {
    var harness = harness((0..<3).map { Player.Item(uri: "file:///\($0)") })
    let first = harness.token
    harness.advance(.seconds(49.9))
    let next = try harness.requireNext()
    harness.settleNext(next, duration: 60)
    harness.advance(.seconds(4))
    harness.report(.audible(next, at: .zero))
    harness.advance(.seconds(1))
    #expect(harness.playhead.outgoing?.token == first)
    harness.forget()
    return (harness, first, next)
  }

  @Test("If an item that fades in ends early, the ends of both items are reported before the next one, in their order")
  func earlyEnd() throws {
    var (harness, first, next) = try overlap()
    let last = try harness.prepareNext(duration: 60)
    harness.report(.stream(next, .ended(at: nil)))
    let entered = harness.report(.audible(last, at: .zero))
    let items = harness.queue
    #expect(
      entered.events == [
        .itemDidPlayToEnd(items[0]), .itemDidPlayToEnd(items[1]),
        .currentItemChanged(from: items[1], to: items[2]),
      ])
    #expect(Set(entered.closed) == [first, next] && harness.violations.isEmpty)
  }

  @Test("A skip ends the item that fades out, and fades the current one out")
  func skip() throws {
    var (harness, first, next) = try overlap()
    let items = harness.queue
    let skipped = harness.next()
    #expect(
      skipped.events == [.itemDidPlayToEnd(items[0]), .currentItemChanged(from: items[1], to: items[2])])
    #expect(skipped.closed == [first] && harness.plan.map(\.stream) == [next])
  }

  @Test(
    "Silence is skipped if it is found in time to open a next item from a server",
    arguments: [(44.4, true), (44.6, false)])
  func silence(found: Double, isSkipped: Bool) throws {
    var harness = harness([Player.Item(uri: "file:///0"), Player.Item(uri: "http:///1")])
    harness.advance(.seconds(found))
    harness.settleNext(try harness.requireNext(), duration: 60)
    harness.decide(.loudness(.silence(from: .seconds(50), of: harness.token)))
    #expect(harness.overlap?.end == .seconds(isSkipped ? 50 : 60))
  }
}
