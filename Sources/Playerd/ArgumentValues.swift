import ArgumentParser
import PlayerdClient
import PlayerdConfiguration
import PlayerdInterfaces

// The values of other targets that arguments and options have; only the commands know how a command line is parsed. Their types must be
// explicitly Sendable: otherwise Swift 6.2 with assertions, as in Debian, aborts here.
extension InstanceName: ExplainedArgument {
  static func objection(to argument: String) -> String {
    "an instance is its process ID, or its name as “playerctl --list-all” prints it, such as playerd.instance42"
  }
}
extension LogLevelArgument: ExpressibleByArgument {}
extension PlaceArgument: ExpressibleByArgument, TimedArgument {
  static var forms: String { TimeArgument.forms + ", or a part of the track: 0% to 100%" }
}
extension TimeArgument: ExpressibleByArgument, TimedArgument {
  static var forms: String { "a time is 90, 90.5, 1:30, 1:02:03, 45s, 1m30s or 1.5h" }
}

/// A value of the command line whose error gives the reason.
protocol ExplainedArgument: ExpressibleByArgument {
  /// Returns why an argument is not such a value, or the valid forms.
  static func objection(to argument: String) -> String
}

extension ExplainedArgument {
  init(parsing argument: String) throws {
    guard let value = Self(argument: argument) else { throw ValidationError(Self.objection(to: argument)) }
    self = value
  }
}

/// A value of the command line that is a time, or may be one.
protocol TimedArgument: ExplainedArgument {
  /// The valid forms as a sentence.
  static var forms: String { get }

  /// Returns why an argument is ambiguous, with a text for each meaning; nil if it is not.
  static func ambiguity(of argument: String) -> String?
}

extension TimedArgument {
  /// The valid forms, of an ambiguous time those for its meanings.
  static func objection(to argument: String) -> String {
    if let text = ambiguity(of: argument) { return text }
    guard let match = SignedArgument(argument).magnitude.wholeMatch(of: #/[0-9:]+:([6-9][0-9])(\.[0-9]+)?/#) else {
      return forms
    }
    return "\(match.1) is more than 59 seconds"
  }

  static func ambiguity(of argument: String) -> String? {
    let change = SignedArgument(argument)
    let readings = TimeArgument.readings(of: change.magnitude)
    let texts = readings.map { SignedArgument(sign: change.sign, magnitude: $0).text }
    return texts.isEmpty ? nil : "it is ambiguous; write \(texts.joined(separator: " or "))"
  }
}
