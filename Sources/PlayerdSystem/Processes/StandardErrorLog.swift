import Glibc
package import Logging
package import Synchronization
import TextCoding

/// Writes each log message as one line to standard error, with a priority prefix for the journal.
package struct StandardErrorLog: LogHandler {
  package var metadata: Logger.Metadata = [:]

  package init() {}
  private let prefixesPriority = Environment["JOURNAL_STREAM"] != nil

  /// Shared by all loggers, so that a reload can change it.
  package var logLevel: Logger.Level {
    get { LogThreshold.shared.level }
    set { LogThreshold.shared.level = newValue }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var line = prefixesPriority ? "<\(priority(of: event.level))>" : "mpris-playerd: "
    // Other users and other machines may read the journal.
    line += event.message.description.withoutURISecrets.withoutControls + "\n"
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

/// The lowest log level that is shown.
package final class LogThreshold: Sendable {
  package static let shared = LogThreshold()

  package let value = Mutex(Logger.Level.info)

  package var level: Logger.Level {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
