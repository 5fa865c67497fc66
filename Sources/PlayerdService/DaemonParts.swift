import DBus
import EventLoop
import Glibc
import Logging
import Playback
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdStorage
import PlayerdSystem

/// The parts of a playing daemon and their connections.
struct DaemonParts: Sendable {
  let player: Player
  /// The services in start order; they stop in the reverse order.
  let services: [DaemonService]

  /// Creates the parts; nothing is opened or played before the services run.
  ///
  /// `commandLine` has the items and options of the start. `bus` owns the daemon's name if a bus is available. Without a
  /// store, the session is not saved, and the player begins with `lastVolume`; `lock` locks its folder. If `isDetached`, the
  /// process that started this one waits for the start of playback; if `isAttached`, it shows the daemon on a terminal.
  init(
    _ media: any MediaFramework, _ commandLine: CommandLineRequest, opens: OpenQueue, bus: BusConnector,
    settings: Settings, store: SessionStore?, lock: SessionLock?, lastVolume: Double?, signals: AsyncStream<CInt>,
    quitsAtEnd: Bool, isDetached: Bool, isAttached: Bool, log: Logger
  ) {
    let (reports, report) = AsyncStream.makeStream(of: OpenReport.self)
    // The first request is within the limit.
    var request = commandLine.request
    request.isStart = true
    try? opens.accept(request) { report.yield($0) }
    let lastSession = store?.load().map { Self.allowed($0, settings, log) }
    var sources = settings.sources
    for warning in sources.warnings { log.warning("\(warning)") }
    if let lastSession { sources.add(lastSession, restoringQueue: !commandLine.replacesQueue) }
    if let lastVolume { sources.add(lastVolume: lastVolume) }
    let configuration = sources.configuration
    media.apply(settings.current.media)
    settings.observe { media.apply(settings.current.media) }
    let resolver = Resolver(settings)
    media.use(resolver)
    // The observers are called on the thread of the bus, which sends their signals without a change of the thread.
    let player = media.makePlayer(configuration.recordedPlayer, observers: LoopObservers(loop: bus.loop))
    player.loop = configuration.loop
    player.setShuffleMode(configuration.shuffle)
    player.rate = configuration.rate
    let (quits, quit) = AsyncStream.makeStream(of: Void.self)
    let queue = QueueExecutor(label: "org.playerd.opener")
    let parts = BridgedPlayer(
      player, media, opens: opens, settings: settings, resolver: resolver, device: configuration.outputDevice,
      on: bus.loop, opener: queue,
      pictures: SeparateCalls(label: "org.playerd.art"), readings: SeparateCalls(label: "org.playerd.playlists"),
      newOpener: { QueueExecutor(label: "org.playerd.opening") }, log: log, quit: { quit.yield() })
    let (bridge, extras) = (parts.bridge, parts.extras)
    // Restored before calls are handled, so that a client whose Play activates the daemon finds the queue.
    if let lastSession, !commandLine.replacesQueue {
      SessionRestorer(resume: configuration.resume).restore(lastSession, into: player)
      if commandLine.isBare { player.play() }
    } else if let queue = lastSession.flatMap({ QueueState($0, configuration.resume) }) {
      // The items of the start replace it.
      parts.coordinator.keep(queue)
    }
    let resumer = store.map { store in
      ResumeKeeper(
        player, folder: store.folder, files: store.files, on: QueueExecutor(label: "org.playerd.positions"), log: log,
        sources: .init(
          hasStart: { parts.coordinator.hasStart($0) }, bookFolders: { settings.current.books },
          areLong: { await bridge.areLong($0) },
          audio: { path in
            let result = await DiskCall.result(within: .seconds(10)) {
              store.files.readable(path).flatMap { AudioContent(of: $0) }
            }
            return result ?? nil
          }), bookChanged: { extras.book = $0 })
    }
    let loader = parts.loader.continuing(resumer)
    let keeper = store.map {
      SessionKeeper(
        player: player, store: $0, on: QueueExecutor(label: "org.playerd.session"),
        awaitsQueue: commandLine.replacesQueue)
    }
    let save: @Sendable () async -> Void = {
      await keeper?.save()
      await resumer?.save()
    }
    let others = PauseOthers(parts.coordinator, settings: settings, on: bus.loop)
    let login = LogindMonitor(
      parts.coordinator, opens: opens, settings: settings, on: bus.loop, tasks: LoopTaskExecutor(bus.loop), save: save,
      emitPosition: { bridge.emitPosition() }, connect: { await LogindConnection.open(on: bus.loop, log: log) })
    let bluetooth = BluetoothButtons(player: bridge, publisher: parts.publisher, loop: bus.loop, log: log)
    let battery = BatteryMonitor(player: player, loop: bus.loop, log: log) { bridge.metadataCache.inspectDeferred() }
    let start = StartReport(
      player: player, opens: opens, commandLine: commandLine, reports: reports, isDetached: isDetached,
      isAttached: isAttached)
    let supervisor = PlaybackSupervisor(player: player, opens: opens, quitsAtEnd: quitsAtEnd, log: log)
    let packing = QueueExecutor(label: "org.playerd.memory", isInBackground: true)
    let idleMemory = IdleMemory(player, on: bus.loop) {
      AllocatedMemory.trim()
      ProgramCode.release()
      let large = parts.coordinator.largeEdits
      guard !large.isEmpty else { return }
      packing.run {
        for items in large { items.pack() }
        AllocatedMemory.trim()
      }
    }
    let runs = CommandRuns(reportsStatus: true, log: log)
    let hooks = Hooks(runs: runs, settings: settings)
    let notifications = Notifications(parts.coordinator, settings: settings, on: bus.loop, log: log)
    let playbackReports = PlaybackReports(bridge) { report in
      hooks.run(report)
      notifications.show(report)
    }
    let lostBus = LostBus(player, on: bus.loop) {
      log.notice("the session bus has been lost for a minute and nothing plays; the player ends")
      quit.yield()
    }
    let (calls, fileCalls) = (DBusCallQueue(), DBusCallQueue())
    let control = ControlBridge(
      opens: opens, bridge: bridge, extras: extras, failures: parts.failures, settings: settings, places: resumer,
      log: log)
    let interfaces = [
      control.rows(on: calls, files: fileCalls), ExtrasInterface(player: extras, on: calls).rows.reading { $0.extras },
    ]
    self.player = player
    services = [
      DaemonService(
        name: "bus",
        serve: {
          await bus.serve(
            bridge, with: parts.publisher, beside: interfaces, others: others, lost: { lostBus.note(isLost: $0) })
        },
        stop: { await bus.close() }),
      // Released before the bus is left: the daemon that takes the name next has the session.
      DaemonService(name: "session lock", stop: { lock?.release() }),
      DaemonService(
        name: "positions", executor: QueueExecutor(label: "org.playerd.places"), serve: { await resumer?.run() },
        stop: { await resumer?.save() }),
      // The session is saved before the player is closed, because a closed player is stopped.
      DaemonService(name: "session", stop: { await keeper?.close() }),
      DaemonService(name: "log", run: { await supervisor.run() }),
      DaemonService(name: "signals", run: { await Self.handle(signals, player, settings, log) }),
      DaemonService(
        name: "quit",
        run: {
          for await _ in quits { return .success }
          return nil
        }),
      DaemonService(name: "start", run: { await start.run() }),
      DaemonService(
        name: "catalogue", executor: QueueExecutor(label: "org.playerd.catalogue"),
        serve: { await bridge.metadataCache.run() }),
      DaemonService(name: "reports", serve: { await playbackReports.run() }),
      // The command of a stop runs at the end of the daemon too, and may outlast it.
      DaemonService(
        name: "hooks",
        stop: {
          if let report = playbackReports.close() { hooks.run(report) }
          await runs.close()
        }),
      DaemonService(name: "notifications", serve: { await notifications.run() }),
      DaemonService(name: "memory", stop: { idleMemory.stop() }),
      DaemonService(name: "lost bus", stop: { lostBus.stop() }),
      DaemonService(name: "login", serve: { await login.run() }),
      DaemonService(name: "bluetooth", serve: { await bluetooth.run() }),
      DaemonService(name: "power", serve: { if configuration.power == .battery { await battery.run() } }),
      DaemonService(
        name: "outputs", executor: QueueExecutor(label: "org.playerd.outputs"), serve: { await extras.outputs.run() }),
      DaemonService(
        name: "control", executor: QueueExecutor(label: "org.playerd.control"), serve: { await calls.run() }),
      DaemonService(
        name: "files", executor: QueueExecutor(label: "org.playerd.file-calls"), serve: { await fileCalls.run() }),
      // Reading folders and servers can take long; no other service waits for them.
      DaemonService(
        name: "opener", executor: queue,
        run: {
          if let fault = await Self.sinkFault(media, settings, log) { return fault }
          if !configuration.outputDevice.isEmpty { await extras.outputs.useConfigured() }
          await withTaskGroup { group in
            if let keeper { group.addTask { await keeper.run() } }
            await loader.run()
            group.cancelAll()
          }
          return nil
        }),
    ]
  }

  /// Returns a session without the items that the configuration does not allow.
  private static func allowed(_ session: SavedSession, _ settings: Settings, _ log: Logger) -> SavedSession {
    let rejections = OpenLog(log)
    defer { _ = rejections.finish() }
    return session.restricted(by: settings.current.uriPolicy.objection) { rejections.reject($0, $1) }
  }

  /// Ends the daemon on SIGTERM and SIGINT, and reloads the configuration on SIGHUP.
  private static func handle(
    _ signals: AsyncStream<CInt>, _ player: Player, _ settings: Settings, _ log: Logger
  ) async -> ExitStatus? {
    for await signal in signals {
      switch signal {
      case SIGHUP: settings.reloadForSignal(into: player, log: log)
      case SIGTSTP:
        log.notice(
          """
          Ctrl-Z has no effect, because other programs control the player; Ctrl-C quits it, and “\(Names.executable) play” \
          then continues in the background
          """)
      default: return .success
      }
    }
    return nil
  }

  /// Returns the exit status if the configured output does not exist, else nil.
  ///
  /// This starts GStreamer; the bus does not wait for that.
  private static func sinkFault(
    _ media: any MediaFramework, _ settings: Settings, _ log: Logger
  ) async -> ExitStatus? {
    guard let audioSink = settings.current.player.audioSink else { return nil }
    do throws(PlayerError) {
      try await media.checkAudioSink(audioSink)
      return nil
    } catch {
      log.error("\(error.message)")
      return ExitStatus.usage
    }
  }
}

extension QueueExecutor: ObserverExecutor {}

extension SeparateCalls: ObserverExecutor {}

/// Calls the observers of a player on the thread of an event loop.
struct LoopObservers: ObserverExecutor {
  let loop: PollLoop

  func run(_ body: @escaping @Sendable () -> Void) { loop.submit(body) }
}
