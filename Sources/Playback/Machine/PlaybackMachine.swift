/// What a decision of the machine causes.
enum Effect: Equatable, Sendable {
  /// The engine carries out a command.
  case command(EngineCommand)
  /// A caller of `seek` gets its answer.
  case finishSeek(SeekTicket, Bool)
  /// Observers and readers of events get an event.
  case emit(PlayerEvent)
}

/// One call of `seek` that somebody waits for.
struct SeekTicket: Hashable, Sendable {
  var number: UInt64
}

/// The rules of playback: commands and pipeline events in, effects and a snapshot out.
///
/// No C, no clock of its own.
///
/// What was asked (`intent`, `rate`, the queue) is kept apart from where the pipeline is (`load`, `isRunning`);
/// `reconcile` is the one place that turns their difference into effects.
struct PlaybackMachine: Sendable {
  /// What the user wants.
  enum Intent: Sendable { case stopped, paused, playing }

  /// How far the current item is in the pipeline.
  enum Load: Equatable, Sendable {
    case none
    /// Asked for; fails when it has not prerolled by the deadline.
    case loading(deadline: MonotonicTime)
    /// Prerolled.
    case ready
    /// Paused for so long that the output was let go; the position is kept.
    case parked
    /// The output failed; it is tried again at `retry`.
    case outputLost(retry: MonotonicTime, backOff: Duration)
    /// A broadcast was lost; it is looked for at `retry`, if it is to play.
    case sourceLost(retry: MonotonicTime)
  }

  /// A seek that is under way, and the newest one asked for meanwhile.
  struct SeekState: Equatable, Sendable {
    var target: Duration
    var ticket: SeekTicket?
    var next: Target?
    struct Target: Equatable, Sendable {
      var position: Duration
      var ticket: SeekTicket?
      var tolerance = Player.SeekTolerance.zero
    }
    /// How far from the target the seek may end.
    var tolerance = Player.SeekTolerance.zero
    /// Where the position is shown to be.
    var shown: Duration { next?.position ?? target }
    /// The first preroll's own seek (start position, rate) is no jump that anybody saw.
    var isSilent = false
    /// The rate of the segment before, which stays when the seek is refused.
    var previousRate = 1.0
    /// Where that segment stops.
    var previousEnd: Duration?
    /// Where the output was to end it before.
    var previousCut: Duration?
    /// Where the position was when the first seek of the row was asked for.
    var origin: Duration
  }

  let configuration: PlayerConfiguration

  var queue = PlayQueue()
  var intent = Intent.stopped
  var rate = 1.0
  /// What play resumes at; nil for `rate`.
  var defaultRate: Double?
  var actionAtItemEnd = Player.ActionAtItemEnd.advance
  var volume: Double
  var isMuted = false
  /// The device that was chosen; nil for what was configured.
  var audioOutput: AudioOutput?
  /// Whether the sound system plays on another device than the chosen one.
  var isAudioOutputSubstituted = false
  /// Whether no output opened, and the sound is discarded.
  var isOutputSilent = false

  var load = Load.none
  /// The stream of the current item.
  var token = StreamToken(number: 0)
  private var lastToken: UInt64 = 0
  /// The pipeline was asked to run.
  var wantsRunning = false
  /// The pipeline says that it runs.
  var isRunning = false
  /// The current item has played to its end, and stays.
  var isAtEnd = false
  /// The number of times the current item has followed itself.
  private(set) var loopCount = 0
  var anchor = PositionAnchor(at: .zero)
  /// Another number for each stretch that play goes through without a jump, and the position at which it began.
  private(set) var stretch = (number: UInt64(0), start: Duration.zero)
  var seek: SeekState?
  /// Where the item being loaded starts.
  var start: SeekState.Target?
  /// The rate of the present segment.
  var segmentRate = 1.0
  /// Where the current item lies in its media.
  var bounds = Bounds()
  var handOver = HandOver.none
  /// When a successor was last offered or heard of, or play last began.
  var successorExpectedSince = MonotonicTime(nanoseconds: 0)
  var isLive = false
  var isSeekable = true
  var buffer = Buffer()
  var automaticallyWaits = true
  /// How long a stream that plays may bring nothing.
  var networkTimeout: Duration
  /// How much is to be held ahead of the position; nil for what GStreamer thinks best.
  var forwardBuffer: Duration?
  var details = ItemDetails.unknown
  var audio = AudioSelection()
  /// The languages whose tracks are heard, the one liked best first.
  var audioLanguages: [String]
  /// A successor has become current, and its tags are on their way: they follow the first sample by moments.
  var awaitsTags = false
  /// The connection has ended early: told when what has arrived has been played.
  var sourceFailure: PlayerError?
  /// The position at the last look, for an item whose end is not announced.
  var lastMeasured: Duration?
  var itemStatus = Player.ItemStatus.unknown
  var lastError: PlayerError?
  var failed: Set<PlayerItem.ID> = []
  /// Successors that failed early: they are not handed over again, and fail when their turn comes.
  var unfitToFollow: Set<PlayerItem.ID> = []
  /// Where a skip goes after a failure: on, or back.
  var direction = 1
  var pausedSince: MonotonicTime?
  var nextSample: MonotonicTime?
  var lastSample = MonotonicTime(nanoseconds: 0)
  /// When the pipeline last told its position.
  var measured = MonotonicTime(nanoseconds: 0)
  var outputBackOff: Duration?
  /// The current item was lost, and is looked for or has been found again.
  var reconnection: Reconnection?
  /// Play was interrupted, by an empty buffer or a lost output, and its coming back is news.
  var isStalled = false
  /// The current item was loaded again because it did not start.
  var hasStartedAgain = false

  /// A pause or a stop that takes the sound down first.
  var fade = Fade()

  private var effects: [Effect] = []

  init(configuration: PlayerConfiguration) {
    self.configuration = configuration
    volume = configuration.volume
    networkTimeout = configuration.networkTimeout
    forwardBuffer = configuration.preferredForwardBufferDuration
    audioLanguages = configuration.preferredAudioLanguages
  }

  mutating func takeEffects() -> [Effect] {
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  var hasEffects: Bool { !effects.isEmpty }

  mutating func perform(_ command: EngineCommand) { effects.append(.command(command)) }
  mutating func finishSeek(_ ticket: SeekTicket, _ isDone: Bool) { effects.append(.finishSeek(ticket, isDone)) }

  mutating func nextToken() -> StreamToken {
    lastToken += 1
    return StreamToken(number: lastToken)
  }

  mutating func emit(_ event: PlayerEvent) { effects.append(.emit(event)) }

  /// Reports a jump of the position; a seek to the present position, as for another rate, is none.
  mutating func emitTimeJump(from origin: Duration, to target: Duration) {
    if origin != target { emit(.timeJumped(from: origin, to: target)) }
  }

  // MARK: Position

  /// The current item's position: the target while a seek is under way, never beyond the duration.
  func position(at now: MonotonicTime) -> Duration {
    let position = max(.zero, seek?.shown ?? start?.position ?? anchor.position(at: now))
    return details.duration.map { min($0, position) } ?? position
  }

  /// How far from its duration an item may end as if it had reached it.
  static let endTolerance = Duration.milliseconds(250)

  /// Where the current item ends, if it ends now: its duration, unless it was cut off well before.
  func endPosition(at now: MonotonicTime) -> Duration {
    let position = position(at: now)
    guard let duration = details.duration, duration - position < Self.endTolerance else { return position }
    return duration
  }

  /// Play goes on from another place.
  mutating func beginStretch(at start: Duration) { stretch = (stretch.number + 1, start) }

  mutating func freeze(at now: MonotonicTime) {
    anchor = PositionAnchor(at: position(at: now))
    nextSample = nil
    handOver.freeze(at: now)
  }

  // MARK: The one place that acts

  /// Brings the pipeline where the intent wants it.
  mutating func reconcile(now: MonotonicTime) {
    guard load == .ready else { return }
    let holds = seek != nil && !wantsRunning
    let isAskedFor = intent == .playing || fade.end != nil
    let shouldRun = isAskedFor && !isAtEnd && (hasEnough || buffer.isStarved) && !holds
    guard shouldRun != wantsRunning else { return }
    wantsRunning = shouldRun
    buffer.isDry = false
    successorExpectedSince = now
    if shouldRun { comeUp() } else { isRunning = false }
    perform(.setPlaying(shouldRun))
  }

  /// Loads the current item, to be heard from `position` on, if anything is to be loaded at all.
  mutating func loadCurrent(at position: Duration = .zero, ticket: SeekTicket? = nil, now: MonotonicTime) {
    abandonSeeks()
    handOver = .none
    guard let item = queue.current, intent != .stopped else { return unload() }
    fade.end = nil
    fade.unloading = nil
    token = nextToken()
    load = .loading(deadline: now + configuration.loadTimeout)
    wantsRunning = false
    isRunning = false
    isAtEnd = false
    anchor = PositionAnchor(at: position)
    beginStretch(at: position)
    sourceFailure = nil
    lastMeasured = nil
    start = position > .zero ? SeekState.Target(position: position, ticket: ticket) : nil
    if start == nil, let ticket { finishSeek(ticket, true) }
    segmentRate = 1
    bounds = Bounds()
    isLive = false
    buffer = Buffer(arrival: now)
    nextSample = nil
    pausedSince = nil
    if let chosen = audio.chosen { perform(.selectAudioTrack(chosen, of: token)) }
    perform(.load(uri: item.uri, token))
  }

  /// Forgets what was learned of the current item; called whenever another item becomes current.
  mutating func forgetItem() {
    details = .unknown
    audio = AudioSelection()
    isSeekable = queue.current?.isLocal ?? false
    openAgain()
  }

  /// The current item is to be opened from its start; what its tags said is still true.
  mutating func openAgain() {
    forgetFade()
    isStalled = false
    hasStartedAgain = false
    reconnection = nil
    awaitsTags = false
    unfitToFollow = []
    itemStatus = .unknown
  }

  /// Lets go of what is loaded and of the output; `fading`, when its sound is down.
  mutating func unload(fading: Bool = false) {
    fade.end = nil
    abandonSeeks()
    handOver = .none
    isAtEnd = false
    anchor = PositionAnchor(at: .zero)
    beginStretch(at: .zero)
    wantsRunning = false
    isRunning = false
    isLive = false
    buffer = Buffer()
    pausedSince = nil
    nextSample = nil
    guard load != .none else { return }
    load = .none
    token = nextToken()
    if !fading { perform(.unload) }
  }

  private mutating func abandonSeeks() {
    for ticket in [seek?.ticket, seek?.next?.ticket, start?.ticket] {
      if let ticket { finishSeek(ticket, false) }
    }
    seek = nil
    start = nil
  }

  /// Stops at the end of the queue, or when nothing in it can be played.
  mutating func endQueue() {
    intent = .stopped
    unload()
    emit(.changed)
    emit(.queueEnded)
  }

  /// Makes another item current and loads it as the intent asks.
  mutating func move(to item: PlayerItem, now: MonotonicTime) {
    let old = queue.current
    queue.select(item.id)
    forgetItem()
    loadCurrent(now: now)
    // A stopped player does not start an item.
    if old?.id != item.id || intent != .stopped { entered(item, after: old) }
    emit(.changed)
  }

  /// Reports the start of an item, after another item or after itself.
  mutating func entered(_ item: PlayerItem?, after old: PlayerItem?) {
    if let item, item.id == old?.id {
      loopCount += 1
      emit(.itemRepeated(item, loopCount: loopCount))
    } else {
      loopCount = 0
      emit(.currentItemChanged(from: old, to: item))
    }
  }

  /// When the machine must be woken, if nothing else happens before.
  var nextWake: MonotonicTime? {
    var wakes = [fade.end, fade.unloading].compactMap { $0 }
    switch load {
    case .loading(let deadline): wakes.append(deadline)
    case .outputLost(let retry, _): if intent != .stopped { wakes.append(retry) }
    case .ready:
      if let pausedSince, canPark { wakes.append(pausedSince + configuration.releaseOutputAfter) }
      if let endOfPatience { wakes.append(endOfPatience) }
      if let successorDeadline { wakes.append(successorDeadline) }
    case .sourceLost(let retry): if intent == .playing { wakes.append(retry) }
    case .none, .parked: break
    }
    if isRunning {
      if let start = handOver.first?.start { wakes.append(start) }
      if let openEnd { wakes.append(openEnd) }
      if let nextSample { wakes.append(nextSample) }
    }
    return wakes.min()
  }

  /// Only what can be opened again at the same place is let go: a local file whose position can be set.
  var canPark: Bool { isSeekable && !isLive && seek == nil && queue.current?.isLocal == true }
}
