import Playback

/// The state that the invariants need, and their checks: each topic is an extension in a separate file.
final class Checker {
  /// The run, which owns the checker; each check reads it several times.
  var world: World { unsafe owner }
  private unowned(unsafe) let owner: World
  private(set) var breach: Breach?
  /// The hash of everything that the player has reported, to compare two runs.
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  var before: PlayerInternals?
  /// The events since the last check.
  var events: [Player.Event] = []
  /// Whether the step that is being carried out is a command.
  var isCommand = false
  var position = PositionRecord()
  var items = ItemRecord()
  var transport = TransportRecord()
  var callers = CallerRecord()
  var observers: [ObserverRecord] = []
  var lastCancelled: Set<Int> = []
  var engine = EngineRecord()
  var fades = CrossfadeRecord()
  var progress = ProgressRecord()
  var ranges = RangeRecord()
  var processes = ProcessRecord()
  /// The number of reported ends.
  var ends = 0

  init(world: World) { unsafe owner = world }

  var now: Int64 { world.now }

  /// Records the first broken invariant of the run.
  func broke(_ invariant: Invariant, _ detail: @autoclosure () -> String) {
    // With a daemon around the player, commands do not come from the script alone.
    guard breach == nil, world.companion == nil || invariant.isOfDaemon else { return }
    let text = detail()
    world.note("BROKEN \(invariant.rawValue): \(text)")
    breach = Breach(
      invariant: invariant, detail: text, milliseconds: Int((now - VirtualClock.start) / 1_000_000),
      steps: world.statistics.steps)
  }

  func require(_ invariant: Invariant, _ holds: Bool, _ detail: @autoclosure () -> String) {
    if !holds { broke(invariant, detail()) }
  }

  func mix(_ value: Int64) {
    digest = (digest ^ UInt64(bitPattern: value)) &* 0x100_0000_01B3
  }

  // MARK: Events of the player

  func event(_ event: Player.Event, _ snapshot: Player.Snapshot) {
    world.note("    event \(event.brief)")
    mix(event.code)
    world.service?.checks.playerEvent(event)
    switch event {
    case .timeJumped(let from, let to): jumped(from, to)
    case .currentItemChanged, .itemRepeated, .itemDidPlayToEnd, .itemFailed, .queueEnded: itemEvent(event)
    case .playbackStalled, .playbackResumed: stallEvent(event)
    case .chapterChanged(let item, let index, let chapter): chapterChanged(item, index, chapter)
    case .changed, .outputFailed, .warning: break
    }
    events.append(event)
    checkPublishedRange(snapshot)
  }

  // MARK: After each event of the queue

  func afterEvent() {
    guard breach == nil else { return }
    // The player has not seen the time of a due wake-up.
    if let wake = world.clock.wake, wake.nanoseconds < now {
      if events.contains(where: \.movesPosition) { progress.jumps += 1 }
      progress.run += UInt64(events.count(where: \.beginsRun))
      before = nil
      events.removeAll(keepingCapacity: true)
      return
    }
    let after = world.player.internals
    mix(now)
    mix(after.snapshot.position.wholeNanoseconds)
    checkPosition(after)
    checkItems(after)
    checkSong(after)
    checkTransport(after)
    checkObservers(after)
    checkEngine(after)
    checkResources(after)
    checkProgress(after)
    checkCrossfade(after)
    checkKnownRange(after)
    checkProcesses(after)
    world.service?.checks.afterEvent()
    isCommand = false
    events.removeAll(keepingCapacity: true)
    before = after
  }
}

extension Player.Event {
  var isChanged: Bool { if case .changed = self { true } else { false } }

  /// A number of the kind of event.
  fileprivate var code: Int64 {
    switch self {
    case .changed: 1
    case .currentItemChanged: 2
    case .itemRepeated: 3
    case .timeJumped: 4
    case .itemDidPlayToEnd: 5
    case .chapterChanged: 6
    case .itemFailed: 7
    case .playbackStalled: 8
    case .playbackResumed: 9
    case .outputFailed: 10
    case .queueEnded: 11
    case .warning: 12
    }
  }

  /// A short description for the trace.
  var brief: String {
    switch self {
    case .changed: "changed"
    case .currentItemChanged(let old, let new): "currentItemChanged \(old?.uri ?? "nil") → \(new?.uri ?? "nil")"
    case .itemRepeated(_, let count): "itemRepeated \(count)"
    case .timeJumped(let from, let to): "timeJumped \(from) → \(to)"
    case .itemDidPlayToEnd(let item): "itemDidPlayToEnd \(item.uri)"
    case .chapterChanged(_, let index, _): "chapterChanged \(index.map(String.init) ?? "nil")"
    case .itemFailed(let item, let error): "itemFailed \(item.uri) \(error)"
    case .playbackStalled: "playbackStalled"
    case .playbackResumed(_, let position): "playbackResumed at \(position)"
    case .outputFailed(let error): "outputFailed \(error)"
    case .queueEnded: "queueEnded"
    case .warning(let text, _): "warning \(text)"
    }
  }
}
