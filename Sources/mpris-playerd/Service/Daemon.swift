import ArgumentParser
import DBus
import Glibc
import GstPlayer
import Logging
import MPRISService
import PlayerdInterfaces
import UnixSignals

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
      return await serve(handOver, opens, session, try settings.get())
    } catch {
      log.error("\(error.message)")
      await session.close()
      return ExitStatus.configuration
    }
  }

  /// What is wrong with the output that was named; starting GStreamer for this is left until the bus has been answered.
  private func sinkFault(_ settings: Settings) -> ExitCode? {
    guard let audioSink = settings.current.player.audioSink else { return nil }
    do {
      try PlayerConfiguration.checkAudioSink(audioSink)
      return nil
    } catch {
      log.error("\(error.message)")
      return ExitStatus.usage
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

  /// Returns when playback has started, needs no start, or waits for an output; false when every item has failed.
  private func hasStarted(_ player: Player) async -> Bool {
    let events = player.events()
    let isToPlay = player.snapshot.transport == .playing
    func isDecided() -> Bool {
      switch player.snapshot.timeControlStatus {
      case .waitingToPlay(.noOutput), .playing, .paused: true
      case .waitingToPlay: false
      }
    }
    if !isDecided() { for await _ in events where isDecided() { break } }
    return !isToPlay || player.snapshot.transport != .stopped
  }

  /// Prints what is queued at the start.
  private func announce(_ report: OpenReport, of handOver: HandOver, _ state: Player.Snapshot) {
    let request = handOver.request
    let line =
      if !request.uris.isEmpty { report.line(for: request) } else if state.itemCount == 0 {
        "ready, the queue is empty"
      } else {
        "\(state.transport == .playing ? "playing" : "ready"), \(TrackCount(state.itemCount)) from the last session"
      }
    if isDetached {
      let isPartial = report.rejectionCount > 0 || handOver.rejectionCount > 0
      DetachedStart.report(line.withoutControls, status: isPartial ? ExitStatus.failure : .success)
    } else if !handOver.isQuiet {
      _ = StandardOutput.write(line.withoutControls + "; Ctrl-C quits\n")
    }
  }

  private func serve(
    _ handOver: HandOver, _ opens: OpenQueue, _ session: BusSession, _ settings: Settings
  ) async -> ExitCode {
    let request = handOver.request
    let replacesQueue = request.placement == .replace && !request.uris.isEmpty
    let (reports, report) = AsyncStream.makeStream(of: OpenReport.self)
    opens.accept(request) { report.yield($0) }
    let stateFolder = keepsSession ? SessionStore.userFolder : nil
    let store = stateFolder.map { SessionStore(folder: $0, log: log) }
    let lastSession = store?.load()
    var sources = settings.sources
    for warning in sources.warnings { log.warning("\(warning)") }
    if let lastSession { sources.add(lastSession, restoringQueue: !replacesQueue) }
    let configuration = sources.configuration
    let player = Player(configuration: configuration.player)
    player.setLoop(configuration.loop)
    player.setShuffled(configuration.shuffle)
    player.setRate(configuration.rate)
    let (quits, quit) = AsyncStream.makeStream(of: Void.self)
    let coordinator = PlaybackCoordinator(player, opens)
    let bridge = PlayerBridge(
      coordinator, settings: settings, loop: session.loop, open: { opens.accept($0) }, quit: { quit.yield() })
    let extras = Extras(coordinator, configuredDevice: configuration.outputDevice, log: log)
    let monitor = MonitorBridge(coordinator, opens: opens, extras: extras) { bridge.hear($0) }
    let executor = QueueExecutor(label: "org.playerd.opener")
    let opener = Opener(
      coordinator: coordinator, opens: opens, log: log, executor: executor,
      newRate: { settings.current.keepRate ? nil : settings.current.rate },
      replaces: { bridge.playlistFolder.queueReplaced(by: $0) }, title: { await bridge.title(of: $0) })
    // Before the MPRIS name is there: whoever has it activated to say Play finds something to play.
    if let lastSession, !replacesQueue {
      SessionRestorer(resume: configuration.resume).restore(lastSession, into: player)
    }
    let resumer = stateFolder.map { ResumeKeeper(player, folder: $0, log: log) }
    session.extras.attach(extras)
    session.control.attach(
      ControlBridge(bridge: bridge, extras: extras, settings: settings, log: log))
    let keeper = store.map { SessionKeeper(player: player, store: $0, awaitsQueue: replacesQueue) }
    let reporter = Reporter(player: player, opens: opens, quitsAtEnd: quitsAtEnd, log: log)

    let status = await withTaskGroup(of: ExitCode?.self) { group in
      group.addTask { await reporter.run() }
      group.addTask {
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
      group.addTask {
        for await _ in quits { return .success }
        return nil
      }
      group.addTask {
        for await report in reports {
          if replacesQueue, report.trackCount == 0, !report.isSuperseded { return ExitStatus.nothingPlayable }
          if isDetached, await !hasStarted(player) { return ExitStatus.nothingPlayable }
          announce(report, of: handOver, player.snapshot)
        }
        return nil
      }
      group.addTask {
        await session.serve(bridge, watchedBy: monitor)
        return nil
      }
      group.addTask(executorPreference: QueueExecutor(label: "org.playerd.catalogue")) {
        await bridge.catalogue.run()
        return nil
      }
      group.addTask {
        let saving: @Sendable () async -> Void = {
          await keeper?.save()
          await resumer?.save()
        }
        await LoginWatch(
          coordinator, settings: settings, on: session.loop, log: log, save: saving,
          tellPosition: { bridge.tellPosition() }
        ).run()
        return nil
      }
      group.addTask(executorPreference: QueueExecutor(label: "org.playerd.outputs")) {
        await extras.outputs.run()
        return nil
      }
      group.addTask(executorPreference: QueueExecutor(label: "org.playerd.control")) {
        for await job in session.control.jobs { await job() }
        return nil
      }
      // Folders and servers take their time; nothing else waits for them.
      group.addTask(executorPreference: executor) {
        if let fault = sinkFault(settings) { return fault }
        if !configuration.outputDevice.isEmpty { await extras.outputs.useConfigured() }
        await withTaskGroup { group in
          if let keeper { group.addTask { await keeper.run() } }
          await opener.run()
          group.cancelAll()
        }
        return nil
      }
      for await result in group {
        guard let result else { continue }
        serviceManager.send(.stopping)
        group.cancelAll()
        // A closed player is a stopped one: what is kept is written before.
        await keeper?.close()
        await resumer?.save()
        await session.close()
        ProcessExit.exitSoon(result)
        return result
      }
      return ExitStatus.internalError
    }
    await player.close()
    return status
  }
}
