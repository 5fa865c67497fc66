package import DBus
import EventLoop
import Glibc
import Logging
import Playback
package import PlayerdConfiguration
import PlayerdInterfaces
package import PlayerdMedia
import PlayerdStorage
package import PlayerdSystem

/// Runs the daemon: forwards to the running instance or becomes the instance, plays, serves, and shuts down in order.
package struct Daemon: Sendable {
  /// The configuration or its error; items can be forwarded without a valid configuration.
  let settings: Result<Settings, ConfigurationError>
  let isSeparate: Bool
  let keepsSession: Bool
  let quitsAtEnd: Bool
  /// Whether the process that started this one waits for the start of playback.
  let isDetached: Bool
  /// Whether the process that started this one shows it on a terminal.
  let isAttached: Bool
  let media: ProcessFramework

  package init(
    settings: Result<Settings, ConfigurationError>, isSeparate: Bool, keepsSession: Bool, quitsAtEnd: Bool,
    isDetached: Bool, isAttached: Bool, media: ProcessFramework
  ) {
    self.settings = settings
    self.isSeparate = isSeparate
    self.keepsSession = keepsSession
    self.quitsAtEnd = quitsAtEnd
    self.isDetached = isDetached
    self.isAttached = isAttached
    self.media = media
  }
  private let log = Logger(label: Names.executable)
  private let serviceManager = NotifySocket()

  /// Runs until a signal, Quit, or the end of the queue; if an instance is running, passes its connection and name to `forward`,
  /// which sends it the items.
  package func run(
    _ commandLine: CommandLineRequest, forward: (DBusConnection, BusName) async throws -> Void
  ) async throws -> ExitStatus {
    let opens = OpenQueue()
    let bus = BusConnector(
      instance: isSeparate ? .process(getpid()) : .main, log: log,
      ready: { [serviceManager] in serviceManager.send(.ready) })
    switch await bus.claim() {
    case .taken(let connection, let name):
      try await forward(connection, name)
      await connection.close()
      return .success
    case .claimed: break
    case .noBus(let reason): if case .success = settings { log.warning("\(reason); playback continues without it") }
    }
    if let reason = ProcessLimits.failure {
      log.error("\(reason)")
      await bus.close()
      return ExitStatus.system
    }
    try media.check()
    // Trapped before the daemon owns its MPRIS name: from then on, users and service managers may send signals.
    // A daemon that a terminal stops would own its names and answer no call: each client would wait 25 s for its time-out.
    for number in [SIGTTIN, SIGTTOU] { _ = signal(number, SIG_IGN) }
    let signals = await ProcessSignals.trap([SIGTERM, SIGINT, SIGHUP, SIGTSTP])
    do throws(ConfigurationError) {
      let settings = try settings.get()
      let announcement = Task(executorPreference: LoopTaskExecutor(bus.loop)) { await bus.announce() }
      let folder = keepsSession ? SessionStore.userFolder : nil
      let lock = folder.flatMap { folder in DiskWaitNote(log).reading(folder) { SessionLock.take(folder) } }
      if let folder, lock == nil {
        log.warning("\(folder): another instance uses the session; it is neither restored nor saved here")
      }
      let store = lock.flatMap { _ in folder }.map { SessionStore(folder: $0, log: log) }
      // A player without a session must not be louder than the one that runs, or the last one.
      let lastVolume = store == nil ? await bus.mainVolume() ?? SessionStore.user?.peek()?.level : nil
      let parts = DaemonParts(
        media, commandLine, opens: opens, bus: bus, settings: settings, store: store, lock: lock,
        lastVolume: lastVolume, signals: signals, quitsAtEnd: quitsAtEnd, isDetached: isDetached,
        isAttached: isAttached, log: log)
      await announcement.value
      let status = await parts.services.run(
        log,
        ending: { serviceManager.send(.stopping) },
        // A folder, a server or an output may still block a task.
        ended: { ProcessExit.exitSoon($0) })
      await parts.player.close()
      return status
    } catch {
      log.error("\(error.message)")
      await bus.close()
      return ExitStatus.configuration
    }
  }
}
