import Simulation
import Testing

@Suite("Differences of a client's copies") struct CopyDifferencesTests {
  private var differences = CopyDifferences()
  private var now: Int64 = 0

  /// Compares a copy that waits with a value that plays, after the time between two comparisons.
  private mutating func compare() -> Bool {
    now += CopyDifferences.interval
    return differences.note("Monitor1", "TimeControlStatus", copy: "waitingToPlay", value: "playing", at: now)
  }

  @Test("A difference is a fault if it lasts for three comparisons")
  mutating func lasts() {
    let faults = [compare(), compare(), compare()]
    #expect(faults == [false, false, true])
  }

  @Test("Comparisons within the delay of a signal count as one")
  mutating func early() {
    _ = [compare(), compare()]
    now -= 1
    let isFault = compare()
    #expect(!isFault)
  }

  @Test("A copy that has changed between the comparisons is not a lasting difference")
  mutating func changedBetween() {
    var faults: [Bool] = []
    for _ in 0..<4 {
      faults.append(compare())
      differences.end("Monitor1", "TimeControlStatus")
    }
    #expect(faults == [false, false, false, false])
  }

  @Test("A copy that is read again begins without a difference, the copies of other interfaces do not")
  mutating func copiedAgain() {
    _ = [compare(), compare()]
    differences.end("Extras1")
    let isOtherFault = compare()
    differences.end("Monitor1")
    let isFault = compare()
    #expect(isOtherFault)
    #expect(!isFault)
  }
}
