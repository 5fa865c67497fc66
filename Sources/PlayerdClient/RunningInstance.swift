package import DBus
import EventLoop
package import Logging
import MPRISService
package import PlayerdInterfaces
package import PlayerdSystem

/// A running daemon, addressed by its unique name: calls to it never start another one.
package struct RunningInstance: Sendable {
  let connection: DBusConnection
  let owner: BusName
  package let name: InstanceName
  package let log: Logger
  /// Whether this command has started it; it has then restored the last session.
  package var isNew = false

  package init(connection: DBusConnection, owner: BusName, name: InstanceName, log: Logger, isNew: Bool = false) {
    (self.connection, self.owner, self.name, self.log, self.isNew) = (connection, owner, name, log, isNew)
  }

  package var root: DBusProxy { DBusProxy(RootInterface.name, at: MPRISService.path, of: owner, on: connection) }
  package var player: DBusProxy { DBusProxy(PlayerInterface.name, at: MPRISService.path, of: owner, on: connection) }
  package var extras: DBusProxy { DBusProxy(ExtrasInterface.name, at: PlayerdName.object, of: owner, on: connection) }
  package var monitor: DBusProxy { DBusProxy(MonitorInterface.name, at: PlayerdName.object, of: owner, on: connection) }
  package var control: DBusProxy { DBusProxy(ControlInterface.name, at: PlayerdName.object, of: owner, on: connection) }

  /// Reads one consistent view of the player.
  package func status() async throws(DBusError) -> PlayerStatus { try await control.call(ControlInterface.getStatus) }

  /// The remedy for an instance of another version than this command.
  package static let restart =
    "the running player is another version; restart the player with “\(Names.executable) quit” and “\(Names.executable) play”"

  /// Compares the program of the instance with this one, and with its own file.
  package func programState() async -> ProcessState.Program {
    guard let processID = (try? await connection.processID(of: owner)) ?? nil else { return .same }
    return ProcessState.program(of: processID)
  }

  /// Warns if an upgrade has replaced the program of the instance.
  package func warnOfUpgrade() async {
    if await programState() == .replaced { log.warning("\(Self.restart)") }
  }

  /// Checks that the process of an instance is not stopped by a signal: it could not reply.
  ///
  /// - Throws: Exit status 69 for a stopped process; the remedy has been logged.
  package static func checkIsNotStopped(_ owner: BusName, on connection: DBusConnection, _ log: Logger) async throws {
    guard let processID = try await connection.processID(of: owner), ProcessState.isStopped(processID) else { return }
    log.error(
      """
      the running instance does not reply, because its process \(processID) is stopped; “kill -CONT \(processID)” \
      continues it
      """)
    throw ExitStatus.unavailable
  }

  /// Returns the names of the running instances, as ``InstanceName`` accepts them; for completion.
  package static func names() async -> [String] {
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
  package func skip(_ count: Int64) async throws(DBusError) {
    try await control.call(ControlInterface.skip, Int32(clamping: count))
  }

  /// Reverses or repeats an edit of the queue; returns `undone: remove “Title”`.
  package func reverse(
    _ request: ControlInterface.Request<Void, (String, UInt32, String)>, _ word: String
  ) async throws(DBusError) -> String {
    let (edit, count, title) = try await control.call(request)
    let tracks = count == 1 ? "“\(title)”" : count > 0 ? counted(count, "track") : nil
    return "\(word): " + joinedTexts([edit, tracks], by: " ")
  }

  /// Logs the reason why a request cannot be carried out.
  ///
  /// - Returns: Exit status 1, to be thrown.
  package func failure(_ reason: String) -> ExitStatus {
    log.error("\(reason)")
    return ExitStatus.failure
  }

  /// Checks the number of a track; the first is 1.
  ///
  /// - Throws: Exit status 64 for 0, 1 for a track that the queue does not have; the reason has been logged.
  package func check(_ number: Int64, isWithin count: Int64) throws {
    guard count > 0 else { throw emptyQueue() }
    guard number != 0 else {
      log.error("tracks are numbered from 1")
      throw ExitStatus.usage
    }
    guard (1...count).contains(number) else {
      throw failure("track \(number) does not exist; the queue has \(counted(count, "track"))")
    }
  }

  /// Logs that the queue is empty.
  ///
  /// - Returns: Exit status 66, to be thrown.
  package func emptyQueue() -> ExitStatus {
    log.error("the queue is empty")
    return ExitStatus.nothingPlayable
  }

  /// Returns the state after a transport command: `playing: Title, 1:23 / 4:00, track 3 of 12`.
  package func transportLine() async throws -> String {
    let status = try await status()
    let details = joinedTexts([status.trackTitle, status.timeText, status.placeText], by: ", ")
    return joinedTexts([status.stateWord, details], by: ": ")
  }
}
