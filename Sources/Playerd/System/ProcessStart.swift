import Glibc

/// Starts another program with its arguments, environment and descriptors.
struct ProcessStart {
  var path: String
  /// The name of the program and its arguments.
  var arguments: [String]
  /// Variables in addition to the environment of this process.
  var variables: [String: String] = [:]
  /// The descriptor for standard input; nil for an empty one.
  var input: Int32?
  /// The descriptors for standard output and standard error; nil for those of this process.
  var output: Int32?
  var errors: Int32?
  /// Whether the program leads a new process group.
  var leadsGroup = false

  /// Starts the program with the default signal handling.
  ///
  /// <https://man7.org/linux/man-pages/man3/posix_spawn.3.html>
  ///
  /// - Returns: The process ID, and 0 or the error number.
  func start() -> (processID: pid_t, error: Int32) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let input {
      unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    if let errors { unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // The default group of the attributes is a new one.
    let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    let environment = Environment.variables.merging(variables) { $1 }.map { "\($0)=\($1)" }
    var processID: pid_t = 0
    let error = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        unsafe posix_spawn(&processID, path, &actions, &attributes, arguments, environment)
      }
    }
    return (processID, error)
  }

  /// Creates a pipe that other programs do not inherit.
  static func makePipe() -> (outlet: Int32, input: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Waits until a child process has ended; returns its status as `waitpid` reports it.
  static func waitForEnd(of processID: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
    return status
  }
}

/// Calls `body` with texts as a null-terminated array of C strings.
func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
  defer { unsafe pointers.forEach { unsafe free($0) } }
  return unsafe body(&pointers)
}
