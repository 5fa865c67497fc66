import ArgumentParser

/// A number from 1 on the command line, or `last`.
enum TrackNumber: ExpressibleByArgument, Equatable {
  case number(Int64)
  case last

  init?(argument: String) {
    if argument == "last" {
      self = .last
    } else if let number = Int64(argument), number >= 0 {
      self = .number(number)
    } else {
      return nil
    }
  }

  /// Returns the number in a list with this many entries.
  func value(in count: Int64) -> Int64 {
    switch self {
    case .number(let number): number
    case .last: count
    }
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
    guard areNumbers else {
      self = .words(SearchWords(arguments))
      return
    }
    self = .ranges(
      try arguments.map { argument in
        guard let range = TrackRange(argument: argument) else {
          throw ValidationError("“\(argument)” is neither a track number nor a range such as 3-5")
        }
        return range
      })
  }
}
