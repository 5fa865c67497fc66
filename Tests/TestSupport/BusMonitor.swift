/// Runs `body` with a `dbus-monitor` that prints each message that matches one of `rules`.
///
/// The monitor prints a call when the bus forwards it. A call sent after that line was read reaches the receiver later.
@discardableResult
public func withBusMonitor<T>(
  _ bus: PrivateBus, _ rules: String..., body: (ChildProcess) async throws -> T
) async throws -> T {
  try await withChildProcess(["dbus-monitor", "--address", bus.address] + rules) { monitor in
    // The bus takes the unique name away from a connection that becomes a monitor.
    try await monitor.waitForLine(containing: "member=NameLost")
    return try await body(monitor)
  }
}
