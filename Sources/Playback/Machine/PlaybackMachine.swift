/// The rules of playback: commands and events of the engine in, effects and a snapshot out.
///
/// It has no clock of its own, and calls nothing. The machine keeps the queue and the intent; each other concern is a
/// value with invariants of its own: ``PlaybackSettings``, ``CurrentItem``, ``Timebase``, ``StreamPhase`` with its
/// ``LoadedStream``, ``SkipPass``, ``OutputState`` and ``Fade``. `reconcile` is the one place where the pipeline is set
/// to play or to pause.
struct PlaybackMachine: Sendable {
  /// What the user wants.
  enum Intent: Sendable { case stopped, paused, playing }

  let configuration: PlayerConfiguration
  var settings: PlaybackSettings
  var queue = PlayQueue()
  var intent = Intent.stopped
  var current = CurrentItem()
  var phase = StreamPhase.none
  var timebase = Timebase()
  var skip = SkipPass()
  var output = OutputState()
  var fade = Fade()
  var lastError: PlayerError?
  private var lastToken: UInt64 = 0
  private var effects: [Effect] = []

  init(configuration: PlayerConfiguration) {
    self.configuration = configuration
    settings = PlaybackSettings(configuration: configuration)
  }

  /// The stream of the current item; nothing is known of it, and nothing can be set, while none is loaded.
  var loaded: LoadedStream {
    get { phase.stream }
    set { phase.stream = newValue }
  }

  /// The stream of the current item; one that the engine does not know while none is loaded.
  var token: StreamToken { loaded.token }

  /// Whether the engine plays.
  var isRunning: Bool { loaded.run == .running }

  // MARK: Effects

  mutating func takeEffects() -> [Effect] {
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  mutating func perform(_ command: EngineCommand) { effects.append(.command(command)) }

  mutating func finishSeek(_ ticket: SeekTicket?, _ isDone: Bool) {
    if let ticket { effects.append(.finishSeek(ticket, isDone)) }
  }

  mutating func emit(_ event: PlayerEvent) { effects.append(.emit(event)) }

  /// Reports a jump of the position; a seek to the present position, as for another rate, is none.
  mutating func emitTimeJump(from origin: Duration, to target: Duration) {
    if origin != target { emit(.timeJumped(from: origin, to: target)) }
  }

  // MARK: Position

  /// The current item's position: the target while a seek is under way, never beyond the duration.
  func position(at now: MonotonicTime) -> Duration {
    let pending = loaded.seek?.shown ?? phase.start?.position
    let position = max(.zero, pending ?? timebase.position(at: now))
    return current.details.duration.map { min($0, position) } ?? position
  }

  /// How far from its duration an item may end as if it had reached it.
  static let endTolerance = Duration.milliseconds(250)

  /// Where the current item ends, if it ends now: its duration, unless it was cut off well before.
  func endPosition(at now: MonotonicTime) -> Duration {
    let position = position(at: now)
    guard let duration = current.details.duration, duration - position < Self.endTolerance else { return position }
    return duration
  }

  mutating func freeze(at now: MonotonicTime) {
    timebase.stand(at: position(at: now))
    loaded.handOver.freeze(at: now)
  }

  // MARK: The one place that acts

  /// Sets the pipeline to play or to pause, as the intent and the stream allow.
  mutating func reconcile(now: MonotonicTime) {
    guard phase.isReady else { return }
    let holds = loaded.seek != nil && !loaded.isWanted
    let isRequested = intent == .playing || fade.pauseDue != nil
    let isEnded = loaded.run == .ended
    let shouldRun = isRequested && !isEnded && (hasEnough || loaded.buffer.isStarved) && !holds
    guard shouldRun != loaded.isWanted else { return }
    if shouldRun { fadeIn() }
    setWanted(shouldRun ? .starting : .held, now: now)
  }

  /// Has the pipeline play or pause, unless that is what it does.
  mutating func setWanted(_ run: LoadedStream.RunState, now: MonotonicTime) {
    let wasWanted = loaded.isWanted
    loaded.run = run
    guard wasWanted != loaded.isWanted else { return }
    loaded.buffer.isDry = false
    loaded.handOver.expectedSince = now
    perform(.setPlaying(loaded.isWanted))
  }

  // MARK: Load and release

  mutating func nextToken() -> StreamToken {
    lastToken += 1
    return StreamToken(number: lastToken)
  }

  /// Loads the current item, to be played from `position` on, if anything is to be loaded at all.
  mutating func loadCurrent(at position: Duration = .zero, ticket: SeekTicket? = nil, now: MonotonicTime) {
    abandonSeeks()
    guard let item = queue.current, intent != .stopped else { return unload() }
    fade.outcome = nil
    var stream = LoadedStream(token: nextToken())
    stream.buffer.arrival = now
    let start = position > .zero ? SeekTarget(position: position, ticket: ticket) : nil
    if start == nil { finishSeek(ticket, true) }
    phase = .loading(stream, .init(deadline: now + configuration.loadTimeout, start: start))
    timebase.jump(to: position)
    if let chosen = current.audio.chosen { perform(.selectAudioTrack(chosen, of: token)) }
    perform(.load(uri: item.uri, token))
  }

  /// Loads the current item again; a caller that waits for its start goes on waiting.
  mutating func loadAgain(at position: Duration, now: MonotonicTime) {
    let ticket = phase.start?.ticket
    phase.start?.ticket = nil
    loadCurrent(at: position, ticket: ticket, now: now)
  }

  /// Releases what is loaded, and the output; `next` tells why, and `position` where playback stands.
  mutating func unload(to next: StreamPhase = .none, at position: Duration = .zero) {
    if fade.pauseDue != nil { fade.outcome = nil }
    abandonSeeks()
    timebase.jump(to: position)
    // A sound that fades out is released afterwards.
    if phase.isLoaded, fade.unloadDue == nil { perform(.unload) }
    phase = next
  }

  private mutating func abandonSeeks() {
    for ticket in (loaded.seek?.tickets ?? []) + [phase.start?.ticket] { finishSeek(ticket, false) }
    loaded.seek = nil
    phase.start = nil
  }

  // MARK: Another item

  /// The current item is to be opened from its start.
  mutating func openAgain() {
    forgetFade()
    current.openAgain()
  }

  /// Forgets what is known of the current item; called whenever another item becomes current.
  mutating func forgetItem() {
    forgetFade()
    current = CurrentItem(isSeekable: queue.current?.isLocal ?? false, loopCount: current.loopCount)
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
      current.loopCount += 1
      emit(.itemRepeated(item, loopCount: current.loopCount))
    } else {
      current.loopCount = 0
      emit(.currentItemChanged(from: old, to: item))
    }
  }

  // MARK: Time

  /// When the machine must be woken, if nothing else happens before.
  var nextWake: MonotonicTime? {
    var wakes = [fade.wake, successorDeadline, endOfPatience, releaseTime]
    switch phase {
    case .loading(_, let loading): wakes.append(loading.deadline)
    case .outputLost(let retry): if intent != .stopped { wakes.append(retry) }
    case .sourceLost(let retry): if intent == .playing { wakes.append(retry) }
    case .none, .ready, .released: break
    }
    if isRunning { wakes += [loaded.handOver.first?.start, openEnd, timebase.nextSample] }
    return wakes.lazy.compactMap { $0 }.min()
  }

  /// When a long pause releases the output; nil where the item could not be opened again at the same place: only a local
  /// file whose position can be set can.
  var releaseTime: MonotonicTime? {
    guard phase.isReady, let since = loaded.pausedSince, current.isSeekable, !loaded.isLive, loaded.seek == nil,
      queue.current?.isLocal == true
    else { return nil }
    return since + configuration.releaseOutputAfter
  }
}
