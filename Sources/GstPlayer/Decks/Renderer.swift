import Dispatch
import EngineProcess
import Joining
import Playback

/// Writes the samples of a joiner into an output, and reports which part is audible.
///
/// Samples are written ahead of the audible one, as far as the output allows. The joiner returns the next samples, or the reason to
/// wait for them:
///
/// - A deck has not decoded the next samples: the output plays to its last sample, and plays later samples when they arrive.
/// - The next part begins later: it is written shortly before it is audible, so an edit before that costs nothing.
/// - The next part has another format: the output plays to its last sample, and is reopened. For other caps, a sink with a
///   ring buffer closes its stream and drops what it has buffered, 0.75 s of 1 s, and its new stream drops the samples that
///   are due before it opens.
///
/// Everything runs on the executor of the engine. A start and an end are reported when they are audible.
actor Renderer {
  enum Event: Sendable, Equatable {
    /// A part is audible from this media time on.
    case began(Part.ID, at: Duration)
    /// The last sample of a part was played; its media ended at this time.
    case ended(Part.ID, at: Duration)
    /// The output is silent, because the samples of this passage are missing.
    case dry(Passage)
    /// The next samples of this passage are missing, and the output has others for this time; reported once until some arrive.
    case waiting(Passage, rest: Duration)
    /// The audible part continues, after the output was opened, flushed or paused, or after ``dry(_:)``.
    case resumed
    /// The last sample of the plan was played.
    case playedOut
    /// The output plays, after it was opened, flushed or paused.
    case playing
    /// The output has samples, and has not begun to play within the time that it has for that.
    case startMissed
    /// The samples of a passage before a frame have been written.
    case used(Passage, before: Int64)
    /// The output failed, and is closed until ``Renderer/resume()``.
    case failed(PlayerError)
    case warning(String)
    case pauseRequested, resumeRequested
  }

  nonisolated let executor: PipelineExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private var joiner: Joiner
  private var output: Output?
  /// The number of the present output; events of earlier ones are ignored.
  private var outputNumber = 0
  private let report: @Sendable (Event) -> Void
  /// The parts that were set last.
  private var plan: [Part] = []
  private var isPlaying = false
  private var speed = 1.0
  /// Whether the device was released because it is suspended, or has failed.
  private var isSuspended = false
  /// Whether the output was opened, flushed or paused since a part was reported as audible.
  private var isInterrupted = true
  /// The start at an instant that is to come, or whose first sample is written.
  private var entrance: Entrance?
  /// The passage whose samples are missing, as it was reported.
  private var missing: Passage?
  /// The reason for the present silence, as it was reported.
  private var silence: Event?
  /// The first samples of parts that begin beside another one, or that are not in the plan yet.
  private var arriving: [Passage: [Block]] = [:]
  /// The frames before which the samples of each passage were reported as written.
  private var used: [Passage: Int64] = [:]
  private let clock: any PlaybackClock
  private var wakes = Wakes()
  /// Whether the output has samples that it does not play.
  private var isStarting = false
  /// The instants at which there is something to do.
  private struct Wakes {
    /// A start or an end is audible, the output has room, or a part may be written.
    var pump: MonotonicTime?
    /// The output is closed after its end.
    var close: MonotonicTime?
    /// The output has had samples for too long without playing them.
    var startMissed: MonotonicTime?
    /// The wake-up that the clock has.
    var set: MonotonicTime?

    var first: MonotonicTime? { [pump, close, startMissed].compactMap(\.self).min() }
  }

  /// The time before a join at which the next part is written, in addition to the samples that are written at once.
  private static let lead = Duration.milliseconds(300)
  /// The time after the last sample at which the output is closed: a server on a busy machine plays later than its clock
  /// reports, and a close drops the samples that are left: up to 15 ms.
  private static let drainTime = Duration.milliseconds(100)
  /// The duration of the first samples after a start, so that they are audible soon.
  private static let firstChunk = Duration.milliseconds(200)
  /// The least duration of samples that are written at once.
  private static let leastChunk = Duration.milliseconds(40)
  /// The duration of samples ahead with which the output waits for a part that sounds beside another one.
  private static let patience = Duration.milliseconds(100)
  /// The duration of samples with which such a part begins.
  private static let reserve = Duration.milliseconds(200)

  /// The time that the output has to begin to play.
  private let startLimit: Duration

  /// Creates a renderer without an output, which has the only wake-up of its clock.
  init(
    _ executor: PipelineExecutor, _ format: PCMFormat, clock: any PlaybackClock, startLimit: Duration = .seconds(3),
    report: @escaping @Sendable (Event) -> Void
  ) {
    (self.executor, self.clock, self.startLimit, self.report) = (executor, clock, startLimit, report)
    joiner = Joiner(format)
  }

  deinit { clock.setWake(at: nil) {} }

  // MARK: Output

  /// Plays through another output, from the audible sample on; nil for none.
  ///
  /// The closure of events is called on threads of GStreamer.
  func setOutput(
    _ make: ((@escaping @Sendable (Output.Event) -> Void) throws(PlayerError) -> Output)?
  ) throws(PlayerError) {
    closeOutput()
    output = nil
    isSuspended = false
    outputNumber += 1
    guard let make else { return }
    let number = outputNumber
    output = try make { [weak self, executor] event in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.handle(event, from: number) } }
    }
    pump()
  }

  private func handle(_ event: Output.Event, from number: Int) {
    guard number == outputNumber, let output else { return }
    switch event {
    case .playing:
      output.start()
      report(.playing)
      // It may be the start before a pause.
      if isInterrupted, isPlaying {
        isInterrupted = false
        report(.resumed)
      }
      pump()
    case .failed(let error): if output.format != nil { failed(error) }
    case .warning(let text): report(.warning(text))
    case .pauseRequested: report(.pauseRequested)
    case .resumeRequested: report(.resumeRequested)
    case .clockLost: output.selectClock()
    case .latencyChanged: output.updateLatency()
    case .drained(let number):
      output.noteDrained(number)
      pump()
    }
  }

  private func failed(_ error: PlayerError) {
    suspend()
    report(.failed(error))
  }

  /// Plays or pauses.
  func setPlaying(_ isPlaying: Bool) {
    if isPlaying != self.isPlaying { isInterrupted = true }
    self.isPlaying = isPlaying
    isSuspended = false
    // The end is reported again.
    if silence == .playedOut { silence = nil }
    noteHeard()
    output?.setPlaying(isPlaying)
    limitStart()
    // The time of the output stands in a pause.
    if !isPlaying { restartEntrance() }
    pump()
  }

  /// Starts the next samples of a plan at an instant, instead of the written samples; nil for at once.
  func start(at instant: MonotonicTime?, _ parts: [Part]) {
    guard instant != nil || entrance != nil else { return }
    restartEntrance()
    plan = parts
    entrance = instant.map { Entrance(at: $0) }
    noteHeard()
    joiner.setPlan(plan, from: joiner.heard)
    flush()
    pump()
  }

  /// Discards the silence before a start at an instant; the start is prepared again when the output plays.
  private func restartEntrance() {
    guard let instant = entrance?.instant, entrance?.isPrimed == true else { return }
    guard instant > clock.now else { return entrance = nil }
    entrance?.restart()
    joiner.setPlan(plan, from: joiner.heard)
    flush()
  }

  /// Discards written samples that are not audible yet.
  private func flush() {
    isInterrupted = true
    output?.flush(to: joiner.written, speed: speed)
  }

  /// Plays at another speed, from the audible sample on.
  func setSpeed(_ speed: Double) {
    guard speed != self.speed else { return }
    self.speed = speed
    noteHeard()
    joiner.setPlan(plan, from: joiner.heard)
    flush()
    pump()
  }

  /// Notes that the server of the present output is PipeWire.
  func notePipeWire() { output?.notePipeWire() }

  /// Releases the device; the next samples open it again, and playback continues with the audible one.
  func closeOutput() {
    noteHeard()
    output?.close()
    entrance?.restart()
    joiner.setPlan(plan, from: joiner.heard)
    wakes = Wakes(set: wakes.set)
    limitStart()
    setWake()
  }

  /// Releases a device that was suspended until it is resumed.
  ///
  /// After a suspension, libpulse misjudges the time of a stream that was paused before by 0.7 s, for a minute.
  func suspend() {
    isSuspended = true
    closeOutput()
  }

  /// Opens a device that was suspended or has failed again, with the audible sample.
  func resume() {
    guard isSuspended else { return }
    isSuspended = false
    pump()
  }

  /// Plays nothing more, and releases the device; if the plan was played to its end, once the server has played the last
  /// samples.
  func end() {
    plan = []
    noteHeard()
    guard let output, output.format != nil, joiner.heard == joiner.written, output.rest(Self.drainTime) > .zero
    else {
      return closeOutput()
    }
    joiner.setPlan(plan, from: joiner.heard)
    wakes.close = clock.now + output.rest(Self.drainTime)
    setWake()
  }

  // MARK: Plan

  /// Replaces the plan: the current part first, then the parts that follow it.
  func setPlan(_ parts: [Part], from edit: PlanEdit) {
    plan = parts
    if silence == .playedOut { silence = nil }
    noteHeard()
    for part in parts where part.join == .gapless { addArrived(of: part.passage) }
    let difference = joiner.difference(from: parts)
    let start = edit == .now ? joiner.heard : min(difference, joiner.lateStart(of: parts) ?? difference)
    change(from: start, isWhole: edit == .difference && difference <= joiner.heard)
    pump()
  }

  /// Writes the plan again from a frame on, or from the first frame that can be replaced.
  ///
  /// If no audible part continues, `isWhole`, a flush is faster: the next samples do not wait for the samples in transit.
  private func change(from frame: Int64, isWhole: Bool = false) {
    guard let output, output.format != nil else { return joiner.setPlan(plan, from: frame) }
    let frame = isWhole ? joiner.heard : max(frame, output.replaceable)
    guard frame < output.written else { return joiner.setPlan(plan, from: frame) }
    if !isWhole, !output.hasRing || isPlaying {
      return joiner.setPlan(plan, from: output.rewind(to: frame))
    }
    // A flush discards all samples that are not audible yet.
    joiner.setPlan(plan, from: joiner.heard)
    flush()
  }

  /// Changes the volume of everything from now on; returns the time until the change is complete at the output.
  func fade(from start: Double? = nil, to level: Double, over time: Duration) -> Duration {
    noteHeard()
    change(from: joiner.heard)
    joiner.fade(from: start, to: level, over: time * speed)
    pump()
    return joiner.format.time(at: max(0, (joiner.fadeEnd ?? joiner.heard) - joiner.heard)) / speed
  }

  // MARK: Decks

  /// Adds blocks of a passage; returns false if the passage's earlier blocks have another format.
  @discardableResult func append(_ blocks: [Block]) -> Bool {
    guard let first = blocks.first else { return true }
    let passage = first.passage
    if missing == passage { missing = nil }
    let isFirst = joiner.frames(of: passage) == 0
    // Of one that is not in the plan yet, this is not known.
    let isAlone = plan.contains { $0.passage == passage && $0.join == .gapless }
    guard isFirst, !isAlone else {
      let isAdded = add(blocks)
      pump()
      return isAdded
    }
    // With a reserve it does not fall silent again.
    arriving[passage, default: []] += blocks
    let frames = arriving[passage]?.reduce(0) { $0 + $1.frames } ?? 0
    guard first.format.time(at: frames) >= Self.reserve else { return true }
    return addArriving(passage)
  }

  private func add(_ blocks: [Block]) -> Bool { blocks.reduce(true) { joiner.append($1) && $0 } }

  /// Adds the first samples of a part that begins beside another one; frames that were written without it are written
  /// again.
  private func addArriving(_ passage: Passage) -> Bool {
    let isAdded = addArrived(of: passage)
    if let start = joiner.lateStart(of: plan) {
      noteHeard()
      change(from: start)
    }
    pump()
    return isAdded
  }

  /// Adds the first samples of a passage that were kept; returns false if their formats differ.
  @discardableResult private func addArrived(of passage: Passage) -> Bool {
    add(arriving.removeValue(forKey: passage) ?? [])
  }

  /// Notes that a deck has decoded a passage to the end of its media.
  func finish(_ passage: Passage) {
    if arriving[passage] != nil { _ = addArriving(passage) }
    joiner.finish(passage)
    pump()
  }

  /// Discards the samples of a passage, because its deck is closed.
  func discard(_ passage: Passage) {
    joiner.discard(passage)
    (used[passage], arriving[passage]) = (nil, nil)
  }

  /// The passage that its deck has to convert for an overlap, and the format; see ``Joiner/conversion``.
  var conversion: (passage: Passage, format: PCMFormat)? { joiner.conversion }

  /// Whether the device is open.
  var isOpen: Bool { output?.format != nil }

  // MARK: Position

  /// Returns the audible media time of a part; nil while it does not sound.
  func position(of part: Part.ID) -> Duration? {
    noteHeard()
    return joiner.position(of: part, at: joiner.heard)
  }

  private func noteHeard() {
    let isOpen = output?.format != nil
    report(joiner.heard(isOpen ? output?.heard ?? joiner.heard : joiner.heard))
  }

  private func report(_ events: [Joiner.Event]) {
    for event in events {
      switch event {
      case .began(let part, let time):
        isInterrupted = false
        report(.began(part, at: time))
      case .ended(let part, let time): report(.ended(part, at: time))
      }
    }
  }

  // MARK: Samples

  /// Writes samples while the output has room for them, and schedules the next wake-up.
  private func pump() {
    noteHeard()
    guard let output, !isSuspended, enter(output) else { return }
    var wake: Duration?
    var cover: Duration?
    writing: while output.format == nil || output.level <= output.capacity - output.chunk {
      let level = output.format == nil ? .zero : output.level
      // PulseAudio renders a stream that has much more before its start a buffer later: 0.65 s.
      if output.hasRing, output.rest(.zero) > .zero, !output.isRunning { break }
      // Samples that are due soon must not wait for later ones.
      let time = level <= .zero ? Self.firstChunk : max(Self.leastChunk, level)
      let (limit, lead) = (min(time, output.chunk), Self.lead + output.chunk)
      let isPatient = output.hasRing && level > Self.patience
      switch joiner.next(
        joiner.format.frame(at: limit), lead: joiner.format.frame(at: lead), isPatient: isPatient)
      {
      case .samples(let bytes):
        let frame = joiner.written - Int64(bytes.count / joiner.format.bytesPerFrame)
        if output.format == nil { guard open(output, at: frame) else { return } }
        output.write(bytes, at: frame)
        guard silence != nil else { continue }
        silence = nil
        report(.resumed)
      case .holding(let frame):
        cover = output.coverReplaced()
        wake = joiner.format.time(at: frame - joiner.heard)
        break writing
      case .reopening(let format):
        cover = output.coverReplaced()
        if output.format != nil {
          // The clock may be ahead of the audible sample.
          let rest = output.rest(Output.clockTolerance)
          guard rest <= .zero else {
            wake = rest * speed
            break writing
          }
          guard output.isDrained() else { break writing }
          output.close()
        }
        report(joiner.reopened(format))
      case .waiting(let passage):
        if missing != passage {
          missing = passage
          report(.waiting(passage, rest: max(.zero, level)))
        }
        cover = output.coverReplaced()
        wake = isPatient ? (level - Self.patience) * speed : timeToEnd(output, then: .dry(passage))
        break writing
      case .ended:
        cover = output.coverReplaced()
        wake = timeToEnd(output, then: .playedOut)
        break writing
      }
    }
    if let cover { wake = min(wake ?? cover * speed, cover * speed) }
    for (passage, frame) in joiner.next where used[passage] != frame {
      used[passage] = frame
      report(.used(passage, before: frame))
    }
    schedule(wake)
  }

  /// Prepares a start at an instant; returns false while no sample can be written.
  private func enter(_ output: Output) -> Bool {
    guard var entrance else { return true }
    if entrance.isPlaced {
      if entrance.instant <= clock.now { self.entrance = nil }
      return true
    }
    guard isPlaying else { return false }
    let early = entrance.instant - clock.now - EngineCommand.startLead
    guard early <= .zero else {
      pump(in: early)
      return false
    }
    if !entrance.isPrimed, !openForNext(output) { return false }
    let step = entrance.advance(output, clock)
    self.entrance = entrance
    switch step {
    case .ready:
      if silence != nil { report(.resumed) }
      silence = nil
      return true
    case .again(let time): pump(in: time)
    case .starting: break
    }
    return false
  }

  /// Opens the output for the next sample, without writing it; returns false while there is none, or after a failure.
  private func openForNext(_ output: Output) -> Bool {
    while true {
      let frame = joiner.written
      switch joiner.next(1) {
      case .samples:
        joiner.setPlan(plan, from: frame)
        return output.format != nil || open(output, at: frame)
      case .reopening(let format):
        output.close()
        report(joiner.reopened(format))
      case .holding, .waiting, .ended: return false
      }
    }
  }

  /// Writes samples after a duration.
  private func pump(in time: Duration) {
    wakes.pump = clock.now + time
    setWake()
  }

  /// Sets the wake-up of the clock to the first of the instants.
  private func setWake() {
    guard wakes.first != wakes.set else { return }
    wakes.set = wakes.first
    clock.setWake(at: wakes.set) { [weak self, executor] in
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.wake() } }
    }
  }

  private func wake() {
    let now = clock.now
    wakes.set = nil
    if let close = wakes.close, close <= now {
      wakes.close = nil
      if joiner.heard == joiner.written { closeOutput() }
    }
    if let missed = wakes.startMissed, missed <= now {
      wakes.startMissed = nil
      limitStart()
      if isStarting { report(.startMissed) }
    }
    if let pump = wakes.pump, pump <= now {
      wakes.pump = nil
      self.pump()
    }
    setWake()
  }

  /// Returns the time until the last written sample has been played; reports the silence after it.
  private func timeToEnd(_ output: Output, then silence: Event) -> Duration? {
    if output.format != nil, joiner.heard < joiner.written { return max(.zero, output.level) * speed }
    // An empty part has just begun and ended.
    noteHeard()
    // A pause at the end of the plan is not its end.
    if isPlaying, !plan.isEmpty, self.silence != silence, silence != .playedOut || output.isDrained() {
      self.silence = silence
      report(silence)
    }
    return nil
  }

  /// Opens the device; reports a failure, and returns false.
  private func open(_ output: Output, at frame: Int64) -> Bool {
    do throws(PlayerError) {
      try output.open(joiner.format, at: frame)
    } catch {
      failed(error)
      return false
    }
    if speed != 1 { output.flush(to: frame, speed: speed) }
    isInterrupted = true
    output.setPlaying(isPlaying)
    return true
  }

  /// Limits the time until the output plays the samples that it has.
  private func limitStart() {
    let isStarting =
      isPlaying && joiner.heard < joiner.written && output.map { $0.format != nil && !$0.isRunning } ?? false
    guard isStarting != self.isStarting else { return }
    self.isStarting = isStarting
    wakes.startMissed = isStarting ? clock.now + startLimit : nil
    setWake()
  }

  /// Wakes after a duration of the media, when the output has room, or when a start or an end is audible.
  private func schedule(_ wake: Duration?) {
    limitStart()
    var wait: Duration?
    // Until the output plays, its time stands.
    if isPlaying, let output, output.isRunning {
      wait = wake
      if wait == nil, silence == nil { wait = (output.level - output.capacity + output.chunk) * speed }
      if let event = joiner.nextEvent {
        let time = max(.zero, output.time(until: event) * speed)
        wait = min(wait ?? time, time)
      }
    }
    // A millisecond more, because the clock is read in whole frames.
    wakes.pump = wait.map { clock.now + max(.zero, $0 / speed) + .milliseconds(1) }
    setWake()
  }
}
