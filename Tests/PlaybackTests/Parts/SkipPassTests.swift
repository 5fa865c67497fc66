import Testing

@testable import Playback

@Suite("A pass in search of an item that plays") struct SkipPassTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var direction: SkipPass.Direction
    var failed: [Int]
    var loop = LoopMode.none
    /// The number of the item that is tried next; the current one is 1 of 0…3.
    var next: Int?
    var testDescription: String { "\(direction), failed \(failed), \(loop) → \(next.map(String.init) ?? "none")" }

    static let all = [
      Row(direction: .forward, failed: [1], next: 2),
      Row(direction: .forward, failed: [1, 2], next: 3),
      Row(direction: .forward, failed: [1, 2, 3], next: nil),
      Row(direction: .forward, failed: [1, 2, 3], loop: .playlist, next: 0),
      Row(direction: .forward, failed: [0, 1, 2, 3], loop: .playlist, next: nil),
      Row(direction: .backward, failed: [1], next: 0),
      Row(direction: .backward, failed: [0, 1], next: 2),
      Row(direction: .backward, failed: [0, 1], loop: .playlist, next: 3),
      Row(direction: .backward, failed: [0, 1, 2, 3], next: nil),
    ]
  }

  @Test("It tries each item once, and turns around at the start of the queue", arguments: Row.all)
  func next(_ row: Row) {
    let items = (0...3).map { PlayerItem(uri: "file:///\($0)") }
    var queue = PlayQueue()
    queue.replace(with: items, startingAt: 1)
    queue.loop = row.loop
    var pass = SkipPass(row.direction)
    for number in row.failed { pass.fail(items[number].id) }
    #expect(pass.next(in: queue)?.uri == row.next.map { "file:///\($0)" })
  }

  @Test("An item that has played begins another pass, in the same direction")
  func succeeded() {
    var pass = SkipPass(.backward)
    pass.fail(PlayerItem(uri: "file:///x").id)
    pass.succeed()
    #expect(pass == SkipPass(.backward))
  }

  @Test("After a track has passed gaplessly into the next, a failure skips forward, whichever way Previous went")
  func gapless() throws {
    var bench = Bench(3, at: 1)
    bench.start()
    _ = bench.previous()
    bench.settle()
    bench.run()
    let next = try bench.enterTail()
    bench.pass(.seconds(1))
    #expect(bench.token == next)
    bench.fail(.corrupt)
    #expect(bench.current?.uri == "file:///2")
  }
}
