import Logging
import PlayerdSystem

/// The log of the C libraries in the processes of the engine.
enum LibraryLog {
  /// Logs a message of a library: for developers, unless the library ends the process after it.
  static func write(_ text: String, isFatal: Bool) {
    let log = Logger(label: Names.executable)
    let line = text.split(separator: " ").joined(separator: " ")
    log.log(level: isFatal ? .critical : .debug, "\(line)")
  }
}
