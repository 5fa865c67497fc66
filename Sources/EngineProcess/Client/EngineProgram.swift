import CLinux
import EventLoop
import Glibc

/// The start of the engine program with one end of a socket.
enum EngineProgram {
  /// The descriptor of the socket in the program.
  static let socket: CInt = 3
  /// The argument of a program that is started by a player; a version of the protocol follows.
  static let argument = "--protocol"
  /// The variables that a program without a sandbox does not get: sockets and watchdogs of a service belong to the player.
  private static let withheld = ["NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "WATCHDOG_PID"]
  /// The address at which libdbus and GDBus connect to no bus; without it they would use that in `XDG_RUNTIME_DIR`.
  private static let noBus = "DBUS_SESSION_BUS_ADDRESS=disabled:"

  /// A process that crashes ends at once, and another one continues; the Swift runtime would first take a backtrace.
  private static let noBacktrace = (name: "SWIFT_BACKTRACE", value: "enable=no")

  /// Starts the program; it gets only this socket and standard error.
  ///
  /// The kernel kills the program when the calling thread ends.
  ///
  /// - Returns: The process ID, and 0 or the error number.
  static func start(
    _ path: String, socket: CInt, errors: CInt = STDERR_FILENO, sandbox: SandboxPolicy? = .servers
  ) -> (processID: pid_t, error: CInt) {
    unsafe SpawnedProcess.start(path, [path] + arguments(sandbox), environment: environment(sandbox)) { actions in
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
      unsafe posix_spawn_file_actions_adddup2(&actions, socket, Self.socket)
      unsafe clinux_close_from(&actions, Self.socket + 1)
    }
  }

  /// The arguments for a policy; nil for no sandbox.
  static func arguments(_ sandbox: SandboxPolicy?) -> [String] {
    [argument, "\(EngineProtocol.version)"] + SandboxPolicy.arguments(of: sandbox)
  }

  private static func environment(_ sandbox: SandboxPolicy?) -> [String] {
    var variables = [noBus]
    if unsafe getenv(noBacktrace.name) == nil { variables.append("\(noBacktrace.name)=\(noBacktrace.value)") }
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let variable = unsafe String(cString: entry)
      let name = variable.prefix { $0 != "=" }
      let passes = sandbox.map { SandboxEnvironment.passes(name, $0) } ?? !withheld.contains(String(name))
      if passes, name != "DBUS_SESSION_BUS_ADDRESS" { variables.append(variable) }
      unsafe next += 1
    }
    return variables
  }
}
