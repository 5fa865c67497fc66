import DBus
import Logging
import PlayerdClient
import PlayerdInterfaces
import PlayerdStorage
import PlayerdSystem

extension RunningInstance {
  /// The longest wait for a daemon that owns its own name to serve MPRIS.
  private static let startTimeout = Duration.seconds(5)

  /// Finds an instance that serves MPRIS; waits for one that is still starting.
  ///
  /// A process ID also finds the main instance, whose names do not contain it.
  static func find(
    _ name: InstanceName, on connection: DBusConnection, _ log: Logger
  ) async throws -> RunningInstance {
    var found: (name: InstanceName, owner: BusName)?
    if let owner = await connection.owner(of: try PlayerdName.own(name)) {
      found = (name, owner)
    } else if case .process(let number) = name, let owner = await connection.owner(of: try PlayerdName.own(.main)),
      try await connection.processID(of: owner) == number
    {
      found = (.main, owner)
    }
    guard let found else {
      log.error("\(name == .main ? absence : "no instance “\(name.text)” is running")")
      throw ExitStatus.unavailable
    }
    try await checkIsNotStopped(found.owner, on: connection, log)
    let mpris = try PlayerdName.mpris(found.name)
    if await connection.owner(of: mpris) == nil, await !connection.waitsForOwner(of: mpris, atMost: startTimeout) {
      log.error("the running instance does not serve MPRIS")
      throw ExitStatus.unavailable
    }
    return RunningInstance(connection: connection, owner: found.owner, name: found.name, log: log)
  }

  /// The message that no instance is running, with the command that starts one without replacing a saved queue.
  private static var absence: String {
    "no instance is running; "
      + (SessionStore.user?.hasQueue == true
        ? "“\(Names.executable) play” continues the last session" : "“\(Names.executable) ITEM…” starts one")
  }
}

extension DBusConnection {
  /// Waits until a name is owned; returns false after the time-out.
  fileprivate func waitsForOwner(of name: BusName, atMost timeout: Duration) async -> Bool {
    guard let owners = try? await owners(of: name) else { return false }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask(executorPreference: taskExecutor) {
        for await owner in owners where owner != nil { return true }
        return false
      }
      group.addTask(executorPreference: taskExecutor) { [clock] in
        try? await clock.sleep(for: timeout)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}
