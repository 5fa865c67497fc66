import Testing

@testable import Playback

@Suite("Seek tolerance")
struct SeekToleranceTests {
  private let near = Player.SeekTolerance(before: .seconds(1), after: .milliseconds(500))

  private func seek(_ harness: inout MachineHarness, to seconds: Double, _ tolerance: Player.SeekTolerance) -> [Effect]
  {
    harness.decide(.seek(to: .seconds(seconds), within: tolerance, SeekTicket(number: 1)))
  }

  private func land(_ harness: inout MachineHarness, at seconds: Double) -> [Effect] {
    harness.report(.stream(harness.token, .settled(StreamFacts(duration: .seconds(10), position: .seconds(seconds)))))
  }

  @Test(
    "A seek that lands within the tolerance completes at the landing position", arguments: [4, 5, 5.5])
  func within(landing: Double) {
    var harness = MachineHarness()
    harness.start()
    #expect(seek(&harness, to: 5, near).engineCommands == [.seek(harness.token, to: .seconds(5), exactly: false)])
    let done = land(&harness, at: landing)
    #expect(done.finished == [1: [true]])
    #expect(done.events.contains(.timeJumped(from: .zero, to: .seconds(landing))))
    #expect(harness.position == .seconds(landing))
  }

  @Test("A seek that lands outside the tolerance is repeated exactly and completes once", arguments: [3.9, 5.6, 0])
  func outside(landing: Double) {
    var harness = MachineHarness()
    harness.start()
    _ = seek(&harness, to: 5, near)
    let again = land(&harness, at: landing)
    #expect(again.engineCommands == [.seek(harness.token, to: .seconds(5))])
    #expect(again.finished.isEmpty && again.events.isEmpty)
    #expect(harness.position == .seconds(5))
    let done = land(&harness, at: 4.999)
    #expect(done.finished == [1: [true]])
    #expect(harness.position == .seconds(5))
  }

  @Test("A tolerance below one frame makes the seek exact; a negative tolerance counts as zero")
  func exact() {
    var harness = MachineHarness()
    harness.start()
    let tight = Player.SeekTolerance(before: .milliseconds(-5), after: .milliseconds(20))
    #expect(tight.before == .zero)
    #expect(seek(&harness, to: 5, tight).engineCommands == [.seek(harness.token, to: .seconds(5))])
    #expect(Player.SeekTolerance(before: .milliseconds(20), after: .milliseconds(29)).isExact)
    #expect(!Player.SeekTolerance(before: .milliseconds(20), after: .milliseconds(30)).isExact)
  }

  @Test("A newer seek keeps its own tolerance")
  func superseded() {
    var harness = MachineHarness()
    harness.start()
    _ = harness.seek(2)
    #expect(seek(&harness, to: 5, .infinity).engineCommands.isEmpty)
    #expect(land(&harness, at: 2).engineCommands == [.seek(harness.token, to: .seconds(5), exactly: false)])
    #expect(land(&harness, at: 0.1).finished == [1: [true]])
    #expect(harness.position == .seconds(0.1))
  }
}
