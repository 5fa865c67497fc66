import CGst
import Dispatch
import EngineProcess
import Playback
import Synchronization

/// The state that GStreamer callbacks share with the pipeline: its executor, the position of each stream in it, and the
/// callbacks to the pipeline and to its owner.
final class PipelineContext: Sendable {
  struct StreamData {
    /// The last answers, when the stream has been read to its end.
    var read: StreamFactsAtEnd?
    /// The names of the missing plug-ins.
    var missing: [String] = []
    /// Whether it is a stream from a server, whose progress is reported.
    var isNetwork = false
    var meter: StreamMeter?
    var budget: LoadBudget?
    /// The headers of its HTTP requests; nil for the default ones.
    var headers: RequestHeaders?
    /// The measurement of its duration, if it is a local stream without a reliable one.
    var measurement: DurationMeasurement?
    /// Its seeks, if it is a stream of frames from a server.
    var byteSeek: ByteSeek?
  }

  private struct Streams {
    /// The stream whose data is being read.
    var reading = StreamToken(number: 0)
    /// The loaded stream; its gapless successors have higher numbers.
    var loaded = StreamToken(number: 0)
    var data: [StreamToken: StreamData] = [:]
    /// Whether an error was posted since the load; no further successor is opened then.
    var hasFailed = false
    /// A successor whose STREAM_START has reached the output and whose segment has not, and the media time at which the
    /// stream before it ended.
    var beginning: (stream: StreamToken, previousEnd: Duration?)?
    /// The stream of each uridecodebin, by the address of the element.
    var decoders: [UInt: StreamToken] = [:]
    var playbin: UInt = 0
  }

  let executor: PipelineExecutor
  /// The time limits of the calls of the pipeline.
  let watchdog = PipelineWatchdog(queue: DispatchClock.queue)
  /// The pipeline; nil once it is abandoned or closed, so that work that is queued for it does nothing.
  let pipeline = AtomicReference<Pipeline>()
  private let streams = Mutex(Streams())
  let output = AtomicReference<ObjectReference>()
  /// The clock of the output; nil unless the output is PulseAudio's.
  let outputClock = AtomicReference<OutputClock>()
  /// The uridecodebin of the stream being read.
  let decoder = AtomicReference<ObjectReference>()
  let gate = OutputGate()
  let groupSwitch = GroupSwitch()
  let formatChange = FormatChange()
  let volumeRestorer = VolumeRestorer()
  /// The title that mixers show; nil if the output chooses it.
  let streamTitle: StreamTitle?
  let audioTracks: AudioTrackSelector
  /// The gains of the streams; nil if loudness tags are ignored.
  let gains: StreamGains?
  /// The measured loudness of files; nil if none is measured.
  private let loudness: LoudnessService?
  let volumeShaper: VolumeShaper
  let tags: TagReader
  let title = TitleChange()
  let deliver: @Sendable (BusMessage) -> Void
  private let nextStream: @Sendable (StreamToken) -> NextStream?

  init(
    _ configuration: Player.Configuration, executor: PipelineExecutor, loudness: LoudnessService?,
    volumeShaper: VolumeShaper = VolumeShaper(),
    nextStream: @escaping @Sendable (StreamToken) -> NextStream?
  ) {
    let pipeline = pipeline
    let messages = BusMessageQueue(executor.queue) { message in pipeline.value?.assumeIsolated { $0.handle(message) } }
    let deliver: @Sendable (BusMessage) -> Void = { messages.deliver($0) }
    gains = configuration.replayGain.map { StreamGains($0) }
    streamTitle = configuration.application.map { _ in StreamTitle() }
    self.executor = executor
    self.loudness = loudness
    self.volumeShaper = volumeShaper
    audioTracks = AudioTrackSelector(preferring: configuration.preferredAudioLanguages) { stream, tracks, current in
      deliver(.event(.audioTracks(stream, tracks, current: current)))
    }
    tags = TagReader { deliver(.event($0)) }
    self.deliver = deliver
    self.nextStream = nextStream
  }

  // MARK: On the executor

  func setPlaybin(_ element: UnsafeMutablePointer<GstElement>) {
    let address = UInt(bitPattern: element)
    streams.withLock { $0.playbin = address }
  }

  /// Resets the state for a new load; the pipeline contains no older stream.
  func begin(_ stream: StreamToken, _ uri: String, _ headers: RequestHeaders? = nil) {
    // The response of a reader was requested without them.
    if headers != nil { BegunResponse.withdraw(for: uri) }
    let old = streams.withLock { streams in
      let data = [stream: StreamData(isNetwork: !Player.Item.isLocal(uri), headers: headers)]
      defer { streams = Streams(reading: stream, loaded: stream, data: data, playbin: streams.playbin) }
      return streams
    }
    withExtendedLifetime(old) {}
    gate.begin(stream)
    formatChange.begin()
    gains?.begin(stream, loudness?.gain(for: uri))
    reportSilence(of: stream, uri)
    volumeRestorer.begin()
    audioTracks.open()
    tags.forget()
  }

  /// Returns the URI of the stream that is being read; nil for another stream.
  func uri(of stream: StreamToken) -> String? {
    isReading(stream) ? unsafe decoder.with { unsafe GLib.text($0, "uri") } ?? nil : nil
  }

  var hasFailed: Bool { streams.withLock { $0.hasFailed } }

  /// Whether the last decoder still has its source; its next use would then fail.
  ///
  /// A uridecodebin of GStreamer 1.22 releases its source and its decoders between PAUSED and READY. If a change to
  /// PAUSED is interrupted, it may return to READY without that step.
  var decoderKeepsSource: Bool {
    unsafe decoder.with { unsafe GLib.get($0, "source") { unsafe g_value_get_object($0) != nil } } ?? false
  }

  // MARK: On any thread

  /// Whether the output is opening or changing to a lower state, so that a blocked call does not wait for the media.
  var isOutputBusy: Bool {
    unsafe output.with { element in
      var (state, pending) = (GST_STATE_VOID_PENDING, GST_STATE_VOID_PENDING)
      unsafe gst_element_get_state(element, &state, &pending, 0)
      return pending != GST_STATE_VOID_PENDING && (state == GST_STATE_NULL || pending.rawValue < state.rawValue)
    } ?? false
  }

  /// Whether a stream is the one being read, for which the pipeline answers queries.
  func isReading(_ stream: StreamToken) -> Bool { streams.withLock { $0.reading == stream } }

  /// Returns the data of a stream; nil if the stream is neither read nor played.
  func data(of stream: StreamToken) -> StreamData? { streams.withLock { $0.data[stream] } }

  func setMeasurement(_ measurement: DurationMeasurement?, of stream: StreamToken) {
    streams.withLock { $0.data[stream]?.measurement = measurement }
  }

  func setByteSeek(_ seek: ByteSeek, of stream: StreamToken) {
    streams.withLock { $0.data[stream]?.byteSeek = seek }
  }

  /// Removes the data of older streams, when a stream has reached the output; nil for all streams, which have been
  /// unloaded.
  ///
  /// If their headers used much memory, free memory is given back to the system.
  func forgetRead(before stream: StreamToken?) {
    let old = streams.withLock { streams in
      let old = streams.data.filter { $0.key.number < stream?.number ?? .max }
      streams.data = streams.data.filter { old[$0.key] == nil }
      return old
    }
    if old.values.contains(where: { $0.budget?.isHeavy == true }) { cgst_trim_memory() }
  }

  /// Returns the progress of a stream; empty if the stream is neither read nor played.
  func progress(of stream: StreamToken) -> StreamProgress {
    streams.withLock { $0.data[stream]?.meter }?.progress ?? StreamProgress()
  }

  /// Returns the progress of a stream with a measurement.
  func takeProgress(of stream: StreamToken) -> StreamProgress {
    streams.withLock { $0.data[stream]?.meter }?.takeProgress() ?? StreamProgress()
  }

  /// Records that audio of the stream at the output has reached it, and reports a gap before it, or when no more is decoded.
  func delivered(until end: Duration, after gap: StreamProgress.Gap?) {
    let stream = streamAtSink
    if let progress = streams.withLock({ $0.data[stream]?.meter })?.deliver(until: end, after: gap) {
      deliver(.event(.ranOut(stream, progress)))
    }
  }

  /// Whether a stream is a gapless successor of the present load.
  func isHandedOver(_ stream: StreamToken) -> Bool { streams.withLock { stream.number > $0.loaded.number } }

  var streamAtSink: StreamToken { gate.streamAtExit }

  func isPipeline(_ object: UnsafeMutablePointer<GstObject>?) -> Bool {
    let address = UInt(bitPattern: object)
    return streams.withLock { $0.playbin == address }
  }

  /// Returns the stream that an object belongs to: that of the uridecodebin around it, else the one at the output.
  ///
  /// It is nil for an object that has left the pipeline: playbin of GStreamer 1.22 keeps the buffering level of a
  /// gapless successor, and posts it at the start of the stream that is opened instead.
  func stream(of object: UnsafeMutableRawPointer?) -> StreamToken? {
    let known = streams.withLock { (decoders: $0.decoders, playbin: $0.playbin) }
    guard let object = unsafe object else { return streamAtSink }
    var top: UInt = 0
    var current = unsafe gst_object_ref(object)?.assumingMemoryBound(to: GstObject.self)
    while let step = unsafe current {
      defer { unsafe gst_object_unref(step) }
      top = UInt(bitPattern: step)
      if let stream = known.decoders[top] { return stream }
      unsafe current = gst_object_get_parent(step)
    }
    // playbin opens the output before it adds it.
    let isOutput = unsafe output.with { UInt(bitPattern: $0) == top } ?? false
    return top == known.playbin || isOutput ? streamAtSink : nil
  }

  /// Records a failure, because a failed item also emits `about-to-finish`; the playback machine selects the next item.
  func noteFailure() { streams.withLock { $0.hasFailed = true } }

  /// Locks the state of a successor's decoder that failed early; otherwise each state change of the playbin would open
  /// its media again.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#gst_element_set_locked_state>
  func isolateFailedDecoder(of stream: StreamToken) {
    guard gate.isUpcoming(stream), isReading(stream) else { return }
    _ = unsafe decoder.with { unsafe gst_element_set_locked_state($0, 1) }
  }

  func noteMissing(_ name: String, for stream: StreamToken) {
    streams.withLock { streams in
      guard streams.data[stream]?.missing.contains(name) != true else { return }
      streams.data[stream, default: StreamData()].missing.append(name)
    }
  }

  func decoderAppeared(_ element: UnsafeMutablePointer<GstElement>, in playbin: UnsafeMutablePointer<GstBin>) {
    let address = UInt(bitPattern: element)
    let stream = streams.withLock { streams in
      streams.decoders[address] = streams.reading
      return streams.reading
    }
    let budget = LoadBudget { error in
      self.noteFailure()
      self.deliver(.event(.failed(stream, error)))
    } readsOn: { [deliver] in
      deliver(.event(.readingOn(stream)))
    }
    unsafe budget.begin(element)
    let report: @Sendable (StreamProgress) -> Void = { [deliver] progress in
      deliver(.event(.progressed(stream, progress)))
    }
    streams.withLock { streams in
      let isNetwork = streams.data[stream]?.isNetwork == true
      streams.data[stream, default: StreamData()].meter = StreamMeter(report: isNetwork ? report : nil)
      streams.data[stream, default: StreamData()].budget = budget
    }
    unsafe decoder.set(ObjectReference(element))
    if gate.isUpcoming(stream) { unsafe isolateFailure(of: element, in: playbin, stream) }
  }

  /// Reports an early failure of a successor without the playbin; see ``SuccessorBus``.
  private func isolateFailure(
    of decoder: UnsafeMutablePointer<GstElement>, in playbin: UnsafeMutablePointer<GstBin>, _ stream: StreamToken
  ) {
    unsafe SuccessorBus.insert(
      at: decoder, in: playbin, isUpcoming: { self.gate.isUpcoming(stream) },
      failed: { failure in
        self.noteFailure()
        self.isolateFailedDecoder(of: stream)
        self.deliver(.event(.failed(stream, failure.playerError)))
      })
  }

  /// Returns the URI of the successor when the data of the present stream has ended; nil if there is none.
  func nextURI() -> String? {
    let reading = streams.withLock { $0.hasFailed ? nil : $0.reading }
    guard let reading, let next = nextStream(reading) else { return nil }
    if let track = next.audioTrack { audioTracks.select(track, of: next.stream) }
    if let error = MediaURI.failure(of: next.uri) {
      deliver(.event(.failed(next.stream, error)))
      return nil
    }
    let headers = RequestHeaders(next.uri, next.headers)
    if headers != nil { BegunResponse.withdraw(for: next.uri) }
    // There is no successor during a seek. A query would deadlock then: oggdemux pushes the flush, which waits for this
    // thread, with a mutex locked that it also locks for a query.
    let last = unsafe decoder.with { unsafe StreamFactsAtEnd(of: $0) }
    streams.withLock {
      $0.data[reading, default: StreamData()].read = last
      $0.reading = next.stream
      $0.data[next.stream] = StreamData(isNetwork: !Player.Item.isLocal(next.uri), headers: headers)
    }
    gains?.append(next.stream, loudness?.gain(for: next.uri, asSuccessor: true))
    reportSilence(of: next.stream, next.uri)
    gate.append(next.stream, end: next.end)
    tags.readFiles(of: next.uri, for: next.stream)
    return next.uri
  }

  private func reportSilence(of stream: StreamToken, _ uri: String) {
    loudness?.reportSilence(of: uri) { [weak self] in self?.deliver(.event(.silenceFound(stream, from: $0))) }
  }

  /// Records that a stream starts at the output; returns false if it was withdrawn.
  func streamStartedAtSink(group: UInt32?) -> Bool {
    let (start, stream, passed) = gate.startAtExit(group: group)
    switch start {
    case .load: break
    case .successor: streams.withLock { $0.beginning = (stream, passed) }
    case .again:
      tags.forgetTags()
      deliver(.event(.songEnded(stream)))
    case .withdrawn: return false
    }
    return true
  }

  func segmentAtSink(runningTime: UInt64) {
    let beginning = streams.withLock { streams in
      defer { streams.beginning = nil }
      return streams.beginning
    }
    guard let beginning else { return }
    deliver(.nextSegment(beginning.stream, runningTime: runningTime, previousEnd: beginning.previousEnd))
  }
}
