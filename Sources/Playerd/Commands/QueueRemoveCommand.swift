import ArgumentParser
import DBus
import PlayerdInterfaces

/// `mpris-playerd queue remove NUMBER…`.
struct QueueRemoveCommand: VerbCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove tracks.",
    discussion: "If the current track is removed, the next remaining track plays.")

  @Argument(help: ArgumentHelp("A track number, or a range such as 3-5.", valueName: "number"))
  var numbers: [TrackRange]

  @OptionGroup var options: VerbOptions

  func perform(on instance: RunningInstance) async throws -> String {
    let before = try await instance.status().queueCount
    for range in numbers { try instance.check(range.numbers.upperBound, isWithin: before) }
    let indices = Set(numbers.flatMap { $0.numbers }.map { $0 - 1 })
    try await instance.control.call(ControlInterface.removeTracks, indices.sorted().map { UInt32(clamping: $0) })
    let left = try await instance.status().queueCount
    return "removed \(counted(indices.count, "track")), \(left) left"
  }
}

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
