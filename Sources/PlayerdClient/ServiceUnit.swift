package import DBus
package import Logging
import PlayerdSystem

/// The unit of the daemon in the user's systemd.
///
/// The message bus starts it too, but waits 25 s for a unit that systemd does not start any more, and does not learn the reason.
///
/// <https://www.freedesktop.org/software/systemd/man/latest/org.freedesktop.systemd1.html>
package struct ServiceUnit {
  private static let name = "\(Names.executable).service"
  private static let systemd: BusName = "org.freedesktop.systemd1"
  private static let startUnit = DBusMethodDeclaration("StartUnit", in: ["name": "s", "mode": "s"], out: ["job": "o"])
  private static let getUnit = DBusMethodDeclaration("GetUnit", in: ["name": "s"], out: ["unit": "o"])
  private static let jobRemoved = DBusSignal("JobRemoved", ["id": "u", "job": "o", "unit": "s", "result": "s"])
  private static let result = DBusPropertyDeclaration<String>("Result")
  private static let exitStatus = DBusPropertyDeclaration<Int32>("ExecMainStatus")
  /// The longest wait for the end of a start, as long as the message bus waits.
  private static let timeout = Duration.seconds(25)

  private let manager: DBusProxy

  /// Finds systemd on a bus; nil if it is not there.
  package static func find(on connection: DBusConnection) async -> ServiceUnit? {
    guard let owner = await connection.owner(of: systemd) else { return nil }
    return ServiceUnit(
      manager: DBusProxy("org.freedesktop.systemd1.Manager", at: "/org/freedesktop/systemd1", of: owner, on: connection)
    )
  }

  /// Starts the unit, and waits until the daemon is ready; returns false if systemd does not have the unit.
  ///
  /// - Throws: The exit status of the daemon, or 69; the reason has been logged.
  package func start(_ log: Logger) async throws -> Bool {
    guard let removals = try? await manager.signals(Self.jobRemoved),
      let job: ObjectPath = try? await manager.call(Self.startUnit, Self.name, "replace")
    else { return false }
    let result = await result(of: job, removals)
    guard result != "done" else { return true }
    let (reason, status) = await failure(result)
    log.error(
      "systemd cannot start the player: \(reason); “systemctl --user status \(Names.executable)” shows its last messages"
    )
    throw status
  }

  /// Waits for the result of a job; nil after the time-out.
  private func result(of job: ObjectPath, _ removals: AsyncStream<DBusSignalMessage>) async -> String? {
    let connection = manager.connection
    return await withTaskGroup(of: String?.self) { group in
      group.addTask(executorPreference: connection.taskExecutor) {
        for await signal in removals {
          let contents: (UInt32, ObjectPath, String, String)? = try? signal.contents()
          if let contents, contents.1 == job { return contents.3 }
        }
        return nil
      }
      group.addTask(executorPreference: connection.taskExecutor) {
        try? await connection.clock.sleep(for: Self.timeout)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  /// Returns why the unit has not started, in words, and the exit status of the command.
  private func failure(_ job: String?) async -> (reason: String, status: ExitStatus) {
    guard let job else { return ("it was not ready after 25 s", ExitStatus.unavailable) }
    guard let path: ObjectPath = try? await manager.call(Self.getUnit, Self.name) else {
      return ("the job ended with \(job)", ExitStatus.unavailable)
    }
    let unit = DBusProxy("org.freedesktop.systemd1.Service", at: path, of: manager.owner, on: manager.connection)
    return Self.failure(
      result: (try? await unit.get(Self.result)) ?? job, exitStatus: (try? await unit.get(Self.exitStatus)) ?? 0)
  }

  /// Returns the meaning of the properties `Result` and `ExecMainStatus`.
  static func failure(result: String, exitStatus: Int32) -> (reason: String, status: ExitStatus) {
    switch result {
    case "start-limit-hit": ("it has ended too often in a short time", ExitStatus.unavailable)
    case "exit-code" where exitStatus == ExitStatus.configuration.rawValue:
      ("its configuration has a mistake", ExitStatus.configuration)
    case "exit-code": ("it has ended with the status \(exitStatus)", ExitStatus.unavailable)
    case "signal", "core-dump": ("it has crashed", ExitStatus.unavailable)
    default: ("the result is \(result)", ExitStatus.unavailable)
    }
  }
}
