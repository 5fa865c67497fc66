import CGst
import Dispatch
package import Playback
import Synchronization

/// Decodes a range of an audio track to linear PCM, as fast as its caller reads it, and exact to the sample.
///
/// GStreamer decodes four buffers ahead and then waits, so the memory does not depend on the length of the media. ``MediaLimits``
/// apply.
///
/// <https://gstreamer.freedesktop.org/documentation/app/appsink.html>
package final class SampleReader: Sendable {
  private struct State {
    var pipeline: ObjectReference?
    var failure: PlayerError?
    var isClosed = false
  }

  /// The state of the thread that reads.
  private struct Reading {
    var hasBegun = false
    var hasEnded = false
    /// Whether the decoder was sent to the start of the range.
    var hasSought = false
    /// The number and the sample rate of the frame after the last buffer.
    var next: (frame: Int64, rate: Int)?
  }

  /// The time from which on the decoder is sent to the start of the range instead of decoding everything before it.
  private static let seekDistance = Duration.seconds(2)
  /// The time before the range from which samples are decoded, because decoders and resamplers need earlier ones: MP3 10
  /// frames, and Opus 80 ms.
  private static let lead = Duration.milliseconds(500)

  private let state = Mutex(State())
  private let reading = Mutex(Reading())
  private let uri: String
  private let headers: HTTPRequestHeaders?
  private let track: Int
  private let format: SampleFormat
  private let start: Duration
  private let end: Duration?
  private let timeout: Duration
  /// A queue with its own thread, on which the pipeline is released.
  private let queue = DispatchQueue(label: "GstPlayer.SampleReader", qos: .utility)

  /// Creates a reader, which does nothing before the first call of ``next()``.
  ///
  /// - Parameters:
  ///   - uri: The media.
  ///   - headers: The headers of HTTP requests; nil for GStreamer's own.
  ///   - track: The index of the audio track, as in ``MediaDescription/audioTracks``.
  ///   - format: The format of the samples.
  ///   - start: The start of the range, rounded to a sample.
  ///   - end: The end of the range, rounded to a sample; nil for the end of the media.
  ///   - timeout: The time limit of each buffer.
  package init(
    _ uri: String, headers: HTTPRequestHeaders? = nil, track: Int = 0, as format: SampleFormat = SampleFormat(),
    from start: Duration = .zero, to end: Duration? = nil, timeout: Duration = .seconds(30)
  ) {
    (self.uri, self.headers, self.track, self.format) = (uri, headers, track, format)
    (self.start, self.end, self.timeout) = (max(.zero, start), end, timeout)
  }

  deinit { close() }

  /// Ends the reader from any thread: a call of ``next()`` that waits returns nil, and later ones too.
  package func cancel() { close() }

  /// Returns the next samples, and blocks until they are decoded; nil at the end of the range or of the media.
  package func next() throws(PlayerError) -> SampleChunk? {
    let result = reading.withLock { reading in
      Result { () throws(PlayerError) in try next(&reading) }
    }
    return try result.get()
  }

  // MARK: On the thread that reads

  private func next(_ reading: inout Reading) throws(PlayerError) -> SampleChunk? {
    guard !reading.hasEnded else { return nil }
    if !reading.hasBegun {
      reading.hasBegun = true
      try begin()
    }
    while true {
      let isFirst = reading.next == nil
      guard var chunk = try pull(&reading) else { break }
      let rate = chunk.sampleRate
      let from = Self.frame(at: start, rate)
      if isFirst, !reading.hasSought, Self.time(of: chunk.first + Int64(chunk.frames), rate) + Self.seekDistance < start
      {
        reading.hasSought = true
        if seek() { reading.next = nil }
        continue
      }
      if let end, chunk.first >= Self.frame(at: end, rate) { break }
      chunk.clip(from: from, to: end.map { Self.frame(at: $0, rate) } ?? .max)
      if !chunk.bytes.isEmpty { return chunk }
    }
    reading.hasEnded = true
    close()
    return nil
  }

  /// Pulls a buffer; nil at the end of the media, and after ``cancel()``.
  private func pull(_ reading: inout Reading) throws(PlayerError) -> SampleChunk? {
    guard let pipeline = state.withLock({ $0.pipeline }), let bin = unsafe cgst_bin(pipeline.object),
      let sink = unsafe GLib.element("sink", in: bin)
    else { return try ended(isComplete: true) }
    let limit = GstClockTime(clamping: timeout.wholeNanoseconds)
    guard let sample = unsafe cgst_pull_sample(sink, limit) else {
      let isComplete = unsafe GLib.get(sink, "eos") { unsafe g_value_get_boolean($0) } != 0
      return try ended(isComplete: isComplete)
    }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(sample)) }
    guard var chunk = unsafe SampleChunk(sample) else {
      throw PlayerError(code: .corrupt, message: "the decoder returns audio of an unknown format")
    }
    // The times are rounded to nanoseconds; some decoders round them to their frames. A buffer without a time follows the previous
    // buffer.
    let next = reading.next.flatMap { $0.rate == chunk.sampleRate ? $0.frame : nil }
    if let next, chunk.first < 0 || (next - chunk.first).magnitude < UInt64(chunk.sampleRate / 50) {
      chunk.first = next
    }
    chunk.first = max(0, chunk.first)
    reading.next = (chunk.first + Int64(chunk.frames), chunk.sampleRate)
    return chunk
  }

  /// Returns nil if the media has ended or the reader was cancelled.
  private func ended(isComplete: Bool) throws(PlayerError) -> SampleChunk? {
    let (failure, isClosed) = state.withLock { ($0.failure, $0.isClosed) }
    if let failure { throw failure }
    if !isComplete, !isClosed {
      let error = PlayerError(code: .noProgress, message: "no audio was decoded for \(timeout)")
      fail(error)
      throw error
    }
    return nil
  }

  /// Sends the decoder to the start of the range; returns false if the media is not seekable and is decoded from its start.
  private func seek() -> Bool {
    guard let pipeline = state.withLock({ $0.pipeline }),
      unsafe QueriedFacts(of: pipeline.pointer()).isSeekable
    else { return false }
    let flags = GstSeekFlags(GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
    return unsafe gst_element_seek(
      pipeline.pointer(), 1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, Int((start - Self.lead).wholeNanoseconds),
      GST_SEEK_TYPE_NONE, -1) != 0
  }

  /// Returns the number of the frame at a time, rounded.
  fileprivate static func frame(at time: Duration, _ rate: Int) -> Int64 {
    Int64(clamping: gst_util_uint64_scale_round(guint64(clamping: time.wholeNanoseconds), guint64(rate), 1_000_000_000))
  }

  private static func time(of frame: Int64, _ rate: Int) -> Duration { .seconds(1) * frame / rate }

  // MARK: Pipeline

  private func begin() throws(PlayerError) {
    if let shortage = Shortage.failure { throw shortage }
    try GStreamer.initialize()
    GStreamer.preferLightDecoders()
    if let error = MediaURI.failure(of: uri) { throw error }
    if LocalFile.isMissing(uri) { throw PlayerError(code: .notFound, message: "not found") }
    let pipeline = try make()
    let isWanted = state.withLock { state in
      if !state.isClosed { state.pipeline = pipeline }
      return !state.isClosed
    }
    guard isWanted else { return GStreamer.dismantle(pipeline) }
    // A failure posts an error, which ends the first pull.
    unsafe gst_element_set_state(pipeline.pointer(), GST_STATE_PLAYING)
  }

  /// Makes a pipeline of a decoder and an `appsink`.
  private func make() throws(PlayerError) -> ObjectReference {
    let convert = "audioconvert dithering=none"
    let resample = format.sampleRate == nil ? "" : "audioresample ! \(convert) ! "
    let description = """
      urisourcebin name=source ! parsebin name=parser \
      decodebin name=decoder ! \(convert) ! \(resample)\(format.caps) ! appsink name=sink sync=false max-buffers=4
      """
    var error: UnsafeMutablePointer<GError>?
    let made = unsafe ObjectReference(taking: gst_parse_launch(description, &error))
    let text = unsafe GLib.take(error)?.message
    guard let pipeline = made, let bin = unsafe cgst_bin(pipeline.object),
      let source = unsafe GLib.element("source", in: bin), let parser = unsafe GLib.element("parser", in: bin),
      let decoder = unsafe GLib.element("decoder", in: bin),
      let bus = unsafe ObjectReference(taking: gst_element_get_bus(pipeline.pointer()))
    else {
      throw PlayerError(code: .unknown, message: "cannot create the decoder: \(text ?? "an element is missing")")
    }
    unsafe GLib.set(source, "uri", to: uri)
    if let headers = RequestHeaders(uri, headers) {
      unsafe Signal.deepElement("deep-element-added", of: bin) { element, _ in unsafe headers.follow(element) }
    }
    let budget = LoadBudget { [weak self] in self?.fail($0) }
    unsafe [parser, decoder].forEach { decoder in
      unsafe budget.begin(decoder)
      unsafe DecodingFaults.correct(in: decoder)
    }
    unsafe Signal.padAdded(to: parser) { [track] parser, pad in unsafe link(pad, of: parser, ifTrack: track) }
    unsafe Signal.emitted("no-more-pads", by: parser) { [weak self, track] parser in
      guard unsafe !hasTrack(track, parser) else { return }
      self?.fail(PlayerError(code: .noAudio, message: "the media has no audio track with the number \(track + 1)"))
    }
    unsafe BusHandler.install(on: bus.pointer()) { [weak self] message in
      if let failure = unsafe Failure(message) { self?.fail(failure.playerError) }
      return nil
    }
    return pipeline
  }

  // MARK: On any thread

  /// Keeps the first failure, and releases the pipeline, which ends a pull.
  private func fail(_ error: PlayerError) {
    state.withLock { state in
      if !state.isClosed, state.failure == nil { state.failure = error }
    }
    close()
  }

  private func close() {
    let pipeline = state.withLock { state in
      state.isClosed = true
      return state.pipeline.take()
    }
    if let pipeline { queue.async { GStreamer.dismantle(pipeline) } }
  }
}

/// Links a pad of a parser to the decoder if the pad carries an audio track.
private func link(
  _ pad: UnsafeMutablePointer<GstPad>, of parser: UnsafeMutablePointer<GstElement>, ifTrack track: Int
) {
  guard unsafe !AudioOnlyDecoding.isHidden(pad),
    unsafe audioPads(of: parser).firstIndex(of: UInt(bitPattern: pad)) == track
  else { return }
  let top = unsafe GLib.top(of: parser)
  defer { unsafe gst_object_unref(top) }
  guard let bin = unsafe cgst_bin(top), let decoder = unsafe GLib.element("decoder", in: bin) else { return }
  unsafe GLib.withPad("sink", of: decoder) { input in
    if unsafe gst_pad_is_linked(input) == 0 { unsafe gst_pad_link(pad, input) }
  }
}

private func hasTrack(_ track: Int, _ parser: UnsafeMutablePointer<GstElement>) -> Bool {
  unsafe audioPads(of: parser).indices.contains(track)
}

/// Returns the addresses of the audio pads of a parser, in the order of its tracks.
private func audioPads(of parser: UnsafeMutablePointer<GstElement>) -> [UInt] {
  var pads: [UInt] = []
  unsafe AudioOnlyDecoding.forEachPad(of: parser) { pad in
    if unsafe !AudioOnlyDecoding.isHidden(pad) { pads.append(UInt(bitPattern: pad)) }
  }
  return pads
}

extension SampleChunk {
  /// Copies a sample of an `appsink`; nil if its format is not linear PCM.
  fileprivate init?(_ sample: OpaquePointer) {
    var info = unsafe GstAudioInfo()
    guard let buffer = unsafe gst_sample_get_buffer(sample), let caps = unsafe gst_sample_get_caps(sample),
      unsafe gst_audio_info_from_caps(&info, caps) != 0, let form = unsafe info.finfo,
      let encoding = unsafe SampleFormat.Encoding(rawValue: String(cString: form.pointee.name)),
      unsafe info.rate > 0, unsafe info.channels > 0
    else { return nil }
    let rate = unsafe Int(info.rate)
    var time = GstClockTime.max
    if var segment = unsafe gst_sample_get_segment(sample)?.pointee {
      time = unsafe gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, buffer.pointee.pts)
    }
    first = Duration(gst: time).map { SampleReader.frame(at: $0, rate) } ?? -1
    bytes = unsafe GLib.bytes(of: buffer) ?? []
    self.encoding = encoding
    (sampleRate, channels) = unsafe (rate, Int(info.channels))
  }
}
