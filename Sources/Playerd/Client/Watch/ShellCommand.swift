import Glibc

/// A shell command that runs without being waited for.
struct ShellCommand: Sendable {
  private let command: String

  /// Prepares to run a command; from now on the kernel reaps the children of this process.
  init(_ command: String) {
    self.command = command
    _ = signal(SIGCHLD, SIG_IGN)
  }

  /// Starts the command with these variables in addition to the environment of this process.
  ///
  /// - Returns: 0, or the error number if it could not be started.
  func start(_ variables: [String: String]) -> Int32 {
    ProcessStart(path: "/bin/sh", arguments: ["sh", "-c", command], variables: variables).start().error
  }
}
