import CGst
import Playback
import Synchronization

/// What the callbacks on GStreamer's threads share with the pipeline's executor: which stream is where, and two ways
/// out.
final class PipelineContext: CallbackContext, Sendable {
  private struct Streams {
    /// The stream whose data is being read.
    var reading = StreamToken(number: 0)
    /// The one that was loaded; those handed over since have higher numbers.
    var loaded = StreamToken(number: 0)
    /// What those said that have been read to their end.
    var read: [StreamToken: ReadStream] = [:]
    /// The names of the plug-ins that are missing for a stream.
    var missing: [StreamToken: [String]] = [:]
    /// An error was posted since the load; nothing is handed over any more.
    var hasFailed = false
    /// A successor whose STREAM_START has reached the output and whose segment has not, and the media time at which the
    /// stream before it ended.
    var beginning: (stream: StreamToken, previousEnd: Duration?)?
    /// Which stream each uridecodebin serves, by the address of the element.
    var decoders: [UInt: StreamToken] = [:]
    var meters: [StreamToken: StreamMeter] = [:]
    var pipeline: UInt = 0
  }

  private let streams = Mutex(Streams())
  let output = ElementReference()
  /// The uridecodebin of the stream that is read.
  let decoder = ElementReference()
  let gate = OutputGate()
  let keptSound = KeptSound()
  let audioTracks: AudioTrackSwitch
  let lastTableOfContents = LastTableOfContents()
  let lastArtwork = LastArtwork()
  let lastID3Frames = LastID3Frames()
  let deliver: @Sendable (BusMessage) -> Void
  private let nextStream: @Sendable (StreamToken) -> NextStream?

  init(
    preferredAudioLanguages: [String], deliver: @escaping @Sendable (BusMessage) -> Void,
    nextStream: @escaping @Sendable (StreamToken) -> NextStream?
  ) {
    audioTracks = AudioTrackSwitch(preferring: preferredAudioLanguages) { stream, tracks, current in
      deliver(.event(.audioTracks(stream, tracks, current: current)))
    }
    self.deliver = deliver
    self.nextStream = nextStream
  }

  // MARK: From the executor

  func setPipeline(_ element: UnsafeMutablePointer<GstElement>) {
    let address = UInt(bitPattern: element)
    streams.withLock { $0.pipeline = address }
  }

  /// A new load: nothing of an older stream is left in the pipeline.
  func begin(_ stream: StreamToken) {
    streams.withLock { $0 = Streams(reading: stream, loaded: stream, pipeline: $0.pipeline) }
    gate.begin(stream)
    keptSound.begin()
    audioTracks.open()
    lastTableOfContents.forget()
    lastArtwork.forget()
    lastID3Frames.forget()
  }

  /// The URI of the stream that is being read; nil for another stream.
  func uri(of stream: StreamToken) -> String? {
    isReading(stream) ? unsafe decoder.with { unsafe GLib.text($0, "uri") } ?? nil : nil
  }

  var hasFailed: Bool { streams.withLock { $0.hasFailed } }

  /// Whether the decoder used last still holds its source, and would fail at its next use.
  ///
  /// A uridecodebin of GStreamer 1.22 drops its source and its decoders between PAUSED and READY. When a change to PAUSED
  /// is interrupted, it may return to READY without that step.
  var decoderKeepsSource: Bool { unsafe decoder.with { unsafe GLib.hasObject($0, "source") } ?? false }

  // MARK: From any thread

  /// Whether the output is being opened, held or let go: what it waits for then is not the media.
  var isOutputBusy: Bool {
    unsafe output.with { element in
      var (state, pending) = (GST_STATE_VOID_PENDING, GST_STATE_VOID_PENDING)
      unsafe gst_element_get_state(element, &state, &pending, 0)
      return pending != GST_STATE_VOID_PENDING && (state == GST_STATE_NULL || pending.rawValue < state.rawValue)
    } ?? false
  }

  /// Whether a stream is the one that is being read: that is the one for which the pipeline answers.
  func isReading(_ stream: StreamToken) -> Bool { streams.withLock { $0.reading == stream } }

  /// What a stream said of itself when it had been read to its end; nil before that.
  func read(_ stream: StreamToken) -> ReadStream? { streams.withLock { $0.read[stream] } }

  /// A stream has reached the output: what those before it said is of no more use.
  func forgetRead(before stream: StreamToken) {
    streams.withLock {
      $0.read = $0.read.filter { $0.key.number >= stream.number }
      $0.missing = $0.missing.filter { $0.key.number >= stream.number }
      $0.meters = $0.meters.filter { $0.key.number >= stream.number }
    }
  }

  /// How far a stream has come; nothing of one that is not read or heard.
  func progress(of stream: StreamToken) -> StreamProgress { meter(of: stream)?.progress ?? StreamProgress() }

  func meter(of stream: StreamToken) -> StreamMeter? { streams.withLock { $0.meters[stream] } }

  /// Whether a stream was handed over after the present load.
  func isHandedOver(_ stream: StreamToken) -> Bool { streams.withLock { stream.number > $0.loaded.number } }

  var streamAtSink: StreamToken { gate.streamAtExit }

  func isPipeline(_ object: UnsafeMutablePointer<GstObject>?) -> Bool {
    let address = UInt(bitPattern: object)
    return streams.withLock { $0.pipeline == address }
  }

  /// The stream that an object works for: the one of the uridecodebin around it, else the one at the output; nil for an
  /// object that has left the pipeline.
  ///
  /// playbin of GStreamer 1.22 keeps the buffering level of a gapless successor, and posts it at the start of the stream
  /// that is opened instead.
  func stream(of object: UnsafeMutablePointer<GstObject>?) -> StreamToken? {
    let known = streams.withLock { (decoders: $0.decoders, pipeline: $0.pipeline) }
    guard let object = unsafe object else { return streamAtSink }
    var top: UInt = 0
    var current: UnsafeMutablePointer<GstObject>? = unsafe gst_object_ref(object).assumingMemoryBound(
      to: GstObject.self)
    while let step = unsafe current {
      defer { unsafe gst_object_unref(step) }
      top = UInt(bitPattern: step)
      if let stream = known.decoders[top] { return stream }
      unsafe current = gst_object_get_parent(step)
    }
    // playbin opens the output before it takes it in.
    let isOutput = unsafe output.with { UInt(bitPattern: $0) == top } ?? false
    return top == known.pipeline || isOutput ? streamAtSink : nil
  }

  /// An item that fails is "about to finish" too; going on from there is the machine's business.
  func noteFailure() { streams.withLock { $0.hasFailed = true } }

  /// Keeps the playbin's changes of state away from the decoder of a successor that failed early, which would open its
  /// media again at each of them.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#gst_element_set_locked_state>
  func isolateFailedDecoder(of stream: StreamToken) {
    guard gate.isUpcoming(stream), isReading(stream) else { return }
    _ = unsafe decoder.with { unsafe gst_element_set_locked_state($0, 1) }
  }

  func noteMissing(_ name: String, for stream: StreamToken) {
    streams.withLock { if $0.missing[stream]?.contains(name) != true { $0.missing[stream, default: []].append(name) } }
  }

  /// The names of the plug-ins that were found missing for a stream.
  func missing(for stream: StreamToken) -> [String] { streams.withLock { $0.missing[stream] ?? [] } }

  func decoderAppeared(_ element: UnsafeMutablePointer<GstElement>) {
    let address = UInt(bitPattern: element)
    let stream = streams.withLock { streams in
      streams.decoders[address] = streams.reading
      streams.meters[streams.reading] = StreamMeter()
      return streams.reading
    }
    unsafe decoder.set(element)
    if gate.isUpcoming(stream) { unsafe SuccessorBus.install(on: element, of: stream, self) }
  }

  /// The data of the stream being read has ended: the URI to go on with, if any.
  func nextURI() -> String? {
    let reading = streams.withLock { $0.hasFailed ? nil : $0.reading }
    guard let reading else { return nil }
    let last = unsafe decoder.with {
      ReadStream(duration: unsafe StreamQuery.duration($0), isSeekable: unsafe StreamQuery.isSeekable($0))
    }
    streams.withLock { $0.read[reading] = last }
    guard let next = nextStream(reading) else { return nil }
    if let track = next.audioTrack { audioTracks.select(track, of: next.stream) }
    if let error = MediaURI.failure(of: next.uri) {
      deliver(.event(.failed(next.stream, error)))
      return nil
    }
    streams.withLock { $0.reading = next.stream }
    gate.append(next.stream, end: next.end)
    lookForChapters(next.uri, of: next.stream)
    return next.uri
  }

  /// Notes that a stream starts at the output; returns whether it may.
  func streamStartedAtSink(group: UInt32?) -> Bool {
    let (start, stream, passed) = gate.start(at: .exit, group: group)
    switch start {
    case .load: break
    case .successor: streams.withLock { $0.beginning = (stream, passed) }
    case .again: deliver(.event(.tagsOver(stream)))
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

// MARK: Callbacks, on GStreamer's threads

/// `about-to-finish`: names the successor at once, and waits for nobody.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/playbin.html#playbin::about-to-finish>
func aboutToFinish(_ playbin: UnsafeMutablePointer<GstElement>?, _ data: UnsafeMutableRawPointer?) {
  guard let playbin = unsafe playbin, let uri = unsafe PipelineContext.borrow(data)?.nextURI() else { return }
  unsafe GLib.set(playbin, "uri", to: uri)
}

/// `deep-element-added`: learns which decoder serves which stream, follows its tracks, and measures what arrives.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBin::deep-element-added>
func deepElementAdded(
  _ bin: UnsafeMutablePointer<GstBin>?, _ parent: UnsafeMutablePointer<GstBin>?,
  _ element: UnsafeMutablePointer<GstElement>?,
  _ data: UnsafeMutableRawPointer?
) {
  guard let element = unsafe element, let context = unsafe PipelineContext.borrow(data) else { return }
  let object = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstObject.self)
  switch unsafe GLib.borrow(cgst_factory_name(element)) {
  case "uridecodebin":
    unsafe context.decoderAppeared(element)
    unsafe context.watchAudioTracks(of: element)
  case "souphttpsrc":
    // The demuxer of an adaptive stream has sources of its own: it handles their errors, and downloads again.
    guard let bin = unsafe cgst_element(parent), unsafe GLib.borrow(cgst_factory_name(bin)) == "uridecodebin" else {
      return
    }
    unsafe SourceBus.insert(at: element, context)
    unsafe ByteRanges.watch(element)
  case "queue2":
    if let stream = unsafe context.stream(of: object) { unsafe context.meter(of: stream)?.watch(queue: element) }
  default: break
  }
}

/// `notify::volume` and `notify::mute`: somebody, we or a mixer, changed the sound.
func soundChanged(
  _ playbin: UnsafeMutablePointer<GObject>?, _ property: UnsafeMutablePointer<GParamSpec>?,
  _ data: UnsafeMutableRawPointer?
) {
  unsafe PipelineContext.borrow(data)?.deliver(.volumeChanged)
}
