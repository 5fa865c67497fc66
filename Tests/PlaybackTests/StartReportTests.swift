import Testing

@testable import Playback

/// The rules of reports of the audible item around a start at an instant.
@Suite("Reports around a start at an instant") struct StartReportTests {
  /// Returns a machine whose engine holds the sample of a start in 10 s, and the instant of the start.
  private func due() -> (MachineHarness, MonotonicTime) {
    var harness = MachineHarness()
    harness.startPaused(duration: 60)
    let instant = harness.now + .seconds(10)
    harness.decide(.playAt(instant))
    harness.advance(.seconds(9))
    return (harness, instant)
  }

  @Test("A report more than 100 ms before the instant is older than the start, and is ignored")
  func early() {
    var (harness, instant) = due()
    harness.now = instant + .milliseconds(-101)
    #expect(harness.run().isEmpty && !harness.isAdvancing)
    harness.now = instant + .milliseconds(-100)
    #expect(harness.run().hasChanged && harness.isAdvancing)
  }

  @Test("A start that the engine has carried out is not cancelled")
  func carriedOut() {
    var (harness, instant) = due()
    harness.now = instant
    #expect(harness.run().engineCommands == [])
  }
}
