import Glibc
import Logging
import Synchronization

/// One line on standard error for each message, with the journal's priority prefix when that is where it goes.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  private let prefixesPriority: Bool

  /// One for all loggers, so that it can be changed while they are in use.
  var logLevel: Logger.Level {
    get { LogThreshold.shared.level }
    set { LogThreshold.shared.level = newValue }
  }

  init() {
    prefixesPriority = unsafe getenv("JOURNAL_STREAM") != nil
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var line = prefixesPriority ? "<\(priority(of: event.level))>" : "mpris-playerd: "
    for scalar in event.message.description.unicodeScalars {
      // A name from outside must not end the line, nor talk to the terminal.
      line.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    line += "\n"
    line.withUTF8 { bytes in _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  }

  private func priority(of level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}

/// The least severe messages that are shown.
final class LogThreshold: Sendable {
  static let shared = LogThreshold()

  private let value = Mutex(Logger.Level.info)

  var level: Logger.Level {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
