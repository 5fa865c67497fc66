import Glibc
import Synchronization

/// Standard output, for requested output only; messages go to standard error.
package enum StandardOutput {
  private static let firstFault = Mutex<FileFailure?>(nil)

  /// The first failure to write requested output; nil for none, and if a reader such as `head` has closed the pipe.
  package static var fault: FileFailure? { firstFault.withLock { $0 } }

  /// Occupies the numbers of the standard streams that are closed.
  ///
  /// The next file or socket would get such a number, and then the text for the user. Reads and writes still fail.
  package static func occupyClosedStreams() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
      // The system takes the lowest number, which is this one.
      _ = unsafe open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether the output is a terminal.
  package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The columns of the terminal; 80 if unknown.
  package static var columns: Int { size.ws_col > 0 ? Int(size.ws_col) : 80 }

  /// The lines of the terminal; 24 if unknown.
  package static var rows: Int { size.ws_row > 0 ? Int(size.ws_row) : 24 }

  private static var size: winsize {
    var size = winsize()
    return unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? size : winsize()
  }

  /// The styles that the output supports: none unless it is a terminal, and no colours with `NO_COLOR`.
  ///
  /// <https://no-color.org>
  package static var styles: StyledText.Support {
    guard isTerminal, let terminal = Environment["TERM"], !terminal.isEmpty, terminal != "dumb" else { return .none }
    return Environment["NO_COLOR"].map { $0.isEmpty } ?? true ? .all : .withoutColours
  }

  /// Writes requested output without control characters, except line ends and tabs; returns false if it cannot be written.
  package static func write(_ text: String) -> Bool { write(Array(text.printable.utf8)) }

  /// Writes lines in the styles that the output supports; returns false if they cannot be written.
  @discardableResult
  package static func write(_ lines: [StyledText]) -> Bool {
    let styles = styles
    return write(Array(lines.map { $0.text(styles) + "\n" }.joined().utf8))
  }

  /// Writes bytes as they are; returns false, and keeps the ``fault``, if they cannot be written.
  @discardableResult
  static func write(_ bytes: [UInt8]) -> Bool {
    if writeAll(bytes, to: STDOUT_FILENO) { return true }
    let number = errno
    if number != EPIPE { firstFault.withLock { $0 = $0 ?? FileFailure(number: number) } }
    return false
  }

  /// Writes a line about the progress of a player, which continues without it.
  package static func report(_ text: String) { _ = writeAll(Array(text.printable.utf8), to: STDOUT_FILENO) }
}

/// Standard error, for messages that are not written by ``StandardErrorLog``.
package enum StandardError {
  /// Writes a text without control characters, except line ends and tabs; returns false on failure.
  package static func write(_ text: String) -> Bool { writeAll(Array(text.printable.utf8), to: STDERR_FILENO) }
}

/// Writes all bytes without a buffer, so that no output is lost at the exit of the process; returns false on failure.
package func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
