import FoundationEssentials
import Glibc
public import Testing

/// Generates reproducible random numbers ([SplitMix64](https://prng.di.unimi.it/splitmix64.c)).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator that returns the same numbers in every run.
  public init(seed: UInt64) { state = seed }

  /// Creates a generator with the seed of this run; the test needs the trait `.seeded`, which reports the seed.
  public init() { self.init(seed: RunSeed.value) }

  /// Returns the next number, with all 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns the next number from 0 up to, but not including, a limit above 0.
  public mutating func next(below limit: UInt64) -> UInt64 { next(upperBound: limit) }
}

/// The seed of this test process: the variable `TEST_SEED`, or a new one in each run.
private enum RunSeed {
  static let variable = "TEST_SEED"

  static let value: UInt64 = {
    let given = ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    // Printed because a trap does not record an issue, which would report the seed.
    var line = "\(variable)=\(seed)\n"
    line.withUTF8 { bytes in _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    return seed
  }()
}

extension Trait where Self == IssueHandlingTrait {
  /// Adds the seed of this run to each issue of a test that uses ``SeededGenerator/init()``.
  public static var seeded: Self {
    .compactMapIssues { issue in
      var issue = issue
      issue.comments.append("repeat with \(RunSeed.variable)=\(RunSeed.value)")
      return issue
    }
  }
}
