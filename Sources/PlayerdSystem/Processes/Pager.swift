import Glibc

/// The user's pager: the shell command in `PAGER`, otherwise `less`.
///
/// `less` ends by itself if the text fits on the screen, and leaves the text there.
package enum Pager {
  /// Writes lines to the terminal, through the pager if they do not fit on it.
  package static func write(_ lines: [String]) {
    let text = lines.map { $0 + "\n" }.joined()
    guard lines.count >= StandardOutput.rows, let command, show(text, with: command) else {
      StandardOutput.write(Array(text.utf8))
      return
    }
  }

  /// The command of the pager; nil for none.
  private static var command: String? {
    guard let command = Environment["PAGER"] else { return CommandOutput.path(of: "less") == nil ? nil : "less" }
    return command.isEmpty || command == "cat" ? nil : command
  }

  /// Runs a pager until the user ends it; returns false if it cannot be started.
  private static func show(_ text: String, with command: String) -> Bool {
    guard let pipe = ProcessStart.makePipe() else { return false }
    let defaults = ["LESS": "FRX", "LESSCHARSET": "utf-8"].filter { Environment[$0.key] == nil }
    let (processID, error) = ProcessStart(
      path: "/bin/sh", arguments: ["sh", "-c", command], variables: defaults, input: pipe.outlet
    ).start()
    close(pipe.outlet)
    guard error == 0 else {
      close(pipe.input)
      return false
    }
    // Ctrl-C is for the pager, which would otherwise share the terminal with the shell. Its user may not read everything.
    for number in [SIGINT, SIGQUIT, SIGPIPE] { _ = signal(number, SIG_IGN) }
    _ = writeAll(Array(text.utf8), to: pipe.input)
    close(pipe.input)
    let status = ProcessStart.waitForEnd(of: processID)
    // The shell has not found the command, or may not run it.
    return status & 0x7f != 0 || ![126, 127].contains((status >> 8) & 0xff)
  }
}
