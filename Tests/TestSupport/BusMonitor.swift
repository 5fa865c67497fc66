/// Runs `body` with a `dbus-monitor` that prints each message that one of the match rules `rules` names.
///
/// It prints a call when the bus passes it on, so a call that is sent after the line was read reaches the receiver later.
@discardableResult
public func withBusMonitor<T>(
  _ bus: PrivateBus, _ rules: String..., body: (ChildProcess) async throws -> T
) async throws -> T {
  try await withChildProcess(["dbus-monitor", "--address", bus.address] + rules) { monitor in
    // The bus takes its name from a connection that becomes a monitor.
    try await monitor.waitForLine(containing: "member=NameLost")
    return try await body(monitor)
  }
}
