import ArgumentParser
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces

// The values of other targets that arguments and options have; only the commands know how a command line is parsed.
extension InstanceName: ExpressibleByArgument {}
extension LogLevelArgument: ExpressibleByArgument {}
extension PlaceArgument: ExpressibleByArgument, TimedArgument {
  static var forms: String { TimeArgument.forms + ", or a part of the track: 50%" }
}
extension TimeArgument: ExpressibleByArgument, TimedArgument {
  static var forms: String { "a time is 90, 90.5, 1:30, 1:02:03, 45s, 1m30s or 1.5h" }
}

/// A value of the command line that is a time, or may be one.
protocol TimedArgument: ExpressibleByArgument {
  /// The valid forms as a sentence.
  static var forms: String { get }

  /// Returns why an argument is ambiguous, with a text for each meaning; nil if it is not.
  static func ambiguity(of argument: String) -> String?
}

extension TimedArgument {
  /// Parses an argument; the error names the valid forms, of an ambiguous time those for its meanings.
  init(parsing argument: String) throws {
    if let value = Self(argument: argument) {
      self = value
      return
    }
    throw ValidationError(Self.ambiguity(of: argument) ?? Self.forms)
  }

  static func ambiguity(of argument: String) -> String? {
    let change = SignedArgument(argument)
    let readings = TimeArgument.readings(of: change.magnitude)
    let texts = readings.map { SignedArgument(sign: change.sign, magnitude: $0).text }
    return texts.isEmpty ? nil : "it is ambiguous; write \(texts.joined(separator: " or "))"
  }
}
