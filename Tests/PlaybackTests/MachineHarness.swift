import Testing

@testable import Playback

/// A playback machine with a manual clock and a scripted engine, and a record of all effects that it requested.
///
/// Tests pass inputs and read the snapshot, the effects and the next wake-up. Only this harness reads the machine itself.
struct MachineHarness {
  private(set) var machine: PlaybackMachine
  var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
  /// All effects so far; `lastEffects` contains only the effects of the last step.
  private(set) var effects: [Effect] = []
  private(set) var lastEffects: [Effect] = []
  /// The transitions of the stream so far.
  private(set) var transitions: Set<StreamTransition> = []
  /// The token of the current stream, or of the last one while nothing is loaded.
  private(set) var token = StreamToken(number: .max)
  let items: [Player.Item]

  init(
    _ count: Int = 3, at start: Int = 0, loop: Player.LoopMode = .none,
    configuration: Player.Configuration = Player.Configuration(), scheme: String = "file"
  ) {
    items = (0..<count).map { Player.Item(uri: "\(scheme):///\($0)") }
    machine = PlaybackMachine(configuration: configuration)
    decide(.replaceQueue(items, startingAt: start))
    decide(.setLoop(loop))
    forget()
  }

  /// Clears the records of effects and transitions.
  mutating func forget() { (effects, lastEffects, transitions) = ([], [], []) }

  // MARK: Inputs

  /// Makes one decision of the machine and returns its effects.
  @discardableResult
  mutating func decide(_ input: PlaybackInput) -> [Effect] {
    let (old, oldState) = (machine.token, streamState)
    machine.decide(input, now: now)
    if isLoaded { token = machine.token }
    lastEffects = machine.takeEffects().filter { $0.finishedTicket != Self.unawaited }
    effects += lastEffects
    if machine.token != old || streamState != oldState {
      transitions.insert(StreamTransition(from: oldState, to: streamState, by: input))
    }
    return lastEffects
  }

  /// Reports an event of the engine.
  @discardableResult
  mutating func report(_ event: EngineEvent) -> [Effect] { decide(.event(event)) }

  /// Reports that the current stream, or another one, is decoded to its end; returns the request for the stream that is opened
  /// then.
  mutating func offer(after stream: StreamToken? = nil) -> StreamRequest? {
    report(.stream(stream ?? token, .read)).opened.last
  }

  /// Records an effect that does not come from the machine.
  mutating func note(_ effect: Effect) { effects.append(effect) }

  /// Advances the clock and runs every wake-up at its instant; returns the effects of the wake-ups.
  @discardableResult
  mutating func advance(_ time: Duration) -> [Effect] {
    let end = now + time
    var caused: [Effect] = []
    var wakes = 0
    while let wake = nextWake, wake <= end {
      now = max(now, wake)
      caused += decide(.wake)
      wakes += 1
      if wakes > 1000 {
        Issue.record("a thousand wake-ups within \(time)")
        break
      }
    }
    now = max(now, end)
    lastEffects = caused
    return caused
  }

  mutating func play() -> [Effect] { decide(.play) }
  mutating func pause() -> [Effect] { decide(.pause(fading: true)) }
  mutating func stop() -> [Effect] { decide(.stop) }
  mutating func next() -> [Effect] { decide(.advance(by: 1)) }
  mutating func previous() -> [Effect] { decide(.advance(by: -1)) }

  /// The ticket of seeks whose result the test does not read.
  private static let unawaited = SeekTicket(number: 0)

  /// Seeks; without a number, the result of the seek is not recorded.
  @discardableResult
  mutating func seek(
    to target: Duration, within tolerance: Player.SeekTolerance = .zero, ticket: UInt64? = nil
  ) -> [Effect] {
    decide(.seek(to: target, within: tolerance, ticket.map(SeekTicket.init(number:)) ?? Self.unawaited))
  }

  mutating func seek(_ seconds: Double, ticket: UInt64? = nil) -> [Effect] {
    seek(to: .seconds(seconds), ticket: ticket)
  }

  /// Reads the position as a client does.
  mutating func read() -> [Effect] { machine.wantsSample(now: now) ? decide(.sampleForReader) : [] }

  // MARK: The scripted engine

  /// The progress of the current stream as last reported.
  private var progress: StreamProgress { machine.loaded.buffer.progress }

  /// Reports the completion of the current stream's preroll or seek.
  @discardableResult
  mutating func settle(duration: Double? = 10, isSeekable: Bool = true, isLive: Bool = false) -> [Effect] {
    let facts = StreamFacts(
      duration: duration.map { .seconds($0) }, isSeekable: isSeekable, isLive: isLive, progress: progress)
    return report(.stream(token, .settled(facts)))
  }

  /// Reports that the pipeline runs, at `measured` seconds or the machine's own position.
  @discardableResult
  mutating func run(measured: Double? = nil) -> [Effect] {
    report(.audible(token, at: measured.map { .seconds($0) } ?? position))
  }

  @discardableResult
  mutating func end() -> [Effect] { report(.stream(token, .ended(at: nil))) }

  /// Reports that the current stream has failed, or that the output has.
  @discardableResult
  mutating func fail(_ code: PlayerError.Code = .notFound) -> [Effect] {
    let error = PlayerError(code: code, message: "scripted")
    return report(code == .output ? .output(.failed(error)) : .stream(token, .failed(error)))
  }

  /// Reports that the output does not respond, and lets the time pass after which the item is loaded again.
  @discardableResult
  mutating func hangOutput() -> [Effect] {
    let reported = report(.replaced)
    return reported + advance(.seconds(1))
  }

  /// Reports the fill level of the pipeline's queue and the decoded time ahead of the position.
  ///
  /// If a position query is due at the same time, it is answered.
  @discardableResult
  mutating func buffer(_ percent: Int, held: Double = 0) -> [Effect] {
    let reported = report(.stream(token, .buffering(percent: percent, .decoded(until: position + .seconds(held)))))
    guard let due = nextWake, due <= now else { return reported }
    lastEffects = reported + advance(.zero).filter { $0 != .command(.samplePosition(of: token)) } + measure()
    return lastEffects
  }

  /// Reports that the data of a stream is decoded so many seconds ahead of the position.
  @discardableResult
  mutating func receive(held: Double) -> [Effect] {
    report(.stream(token, .progressed(.decoded(until: position + .seconds(held)))))
  }

  /// Reports a measured position of the current stream or of `stream`; the progress has not changed.
  @discardableResult
  mutating func sample(_ position: Duration, of stream: StreamToken? = nil) -> [Effect] {
    report(.stream(stream ?? token, .sampled(position: position, progress)))
  }

  /// Reports a measured position that equals the machine's own.
  @discardableResult
  mutating func measure() -> [Effect] { sample(position) }

  /// Reports that the data of the current item has ended at a time, and has reached the output; or that more follows after
  /// a gap.
  @discardableResult
  mutating func runOut(at seconds: Double, isGap: Bool = false) -> [Effect] {
    report(.stream(token, .ranOut(.ended(at: .seconds(seconds), isGap: isGap))))
  }

  /// Advances the clock, and answers each measurement with the machine's position, at most with `limit`.
  ///
  /// `data` is the end of the data at the output, or before a gap; nil if more is decoded. Both are in seconds.
  mutating func advance(_ time: Duration, upTo limit: Double, data: Double?, isGap: Bool = false) -> [Effect] {
    let last = now + time
    var caused: [Effect] = []
    let progress = data.map { StreamProgress.ended(at: .seconds($0), isGap: isGap) } ?? StreamProgress()
    while let wake = nextWake, wake <= last {
      let effects = advance(wake - now)
      caused += effects
      guard effects.contains(.command(.samplePosition(of: token))) else { continue }
      let position = min(.seconds(limit), machine.timebase.position(at: now))
      caused += report(.stream(token, .sampled(position: position, progress)))
    }
    return caused + advance(last - now)
  }

  /// Plays the current item from Stopped until the pipeline runs.
  mutating func start(duration: Double? = 10, isSeekable: Bool = true) {
    decide(.play)
    settle(duration: duration, isSeekable: isSeekable)
    run()
  }

  /// Plays the current item from Stopped until the pipeline runs, then pauses.
  mutating func startPaused(duration: Double? = 10, isSeekable: Bool = true) {
    start(duration: duration, isSeekable: isSeekable)
    _ = pause()
  }

  mutating func requireOffer(after stream: StreamToken? = nil) throws -> StreamRequest {
    let offered = offer(after: stream)
    return try #require(offered)
  }

  /// Reports that the stream of a successor is ready.
  @discardableResult
  mutating func settleNext(_ stream: StreamToken, duration: Double? = 10, isSeekable: Bool = true) -> [Effect] {
    let facts = StreamFacts(duration: duration.map { .seconds($0) }, isSeekable: isSeekable)
    return report(.stream(stream, .settled(facts)))
  }

  /// Reports that the current item has ended, and that the next one is audible.
  @discardableResult
  mutating func enterNext(_ stream: StreamToken) -> [Effect] {
    lastEffects = report(.stream(token, .ended(at: nil))) + report(.audible(stream, at: .zero))
    return lastEffects
  }

  /// Opens the next item, whose stream is then ready.
  mutating func prepareNext(duration: Double? = 10) throws -> StreamToken {
    let next = try requireOffer()
    settleNext(next.stream, duration: duration)
    return next.stream
  }

  // MARK: Observed state

  var current: Player.Item? { machine.queue.current }
  var position: Duration { machine.position(at: now) }
  var snapshot: Player.Snapshot { machine.snapshot(at: now) }
  var nextWake: MonotonicTime? { machine.nextWake }
  var playhead: Playhead { machine.playhead(at: now) }
  /// The violated rules between the parts of the machine; empty in a correct program.
  var violations: [String] { machine.violations }
  /// The stream of the last successor; nil if there is none.
  var lastSuccessor: StreamToken? { machine.loaded.successors.last?.token }
  /// The items of the queue; `items` are the items of the first queue.
  var queue: [Player.Item] { machine.queue.items }
  /// The item that follows the current one at its end.
  var following: Player.Item? { machine.queue.following() }
  /// The shuffled order of the queue; nil if it is not shuffled.
  var playOrder: [Int]? { machine.queue.order }
  /// Whether the pipeline has the current item.
  var isLoaded: Bool { machine.phase.isLoaded }
  var isSeeking: Bool { machine.loaded.isSeeking }
  /// Whether the position advances.
  var isAdvancing: Bool { machine.timebase.isRunning }
  /// Whether the pipeline is to play.
  var isWanted: Bool { machine.loaded.isWanted }
  /// The state of the current item's stream.
  var streamState: StreamState {
    switch machine.phase.state {
    case .none: .none
    case .loading: .loading
    case .ready:
      switch machine.loaded.run {
      case .held: .held
      case .starting: .starting
      case .running: .running
      case .ended: .ended
      }
    case .released: .released
    case .outputLost: .outputLost
    case .sourceLost: .sourceLost
    }
  }
  /// The facts on which the transitions depend most.
  var outline: Outline {
    let (stream, item) = (machine.loaded, machine.current)
    return Outline(
      state: streamState, intent: machine.intent, action: machine.settings.actionAtItemEnd, isLocal: current?.isLocal,
      isClip: current?.isClip == true, hasNext: machine.queue.next != nil,
      hasPrevious: machine.queue.previous != nil, isLooped: machine.queue.loop == .track,
      hasNextSeek: stream.seek.hasNext, hasStart: stream.seek.isStarting,
      isSeeking: stream.isSeeking,
      failure: stream.sourceFailure != nil || item.reconnection != nil, isSeekable: item.isSeekable,
      isLive: stream.isLive,
      hasSuccessor: !stream.successors.isEmpty, hasEnded: stream.ended != nil, hasEnough: machine.hasEnough,
      mayStart: !machine.hasEnough && stream.buffer.mayStart,
      isFading: machine.fade.isPausing)
  }

  struct Outline: Hashable {
    var state: StreamState
    var intent: PlaybackMachine.Intent
    var action: Player.ActionAtItemEnd
    var isLocal: Bool?
    var isClip, hasNext, hasPrevious, isLooped, hasNextSeek, hasStart, isSeeking, failure, isSeekable, isLive: Bool
    var hasSuccessor, hasEnded, hasEnough, mayStart, isFading: Bool
  }

  /// The plan that the engine has.
  var plan: [PlannedPart] { machine.engine.plan }
  /// The streams that are open in the engine.
  var openStreams: [StreamToken] { machine.engine.streams }
  /// The settings that the engine has.
  var engineSettings: EngineSettings { machine.engine.settings }
  /// The successors of the current item.
  var successors: Successors { machine.loaded.successors }

  /// Whether a long pause has released the output.
  var isReleased: Bool { machine.phase.isReleased }
}

extension StreamProgress {
  /// Returns the progress of a stream whose received data is all decoded.
  static func decoded(until time: Duration) -> StreamProgress {
    var progress = StreamProgress()
    progress.decode(from: time)
    return progress
  }

  /// Returns the progress of a stream whose data ends at a time, and has reached the output; or has a gap of an hour there.
  static func ended(at time: Duration, isGap: Bool = false) -> StreamProgress {
    var progress = StreamProgress()
    progress.decode(from: .zero)
    let end = isGap ? time + .seconds(3_600) : time
    progress.decode(until: end + (isGap ? .seconds(1) : .zero))
    progress.deliver(until: end, after: isGap ? StreamProgress.Gap(start: time, end: end) : nil)
    return progress
  }
}

extension [Effect] {
  /// The events, without `changed`.
  var events: [Player.Event] {
    compactMap { if case .emit(let event) = $0, event != .changed { event } else { nil } }
  }
  /// The commands for the engine.
  var engineCommands: [EngineCommand] { compactMap { if case .command(let command) = $0 { command } else { nil } } }
  /// The requests of the streams that are opened.
  var opened: [StreamRequest] { engineCommands.compactMap { if case .open(let request) = $0 { request } else { nil } } }
  /// The URIs of the streams that are opened.
  var loads: [String] { opened.map(\.uri) }
  /// The streams that are closed.
  var closed: [StreamToken] { engineCommands.compactMap { if case .close(let stream) = $0 { stream } else { nil } } }
  /// The last plan; nil if none is sent.
  var plan: [PlannedPart]? { engineCommands.compactMap { if case .plan(let plan) = $0 { plan } else { nil } }.last }
  /// The last settings; nil if none are sent.
  var settings: EngineSettings? {
    engineCommands.compactMap { if case .settings(let settings) = $0 { settings } else { nil } }.last
  }
  /// The results of completed seeks, by ticket.
  var finished: [UInt64: [Bool]] {
    reduce(into: [:]) { if case .finishSeek(let ticket, let done) = $1 { $0[ticket.number, default: []].append(done) } }
  }
  var hasChanged: Bool { contains(.emit(.changed)) }
}

extension PlaybackInput {
  static func replaceQueue(
    _ items: [Player.Item], startingAt start: Int = 0, playOrder: [Int]? = nil
  ) -> PlaybackInput {
    .replaceQueue(ItemList(items), startingAt: start, playOrder: playOrder)
  }

  static func insert(_ items: [Player.Item], after id: Player.Item.ID?) -> PlaybackInput {
    .insert(ItemList(items), after: id)
  }

  static func insertAtStart(_ items: [Player.Item]) -> PlaybackInput { .insertAtStart(ItemList(items)) }

  static func remove(_ id: Player.Item.ID) -> PlaybackInput { .remove([id]) }
}

extension Effect {
  fileprivate var finishedTicket: SeekTicket? { if case .finishSeek(let ticket, _) = self { ticket } else { nil } }
}

extension PlayQueue {
  /// Removes one item; returns whether the queue contained it.
  @discardableResult
  mutating func remove(_ id: Player.Item.ID) -> Bool {
    defer { remove([id]) }
    return contains(id)
  }
}
