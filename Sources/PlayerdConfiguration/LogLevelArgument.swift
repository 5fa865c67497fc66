package import Logging

/// The log levels of the command line.
package enum LogLevelArgument: String, CaseIterable, Sendable {
  case debug, info, warning, error

  /// The level of the same name.
  package var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
