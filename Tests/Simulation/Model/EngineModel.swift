import Playback

/// The model of the engine: the pipeline of the loaded stream, those of a crossfade, and what they share.
final class EngineModel {
  let behaviour: Behaviour
  let fade: Int64
  var random: RandomSource
  /// The run, which owns the model.
  var world: World { unsafe owner }
  private unowned(unsafe) let owner: World
  private var lastNumber = 0

  // MARK: The pipelines

  private(set) var loaded: PipelineModel!
  private(set) var prepared: PipelineModel?
  /// The stream of the prepared pipeline.
  private(set) var preparedToken: UInt64?
  private(set) var outgoing: PipelineModel?
  private(set) var leaving: PipelineModel?
  /// The stream that was loaded when the leaving pipeline was left; one of its gapless successors may be audible.
  private var leavingToken: UInt64?
  /// The pipelines that are released, and whose last messages have not been delivered.
  private var retired: [PipelineModel] = []
  /// The fade-in of the next load.
  var nextFadeIn: CrossfadeShape?
  /// The crossfade in progress.
  var overlap: Overlap?

  // MARK: The process

  /// The instant at which the engine has started; it is later in a suspension.
  private(set) var startUntil: Int64 = 0
  /// Whether the engine starts, and the commands that wait for it.
  private(set) var isEngineStarting = false
  private(set) var waiting: [EngineCommand] = []
  private var isStartAwaited = false

  // MARK: Output and network

  var outputDownUntil: Int64 = 0
  /// The instant until which the output plays nothing although it runs.
  var outputStopsUntil: Int64 = 0
  /// The instant until which no call into the output returns.
  var outputBlockedUntil: Int64 = 0
  /// The instant until which an abandoned pipeline hangs in the output; nothing is loaded before.
  var abandonedUntil: Int64 = 0
  var networkDownUntil: Int64 = 0
  var isSilent = false
  /// The longest call so far, in nanoseconds.
  var longestHang: Int64 = 0
  /// The number of seeks that were sent while one was in progress.
  var overlappingSeeks = 0
  /// A track that was selected before its stream is loaded.
  var selected: (stream: UInt64, track: Int)?
  /// The settings that a further pipeline gets.
  private var settings: [EngineCommand] = []
  /// The media time up to which each stream of a URI was played, in the order of the streams.
  private var heard: [String: [(token: UInt64, time: Int64)]] = [:]

  init(_ scenario: Scenario, world: World) {
    behaviour = scenario.behaviour
    fade = Int64(scenario.settings.fade) * 1_000_000
    random = RandomSource(seed: scenario.seed)
    unsafe owner = world
    loaded = PipelineModel(self, number: newNumber())
  }

  var now: Int64 { world.now }

  func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// The pipelines beside the loaded one.
  var others: [PipelineModel] { [prepared, outgoing, leaving].compactMap(\.self) }

  /// The open pipelines, the loaded one first.
  var pipelines: [PipelineModel] { [loaded, prepared, outgoing, leaving].compactMap(\.self) }

  func perform(_ task: PipelineModel.Task, pipeline number: Int, load: Int) {
    let pipeline = loaded.pipeline == number ? loaded : (others + retired).first { $0.pipeline == number }
    pipeline?.perform(task, pipeline: number, load: load)
  }

  // MARK: Commands

  func receive(_ command: EngineCommand) {
    if isEngineStarting {
      if case .load = command, !isStartAwaited {
        isStartAwaited = true
        // The player, which has given the command, receives no event before it returns.
        world.schedule(.call { [self] in if isStartAwaited { world.deliver(.starting(true)) } }, at: now)
      }
      return waiting.append(command)
    }
    note(command)
    switch command {
    case .setSink:
      // Another output does not block.
      if now < outputBlockedUntil { outputStopsUntil = now }
      (outputBlockedUntil, abandonedUntil) = (0, 0)
      return replacePipelines()
    case .prepare(_, let stream, _):
      release(\.prepared)
      let pipeline = PipelineModel(self, number: newNumber())
      pipeline.role = .prepared
      (prepared, preparedToken) = (pipeline, stream.number)
      for setting in settings { pipeline.receive(setting) }
      return pipeline.receive(command)
    case .endStream(let stream, _) where stream.number == preparedToken:
      prepared?.receive(command)
      return
    case .enter(let stream): return enter(stream.number)
    case .leave(let stream, let shape): return leave(stream.number, shape)
    case .release(let stream): return release(stream.number)
    case .load: release(\.prepared)
    case .unload: releaseOthers()
    case .setVolume, .setMuted, .fade, .setForwardBuffer, .setPlaying:
      for pipeline in others { pipeline.receive(command) }
    default: break
    }
    loaded.receive(command)
  }

  private func note(_ command: EngineCommand) {
    switch command {
    case .setVolume, .setMuted, .setForwardBuffer, .setCrossfading, .setLowPowerMode:
      settings.removeAll { $0.name == command.name }
      settings.append(command)
    default: break
    }
  }

  /// Another program has changed the volume of the streams.
  func changeVolume(_ volume: Double, isMuted: Bool) {
    note(.setVolume(volume))
    note(.setMuted(isMuted))
    for pipeline in pipelines { (pipeline.volume, pipeline.isMuted) = (volume, isMuted) }
  }

  private func enter(_ stream: UInt64) {
    guard let second = prepared, preparedToken == stream, let first = loaded else { return }
    release(\.outgoing)
    (prepared, preparedToken, loaded) = (nil, nil, second)
    first.role = .outgoing
    second.enter()
    // Its messages are on their way.
    outgoing = first
    if first.hasEnded || first.streams.isEmpty { first.end() }
  }

  private func leave(_ stream: UInt64, _ shape: CrossfadeShape) {
    guard let first = loaded else { return }
    releaseOthers()
    loaded = PipelineModel(self, number: newNumber())
    for setting in settings { loaded.receive(setting) }
    nextFadeIn = shape
    guard first.audibleLevel > 0 else { return close(first) }
    first.role = .leaving
    first.fadeOut = FadeRamp(out: shape, from: now, rate: 1)
    first.second = nil
    (leaving, leavingToken) = (first, stream)
    first.replan()
    first.after(shape.length.wholeNanoseconds, .release)
  }

  private func release(_ stream: UInt64) {
    if preparedToken == stream {
      release(\.prepared)
      loaded.receive(.release(StreamToken(number: stream)))
    } else if outgoing?.streams.first?.token == stream {
      release(\.outgoing)
    } else if leaving != nil, leavingToken == stream {
      release(\.leaving)
    } else {
      loaded.receive(.release(StreamToken(number: stream)))
    }
  }

  /// Releases the pipelines beside the loaded one.
  private func releaseOthers() {
    release(\.prepared)
    release(\.outgoing)
    release(\.leaving)
  }

  private func release(_ pipeline: ReferenceWritableKeyPath<EngineModel, PipelineModel?>) {
    guard let released = self[keyPath: pipeline] else { return }
    self[keyPath: pipeline] = nil
    released.noteHeard()
    overlapEnds(released)
    released.role = .over
    close(released)
  }

  /// Releases a pipeline whose stream has ended.
  func close(_ pipeline: PipelineModel) {
    if prepared === pipeline { (prepared, preparedToken) = (nil, nil) }
    if prepared == nil { preparedToken = nil }
    if outgoing === pipeline { outgoing = nil }
    if leaving === pipeline { leaving = nil }
    pipeline.load += 1
    pipeline.role = .over
    pipeline.reset()
    pipeline.commands = []
    pipeline.isWorking = false
    pipeline.busyUntil = 0
    if pipeline.undelivered > 0 { retired.append(pipeline) }
  }

  func forgetRetired() { retired.removeAll { $0.undelivered == 0 } }

  /// Abandons a pipeline beside the loaded one whose call takes too long.
  func abandonSecond(_ pipeline: PipelineModel, isInOutput: Bool) {
    let hang = isInOutput ? EngineHang.output : .item
    let error = PlayerError(code: isInOutput ? .output : .loadTimeout, message: hang.sentence)
    var event: EngineEvent?
    if pipeline === prepared, let stream = preparedToken {
      event = .failed(StreamToken(number: stream), pipeline.unusable(error))
    } else if pipeline === outgoing, let stream = pipeline.streams.first?.token {
      event = .ended(StreamToken(number: stream))
    }
    pipeline.noteHeard()
    overlapEnds(pipeline)
    close(pipeline)
    if let event { world.deliver(event) }
  }

  /// Replaces the pipelines by an empty one with the default settings; their messages are dropped.
  func replacePipelines() {
    releaseOthers()
    retired = []
    (settings, nextFadeIn) = ([], nil)
    loaded.replacePipeline()
  }

  // MARK: The process

  /// Replaces the whole engine by another one, which starts.
  func replaceEngine() {
    replacePipelines()
    (waiting, isStartAwaited) = ([], false)
    startUntil = now + Int64(behaviour.engineStart) * 1_000_000
    isEngineStarting = startUntil > now
    guard isEngineStarting else { return }
    world.schedule(
      .call { [self, number = loaded.pipeline] in if loaded.pipeline == number { started() } }, at: startUntil)
  }

  /// Carries out the commands that have waited for the start of the engine.
  private func started() {
    if isStartAwaited { world.deliver(.starting(false)) }
    let commands = waiting
    (waiting, isStartAwaited, isEngineStarting) = ([], false, false)
    for command in commands { receive(command) }
  }

  // MARK: Streams

  /// The time until the prepared stream is audible.
  var timeToSecond: Int64 {
    guard let start = loaded.second else { return 0 }
    return max(0, loaded.isRunning ? loaded.instant(of: start.position) - now : start.position - loaded.anchor.position)
  }

  // MARK: What was played

  /// Returns the media time up to which a URI was played since the last call of `forgetHeard`, by a stream or an earlier one.
  func heard(of uri: String, until token: UInt64) -> Int64 {
    var time = heard[uri]?.reduce(0) { $1.token <= token ? max($0, $1.time) : $0 } ?? 0
    for pipeline in [loaded, outgoing] {
      if let pipeline, let stream = pipeline.streams.first, stream.uri == uri, stream.token <= token {
        time = max(time, pipeline.position(at: now))
      }
    }
    return time
  }

  /// Forgets the passages of a URI before the present one, which a stream plays.
  ///
  /// While a call hangs, this stream and its successors may have been played before the player knows of their starts.
  func forgetHeard(of uri: String, before token: UInt64) {
    let audible = loaded.streams.first?.token ?? 0
    // The ends of these items are yet to be reported.
    let fading = world.checker.fades.outgoing.map(\.stream)
    heard[uri]?.removeAll { !fading.contains($0.token) && ($0.token < token || $0.token >= audible) }
  }

  func noteHeard(_ stream: StreamModel, until time: Int64) {
    var passages = heard[stream.uri] ?? []
    if let last = passages.last, last.token == stream.token {
      passages[passages.count - 1].time = max(last.time, time)
    } else {
      passages.append((stream.token, time))
    }
    heard[stream.uri] = passages
  }
}

extension EngineCommand {
  fileprivate var name: String { String("\(self)".prefix { $0 != "(" }) }
}
