import ArgumentParser

/// A range of track numbers on the command line: `3` or `3-5`.
struct TrackRange: ExpressibleByArgument, Equatable {
  /// From 1.
  let numbers: ClosedRange<Int64>

  init?(argument: String) {
    let parts = argument.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int64($0) }
    guard let first = parts.first ?? nil, first >= 1 else { return nil }
    guard parts.count == 2 else {
      numbers = first...first
      return
    }
    guard let last = parts[1], last >= first else { return nil }
    numbers = first...last
  }
}
