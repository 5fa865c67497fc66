import DBus
import EventLoop
import PlayerdInterfaces

/// The session bus, the daemon's names on it, and how it keeps the rules of its clients if it runs.
enum BusCheck {
  /// The findings, and the status of the daemon if one runs.
  static func findings() async -> ([Finding], PlayerStatus?) {
    guard let address = Connection.sessionBusAddress() else {
      return ([.error("there is no session bus", "log in to a desktop, or start one with dbus-run-session")], nil)
    }
    let loop = EventLoop(name: "doctor")
    defer { loop.stop() }
    do throws(DBusError) {
      let connection = try await Connection.open(address: address, on: loop)
      let findings = try await findings(connection)
      await connection.close()
      return findings
    } catch {
      return ([.error("the session bus: \(error.message)", "log in again, or correct DBUS_SESSION_BUS_ADDRESS")], nil)
    }
  }

  private static func findings(_ connection: Connection) async throws(DBusError) -> ([Finding], PlayerStatus?) {
    let (own, mpris) = (try Names.own(.main), try Names.mpris(.main))
    let owners = (await connection.owner(of: own), await connection.owner(of: mpris))
    var findings: [Finding] = [.ok("the session bus answers")]
    var status: PlayerStatus?
    findings.append(try await activation([own, mpris], connection))
    switch owners {
    case (nil, nil): findings.append(.ok("no daemon runs"))
    case (let first?, let second?) where first == second:
      findings.append(.ok("the daemon runs\(await process(of: first, connection))"))
      findings += await ClientRules(connection: connection, owner: first).findings()
      status = try? await ControlClient(of: first, on: connection).status()
    default:
      let other = (owners.0 ?? owners.1).map { $0.rawValue } ?? ""
      findings.append(
        .error("\(own) and \(mpris) do not belong to one daemon (\(other))", "end the other program that has one"))
    }
    return (findings, status)
  }

  private static func activation(_ names: [BusName], _ connection: Connection) async throws(DBusError) -> Finding {
    let activatable = try await connection.activatableNames()
    let missing = names.filter { !activatable.contains($0.rawValue) }
    guard !missing.isEmpty else { return .ok("the bus starts the daemon when it is called") }
    return .warning(
      "the bus does not start \(missing.map(\.rawValue).joined(separator: " and "))",
      "install the package, or run make install, and log in again")
  }

  private static func process(of owner: BusName, _ connection: Connection) async -> String {
    (try? await connection.processID(of: owner)).flatMap { $0 }.map { " as process \($0)" } ?? ""
  }
}
