import ArgumentParser
import GstPlayer
import Logging
import PlayerdInterfaces
import UnixSignals

/// The parts of a daemon that plays, connected with each other.
struct DaemonParts: Sendable {
  let player: Player
  /// What runs, in the order of the start; the end has the reverse order.
  let services: [DaemonService]

  /// Makes the parts; nothing is opened or played before the services run.
  ///
  /// - Parameters:
  ///   - handOver: The items and options of the start.
  ///   - opens: The requests of all clients.
  ///   - bus: The daemon on the session bus, which has its name already if there is a bus.
  ///   - settings: The configuration in force.
  ///   - store: Where the session is kept; nil if it is not.
  ///   - quitsAtEnd: Whether the end of the queue ends the daemon.
  ///   - isDetached: Whether the process that started this one waits for the start of playback.
  ///   - log: The log of all parts.
  init(
    _ handOver: HandOver, opens: OpenQueue, bus: BusSession, settings: Settings, store: SessionStore?, quitsAtEnd: Bool,
    isDetached: Bool, log: Logger
  ) {
    let (reports, report) = AsyncStream.makeStream(of: OpenReport.self)
    opens.accept(handOver.request) { report.yield($0) }
    let lastSession = store?.load()
    var sources = settings.sources
    for warning in sources.warnings { log.warning("\(warning)") }
    if let lastSession { sources.add(lastSession, restoringQueue: !handOver.replacesQueue) }
    let configuration = sources.configuration
    let player = Player(configuration: configuration.player)
    player.setLoop(configuration.loop)
    player.setShuffled(configuration.shuffle)
    player.setRate(configuration.rate)
    let (quits, quit) = AsyncStream.makeStream(of: Void.self)
    let coordinator = PlaybackCoordinator(player, opens)
    let bridge = PlayerBridge(
      coordinator, settings: settings, loop: bus.loop, open: { opens.accept($0) }, quit: { quit.yield() })
    let extras = Extras(coordinator, configuredDevice: configuration.outputDevice, log: log)
    let monitor = MonitorBridge(coordinator, opens: opens, extras: extras) { bridge.hear($0) }
    let queue = QueueExecutor(label: "org.playerd.opener")
    let opener = Opener(
      coordinator: coordinator, opens: opens, log: log, executor: queue,
      newRate: { settings.current.keepRate ? nil : settings.current.rate },
      replaces: { bridge.playlistFolder.queueReplaced(by: $0) }, title: { await bridge.title(of: $0) })
    // Before the daemon has its MPRIS name: a client that activates it to send Play finds the queue.
    if let lastSession, !handOver.replacesQueue {
      SessionRestorer(resume: configuration.resume).restore(lastSession, into: player)
    }
    let resumer = store.map { ResumeKeeper(player, folder: $0.folder, log: log) }
    let keeper = store.map { SessionKeeper(player: player, store: $0, awaitsQueue: handOver.replacesQueue) }
    let save: @Sendable () async -> Void = {
      await keeper?.save()
      await resumer?.save()
    }
    let login = LoginWatch(
      coordinator, settings: settings, on: bus.loop, log: log, save: save, tellPosition: { bridge.tellPosition() })
    let start = StartReport(player: player, handOver: handOver, reports: reports, isDetached: isDetached)
    let reporter = Reporter(player: player, opens: opens, quitsAtEnd: quitsAtEnd, log: log)
    bus.extras.attach(extras)
    bus.control.attach(ControlBridge(bridge: bridge, extras: extras, settings: settings, log: log))
    self.player = player
    services = [
      DaemonService("bus", serve: { await bus.serve(bridge, watchedBy: monitor) }, stop: { await bus.close() }),
      DaemonService("positions", stop: { await resumer?.save() }),
      // A closed player is a stopped one: the session is written before.
      DaemonService("session", stop: { await keeper?.close() }),
      DaemonService("log", run: { await reporter.run() }),
      DaemonService("signals", run: { await Self.handleSignals(player, settings, log) }),
      DaemonService(
        "quit",
        run: {
          for await _ in quits { return .success }
          return nil
        }),
      DaemonService("start", run: { await start.run() }),
      DaemonService(
        "catalogue", on: QueueExecutor(label: "org.playerd.catalogue"), serve: { await bridge.catalogue.run() }),
      DaemonService("login", serve: { await login.run() }),
      DaemonService("outputs", on: QueueExecutor(label: "org.playerd.outputs"), serve: { await extras.outputs.run() }),
      DaemonService(
        "control", on: QueueExecutor(label: "org.playerd.control"),
        serve: { for await job in bus.control.jobs { await job() } }),
      // Folders and servers take their time; nothing else waits for them.
      DaemonService(
        "opener", on: queue,
        run: {
          if let fault = Self.sinkFault(settings, log) { return fault }
          if !configuration.outputDevice.isEmpty { await extras.outputs.useConfigured() }
          await withTaskGroup { group in
            if let keeper { group.addTask { await keeper.run() } }
            await opener.run()
            group.cancelAll()
          }
          return nil
        }),
    ]
  }

  /// Ends the daemon on SIGTERM and SIGINT, and reads the configuration again on SIGHUP.
  private static func handleSignals(_ player: Player, _ settings: Settings, _ log: Logger) async -> ExitCode? {
    for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup) {
      guard signal == .sighup else { return .success }
      do throws(ConfigurationError) {
        try settings.reload(log: log)
        settings.current.apply(to: player)
      } catch {
        log.warning("the configuration stays as it is: \(error.message)")
      }
    }
    return nil
  }

  /// Returns the exit status for a configured output that does not exist, else nil; starts GStreamer, which the bus does not
  /// wait for.
  private static func sinkFault(_ settings: Settings, _ log: Logger) -> ExitCode? {
    guard let audioSink = settings.current.player.audioSink else { return nil }
    do {
      try PlayerConfiguration.checkAudioSink(audioSink)
      return nil
    } catch {
      log.error("\(error.message)")
      return ExitStatus.usage
    }
  }
}
