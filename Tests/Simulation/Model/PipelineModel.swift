import Playback

/// The model of a pipeline: it carries out commands and sends messages as GStreamer 1.22 and 1.26 were measured to do.
///
/// Times are nanoseconds, because a run makes millions of computations. `docs/SEMANTICS.md` lists the behaviours.
final class PipelineModel {
  /// Work of the pipeline that is due at an instant.
  enum Task {
    /// Carries out the next command.
    case command
    /// A command takes longer than its time limit.
    case overdue(Int)
    /// The stream that is being opened is ready.
    case preroll
    /// The pipeline starts to play.
    case start
    /// A start was not confirmed.
    case startMissed
    /// The seek is done.
    case seekDone
    /// The successor with this token is opened.
    case opened(UInt64)
    /// A time of the audible stream is due: its end, `about-to-finish`, or the first buffer of its successor.
    case position(Int)
    /// The file of the stream with this token has been measured.
    case measured(UInt64)
    /// Data arrives.
    case network(Int)
    /// The pipeline is released.
    case release
    /// A message that was posted after so many seeks reaches the player.
    case deliver(EngineEvent, seeks: Int)
  }

  /// The part of a pipeline in the engine.
  enum Role {
    case loaded
    /// Its stream is open for a crossfade.
    case prepared
    /// Its stream was loaded, and fades out.
    case outgoing
    /// Its stream was skipped, and fades out; nothing of it is reported.
    case leaving
    /// Its stream has ended, or was released.
    case over
  }

  let behaviour: Behaviour
  let fade: Int64
  /// The engine, which owns the model.
  var engine: EngineModel { unsafe owner }
  private unowned(unsafe) let owner: EngineModel
  var world: World { engine.world }
  var role = Role.loaded

  /// The number of the pipeline; messages of an older one are dropped.
  var pipeline = 0
  /// The number of the load; the work of an older one is dropped.
  var load = 0
  /// The number of the computation of the next due position.
  var plan = 0
  var commands: [(number: Int, command: EngineCommand)] = []
  var commandCount = 0
  var isWorking = false
  /// The instant until which a call does not return.
  var busyUntil: Int64 = 0
  /// The length of the next call, set by a fault.
  var hang: Int64?
  var lastDelivery: Int64 = 0
  /// The number of messages that have not reached the player.
  var undelivered = 0
  /// The instant of the last change of the pipeline.
  var lastChange: Int64 = 0

  /// The streams in the pipeline; the first is the audible one.
  var streams: [StreamModel] = []
  var isPrerolled = false
  var wantsPlay = false
  var isRunning = false
  var isSeeking = false
  /// The number of seeks that have been carried out.
  var seekCount = 0
  /// The stream that was current when the player sent its last seek.
  var soughtStream: UInt64 = 0
  var isStarting = false
  /// The instant until which the first sample after the last seek is held.
  var heldUntil: Int64 = 0
  /// Whether the audible stream has reached its end, and the pipeline has reported it.
  var hasEnded = false
  /// The instant since which the output runs and has no sample of the audible stream; nil while it has one.
  var silentSince: Int64?
  var anchor: (position: Int64, instant: Int64) = (0, 0)
  var rate = 1.0
  var networkTick = 0

  /// The fades of the audible stream.
  var fades: [FadeRamp] = []
  /// The fade-out of a stream that was skipped, over the instants of the clock: it continues if data is lacking.
  var fadeOut: FadeRamp?
  /// Whether the loaded stream fades in when it starts.
  var fadesIn = false
  /// The stream that starts together with the fade-out of the audible one.
  var second: SecondStart?
  /// Whether a prepared stream is to start as soon as it is ready, and whether this was reported.
  var hasBegun = false
  /// Whether a pause holds the start of a prepared stream.
  var isHeld = false
  var volume = 1.0
  var isMuted = false
  var forwardBuffer: Int64 = 2_000_000_000
  /// The audio before the output whose level cannot be changed any more, in nanoseconds.
  static let fixedAudio: Int64 = 200_000_000

  init(_ engine: EngineModel, number: Int) {
    behaviour = engine.behaviour
    fade = engine.fade
    pipeline = number
    unsafe owner = engine
  }

  var now: Int64 { world.now }

  func after(_ delay: Int64, _ task: Task) {
    world.schedule(.pipeline(task, pipeline: pipeline, load: load), at: now &+ delay)
  }

  /// Returns a random delay of at most so many milliseconds.
  func delay(_ most: Int) -> Int64 { most <= 0 ? 0 : Int64(engine.random.number(0...most)) * 1_000_000 }

  /// Sends a message to the player, after the earlier ones.
  func post(_ event: EngineEvent) {
    guard let event = reported(event) else { return }
    lastDelivery = max(lastDelivery, now + 1_000 + delay(behaviour.messageDelay))
    undelivered += 1
    world.schedule(.pipeline(.deliver(event, seeks: seekCount), pipeline: pipeline, load: load), at: lastDelivery)
    if role == .outgoing { end() }
  }

  func post(failure code: PlayerError.Code, of stream: UInt64, isFromSource: Bool = false) {
    for number in 0..<behaviour.errors {
      // The further errors are consequences, and say less.
      var error = PlayerError(code: number == 0 ? code : .unknown, message: "simulated")
      error.isFromSource = isFromSource
      post(.failed(StreamToken(number: stream), error))
    }
  }

  /// Whether nothing is in progress: no command, message, preroll, start or seek.
  var isCalm: Bool {
    guard
      engine.waiting.isEmpty && commands.isEmpty && !isWorking && undelivered == 0 && !isStarting && !isSeeking
        && !isStuck
        && (streams.isEmpty || isPrerolled)
    else { return false }
    let now = now
    return now - lastChange > 1_500_000_000 && now >= engine.outputStopsUntil
  }

  /// Whether the data of the audible stream has stopped; the position that is shown advances for some time.
  private var isStuck: Bool {
    guard let stream = streams.first, stream.stuckAt != nil else { return false }
    return position(at: now) >= stream.end
  }

  /// Records the end of the played part of the audible stream, before it is removed or replaced.
  func noteHeard() {
    if let stream = streams.first { engine.noteHeard(stream, until: position(at: now)) }
  }

  // MARK: Work

  func perform(_ task: Task, pipeline number: Int, load loadNumber: Int) {
    guard number == pipeline else { return }
    switch task {
    case .deliver(let event, let seeks):
      // The thread that handles messages also carries out the commands; after a call that never returns, it is abandoned.
      if isWorking, busyUntil > now {
        if busyUntil < .max { world.schedule(.pipeline(task, pipeline: number, load: loadNumber), at: busyUntil) }
        return
      }
      undelivered -= 1
      lastChange = now
      engine.forgetRetired()
      // The preroll before a seek does not end the seek.
      if case .settled = event, seeks < seekCount { return }
      return world.deliver(atPresentPosition(event))
    case .command: return nextCommand()
    case .overdue(let number): return overdue(number)
    case .release: return engine.close(self)
    default: break
    }
    guard loadNumber == load else { return }
    switch task {
    case .preroll: preroll()
    case .start: start()
    case .startMissed: startMissed()
    case .seekDone: seekDone()
    case .opened(let token): opened(token)
    case .measured(let token): measured(token)
    case .position(let number): if number == plan { positionDue() }
    case .network(let number): if number == networkTick { networkDue() }
    case .command, .overdue, .release, .deliver: break
    }
  }

  /// Returns an event with the position or the delay at which it is handled: the engine measures it then.
  private func atPresentPosition(_ event: EngineEvent) -> EngineEvent {
    guard let token = streams.first?.token else { return event }
    let present = Duration.nanoseconds(position(at: now))
    switch event {
    case .running(let stream, .some) where stream.number == token: return .running(stream, position: present)
    case .seekRefused(let stream, .some) where stream.number == token: return .seekRefused(stream, position: present)
    case .settled(let stream, var facts) where stream.number == token && facts.position != nil:
      facts.position = present
      return .settled(stream, facts)
    case .nextStarted(let stream, _, let facts, let previousEnd) where engine.prepared === self:
      return .nextStarted(stream, in: .nanoseconds(engine.timeToSecond), facts, previousEnd: previousEnd)
    case .nextStarted(let stream, _, let facts, let previousEnd):
      let index = streams.firstIndex { $0.token == stream.number } ?? 0
      let delay = index == 0 ? 0 : streams.prefix(index).reduce(-position(at: now)) { $0 + $1.end + $1.delayOfNext }
      return .nextStarted(stream, in: .nanoseconds(max(0, delay)), facts, previousEnd: previousEnd)
    default: return event
    }
  }
}

/// A stream in the pipeline.
struct StreamModel {
  let token: UInt64
  let uri: String
  let media: Media
  var isOpen = false
  /// Whether its opening has failed.
  var hasFailed = false
  /// Whether its first sample has reached the output and this was reported.
  var isAtOutput = false
  var isWithdrawn = false
  /// Whether `about-to-finish` was emitted.
  var isRead = false
  /// The media time at which the segment stops.
  var until: Int64?
  /// The media time at which the output ends the stream.
  var cut: Int64?
  /// The media time at which the stream has faded out.
  var fadeEnd: Int64?
  /// The end of the received data in media time.
  var received: Int64 = 0
  /// The media time at which reading began after the last flush.
  var base: Int64 = 0
  /// The media time at which the present connection began to send.
  var requested: Int64 = 0
  /// The greatest end of the parsed data so far.
  var parsed: Int64 = 0
  var receivedAt: Int64 = 0
  /// The media time up to which the server keeps ahead of playback until the next computation.
  var assured: Int64 = 0
  var stallsUntil: Int64 = 0
  var hasStalled = false
  /// Whether the server has closed the connection before the end.
  var isCut = false
  var lastPercent = -1
  /// The end of the received data that was reported last.
  var reported: Int64 = 0
  /// Whether the queue fills, and reports each change of its level.
  var isFilling = true
  var track = 0
  /// Whether all of its data has reached the output, and this was reported.
  var hasRunOut = false

  init(_ token: UInt64, _ uri: String, _ media: Media) {
    self.token = token
    self.uri = uri
    self.media = media
  }

  var length: Int64 { isSilent ? 0 : Int64(media.length) * 1_000_000 }
  var isSilent: Bool { media.fault == .silent }
  /// The media time at which the data stops; nil if it does not.
  var stuckAt: Int64? { if case .stuck(let time) = media.fault { Int64(time) * 1_000_000 } else { nil } }
  /// The time from the end of the stream to the first sample of its gapless successor.
  var delayOfNext: Int64 { media.fault == .farEnd ? 3_600_000_000_000 : 0 }
  /// The media times between which the stream has no sample; nil if it has samples everywhere.
  var gap: Range<Int64>? {
    guard case .gap(let time, let length) = media.fault else { return nil }
    return Int64(time) * 1_000_000..<Int64(time + length) * 1_000_000
  }
  /// Whether the stream follows at the output when the one before it has ended.
  var isDue: Bool { isSilent ? isRead : isAtOutput && !isWithdrawn && !hasFailed }
  /// The media time at which the stream ends.
  var end: Int64 {
    var end = length
    if let until { end = min(end, until) }
    if let cut { end = min(end, cut) }
    if let fadeEnd { end = min(end, fadeEnd) }
    if isCut { end = min(end, received) }
    if let stuckAt { end = min(end, stuckAt) }
    return end
  }
  /// The failure of a stream that cannot be opened.
  var openingFailure: PlayerError.Code {
    switch media.fault {
    case .unopenable: isNetwork ? .httpError : .notFound
    case .empty: .empty
    case .notMedia: .notMedia
    default: .corrupt
    }
  }
  /// Whether a seek of a server's file to its end has left nothing to play, so no sample and no position follow.
  var hasNothingLeft: Bool { isSilent || media.source == .server && base >= end }
  /// The media time that arrives at once after a request; nil for the usual amount.
  var burst: Int64? { media.server.burst.map { Int64($0) * 1_000_000 } }
  var isNetwork: Bool { media.source == .server || media.source == .station }
  /// The URI that the last redirect names; nil if there is none.
  var redirectedURI: String? {
    switch media.server.redirect {
    case .none, .refused: nil
    case .followed, .endless: "https://mirror\(uri.dropFirst("http://server".count))"
    }
  }
  /// Whether all data up to the end has been received.
  var isComplete: Bool { stuckAt == nil && (!isNetwork || isCut || received >= end) }
}
