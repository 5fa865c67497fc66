import Testing

@testable import Playback

@Suite("Seeks with a tolerance")
struct SeekToleranceTests {
  private let near = Player.SeekTolerance(before: .seconds(1), after: .milliseconds(500))

  private func seek(_ bench: inout Bench, to seconds: Double, _ tolerance: Player.SeekTolerance) -> [Effect] {
    bench.step { $0.seek(to: .seconds(seconds), within: tolerance, ticket: SeekTicket(number: 1), now: $1) }
  }

  private func land(_ bench: inout Bench, at seconds: Double) -> [Effect] {
    bench.step {
      let facts = StreamFacts(duration: .seconds(10), position: .seconds(seconds))
      $0.settled($0.token, facts, now: $1)
    }
  }

  @Test(
    "Where the stream was entered within the tolerance, it plays, and that is the position", arguments: [4, 5, 5.5])
  func within(landing: Double) {
    var bench = Bench()
    bench.start()
    #expect(seek(&bench, to: 5, near).orders == [.seek(to: .seconds(5), rate: 1, exactly: false)])
    let done = land(&bench, at: landing)
    #expect(done.finished == [1: [true]])
    #expect(done.events.contains(.timeJumped(from: .zero, to: .seconds(landing))))
    #expect(bench.position == .seconds(landing))
  }

  @Test("Outside of it the seek is made again, exactly, and told once", arguments: [3.9, 5.6, 0])
  func outside(landing: Double) {
    var bench = Bench()
    bench.start()
    _ = seek(&bench, to: 5, near)
    let again = land(&bench, at: landing)
    #expect(again.orders == [.seek(to: .seconds(5), rate: 1)])
    #expect(again.finished.isEmpty && again.events.isEmpty)
    #expect(bench.position == .seconds(5))
    let done = land(&bench, at: 4.999)
    #expect(done.finished == [1: [true]])
    #expect(bench.position == .seconds(5))
  }

  @Test("Tighter than a frame is exact from the start, and a negative tolerance is none")
  func exact() {
    var bench = Bench()
    bench.start()
    let tight = Player.SeekTolerance(before: .milliseconds(-5), after: .milliseconds(20))
    #expect(tight.before == .zero)
    #expect(seek(&bench, to: 5, tight).orders == [.seek(to: .seconds(5), rate: 1)])
  }

  @Test("A newer seek keeps its own tolerance")
  func superseded() {
    var bench = Bench()
    bench.start()
    _ = bench.seek(2)
    #expect(seek(&bench, to: 5, .infinity).orders.isEmpty)
    #expect(land(&bench, at: 2).orders == [.seek(to: .seconds(5), rate: 1, exactly: false)])
    #expect(land(&bench, at: 0.1).finished == [1: [true]])
    #expect(bench.position == .seconds(0.1))
  }
}
