import ArgumentParser
import Logging

/// The log levels of the command line.
enum LogLevelArgument: String, ExpressibleByArgument, CaseIterable {
  case debug, info, warning, error

  var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .warning: .warning
    case .error: .error
    }
  }
}
