import ArgumentParser
import DBus
import EventLoop
import Logging
import MPRISService
import PlayerdInterfaces

/// A running daemon, addressed by its unique name: calls to it never start another one.
struct RunningInstance: Sendable {
  /// The longest wait for a daemon that owns its own name to serve MPRIS.
  private static let startTimeout = Duration.seconds(5)

  let connection: DBusConnection
  let owner: BusName
  let name: InstanceName
  let log: Logger
  /// Whether this command has started it; it has then restored the last session.
  var isNew = false

  var root: DBusProxy { DBusProxy(RootInterface.name, at: MPRISService.path, of: owner, on: connection) }
  var player: DBusProxy { DBusProxy(PlayerInterface.name, at: MPRISService.path, of: owner, on: connection) }
  var extras: DBusProxy { DBusProxy(ExtrasInterface.name, at: PlayerdName.object, of: owner, on: connection) }
  var monitor: DBusProxy { DBusProxy(MonitorInterface.name, at: PlayerdName.object, of: owner, on: connection) }
  var control: DBusProxy { DBusProxy(ControlInterface.name, at: PlayerdName.object, of: owner, on: connection) }

  /// Reads one consistent view of the player.
  func status() async throws(DBusError) -> PlayerStatus { try await control.call(ControlInterface.getStatus) }

  /// Finds an instance that serves MPRIS; waits for one that is still starting.
  ///
  /// A process ID also finds the main instance, whose names do not contain it.
  static func find(
    _ name: InstanceName, on connection: DBusConnection, _ log: Logger
  ) async throws -> RunningInstance {
    var found: (name: InstanceName, owner: BusName)?
    if let owner = await connection.owner(of: try Names.own(name)) {
      found = (name, owner)
    } else if case .process(let number) = name, let owner = await connection.owner(of: try Names.own(.main)),
      try await connection.processID(of: owner) == number
    {
      found = (.main, owner)
    }
    guard let found else {
      log.error("\(name == .main ? absence : "no instance “\(name.text)” is running")")
      throw ExitStatus.unavailable
    }
    try await checkIsNotStopped(found.owner, on: connection, log)
    let mpris = try Names.mpris(found.name)
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

  /// The remedy for an instance of another version than this command.
  static let restart =
    "the running player is another version; restart the player with “\(Names.executable) quit” and “\(Names.executable) play”"

  /// Compares the program of the instance with this one, and with its own file.
  func programState() async -> ProcessState.Program {
    guard let processID = (try? await connection.processID(of: owner)) ?? nil else { return .same }
    return ProcessState.program(of: processID)
  }

  /// Warns if an upgrade has replaced the program of the instance.
  func warnOfUpgrade() async {
    if await programState() == .replaced { log.warning("\(Self.restart)") }
  }

  /// Checks that the process of an instance is not stopped by a signal: it could not reply.
  ///
  /// - Throws: Exit status 69 for a stopped process; the remedy has been logged.
  static func checkIsNotStopped(_ owner: BusName, on connection: DBusConnection, _ log: Logger) async throws {
    guard let processID = try await connection.processID(of: owner), ProcessState.isStopped(processID) else { return }
    log.error(
      """
      the running instance does not reply, because its process \(processID) is stopped; “kill -CONT \(processID)” \
      continues it
      """)
    throw ExitStatus.unavailable
  }

  /// Returns the names of the running instances, as ``InstanceName`` accepts them; for completion.
  static func names() async -> [String] {
    let loop = PollLoop(name: "client")
    defer { loop.stop() }
    guard let connection = try? await DBusConnection.openSessionBus(on: loop),
      let names = try? await connection.names()
    else { return [] }
    let prefix = MPRISService.busNamePrefix
    return names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
      .filter { InstanceName(argument: $0) != nil }.sorted()
  }

  /// Selects the track at a distance in the order of play, negative for an earlier one; if there is none, nothing changes.
  func skip(_ count: Int64) async throws(DBusError) {
    try await control.call(ControlInterface.skip, Int32(clamping: count))
  }

  /// Logs the reason why a request cannot be carried out.
  ///
  /// - Returns: Exit status 1, to be thrown.
  func failure(_ reason: String) -> ExitCode {
    log.error("\(reason)")
    return ExitStatus.failure
  }

  /// Checks the number of a track; the first is 1.
  ///
  /// - Throws: Exit status 1 for a track that the queue does not have; the reason has been logged.
  func check(_ number: Int64, isWithin count: Int64) throws {
    guard count > 0 else { throw emptyQueue() }
    guard (1...count).contains(number) else {
      throw failure("track \(number) does not exist; the queue has \(counted(count, "track"))")
    }
  }

  /// Logs that the queue is empty.
  ///
  /// - Returns: Exit status 66, to be thrown.
  func emptyQueue() -> ExitCode {
    log.error("the queue is empty")
    return ExitStatus.nothingPlayable
  }

  /// Returns the state after a transport command: `playing: Title, 1:23 / 4:00, track 3 of 12`.
  func transportLine() async throws -> String {
    let status = try await status()
    let details = joinedTexts([status.trackTitle, status.timeText, status.placeText], by: ", ")
    return joinedTexts([status.stateWord, details], by: ": ")
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
