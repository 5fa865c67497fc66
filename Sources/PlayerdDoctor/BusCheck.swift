import DBus
import EventLoop
import PlayerdClient
import PlayerdInterfaces
import PlayerdSystem

/// Checks the session bus, the daemon's names on it, and the running daemon.
enum BusCheck {
  /// Returns the findings, and the status of the running daemon if there is one.
  static func findings() async -> ([Finding], PlayerStatus?) {
    guard let address = DBusConnection.sessionBusAddress() else {
      return ([.error("no session bus found", "\(term: DBusConnection.noBusRemedy)")], nil)
    }
    let loop = PollLoop(name: "doctor")
    defer { loop.stop() }
    do throws(DBusError) {
      let connection = try await DBusConnection.open(address: address, on: loop)
      let findings = try await findings(connection)
      await connection.close()
      return findings
    } catch {
      return ([.error("session bus: \(error.message)", "log in again, or correct DBUS_SESSION_BUS_ADDRESS")], nil)
    }
  }

  private static func findings(_ connection: DBusConnection) async throws(DBusError) -> ([Finding], PlayerStatus?) {
    let (own, mpris) = (try PlayerdName.own(.main), try PlayerdName.mpris(.main))
    let owners = (await connection.owner(of: own), await connection.owner(of: mpris))
    var findings: [Finding] = [.ok("connected to the session bus")]
    var daemon: PlayerStatus?
    findings.append(try await activation([own, mpris], connection))
    switch owners {
    case (nil, nil): findings.append(.ok("no daemon is running"))
    case (let first?, let second?) where first == second:
      let processID = (try? await connection.processID(of: first)) ?? nil
      findings.append(.ok("the daemon is running\(term: processID.map { " as process \($0)" } ?? "")"))
      if let processID, ProcessState.isStopped(processID) {
        let remedy: FindingText = "continue it with kill -CONT \(processID)"
        return (findings + [.error("the daemon does not reply, because it is stopped", remedy)], nil)
      }
      switch processID.map({ ProcessState.program(of: $0) }) {
      case .same?, nil: break
      case .other?, .replaced?:
        let remedy: FindingText =
          "restart the player with “\(term: Names.executable) quit” and “\(term: Names.executable) play”"
        findings.append(
          .warning("the daemon runs another program file than this one, such as an earlier version", remedy))
      }
      findings += await ClientRules(connection: connection, owner: first).findings()
      let status = try? await DBusProxy(ControlInterface.name, at: PlayerdName.object, of: first, on: connection)
        .call(ControlInterface.getStatus)
      daemon = status
      if let status {
        findings.append(
          .ok(
            status.engineProcessID.map { (id: Int64) -> FindingText in
              "the engine runs as process \(id), sandbox: \(term: status.engineSandbox ?? "off")"
            }
              ?? "no engine is needed, and none runs")
        )
      }
    default:
      let other = (owners.0 ?? owners.1).map { $0.rawValue } ?? ""
      findings.append(
        .error(
          "\(term: own) and \(term: mpris) are not owned by one daemon (\(term: other))",
          "stop the other program that owns a name"))
    }
    return (findings, daemon)
  }

  private static func activation(_ names: [BusName], _ connection: DBusConnection) async throws(DBusError) -> Finding {
    let activatable = try await connection.activatableNames()
    let missing = names.filter { !activatable.contains($0.rawValue) }
    guard !missing.isEmpty else { return .ok("D-Bus activation is installed") }
    return .warning(
      "D-Bus activation is not installed for \(term: missing.map(\.rawValue).joined(separator: " and "))",
      "install the package, or run make install, and log in again")
  }
}
