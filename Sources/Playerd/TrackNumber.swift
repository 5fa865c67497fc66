import ArgumentParser
import PlayerdClient
import PlayerdSystem

/// A number from 1 on the command line, or `last`.
enum TrackNumber: ExplainedArgument, Equatable {
  case number(Int64)
  case last

  init?(argument: String) {
    if argument == "last" {
      self = .last
    } else if let number = SignedArgument.wholeNumber(argument) {
      self = .number(number)
    } else {
      return nil
    }
  }

  static func objection(to argument: String) -> String { "a track is its number in the queue, or last" }

  /// Returns the number in a list with this many entries.
  func value(in count: Int64) -> Int64 {
    switch self {
    case .number(let number): number
    case .last: count
    }
  }
}

/// A number as in ``TrackNumber``, or a distance from the present one: `+1` or `-1`.
enum TrackPlace: ExplainedArgument, Equatable {
  case number(TrackNumber)
  case distance(Int64)

  init?(argument: String) {
    if let number = TrackNumber(argument: argument) {
      self = .number(number)
    } else if let distance = SignedArgument.distance(argument) {
      self = .distance(distance)
    } else {
      return nil
    }
  }

  static func objection(to argument: String) -> String {
    "a place is a number in the queue, last, or a distance such as +1 or -1"
  }

  /// Returns the number in a list with this many entries, from the present number; 0 for none.
  func value(in count: Int64, from present: Int64) -> Int64 {
    switch self {
    case .number(let number): return number.value(in: count)
    case .distance(let distance):
      let (value, isBeyond) = present.addingReportingOverflow(distance)
      return isBeyond ? distance : value
    }
  }
}

extension RunningInstance {
  /// Returns the number of a track, which may be at a distance from the present one.
  ///
  /// - Throws: Exit status 1 for a track that the queue does not have; the reason has been logged.
  func number(of track: TrackPlace, from present: Int64, isWithin count: Int64) throws -> Int64 {
    let number = track.value(in: count, from: present)
    if count > 0, case .distance(let distance) = track, !(1...count).contains(number) {
      let left = distance > 0 ? count - present : max(0, present - 1)
      throw failure("only \(counted(left, "track")) in the queue \(distance > 0 ? "after" : "before") track \(present)")
    }
    try check(number, isWithin: count)
    return number
  }
}

/// Numbers from 1 on the command line: `3`, `last`, `3-5` or `3-last`.
struct TrackRange: ExpressibleByArgument, Equatable {
  let first: TrackNumber
  let last: TrackNumber

  init?(argument: String) {
    let parts = argument.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      .map { TrackNumber(argument: String($0)) }
    guard let first = parts.first ?? nil, let last = parts.last ?? nil, first != .number(0) else { return nil }
    if case (.number(let lower), .number(let upper)) = (first, last), lower > upper { return nil }
    (self.first, self.last) = (first, last)
  }

  /// Returns the numbers in a list with this many entries.
  ///
  /// - Throws: A usage error if the first number is greater than the last one.
  func numbers(in count: Int64) throws -> ClosedRange<Int64> {
    let (lower, upper) = (first.value(in: count), last.value(in: count))
    guard lower <= upper else { throw ValidationError("track \(lower) is after the last one, which is \(upper)") }
    return lower...upper
  }
}

/// The tracks that the arguments of a command name: numbers and ranges, or words that a track has.
enum TrackSelection {
  case ranges([TrackRange])
  case words(SearchWords)

  /// Arguments that consist of digits and dashes, or are `last`, are numbers; if another one is among them, all are words.
  init(_ arguments: [String]) throws {
    if arguments.contains("") { throw ValidationError("an empty argument is neither a number nor a word") }
    let areNumbers = arguments.allSatisfy { argument in
      argument.split(separator: "-").allSatisfy { part in
        part == "last" || part.allSatisfy { $0.isASCII && $0.isNumber }
      }
    }
    if let distance = arguments.first(where: { SignedArgument.distance($0) != nil }) {
      throw ValidationError(
        "“\(SignedArgument(distance).text)” is a distance; give the number of the track, a range such as 3-5, or words")
    }
    if let list = arguments.first(where: { $0.wholeMatch(of: #/[0-9]+(,[0-9]+)+/#) != nil }) {
      throw ValidationError("“\(list)” is not a number; write \(list.replacing(",", with: " "))")
    }
    guard areNumbers else {
      self = .words(SearchWords(arguments))
      return
    }
    self = .ranges(
      try arguments.map { argument in
        if let range = TrackRange(argument: argument) { return range }
        if let match = argument.wholeMatch(of: #/([0-9]{1,9})-([0-9]{1,9})/#), let first = Int(match.1), first > 0 {
          throw ValidationError("the range “\(argument)” ends before its start; write \(match.2)-\(match.1)")
        }
        throw ValidationError("“\(argument)” is neither a track number nor a range such as 3-5")
      })
  }
}
