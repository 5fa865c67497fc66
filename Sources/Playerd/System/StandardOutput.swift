import Glibc

/// Standard output, for requested output only; messages go to standard error.
enum StandardOutput {
  /// Whether the output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes a text without control characters, except line ends and tabs; returns false if the reader has closed the
  /// stream.
  static func write(_ text: String) -> Bool { writeAll(Array(text.printable.utf8), to: STDOUT_FILENO) }
}

/// Standard error, for messages that are not written by ``StandardErrorLog``.
enum StandardError {
  /// Writes a text without control characters, except line ends and tabs; returns false on failure.
  static func write(_ text: String) -> Bool { writeAll(Array(text.printable.utf8), to: STDERR_FILENO) }
}

/// Writes all bytes without a buffer, so that no output is lost at the exit of the process; returns false on failure.
func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
