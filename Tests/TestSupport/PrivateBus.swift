/// A message bus of one test's own: a real `dbus-daemon` with nobody else on it, and nothing to activate but what the
/// test brings.
public final class PrivateBus: Sendable {
  /// The address clients connect to; the same after ``restart()``.
  public let address: String
  private let server: PrivateServer

  init(
    in directory: TemporaryDirectory, services: String? = nil, environment: [String: String] = [:]
  ) throws {
    let socket = directory.file("bus")
    address = "unix:path=\(socket)"
    let configuration = try directory.write(Self.configuration(socket: socket, services: services), to: "bus.conf")
    let arguments = ["dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address=1"]
    server = PrivateServer(arguments, environment: environment, readiness: address)
  }

  /// What a child needs in its environment to take this bus for the session bus.
  public var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

  /// The daemon that runs, or ran last.
  public var process: ChildProcess? { server.process }

  /// Starts the bus and returns when it accepts connections.
  func start() async throws { try await server.start() }

  /// Kills the bus as a crash would; every connection to it is lost.
  public func kill() async { await server.stop() }

  /// Starts the bus again on the same address, killing it first if it runs; names and match rules are gone.
  public func restart() async throws {
    await kill()
    try await start()
  }

  /// A session bus's rules and limits; it starts what the files in `services` say.
  private static func configuration(socket: String, services: String?) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(socket)</listen>
      \(services.map { "<servicedir>\($0)</servicedir>" } ?? "")
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
      <limit name="max_incoming_bytes">1000000000</limit>
      <limit name="max_outgoing_bytes">1000000000</limit>
      <limit name="max_message_size">1000000000</limit>
      <limit name="max_completed_connections">100000</limit>
      <limit name="max_incomplete_connections">10000</limit>
      <limit name="max_connections_per_user">100000</limit>
      <limit name="max_names_per_connection">50000</limit>
      <limit name="max_match_rules_per_connection">50000</limit>
      <limit name="max_replies_per_connection">50000</limit>
    </busconfig>
    """
  }
}

/// Runs `body` with a private message bus, which is killed and reaped when the body returns or throws.
///
/// What it is to start when somebody asks for a name is in the folder `services`, and gets `environment`.
@discardableResult
public func withPrivateBus<T>(
  services: String? = nil, environment: [String: String] = [:], _ body: (PrivateBus) async throws -> T
) async throws -> T {
  try await withTemporaryDirectory { directory in
    let bus = try PrivateBus(in: directory, services: services, environment: environment)
    try await bus.start()
    return try await scoped {
      try await body(bus)
    } close: {
      await bus.kill()
    }
  }
}
