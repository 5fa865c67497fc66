import ArgumentParser
import Logging

/// The log levels of the command line.
enum LogLevelArgument: String, ExpressibleByArgument, CaseIterable {
  case debug, info, warning, error

  /// The level of the same name.
  var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
