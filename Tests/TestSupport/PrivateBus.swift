import Glibc

/// A private message bus: a `dbus-daemon` without other clients, and with the activatable services of the test alone.
///
/// With `MESSAGE_BUS=dbus-broker` it is dbus-broker; `Tests/Clients/broker.py` starts it.
public final class PrivateBus: Sendable {
  /// The address for clients; ``restart()`` keeps it.
  public let address: String
  private let server: PrivateServer

  init(
    in directory: TemporaryDirectory, services: String? = nil, environment: [String: String] = [:]
  ) throws {
    let socket = directory.file("bus")
    address = "unix:path=\(socket)"
    let configuration = try directory.write(Self.configuration(socket: socket, services: services), to: "bus.conf")
    if Self.isBroker {
      let program = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Clients/broker.py"
      let arguments = ["/usr/bin/python3", program, socket] + (services.map { [$0] } ?? [])
      server = PrivateServer(arguments, environment: environment, readiness: address)
    } else {
      let arguments = ["dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address=1"]
      server = PrivateServer(arguments, environment: environment, readiness: address)
    }
  }

  /// Whether the buses of the tests are dbus-broker.
  public static let isBroker = unsafe getenv("MESSAGE_BUS").map { unsafe String(cString: $0) } == "dbus-broker"

  /// The environment in which a child uses this bus as the session bus.
  public var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

  /// The running daemon, or the last one.
  public var process: ChildProcess? { server.process }

  /// Starts the bus; returns when it accepts connections.
  func start() async throws { try await server.start() }

  /// Kills the bus as a crash would; every connection to it is lost.
  public func kill() async { await server.stop() }

  /// Restarts the bus on the same address; names and match rules are lost.
  ///
  /// A running bus is killed first.
  public func restart() async throws {
    await kill()
    try await start()
  }

  /// Returns the configuration of a session bus whose activatable services are the files in `services`.
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

/// Runs `body` with a private message bus; kills and reaps it when the body returns or throws.
///
/// The folder `services` contains the activatable services, which are started with `environment`.
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
