import CGst
import Dispatch
import Playback

/// Sole owner of the playbin: carries effects out and turns its messages into events, all on one executor.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/playbin.html>
@safe actor Pipeline {
  nonisolated let executor: PipelineExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  let configuration: PlayerConfiguration
  let context: PipelineContext
  let report: @Sendable (EngineEvent) -> Void
  let sinkMemory: AudioSink.Memory
  /// The volume of an output that has none of its own; the playbin keeps it.
  var ownVolume: UnsafeMutablePointer<GstElement>?
  /// What the sound goes through; the playbin keeps it.
  var filter: UnsafeMutablePointer<GstElement>?
  /// What takes the sound down and up; nil where nothing does.
  var fade: SoundFade?
  /// Whether the tempo has been changed with what the filter has for it.
  private var isTempoUsed = false
  var playbin: UnsafeMutablePointer<GstElement>?
  var failure: PlayerError?
  var volume: Double
  var isMuted = false
  var forwardBuffer: Duration?
  var stream = StreamToken(number: 0)
  private var uri = ""
  /// The stream whose failure is being looked into; what else it posts is a consequence.
  private var explained: StreamToken?
  private var isExplaining = false
  private var hasConsequence = false
  private(set) var hasPrerolled = false
  /// The state that was requested last.
  private var requestedState = GST_STATE_NULL
  /// Runs from a start until the pipeline plays.
  private let startTimer: WakeTimer
  private(set) var isLive = false
  /// Whether the output was started since the load.
  var hasStarted = false
  /// While the clock of the output stands where it was at the start.
  var earlyClock: EarlyClock?
  /// The output, to which the context holds a reference.
  var output: UnsafeMutablePointer<GstElement>?
  var outputInUse = OutputInUse()
  /// While there is an output whose end is to be noticed.
  var outputWatch: AudioOutputWatch?
  /// Whether no output opened, and the sound is discarded against the clock.
  var isSilent = false
  /// The factory of an automatic output without a sound server; another output replaces it when it fails.
  var replaceableOutput: String?
  /// Whether the output has failed, and is unloaded next.
  var isOutputLost = false
  /// While it plays silently, or the output has failed.
  var outputSearch: OutputSearch?

  init(
    configuration: PlayerConfiguration, sinkMemory: AudioSink.Memory, executor: PipelineExecutor,
    context: PipelineContext, report: @escaping @Sendable (EngineEvent) -> Void
  ) {
    self.sinkMemory = sinkMemory
    self.configuration = configuration
    self.executor = executor
    self.context = context
    self.report = report
    startTimer = WakeTimer(queue: executor.queue)
    volume = configuration.volume
    forwardBuffer = configuration.preferredForwardBufferDuration
  }
}

extension Pipeline {
  // MARK: Life

  /// Initialises GStreamer and makes the playbin; a failure is reported with the first load.
  func open() {
    do throws(PlayerError) {
      try makePlaybin()
    } catch {
      failure = error
    }
  }

  /// Ends everything; nothing is reported afterwards.
  func close() {
    outputWatch = nil
    outputSearch = nil
    startTimer.set(nil) {}
    guard let playbin = unsafe playbin else { return }
    unsafe self.playbin = nil
    unsafe ownVolume = nil
    unsafe filter = nil
    fade = nil
    unsafe output = nil
    context.audioTracks.close()
    if let bus = unsafe gst_element_get_bus(playbin) {
      unsafe gst_bus_set_flushing(bus, 1)
      unsafe gst_object_unref(bus)
    }
    unsafe gst_element_set_state(playbin, GST_STATE_NULL)
    unsafe gst_object_unref(playbin)
    unsafe context.output.set(nil)
    unsafe context.decoder.set(nil)
  }

  // MARK: Effects

  func perform(_ command: EngineCommand) {
    switch command {
    case .unload:
      outputSearch = nil
      context.audioTracks.close()
      setState(GST_STATE_NULL)
      hasPrerolled = false
      if isOutputLost { replaceOutput() }
    case .setPlaying(let playing): setPlaying(playing)
    case .seek(let target, let rate, let exactly, let end): seek(to: target, rate: rate, exactly: exactly, until: end)
    case .endStream(let stream, let time): if !context.gate.end(stream, at: time) { report(.endMissed(stream)) }
    case .withdraw(let stream): if context.gate.withdraw(stream) { endAtEntry() }
    case .selectAudioTrack(let index, let stream): context.audioTracks.select(index, of: stream)
    case .setVolume(let value): setVolume(value)
    case .setMuted(let muted): setMuted(muted)
    case .fade(let direction): fade?.turn(direction)
    case .setForwardBuffer(let duration): forwardBuffer = duration
    case .setAudioLanguages(let languages): context.audioTracks.prefer(languages)
    case .samplePosition:
      // Once a successor is at the output, the position is that one's.
      if let position, context.streamAtSink == stream {
        report(.sampled(stream, position: position, context.progress(of: stream)))
      }
    // The host does these.
    case .load, .setSink: break
    }
  }

  @discardableResult
  private func setState(_ state: GstState) -> GstStateChangeReturn {
    requestedState = state
    if state != GST_STATE_PLAYING { startTimer.set(nil) {} }
    guard let playbin = unsafe playbin else { return GST_STATE_CHANGE_FAILURE }
    return unsafe gst_element_set_state(playbin, state)
  }

  /// Lets go of what was loaded before.
  func makeRoom() {
    context.audioTracks.close()
    // A playbin that has not prerolled counts as READY already, and would keep the old decoders: only NULL clears it.
    setState(hasPrerolled && !context.hasFailed ? GST_STATE_READY : GST_STATE_NULL)
    // So does the decoder of a gapless successor that was interrupted. It is looked at after the change to READY, which
    // waits for the streaming threads: none of them adds a successor from here on.
    if context.decoderKeepsSource { setState(GST_STATE_NULL) }
    hasPrerolled = false
    hasStarted = false
    earlyClock = nil
  }

  /// Opens an item, in a pipeline with room for it.
  func load(_ uri: String, _ stream: StreamToken) {
    self.stream = stream
    isLive = false
    context.begin(stream)
    guard let playbin = unsafe playbin, failure == nil else {
      return report(.failed(stream, failure ?? PlayerError(.unknown, "the player is closed")))
    }
    if let error = MediaURI.failure(of: uri) { return context.deliver(.event(.failed(stream, error))) }
    self.uri = uri
    unsafe GLib.set(playbin, "uri", to: uri)
    if isTempoUsed, let filter = unsafe filter {
      unsafe SoundFilter.renewTempo(in: filter)
      isTempoUsed = false
    }
    fade?.begin(afterFlush: false)
    setVolume(volume)
    setMuted(isMuted)
    unsafe setBufferSize(playbin)
    context.lookForChapters(uri, of: stream)
    switch setState(GST_STATE_PAUSED) {
    case GST_STATE_CHANGE_FAILURE:
      // The element that failed has posted its own error before; this one only counts when it has not.
      context.deliver(.event(.failed(stream, PlayerError(.unknown, "the item cannot be opened"))))
    case GST_STATE_CHANGE_NO_PREROLL:
      hasPrerolled = true
      isLive = true
      report(.settled(stream, facts(isLive: true)))
    default: break
    }
  }

  private func setPlaying(_ playing: Bool) {
    if !playing { outputSearch = nil }
    if playing { alignFirstStart() }
    earlyClock?.setPlaying(playing, now: .now)
    let state = playing ? GST_STATE_PLAYING : GST_STATE_PAUSED
    if playing { expectStart() }
    guard setState(state) == GST_STATE_CHANGE_FAILURE else { return }
    // A successor that fails to open fails a change of state that goes on at that moment. By now it is isolated.
    if context.isReading(stream) || setState(state) == GST_STATE_CHANGE_FAILURE {
      context.deliver(.event(.failed(stream, PlayerError(.output, "the output cannot be started"))))
    }
  }

  /// Reports a start that does not come: a state change that a failing successor ends may leave the pipeline waiting.
  private func expectStart() {
    startTimer.set(.now + configuration.patience) { [weak self] in self?.assumeIsolated { $0.startMissed() } }
  }

  private func startMissed() {
    startTimer.set(nil) {}
    if requestedState == GST_STATE_PLAYING {
      report(.startMissed(stream, position: context.streamAtSink == stream ? position : nil))
    }
  }

  /// A flushing seek; the stop position is always named, or an older one would stay.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#gst_element_seek>
  private func seek(to target: Duration, rate: Double, exactly: Bool, until end: Duration?) {
    guard let playbin = unsafe playbin else { return report(.seekRefused(stream, position: nil)) }
    let flags = GstSeekFlags(
      GST_SEEK_FLAG_FLUSH.rawValue | (exactly ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT).rawValue)
    // What is cut off is rounded down to whole samples: a microsecond less, which is less than any sample, is exact.
    let stop = end.map { Int(max(target, $0 - .microseconds(1)).wholeNanoseconds) } ?? -1
    fade?.begin(afterFlush: true)
    let accepted = unsafe gst_element_seek(
      playbin, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, Int(target.wholeNanoseconds), GST_SEEK_TYPE_SET, stop)
    if accepted == 0 {
      fade?.cancelFlush()
      return report(.seekRefused(stream, position: position))
    }
    if rate != 1 { isTempoUsed = true }
  }

  // MARK: Messages

  func handle(_ message: BusMessage) {
    guard let playbin = unsafe playbin else { return }
    switch message {
    case .asyncDone(let stream):
      if stream == self.stream { hasPrerolled = true }
      if !isSilent { outputSearch = nil }
      report(.settled(stream, facts(isLive: false)))
    case .playing(let stream):
      startTimer.set(nil) {}
      report(.running(stream, position: position))
      followOutput()
      searchOutput()
    case .durationChanged(let stream):
      if stream == self.stream { report(.durationChanged(stream, said(of: stream).duration)) }
    case .endOfStream(let stream):
      if let position { report(.endFound(stream, at: position)) }
      report(.ended(stream))
    case .nextSegment(let stream, let runningTime, let previousEnd): nextSegment(stream, runningTime, previousEnd)
    case .fallEnds(let runningTime): report(.fallEnds(in: delay(of: runningTime)))
    case .clockLost:
      setState(GST_STATE_PAUSED)
      setState(GST_STATE_PLAYING)
    case .latencyChanged: if let bin = unsafe cgst_bin(playbin) { unsafe gst_bin_recalculate_latency(bin) }
    case .volumeChanged:
      unsafe readSound(playbin)
      followOutput()
    case .event(.failed(let stream, let error)): failed(stream, error)
    case .event(let event): report(event)
    }
  }

  private func failed(_ stream: StreamToken, _ error: PlayerError) {
    if stream == self.stream, !hasPrerolled, error.code == .networkCut, !hasReceived(stream) {
      return explain(error, of: stream)
    }
    if stream == explained, isExplaining {
      if !error.isFromSource { hasConsequence = true }
      return
    }
    if error.code == .output { outputWasLost() }
    successorFailed(stream)
    report(.failed(stream, error))
  }

  /// Keeps a successor that failed out of the state changes that follow, and repeats the one that it may have ended.
  ///
  /// A state change that continues on a thread of GStreamer's ends without a result when a decoder cannot follow: the
  /// pipeline would stay paused.
  private func successorFailed(_ stream: StreamToken) {
    // The playbin unlocks a decoder once it has been started.
    context.isolateFailedDecoder(of: stream)
    guard stream != self.stream, requestedState == GST_STATE_PAUSED || requestedState == GST_STATE_PLAYING else {
      return
    }
    setState(requestedState)
  }

  /// Whether a connection was made, and has brought something.
  private func hasReceived(_ stream: StreamToken) -> Bool { context.progress(of: stream).received ?? 0 > 0 }

  /// Reports a failure to open a network stream when it is known why; the executor does not wait for that.
  private func explain(_ error: PlayerError, of stream: StreamToken) {
    guard explained != stream else { return }
    explained = stream
    isExplaining = true
    hasConsequence = false
    let (uri, executor) = (uri, executor)
    DispatchQueue(label: "org.playerd.network-probe", qos: .utility).async {
      let reason = NetworkProbe.diagnose(uri)
      executor.queue.async { self.assumeIsolated { $0.explained(by: reason, insteadOf: error, of: stream) } }
    }
  }

  private func explained(by reason: PlayerError?, insteadOf error: PlayerError, of stream: StreamToken) {
    guard stream == self.stream else { return }
    isExplaining = false
    var reason = reason ?? error
    // The source alone may have ended: what it had delivered may still be enough to play.
    reason.isFromSource = reason.code == .networkCut && !hasConsequence
    report(.failed(stream, reason))
  }

  /// The successor's first sample is in the output's buffer; it is heard when the pipeline's running time has come so
  /// far.
  private func nextSegment(_ next: StreamToken, _ runningTime: UInt64, _ previousEnd: Duration?) {
    // A load that was decided meanwhile has taken the hand-over back.
    guard unsafe playbin != nil, context.isHandedOver(next) else { return }
    stream = next
    let delay = delay(of: runningTime)
    report(.nextStarted(next, in: min(delay, .seconds(5)), facts(isLive: false), previousEnd: previousEnd))
    context.forgetRead(before: next)
  }

  /// How long it takes until a running time has come.
  private func delay(of runningTime: UInt64) -> Duration {
    max(.zero, self.runningTime.map { .nanoseconds(Int64(clamping: runningTime)) - $0 } ?? .zero)
  }
}
