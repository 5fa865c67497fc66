/// A private `pulseaudio` server with one output, a null sink that consumes audio in real time.
public final class PulseServer: Sendable {
  /// Whether the program is installed; for `.enabled(if:_:)`, with ``unavailable`` as the reason.
  public static var isAvailable: Bool { Tool.areAvailable("pulseaudio") }
  /// The reason for skipping a suite that needs PulseAudio.
  public static let unavailable = "pulseaudio is not installed"

  /// The name of the output, which can be recorded from `<name>.monitor`.
  public static let sink = "null"

  /// The address for clients; ``restart()`` keeps it.
  public let address: String
  private let server: PrivateServer
  /// The folder of the authentication cookie; a client without such a folder fails.
  private let home: String

  init(in directory: TemporaryDirectory, format: PCM) {
    let socket = directory.file("socket")
    home = directory.path
    address = "unix:\(socket)"
    let sink = "sink_name=\(Self.sink) format=s\(format.bits)le rate=\(format.rate) channels=\(format.channels)"
    let arguments = [
      "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--disable-shm=yes", "--exit-idle-time=-1",
      "--realtime=no", "--high-priority=no", "--log-target=stderr", "--log-level=info",
      "-L", "module-native-protocol-unix socket=\(socket) auth-anonymous=1",
      "-L", "module-null-sink \(sink)",
    ]
    let home = [
      "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path, "PULSE_RUNTIME_PATH": directory.path,
      "XDG_CONFIG_HOME": directory.path, "XDG_STATE_HOME": directory.path,
    ]
    server = PrivateServer(arguments, environment: home, readiness: "Daemon startup complete")
  }

  /// The environment in which a child plays on this server.
  public var environment: [String: String] { ["PULSE_SERVER": address, "XDG_CONFIG_HOME": home] }

  /// The running server, or the last one.
  public var process: ChildProcess? { server.process }

  /// Starts the server; returns when it accepts connections.
  func start() async throws { try await server.start() }

  /// Kills the server as a crash would.
  public func kill() async { await server.stop() }

  /// Restarts the server on the same address; a running server is killed first.
  public func restart() async throws {
    await kill()
    try await start()
  }
}

/// Runs `body` with a private audio server; kills and reaps it when the body returns or throws.
///
/// The output has the sample format, rate and channels of `format`. With `startsLater` the body starts the server with ``PulseServer/restart()``.
@discardableResult
public func withPulseServer<T>(
  startsLater: Bool = false, format: PCM = PCM(), _ body: (PulseServer) async throws -> T
) async throws -> T {
  try await withTemporaryDirectory { directory in
    let pulse = PulseServer(in: directory, format: format)
    return try await scoped {
      if !startsLater { try await pulse.start() }
      return try await body(pulse)
    } close: {
      await pulse.kill()
    }
  }
}
