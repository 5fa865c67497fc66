import CGst
import Dispatch
import EngineProcess
import Joining
import Playback
import Synchronization

/// Measures one file: decodes it as fast as its threads of lowest priority run, and settles once.
///
/// It decodes the whole file, because the gates need all blocks. Four minutes of stereo take 0.35 s of CPU time in AAC, 0.47 s in FLAC
/// of a CD, 0.53 s in Vorbis, 0.60 s in MP3, 0.86 s in FLAC of 96 kHz and 24 bit, and 1.24 s in Opus.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/uridecodebin.html>
final class LoudnessMeasurement: Sendable {
  private struct State {
    /// The report, until the measurement is settled.
    var report: (@Sendable (TrackLoudness?) -> Void)?
    var pipeline: ObjectReference?
    var meter: LoudnessMeter?
    /// The energies, the peak, the duration and the end of the last sound before the present format.
    var energies: [Double] = []
    var peak = 0.0
    var duration = Duration.zero
    var sound = Duration.zero
    var album: String?
    var hasDuration = false

    /// Adds the result of the present format when another format replaces it.
    mutating func finishFormat() {
      guard let meter = meter.take() else { return }
      energies += meter.energies
      peak = max(peak, meter.peak)
      if meter.sound > .zero { sound = duration + meter.sound }
      duration += meter.duration
    }

    /// The time from which the recording is silent to its end; nil if that is short, or if all of it is silent.
    ///
    /// A part of the silence remains, because decoders differ in the samples at the start.
    var silence: Duration? {
      sound > .zero && duration - sound > .milliseconds(500) ? sound + .milliseconds(100) : nil
    }
  }

  /// The maximum duration of a measured file: longer ones are films and broadcasts.
  static let limit = Duration.seconds(90 * 60)

  private let state: Mutex<State>
  private let uri: String
  private let isIdle: Bool
  /// Whether a file with loudness tags is measured.
  private let includesTagged: Bool
  /// A queue with its own thread, on which the pipeline is opened and released.
  private let queue = DispatchQueue(label: "GstPlayer.LoudnessMeasurement", qos: .utility)

  /// Creates a measurement; its threads have the lowest priority if `isIdle`.
  ///
  /// The report is nil if the file has loudness tags, or cannot be measured.
  init(
    of uri: String, isIdle: Bool = true, includesTagged: Bool = false,
    _ report: @escaping @Sendable (TrackLoudness?) -> Void
  ) {
    self.uri = uri
    self.includesTagged = includesTagged
    self.isIdle = isIdle
    state = Mutex(State(report: report))
  }

  func begin() { queue.async { self.start() } }

  /// Ends the measurement without a report.
  func cancel() { _ = release() }

  /// Reports the first result, and releases the pipeline.
  private func settle(_ result: TrackLoudness?) { release()?(result) }

  /// Releases the pipeline; returns the function for the report, nil if the measurement is settled.
  private func release() -> (@Sendable (TrackLoudness?) -> Void)? {
    let (report, pipeline) = state.withLock { state in
      defer {
        state.report = nil
        state.pipeline = nil
        state.meter = nil
      }
      return (state.report, state.pipeline)
    }
    if let pipeline { queue.async { GStreamer.dismantle(pipeline) } }
    return report
  }

  // MARK: Pipeline, on the queue

  private func start() {
    guard Shortage.failure == nil, (try? GStreamer.initialize()) != nil, MediaURI.failure(of: uri) == nil,
      let pipeline = make()
    else { return failed() }
    let isWanted = state.withLock { state in
      if state.report != nil { state.pipeline = pipeline }
      return state.report != nil
    }
    guard isWanted else { return GStreamer.dismantle(pipeline) }
    if unsafe gst_element_set_state(pipeline.pointer(), GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE { failed() }
  }

  /// Makes a pipeline of the decoder and a `fakesink` for the formats of libebur128; nil if that fails.
  ///
  /// The demuxer is in a separate bin: the bin of `uridecodebin` passes each packet to another thread, which takes more
  /// processor time than the decoding of AAC.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/playback/parsebin.html>
  private func make() -> ObjectReference? {
    let caps = "audio/x-raw,format={S16LE,S32LE,F32LE,F64LE},layout=interleaved"
    let description = """
      urisourcebin name=source ! parsebin name=parser \
      decodebin name=decoder ! audioconvert ! \(caps) ! fakesink name=sink sync=false
      """
    guard let pipeline = unsafe ObjectReference(taking: gst_parse_launch(description, nil)),
      let bin = unsafe cgst_bin(pipeline.object), let source = unsafe GLib.element("source", in: bin),
      let parser = unsafe GLib.element("parser", in: bin), let decoder = unsafe GLib.element("decoder", in: bin),
      let sink = unsafe GLib.element("sink", in: bin), let bus = unsafe gst_element_get_bus(pipeline.pointer())
    else { return nil }
    unsafe GLib.set(source, "uri", to: uri)
    let budget = LoadBudget { _ in self.failed() }
    unsafe [parser, decoder].forEach { decoder in
      unsafe budget.begin(decoder)
      unsafe DecodingFaults.correct(in: decoder)
    }
    unsafe Signal.padAdded(to: parser) { parser, pad in unsafe linkFirst(pad, of: parser) }
    unsafe PadProbe.add(to: "sink", of: sink, PadProbe.data) { pad, info in
      if let buffer = unsafe cgst_probe_buffer(info) {
        unsafe GLib.withBytes(of: buffer) { unsafe self.samplesCame($0, at: pad) }
      } else if let event = unsafe cgst_probe_event(info) {
        switch unsafe event.pointee.type {
        case GST_EVENT_CAPS: if let caps = unsafe GLib.caps(of: event) { unsafe self.formatChanged(caps) }
        case GST_EVENT_TAG: if let tags = unsafe TagList(event) { self.tagsCame(tags) }
        default: break
        }
      }
      return GST_PAD_PROBE_OK
    }
    let pool = isIdle ? IdleTaskPool() : nil
    unsafe BusHandler.install(on: bus) { message in
      switch unsafe message.pointee.type {
      case GST_MESSAGE_EOS: self.ended()
      case GST_MESSAGE_ERROR: self.failed()
      case GST_MESSAGE_STREAM_STATUS: unsafe pool?.takeTask(of: message)
      default: break
      }
      return nil
    }
    unsafe gst_object_unref(bus)
    return pipeline
  }

  // MARK: Events, on the idle threads

  private func formatChanged(_ caps: UnsafeMutablePointer<GstCaps>) {
    var info = unsafe GstAudioInfo()
    guard unsafe gst_audio_info_from_caps(&info, caps) != 0, let form = unsafe info.finfo,
      let format = unsafe LoudnessMeter.Format(rawValue: String(cString: form.pointee.name))
    else { return failed() }
    let (channels, rate) = unsafe (Int(info.channels), Int(info.rate))
    let isSupported = state.withLock { state in
      state.finishFormat()
      if state.report != nil { state.meter = LoudnessMeter(format, channels: channels, rate: rate) }
      return state.report == nil || state.meter != nil
    }
    if !isSupported { failed() }
  }

  private func tagsCame(_ tags: TagList) {
    // Their gain is applied, so no other is needed.
    if !includesTagged, GainTags(tags).hasGain { return failed() }
    guard let name = tags.string(GST_TAG_ALBUM) else { return }
    let album = GLib.sha256(Array(name.utf8))
    state.withLock { $0.album = album }
  }

  private func samplesCame(_ samples: UnsafeRawBufferPointer, at pad: UnsafeMutablePointer<GstPad>) {
    let isKnown = state.withLock { state in
      defer { state.hasDuration = true }
      return state.hasDuration
    }
    var duration: gint64 = 0
    if !isKnown, unsafe gst_pad_peer_query_duration(pad, GST_FORMAT_TIME, &duration) != 0,
      .nanoseconds(Int64(duration)) > Self.limit
    {
      return failed()
    }
    let (address, count) = (UInt(bitPattern: samples.baseAddress), samples.count)
    let isTooLong = state.withLock { state in
      unsafe state.meter?.add(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
      return state.energies.count + (state.meter?.energies.count ?? 0) > Int(Self.limit / .milliseconds(100))
    }
    if isTooLong { failed() }
  }

  private func ended() {
    let result = state.withLock { state in
      state.finishFormat()
      var result = TrackLoudness(energies: state.energies, peak: state.peak, album: state.album)
      result.silence = state.silence
      return result
    }
    // Samples of floating-point formats may be beyond any level.
    settle(result.isValid ? result : nil)
  }

  /// Reports that the file is not measured.
  private func failed() { settle(nil) }
}

/// Links the first pad of a parser that is not video, a picture or subtitles to the decoder of its pipeline.
private func linkFirst(_ pad: UnsafeMutablePointer<GstPad>, of parser: UnsafeMutablePointer<GstElement>) {
  let top = unsafe GLib.top(of: parser)
  defer { unsafe gst_object_unref(top) }
  guard let bin = unsafe cgst_bin(top), let decoder = unsafe GLib.element("decoder", in: bin),
    let input = unsafe gst_element_get_static_pad(decoder, "sink")
  else { return }
  defer { unsafe gst_object_unref(input) }
  guard unsafe gst_pad_is_linked(input) == 0, unsafe !AudioOnlyDecoding.isHidden(pad) else { return }
  unsafe gst_pad_link(pad, input)
}
