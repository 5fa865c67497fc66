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
  /// Its input is empty, its output is that of this process, and signals do to it what they do to any command.
  /// - Returns: The error number; 0 when it was started.
  func start(_ variables: [String: String]) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let environment = Environment.variables.merging(variables) { $1 }.map { "\($0)=\($1)" }
    var process: pid_t = 0
    return unsafe withCStrings(["sh", "-c", command]) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environment)
      }
    }
  }
}

/// Calls `body` with texts as a null-terminated array of C strings.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe body(&pointers)
}
