import CGst
import Dispatch
import EngineProcess
import Playback

/// Owns the playbin exclusively; carries out commands and converts messages to events on one executor.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/playbin.html>
@safe actor Pipeline {
  nonisolated let context: PipelineContext
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe context.executor.asUnownedSerialExecutor() }

  /// The configuration, with the present values of the settings that a command changes.
  var configuration: Player.Configuration
  let report: @Sendable (EngineEvent) -> Void
  let sinkMemory: AudioSink.Memory
  /// The digests of the samples; nil unless the output is verified.
  let verifier: SampleVerifier?
  /// The volume, balance and meters of the player's own; nil for a player without them.
  let mix: SoundMix?
  /// The audio filter; owned by the playbin.
  var filter: SoundFilter?
  /// The fade at the output; nil if fades are off.
  var fade: SoundFade?
  var playbin: UnsafeMutablePointer<GstElement>?
  var failure: PlayerError?
  var isMuted = false
  /// Whether items may crossfade.
  var isCrossfading = false
  var stream = StreamToken(number: 0)
  var uri = ""
  var diagnosis: FailureDiagnosis?
  private(set) var hasPrerolled = false
  /// The state that was requested last.
  var requestedState = GST_STATE_NULL
  /// The base time before the last seek; nil if the pipeline has played since.
  var baseTimeBeforeSeek: GstClockTime?
  /// A timer that runs from a start until the pipeline plays.
  let startTimer: WakeTimer
  /// Whether the timer of the start is set.
  var isStartLimited = false
  /// The time until which the output plays the last samples of a stream that has ended; nil if there are none.
  var drainEnd: MonotonicTime?
  let drainTimer: WakeTimer
  /// A timer that runs from a request to measure the position until the output's clock is exact.
  let sampleTimer: WakeTimer
  /// A timer that runs from a change of the output until it is read.
  let outputTimer: WakeTimer
  var isOutputChanged = false
  private(set) var isLive = false
  /// The part of this pipeline in a crossfade.
  var crossfade = PipelineCrossfade()
  /// A timer that runs until the next step of a crossfade.
  let crossfadeTimer: WakeTimer
  var outputInUse = OutputInUse()
  /// The observer of the sound server, while there is an output.
  var outputWatch: SoundServerWatch?
  /// Whether no output could be opened, so that the audio is discarded in real time.
  var isSilent = false
  /// The factory of an automatic output without a sound server; another output replaces it if it fails.
  var replaceableOutput: String?
  /// Whether the output has failed; it is unloaded next.
  var isOutputLost = false
  /// The last seek in the loaded stream.
  var lastSeek: EngineCommand?
  /// The number of flushes that had passed to the output before the last accepted seek; nil if there was none.
  private var flushesBeforeSeek: Int?
  /// The instant at which the first sample after the last seek is to be audible; nil if it is not held.
  var startInstant: MonotonicTime?
  /// Holds that sample.
  var entrance: StreamEntrance?
  /// A timer that runs until that instant.
  let instantTimer: WakeTimer
  let durationScan = DurationScan()
  /// The search for an output, while the pipeline plays silently or the output has failed.
  var outputSearch: OutputSearch?

  init(
    configuration: Player.Configuration, sinkMemory: AudioSink.Memory, verifier: SampleVerifier? = nil,
    mix: SoundMix? = nil, context: PipelineContext, report: @escaping @Sendable (EngineEvent) -> Void
  ) {
    self.sinkMemory = sinkMemory
    self.verifier = verifier
    self.mix = mix
    self.configuration = configuration
    self.context = context
    self.report = report
    startTimer = WakeTimer(queue: context.executor.queue)
    drainTimer = WakeTimer(queue: context.executor.queue)
    sampleTimer = WakeTimer(queue: context.executor.queue)
    outputTimer = WakeTimer(queue: context.executor.queue)
    crossfadeTimer = WakeTimer(queue: context.executor.queue)
    instantTimer = WakeTimer(queue: context.executor.queue)
  }

  /// Queues work on the executor.
  nonisolated func enqueue(_ work: @escaping @Sendable (isolated Pipeline) -> Void) {
    context.executor.queue.async { self.assumeIsolated(work) }
  }
}

extension Pipeline {
  // MARK: Lifecycle

  /// Initializes GStreamer and makes the playbin; a load repeats it after a failure, and reports the failure if it fails
  /// again.
  func open() {
    failure = nil
    do throws(PlayerError) {
      try makePlaybin()
    } catch {
      close()
      failure = error
    }
  }

  /// Releases the playbin; no event is reported afterwards.
  func close() {
    outputWatch = nil
    outputSearch = nil
    limitStart(nil)
    durationScan.cancel()
    sampleTimer.set(nil) {}
    outputTimer.set(nil) {}
    isOutputChanged = false
    cancelDrain()
    crossfadeTimer.set(nil) {}
    hold(until: nil)
    guard let playbin = unsafe playbin else { return }
    context.audioTracks.close()
    unsafe GLib.with(taking: gst_element_get_bus(playbin)) { unsafe gst_bus_set_flushing($0, 1) }
    setState(GST_STATE_NULL)
    // The playbin closes an output only after it has used it.
    _ = unsafe context.output.with { unsafe gst_element_set_state($0, GST_STATE_NULL) }
    unsafe self.playbin = nil
    filter = nil
    fade = nil
    unsafe gst_object_unref(playbin)
    context.output.set(nil)
    context.decoder.set(nil)
  }

  // MARK: Commands

  func perform(_ command: EngineCommand) {
    switch command {
    case .unload:
      outputSearch = nil
      afterDrain { $0.unload() }
    case .setPlaying(let playing): setPlaying(playing)
    case .seek(let target, let rate, let exactly, let end, let instant):
      lastSeek = command
      hold(until: instant)
      seek(to: target, rate: rate, exactly: exactly, until: end)
    case .endStream(let stream, let time): if !context.gate.end(stream, at: time) { report(.endMissed(stream)) }
    case .withdraw(let stream): if context.gate.withdraw(stream) { endAtEntry() }
    case .selectAudioTrack(let index, let stream): context.audioTracks.select(index, of: stream)
    case .setVolume(let value): setVolume(value)
    case .setMuted(let muted): setMuted(muted)
    case .fade(let direction): fade?.turn(direction)
    case .setForwardBuffer(let duration): configuration.preferredForwardBufferDuration = duration
    case .setAudioLanguages(let languages): context.audioTracks.prefer(languages)
    case .setLowPowerMode(let isEnabled): configuration.isLowPowerModeEnabled = isEnabled
    case .setCrossfading(let isCrossfading): self.isCrossfading = isCrossfading
    case .describeStream(let description):
      context.streamTitle?.set(description)
      showTitle()
    case .samplePosition:
      samplePosition(until: .now + Self.sampleTimeout)
    // The host carries these out.
    case .shapeVolume, .load, .prepare, .crossfade, .enter, .leave, .release, .setSink, .setTimePitch, .measureLoudness:
      break
    }
  }

  private func unload() {
    endCrossfade()
    crossfade.fadeIn?.end()
    (crossfade.nextFadeIn, crossfade.fadeIn) = (nil, nil)
    hold(until: nil)
    durationScan.cancel()
    context.audioTracks.close()
    setState(GST_STATE_NULL)
    context.forgetRead(before: nil)
    hasPrerolled = false
    if isOutputLost { replaceOutput() }
  }

  /// Unloads the previous item.
  func unloadPrevious() {
    endCrossfade()
    hold(until: nil)
    durationScan.cancel()
    cancelDrain()
    context.audioTracks.close()
    // A playbin that has not prerolled counts as READY already, and would keep the old decoders; only NULL clears them.
    setState(hasPrerolled && !context.hasFailed ? GST_STATE_READY : GST_STATE_NULL)
    // The decoder of an interrupted gapless successor may also remain. It is checked after the change to READY, which
    // waits for the streaming threads: from then on no thread adds a successor.
    if context.decoderKeepsSource { setState(GST_STATE_NULL) }
    context.forgetRead(before: nil)
    hasPrerolled = false
  }

  /// Opens an item, after the previous one was unloaded.
  func load(_ uri: String, _ stream: StreamToken, _ headers: HTTPRequestHeaders? = nil) {
    self.stream = stream
    crossfade.hasEnded = false
    isLive = false
    lastSeek = nil
    flushesBeforeSeek = nil
    baseTimeBeforeSeek = nil
    context.begin(stream, uri, RequestHeaders(uri, headers))
    if let shortage = Shortage.failure { return report(.failed(stream, shortage)) }
    // The cause may have gone, for example a lack of descriptors, with which no plug-in can be loaded.
    if failure != nil { open() }
    guard let playbin = unsafe playbin, failure == nil else {
      return report(.failed(stream, failure ?? PlayerError(code: .unknown, message: "the player is closed")))
    }
    if let error = MediaURI.failure(of: uri) { return context.deliver(.event(.failed(stream, error))) }
    self.uri = uri
    unsafe GLib.set(playbin, "uri", to: uri)
    if let filter { unsafe Tempo.remove(from: filter.bin) }
    fade?.begin(afterFlush: false)
    fadeIn()
    setVolume(configuration.volume)
    setMuted(isMuted)
    unsafe ForwardBuffer.set(configuration.preferredForwardBufferDuration, of: playbin)
    // A large buffer would take the data of a stream that a stall needs; a file cannot stall. The level of buffered audio
    // cannot change, so a crossfade has to be known by the length of the buffer before it.
    let isFile = MediaURI.scheme(of: uri) == "file"
    sizeOutputBuffer(isLarge: configuration.isLowPowerModeEnabled || isFile && !isCrossfading)
    context.tags.readFiles(of: uri, for: stream)
    switch setState(GST_STATE_PAUSED) {
    case GST_STATE_CHANGE_FAILURE:
      // The failed element has posted its own error before; this error only counts if it has not.
      context.deliver(.event(.failed(stream, PlayerError(code: .unknown, message: "the item cannot be opened"))))
    case GST_STATE_CHANGE_NO_PREROLL:
      hasPrerolled = true
      isLive = true
      report(.settled(stream, facts(isLive: true)))
    default: break
    }
  }

  /// Performs a flushing seek; it always sets the stop position, because otherwise an older one would remain.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#gst_element_seek>
  private func seek(to target: Duration, rate: Double, exactly: Bool, until end: Duration?) {
    cancelDrain()
    crossfade.hasEnded = false
    guard let playbin = unsafe playbin else { return report(.seekRefused(stream, position: nil)) }
    let flags = GstSeekFlags(
      GST_SEEK_FLAG_FLUSH.rawValue | (exactly ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT).rawValue)
    // The part after the stop is rounded down to whole samples. A stop 1 µs earlier, less than a sample, is exact.
    let stop = end.map { Int(max(target, $0 - .microseconds(1)).wholeNanoseconds) } ?? -1
    fade?.begin(afterFlush: true)
    baseTimeBeforeSeek = unsafe gst_element_get_base_time(playbin)
    let flushes = context.gate.flushes
    let accepted = unsafe gst_element_seek(
      playbin, rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, Int(target.wholeNanoseconds), GST_SEEK_TYPE_SET, stop)
    if accepted == 0 {
      fade?.cancelFlush()
      baseTimeBeforeSeek = nil
      return report(.seekRefused(stream, position: position))
    }
    flushesBeforeSeek = flushes
  }

  // MARK: Messages

  func handle(_ message: BusMessage) {
    guard let playbin = unsafe playbin else { return }
    switch message {
    case .asyncDone(let stream, let flushes):
      // A message of an item that was unloaded may have waited for the executor. Successors have larger numbers.
      let isLoaded = requestedState == GST_STATE_PAUSED || requestedState == GST_STATE_PLAYING
      guard isLoaded, stream.number >= self.stream.number else { return }
      // So may a message that does not end the last seek, for example that of a pause before it.
      if let flushesBeforeSeek, flushes <= flushesBeforeSeek { return }
      if stream == self.stream { hasPrerolled = true }
      limitStartAfterPreroll()
      if !isSilent { outputSearch = nil }
      showTitle(isNewStream: stream == self.stream)
      scheduleCrossfade()
      report(.settled(stream, facts(isLive: false)))
      outputChanged()
    case .playing(let stream):
      // The message of an earlier start may have waited for the executor.
      if isPlaying {
        limitStart(nil)
        baseTimeBeforeSeek = nil
      }
      crossfade.fadeIn?.started()
      scheduleCrossfade()
      reportCrossfade()
      reportRunning(stream)
      outputChanged()
      searchOutput()
    case .durationChanged(let stream):
      if stream == self.stream { report(.durationChanged(stream, queriedFacts(of: stream).duration)) }
    case .endOfStream(let stream):
      if crossfade.leavingEnd != nil { return endLeaving() }
      expectDrain()
      crossfade.hasEnded = true
      startSecond()
      if let position { report(.endFound(stream, at: position)) }
      report(.ended(stream))
    case .nextSegment(let stream, let runningTime, let previousEnd): nextSegment(stream, runningTime, previousEnd)
    case .crossfadeBegins(let runningTime):
      // A stream may be released just before its first sample; its timer is then that of its fade-out.
      guard crossfade.role != .outgoing else { break }
      crossfade.firstSample = runningTime
      reportCrossfade()
    case .fadeOutEnds(let runningTime): report(.fadeOutEnds(in: delay(of: runningTime) ?? .zero))
    case .durationIsUnreliable(let stream, let uri): measureDuration(of: stream, uri)
    case .seekMissed(let stream, let number): seekWasMissed(number, in: stream)
    case .clockLost:
      // A pause may have been carried out since.
      guard requestedState == GST_STATE_PLAYING else { return }
      setState(GST_STATE_PAUSED)
      setState(GST_STATE_PLAYING)
    case .latencyChanged: if let bin = unsafe cgst_bin(playbin) { unsafe gst_bin_recalculate_latency(bin) }
    case .volumeChanged: outputChanged()
    case .event(.failed(let stream, let error)): failed(stream, error)
    case .event(let event): report(event)
    }
  }

  /// Reports that a successor starts, when its first sample is in the output's buffer.
  ///
  /// The sample is played when the pipeline reaches its running time.
  private func nextSegment(_ next: StreamToken, _ runningTime: UInt64, _ previousEnd: Duration?) {
    // A later load has cancelled the successor.
    guard unsafe playbin != nil, context.isHandedOver(next) else { return }
    stream = next
    let delay = max(.zero, delay(of: runningTime) ?? .zero)
    report(.nextStarted(next, in: delay, facts(isLive: false), previousEnd: previousEnd))
    context.forgetRead(before: next)
  }

  /// Returns the delay until a running time is reached, which is negative if it was reached before; nil without a clock.
  func delay(of runningTime: UInt64) -> Duration? {
    self.runningTime.map { .nanoseconds(Int64(clamping: runningTime)) - $0 }
  }
}
