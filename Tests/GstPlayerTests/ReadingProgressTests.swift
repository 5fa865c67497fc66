import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Progress of reading a file") struct ReadingProgressTests {
  private func instant(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: Int64(seconds * 1_000_000_000))
  }

  @Test("Data behind all earlier data is reported once a second, and data that is read again is not")
  func reports() {
    var progress = ReadingProgress()
    let steps: [(end: Int64, seconds: Double, isReported: Bool)] = [
      (100, 5, false), (200, 5.9, false), (300, 6, true), (400, 6.9, false), (400, 7, false), (200, 9, false),
      (401, 9, true), (402, 9.5, false), (403, 10, true),
    ]
    for step in steps {
      #expect(progress.advances(to: step.end, at: instant(step.seconds)) == step.isReported, "\(step)")
    }
  }
}
