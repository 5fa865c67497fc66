import Playback
import PlayerdConfiguration

/// The login manager of the machine: its signals, and the locks that delay or prevent suspension.
protocol LoginManager: Sendable {
  /// Returns the signals from now on.
  func events() async -> any AsyncSequence<SleepStateMachine.Event, Never> & Sendable
  /// Takes a lock, which its last reference releases; nil if the login manager refuses it.
  func lock(_ what: String, _ mode: String, _ why: String) async -> (any Sendable)?
  /// Returns when the login manager is lost, or when the task is cancelled.
  func closed() async
  /// Ends the connection.
  func close() async
}

/// Handles the machine's suspension and shutdown, which a login manager reports.
///
/// Without a login manager it ends at once, without retries and wake-ups.
actor LogindMonitor {
  private let coordinator: PlaybackCoordinator
  private let opens: OpenQueue
  private let settings: Settings
  private let executor: any SerialExecutor
  /// The executor of the tasks outside the actor.
  private let tasks: any TaskExecutor
  /// A function that saves the session and the positions, and returns when they are on the disk.
  private let save: @Sendable () async -> Void
  private let emitPosition: @Sendable () -> Void
  private let connect: @Sendable () async -> (any LoginManager)?
  private var stateMachine = SleepStateMachine()
  /// The inhibitor locks.
  private var delay: (any Sendable)?
  private var block: (any Sendable)?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(
    _ coordinator: PlaybackCoordinator, opens: OpenQueue, settings: Settings, on executor: any SerialExecutor,
    tasks: any TaskExecutor, save: @escaping @Sendable () async -> Void, emitPosition: @escaping @Sendable () -> Void,
    connect: @escaping @Sendable () async -> (any LoginManager)?
  ) {
    self.coordinator = coordinator
    self.opens = opens
    self.settings = settings
    self.executor = executor
    self.tasks = tasks
    self.save = save
    self.emitPosition = emitPosition
    self.connect = connect
  }

  /// Handles the signals of the login manager until it is lost or the task is cancelled.
  func run() async {
    guard let manager = await connect() else { return }
    await follow(manager)
    await manager.close()
    (delay, block) = (nil, nil)
  }

  private func follow(_ manager: any LoginManager) async {
    let signals = await manager.events()
    let playerEvents = coordinator.player.events()
    // Handled one after the other, however long a lock takes, so that the last request determines the state.
    let (events, inbox) = AsyncStream.makeStream(of: SleepStateMachine.Event.self)
    inbox.yield(.began)
    let update: @Sendable () -> Void = { [coordinator] in
      inbox.yield(.playing(coordinator.snapshot.status == .playing))
    }
    // A pending request that is to play counts as playback, and ends without an event of the player.
    opens.observe { [player = coordinator.player] change in
      guard case .begun(let pending) = change else { return }
      inbox.yield(.playing(PlaybackCoordinator.Snapshot(player.snapshot, pending).status == .playing))
    }
    // A reload may change whether playback prevents suspension.
    settings.observe(update)
    await withTaskGroup { group in
      group.addTask(executorPreference: tasks) {
        for await event in signals {
          // An event of the player may still be in transit: its current state is what matters.
          if event == .sleep { update() }
          inbox.yield(event)
        }
      }
      group.addTask(executorPreference: tasks) {
        update()
        for await _ in playerEvents { update() }
      }
      group.addTask(executorPreference: tasks) {
        for await event in events { await self.handle(event, manager) }
      }
      group.addTask(executorPreference: tasks) { await manager.closed() }
      await group.next()
      group.cancelAll()
    }
  }

  private func handle(_ event: SleepStateMachine.Event, _ manager: any LoginManager) async {
    let configuration = settings.current
    let steps = stateMachine.steps(for: event, policy: configuration.pauseOnSleep, inhibits: configuration.inhibitSleep)
    for step in steps {
      switch step {
      case .pause: coordinator.pause(fading: false)
      case .play: coordinator.play()
      case .save: await save()
      case .takeDelay: delay = await manager.lock("sleep:shutdown", "delay", "pauses and saves the position")
      case .releaseDelay: delay = nil
      case .takeBlock: block = await manager.lock("idle:sleep", "block", "music is playing")
      case .releaseBlock: block = nil
      case .emitPosition: emitPosition()
      }
    }
  }
}
