/// An audio server of one test's own: a real `pulseaudio` whose one output, a null sink, takes sound in real time.
public final class PulseServer: Sendable {
  /// Whether the program is installed; for `.enabled(if:_:)`, with ``unavailable`` as the reason.
  public static var isAvailable: Bool { Tool.areAvailable("pulseaudio") }
  /// Why a suite that needs this is skipped.
  public static let unavailable = "pulseaudio is not installed"

  /// The name of the output; what it plays can be recorded from `<name>.monitor`.
  public static let sink = "null"

  /// The address clients connect to; the same after ``restart()``.
  public let address: String
  private let server: PrivateServer
  /// Where the cookie is: a client that finds no place for it gives up.
  private let home: String

  init(in directory: TemporaryDirectory) {
    let socket = directory.file("socket")
    home = directory.path
    address = "unix:\(socket)"
    let arguments = [
      "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--disable-shm=yes", "--exit-idle-time=-1",
      "--realtime=no", "--high-priority=no", "--log-target=stderr", "--log-level=info",
      "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
      "-L", "module-null-sink sink_name=\(Self.sink)",
    ]
    let home = [
      "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path, "PULSE_RUNTIME_PATH": directory.path,
      "XDG_CONFIG_HOME": directory.path, "XDG_STATE_HOME": directory.path,
    ]
    server = PrivateServer(arguments, environment: home, readiness: "Daemon startup complete")
  }

  /// What a child needs in its environment to play here.
  public var environment: [String: String] { ["PULSE_SERVER": address, "XDG_CONFIG_HOME": home] }

  /// The server that runs, or ran last.
  public var process: ChildProcess? { server.process }

  /// Starts the server and returns when it accepts connections.
  func start() async throws { try await server.start() }

  /// Kills the server as a crash would.
  public func kill() async { await server.stop() }

  /// Starts the server again on the same address, killing it first if it runs.
  public func restart() async throws {
    await kill()
    try await start()
  }
}

/// Runs `body` with a private audio server, which is killed and reaped when the body returns or throws.
///
/// With `startsLater` the body starts it, by ``PulseServer/restart()``.
@discardableResult
public func withPulseServer<T>(
  startsLater: Bool = false, _ body: (PulseServer) async throws -> T
) async throws -> T {
  try await withTemporaryDirectory { directory in
    let pulse = PulseServer(in: directory)
    return try await scoped {
      if !startsLater { try await pulse.start() }
      return try await body(pulse)
    } close: {
      await pulse.kill()
    }
  }
}
