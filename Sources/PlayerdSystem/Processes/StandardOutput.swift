import Glibc

/// Standard output, for requested output only; messages go to standard error.
package enum StandardOutput {
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

  /// Writes a text without control characters, except line ends and tabs; returns false if the reader has closed the
  /// stream.
  package static func write(_ text: String) -> Bool { writeAll(Array(text.printable.utf8), to: STDOUT_FILENO) }

  /// Writes lines in the styles that the output supports; returns false if the reader has closed the stream.
  @discardableResult
  package static func write(_ lines: [StyledText]) -> Bool {
    let styles = styles
    return writeAll(Array(lines.map { $0.text(styles) + "\n" }.joined().utf8), to: STDOUT_FILENO)
  }
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
