import EventLoop
package import Glibc

/// Starts another program with its arguments, environment and descriptors.
package struct ProcessStart {
  var path: String
  /// The name of the program and its arguments.
  var arguments: [String]
  /// Variables in addition to the environment of this process.
  var variables: [String: String] = [:]
  /// The descriptor for standard input; nil for an empty one.
  var input: Int32?
  /// The descriptors for standard output and standard error; nil to inherit this process's descriptors.
  var output: Int32?
  var errors: Int32?
  /// Whether the program leads a new process group.
  var leadsGroup = false

  package init(
    path: String, arguments: [String], variables: [String: String] = [:], input: Int32? = nil, output: Int32? = nil,
    errors: Int32? = nil, leadsGroup: Bool = false
  ) {
    self.path = path
    self.arguments = arguments
    self.variables = variables
    self.input = input
    self.output = output
    self.errors = errors
    self.leadsGroup = leadsGroup
  }

  /// Starts the program with the default signal handling.
  ///
  /// - Returns: The process ID, and 0 or the error number.
  package func start() -> (processID: pid_t, error: Int32) {
    unsafe SpawnedProcess.start(
      path, arguments, environment: Environment.variables.merging(variables) { $1 }.map { "\($0)=\($1)" },
      flags: leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
    ) { actions in
      if let input {
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
      } else {
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      }
      if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
      if let errors { unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    }
  }

  /// Creates a pipe that other programs do not inherit.
  package static func makePipe() -> (outlet: Int32, input: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Waits until a child process has ended; returns its status as `waitpid` reports it.
  package static func waitForEnd(of processID: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
