import ArgumentParser
import DBus
import Glibc
import GstPlayer
import Logging

/// The daemon's life: find or become the instance, play, serve, and leave in order.
struct Daemon: Sendable {
  /// The configuration, or what is wrong with it: items can be handed over without one.
  let settings: Result<Settings, ConfigurationError>
  let isSeparate: Bool
  let keepsSession: Bool
  let quitsAtEnd: Bool
  /// Whether the process that started this one waits for the start of playback.
  let isDetached: Bool
  private let log = Logger(label: Names.executable)
  private let serviceManager = NotifySocket()

  init(
    settings: Result<Settings, ConfigurationError>, isSeparate: Bool, keepsSession: Bool, quitsAtEnd: Bool,
    isDetached: Bool
  ) {
    self.settings = settings
    self.isSeparate = isSeparate
    self.keepsSession = keepsSession
    self.quitsAtEnd = quitsAtEnd
    self.isDetached = isDetached
  }

  /// Runs until a signal, Quit, or the end of the queue ends it; or sends the items to the instance that is running.
  func run(_ handOver: HandOver) async throws -> ExitCode {
    let opens = OpenQueue()
    let session = BusSession(
      instance: isSeparate ? .process(getpid()) : .main, log: log, open: { opens.accept($0, reply: $1) },
      ready: { [serviceManager] in serviceManager.send(.ready) })
    switch await session.claim() {
    case .taken(let connection, let name):
      try await send(handOver, to: name, over: connection)
      return .success
    case .claimed: break
    case .noBus(let reason): if case .success = settings { log.warning("\(reason); playing without one") }
    }
    do throws(ConfigurationError) {
      let store = keepsSession ? SessionStore.userFolder.map { SessionStore(folder: $0, log: log) } : nil
      return await play(
        DaemonParts(
          handOver, opens: opens, bus: session, settings: try settings.get(), store: store, quitsAtEnd: quitsAtEnd,
          isDetached: isDetached, log: log))
    } catch {
      log.error("\(error.message)")
      await session.close()
      return ExitStatus.configuration
    }
  }

  private func send(_ handOver: HandOver, to name: BusName, over connection: Connection) async throws {
    let instance = RunningInstance(connection: connection, owner: name, name: .main, log: log)
    do {
      try await handOver.send(to: instance)
    } catch let error as DBusError {
      log.error("the running instance does not take the items: \(error.message)")
      throw ExitStatus.code(for: error)
    }
    await connection.close()
    // A unit that has handed over has done what it was started for.
    serviceManager.send(.ready)
  }

  /// Plays until a service ends the daemon; the player is closed then.
  private func play(_ parts: DaemonParts) async -> ExitCode {
    let status = await parts.services.run(
      log,
      ending: { serviceManager.send(.stopping) },
      // A folder, a server or an output may still hold a task.
      ended: { ProcessExit.exitSoon($0) })
    await parts.player.close()
    return status
  }
}
