import DBus
import EventLoop
import MPRISService
import Playback
import PlayerdConfiguration
import PlayerdSystem

/// Pauses the other MPRIS players of the session when this one starts, and this one when another one starts.
///
/// Without the keys `pause-others` and `pause-for-others`, it receives nothing from the bus. ``PauseRules`` has the decisions.
/// No other player is waited for: one that does not answer is only unknown.
actor PauseOthers {
  private let coordinator: PlaybackCoordinator
  private let settings: Settings
  private let loop: PollLoop
  private var rules = PauseRules()
  /// The other players by unique name, with the text that names each one for the user.
  private var names: [BusName: String] = [:]
  private var timer: EventSources.ID?
  private var connection: DBusConnection?
  /// The task that follows the players; nil while no key is set.
  private var following: Task<Void, Never>?
  /// Whether the player has just been started, so that the present playback is a start.
  private var isStart = true

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(_ coordinator: PlaybackCoordinator, settings: Settings, on loop: PollLoop) {
    (self.coordinator, self.settings, self.loop) = (coordinator, settings, loop)
    settings.observe { [weak self] in
      loop.submit { [weak self] in self?.assumeIsolated { $0.update() } }
    }
  }

  private var policy: PauseRules.Policy {
    let configuration = settings.current
    return PauseRules.Policy(pausesOthers: configuration.pauseOthers, forOthers: configuration.pauseForOthers)
  }

  /// Follows the players on the bus that this player is served on, until the bus is lost or the task is cancelled.
  func run(on connection: DBusConnection) async {
    self.connection = connection
    update()
    await connection.closed()
    self.connection = nil
    update()
  }

  /// Follows the players from now on, or no longer, as the keys require.
  private func update() {
    defer { isStart = false }
    if let connection, !policy.isOff {
      guard following == nil else { return }
      take(.began(isPlaying: coordinator.snapshot.status == .playing, isStart: isStart))
      following = Task(executorPreference: LoopTaskExecutor(loop)) { [self] in await follow(connection) }
    } else {
      following?.cancel()
      following = nil
      stopWaiting()
      (rules, names) = (PauseRules(), [:])
    }
  }

  private func follow(_ connection: DBusConnection) async {
    // Subscribed before the names are read, so that no change is missed.
    guard let players = try? BusName(RootInterface.name.rawValue),
      let changes = try? await connection.ownerChanges(below: players),
      let signals = try? await connection.playerChanges(),
      var owners = try? await DBusOwnerCache(below: players, on: connection)
    else { return }
    await withDiscardingTaskGroup { group in
      let executor = LoopTaskExecutor(loop)
      group.addTask(executorPreference: executor) { [self] in
        await take(signals, own: connection.uniqueName)
      }
      for owner in update(owners.owners, own: connection.uniqueName) {
        group.addTask(executorPreference: executor) { [self] in await read(owner, on: connection, isOlder: true) }
      }
      for await change in changes {
        guard owners.apply(change) else { continue }
        for owner in update(owners.owners, own: connection.uniqueName) {
          group.addTask(executorPreference: executor) { [self] in await read(owner, on: connection, isOlder: false) }
        }
      }
      group.cancelAll()
    }
  }

  /// Applies the owners of the names; returns the new players.
  private func update(_ owners: [String: BusName], own: BusName) -> [BusName] {
    let hidden = [own, owners[BusName.playerctld.rawValue]]
    var present: [BusName: String] = [:]
    for (name, owner) in owners.sorted(by: { $0.key < $1.key }) where !hidden.contains(owner) {
      // Of a name such as “org.mpris.MediaPlayer2.vlc.instance123”, the program is “vlc”.
      let program = name.dropFirst(MPRISService.busNamePrefix.count).prefix { $0 != "." }
      present[owner] = present[owner] ?? String(program)
    }
    for owner in names.keys where present[owner] == nil {
      names[owner] = nil
      take(.gone(owner))
    }
    let new = present.filter { names[$0.key] == nil }
    names.merge(new) { old, _ in old }
    return Array(new.keys)
  }

  /// Reads the title and the status of a player; `isOlder` is true if it was on the bus before the subscription.
  private func read(_ owner: BusName, on connection: DBusConnection, isOlder: Bool) async {
    let root = DBusProxy(RootInterface.name, at: MPRISService.path, of: owner, on: connection)
    if let title = try? await root.get(RootInterface.identity)?.asString?.shortName, names[owner] != nil {
      names[owner] = title
    }
    guard let isPlaying = await connection.isPlaying(owner), names[owner] != nil, !rules.knows(owner) else { return }
    take(isOlder ? .found(owner, isPlaying: isPlaying) : .other(owner, isPlaying: isPlaying))
  }

  private func take(_ signals: AsyncStream<DBusSignalMessage>, own: BusName) async {
    for await signal in signals {
      guard let isPlaying = signal.isPlaying else { continue }
      if signal.sender == own {
        take(.own(isPlaying: isPlaying))
      } else if names[signal.sender] != nil {
        take(.other(signal.sender, isPlaying: isPlaying))
      }
    }
  }

  private func take(_ event: PauseRules.Event) {
    for step in rules.steps(for: event, policy, at: loop.now) {
      switch step {
      case .pauseOther(let other): pause(other)
      case .pause(let other): coordinator.pause(for: name(of: other))
      case .stayPaused(let other): coordinator.stayPaused(for: name(of: other))
      case .resume: coordinator.resumeAfterOther()
      case .stopWaiting: stopWaiting()
      case .wait:
        stopWaiting()
        timer = loop.timer(after: PauseRules.settling) { [weak self] in self?.assumeIsolated { $0.take(.waited) } }
      }
    }
  }

  private func name(of other: BusName) -> String { names[other] ?? "another player" }

  private func pause(_ other: BusName) {
    // Fails only if the bus is lost or does not read.
    try? connection?.assumeIsolated {
      try $0.send(on: other, at: MPRISService.path, of: PlayerInterface.name, PlayerInterface.pause.name)
    }
  }

  private func stopWaiting() {
    if let timer { loop.cancelTimer(timer) }
    timer = nil
  }
}

extension String {
  /// The text as a short name of a program; nil if nothing of it is left.
  fileprivate var shortName: String? {
    let name = withoutControls.filter { $0.utf8.count <= 64 }.split(separator: " ").joined(separator: " ").prefix(40)
    return name.isEmpty ? nil : String(name)
  }
}
