import Glibc

/// A command of the user's, run by the shell, that nobody waits for.
struct ShellCommand: Sendable {
  private let command: String

  /// Prepares to run a command; from now on the kernel reaps what this process has started.
  init(_ command: String) {
    self.command = command
    _ = signal(SIGCHLD, SIG_IGN)
  }

  /// Starts it, with these variables above the environment of this process.
  ///
  /// - Returns: The error number; 0 when it was started.
  func start(_ variables: [String: String]) -> Int32 {
    ProcessStart(path: "/bin/sh", arguments: ["sh", "-c", command], variables: variables).start().error
  }
}
