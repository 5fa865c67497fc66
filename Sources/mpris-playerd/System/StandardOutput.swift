import Glibc

/// Standard output: what was asked for, and nothing else.
enum StandardOutput {
  /// Whether a person looks at it.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The columns of the terminal; 80 where it does not say.
  static var columns: Int {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes all of a text at once; false when nobody reads it any more.
  static func write(_ text: String) -> Bool { writeAll(text, to: STDOUT_FILENO) }
}

/// Standard error: messages, beside those that ``StandardErrorLog`` writes.
enum StandardError {
  /// Writes all of a text at once; false when it cannot be written.
  static func write(_ text: String) -> Bool { writeAll(text, to: STDERR_FILENO) }
}

/// Writes without a buffer, so that nothing is left to be flushed at the exit of the process.
private func writeAll(_ text: String, to descriptor: CInt) -> Bool {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
