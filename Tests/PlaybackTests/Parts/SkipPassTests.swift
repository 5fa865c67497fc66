import Testing

@testable import Playback

@Suite("Skipping failed items") struct SkipPassTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var isBackward = false
    var failed: [Int]
    var loop = Player.LoopMode.none
    /// The index of the item that is tried next; the current item is 1 of 0…3.
    var next: Int?
    var testDescription: String {
      "\(isBackward ? "backward" : "forward"), failed \(failed), \(loop) → \(next.map(String.init) ?? "none")"
    }

    static let all = [
      Row(failed: [1], next: 2),
      Row(failed: [1, 2], next: 3),
      Row(failed: [1, 2, 3], next: nil),
      Row(failed: [1, 2, 3], loop: .playlist, next: 0),
      Row(failed: [0, 1, 2, 3], loop: .playlist, next: nil),
      Row(isBackward: true, failed: [1], next: 0),
      Row(isBackward: true, failed: [0, 1], next: 2),
      Row(isBackward: true, failed: [0, 1], loop: .playlist, next: 3),
      Row(isBackward: true, failed: [0, 1, 2, 3], next: nil),
    ]
  }

  @Test("A skip pass tries each item once and turns around at the start of the queue", arguments: Row.all)
  func next(_ row: Row) {
    let items = (0...3).map { Player.Item(uri: "file:///\($0)") }
    var queue = PlayQueue()
    queue.replace(with: items, startingAt: 1)
    queue.loop = row.loop
    var pass = SkipPass(isBackward: row.isBackward)
    for number in row.failed { pass.fail(items[number].id) }
    #expect(pass.next(in: queue)?.uri == row.next.map { "file:///\($0)" })
  }

  @Test("An item that plays starts a new pass in the same direction")
  func succeeded() {
    var harness = MachineHarness(4, at: 3)
    harness.start()
    _ = harness.previous()
    harness.fail()
    harness.settle()
    harness.run()
    harness.advance(.seconds(2))
    for _ in 0..<2 { harness.fail(.corrupt) }
    #expect(harness.effects.loads == [3, 2, 1, 0, 2].map { harness.items[$0].uri })
  }

  @Test("After a gapless transition a failure skips forward, even if Previous selected the item before")
  func gapless() throws {
    var harness = MachineHarness(3, at: 1)
    harness.start()
    _ = harness.previous()
    harness.settle()
    harness.run()
    let next = try harness.prepareNext()
    harness.enterNext(next)
    #expect(harness.token == next)
    harness.fail(.corrupt)
    #expect(harness.current?.uri == "file:///2")
  }
}
