import Glibc
import Logging

/// One line on standard error for each message, with the journal's priority prefix when that is where it goes.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level
  private let prefixesPriority: Bool

  init(level: Logger.Level) {
    logLevel = level
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
