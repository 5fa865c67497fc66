import CGst
import EngineProcess
import Joining
import Playback
import Synchronization

/// One run of samples through `appsrc` into a sink, which stays open as long as there is something to play.
///
/// The owner numbers the frames, and writes them at most ``capacity`` ahead of the audible frame. A written frame can be replaced
/// until it is audible: a sink with a ring buffer, such as `pulsesink`, places a buffer with `DISCONT` by its time and overwrites
/// the samples there. So an edit needs no flush, and the output's time continues.
///
/// - A frame that would be too late for the clock is moved: it begins ``safety`` after the audible frame, and no frame is lost.
/// - The end of the audio is a time of the clock. EOS is not sent, because a source that has sent EOS needs a flush.
/// - A sink without a ring buffer takes a buffer when the previous buffer starts. Buffers that it has not taken can be replaced.
/// - A change of the speed flushes. With a ring buffer, a change of the plan during a pause flushes too. Another format closes and
///   reopens the sink.
/// - A seek, and a skip without a fade, flush too, because no audible sample continues. The new samples are audible 40 ms sooner.
/// - A call blocks only as long as the sink blocks while it is opened, paused, flushed or closed; a time limit applies.
///
/// <https://gstreamer.freedesktop.org/documentation/app/appsrc.html>,
/// <https://gstreamer.freedesktop.org/documentation/audio/gstaudiobasesink.html>
@safe final class Output {
  /// A message of the pipeline.
  enum Event: Sendable {
    /// The sink plays.
    case playing
    case failed(PlayerError)
    case warning(String)
    case clockLost
    case latencyChanged
    /// The sink has taken everything before a request; see ``drain()``.
    case drained(Int64)
    /// The sound server requests a pause, or the end of it.
    case pauseRequested, resumeRequested
  }

  /// The first error since the sink was last opened.
  private final class FirstError: Sendable {
    let error = Mutex<PlayerError?>(nil)
  }

  /// The buffers of samples that wait for a sink without a ring buffer; removed buffers are dropped.
  private final class Queue: Sendable {
    private struct State {
      var last: Int64 = 0
      /// The numbers of the buffers and of their first frames, both in order.
      var buffers: [(number: Int64, first: Int64)] = []
    }

    private let state = Mutex(State())

    /// Adds a buffer that begins with a frame; returns its number.
    func add(_ first: Int64) -> Int64 {
      state.withLock { state in
        state.last += 1
        state.buffers.append((state.last, first))
        return state.last
      }
    }

    /// Notes that the sink takes a buffer; returns false if it is to be dropped.
    func take(_ number: Int64) -> Bool {
      state.withLock { state in
        state.buffers.removeAll { $0.number < number }
        guard state.buffers.first?.number == number else { return false }
        state.buffers.removeFirst()
        return true
      }
    }

    /// Returns the first frame from one on at which a buffer begins; nil if there is none.
    func start(from frame: Int64) -> Int64? { state.withLock { $0.buffers.first { $0.first >= frame }?.first } }

    /// Removes the buffers that begin at a frame or after it; returns their first frame, or nil if there are none.
    @discardableResult func remove(from frame: Int64) -> Int64? {
      state.withLock { state in
        guard let index = state.buffers.firstIndex(where: { $0.first >= frame }) else { return nil }
        defer { state.buffers.removeSubrange(index...) }
        return state.buffers[index].first
      }
    }
  }

  private let firstError = FirstError()
  private let queue = Queue()
  private let pipeline: ObjectReference
  private let source: ObjectReference
  private let resampler: ObjectReference
  private let sink: ObjectReference
  private let filter: ObjectReference?
  private let limit: CallLimit?
  private let matchesSampleRate: Bool
  /// The device of PulseAudio that was chosen; nil for the default one.
  private let device: String?
  /// The corrected clock; nil unless the sink is PulseAudio's.
  private let clock: OutputClock?
  /// Whether the sink has a ring buffer, in which samples can be replaced.
  let hasRing: Bool
  /// The duration of the samples that have left the ring buffer for a device or a server, and cannot be replaced.
  private var deviceTime: Duration
  /// The duration that is written ahead of the audible frame.
  let capacity: Duration
  /// The duration of the samples that are written at once.
  let chunk: Duration

  /// The format of the open sink; nil while it is closed.
  private(set) var format: PCMFormat?
  private var timeline = OutputTimeline(rate: 1)
  /// The number of the frame after the last one that was written.
  private(set) var written: Int64 = 0
  /// The time until which the sink has samples, even if their frames were replaced since.
  private var filled: Int64 = 0
  /// The time until which replaced samples are covered with silence.
  private var covered: Int64 = 0
  /// Whether the next buffer does not follow the one before.
  private var isDiscontinuous = false
  /// The last request to report when the sink has taken everything.
  private struct Drain {
    var number: Int64 = 0
    /// The frame before which everything is taken.
    var frame: Int64?
    var isDone = false
  }
  private var drain = Drain()
  private(set) var isPlaying = false
  /// The speed of the tempo stage.
  private(set) var speed = 1.0

  /// The time before a frame is audible, or is passed to a device, until which it can be written or replaced.
  ///
  /// In measurements with late samples, 20 ms were enough. With contiguous times all late samples were lost; a pause of the sink
  /// lost some, or stayed silent.
  static let safety = Duration.milliseconds(50)
  /// The time that PipeWire reads ahead at most: two to four quanta, of up to 4,096 samples of 48 kHz.
  private static let pipeWireTime = Duration.milliseconds(250)
  /// The time before replaced samples would be audible, at which they are covered with silence.
  private static let cover = Duration.milliseconds(400)
  /// The time before the next frame is audible at which it is too late to write it.
  private static let latest = Duration.milliseconds(15)
  /// The maximum difference of two readings of a clock for which a reading of another clock between them is exact.
  private static let readingTolerance = Duration.microseconds(500)
  /// The time by which the next frame may be late without a ring buffer: such a sink plays late frames faster.
  private static let catchUp = Duration.seconds(2)
  /// The time by which the clock of a sound server, an estimate, may be ahead of its samples.
  static let clockTolerance = Duration.milliseconds(40)

  /// Makes an output, whose sink is not opened yet.
  ///
  /// - Parameters:
  ///   - choice: The sink, which the output takes over.
  ///   - filter: Elements between the source and the sink, such as a volume; nil for none.
  ///   - isShowingTitle: Whether the title of the audible item is shown by mixers, see ``StreamTitle``.
  ///   - matchesSampleRate: Whether each format requests its rate of PipeWire's device.
  ///   - limit: The time limit of calls that may block; nil for none.
  ///   - report: Called on a thread of GStreamer; it must not block.
  /// - Throws: The error of an installation without GStreamer's base elements.
  init(
    _ choice: AudioSink.Choice, filter: ObjectReference? = nil, isShowingTitle: Bool = false,
    matchesSampleRate: Bool = false, limit: CallLimit? = nil, report: @escaping @Sendable (Event) -> Void
  ) throws(PlayerError) {
    guard let pipeline = unsafe ObjectReference(taking: gst_object_ref_sink(gst_pipeline_new(nil))),
      let bin = unsafe cgst_bin(pipeline.object),
      let source = unsafe gst_element_factory_make("appsrc", nil),
      let convert = unsafe gst_element_factory_make("audioconvert", nil),
      let resample = unsafe gst_element_factory_make("audioresample", nil)
    else { throw PlayerError(code: .output, message: "GStreamer's base elements are not installed") }
    self.pipeline = pipeline
    unsafe self.source = ObjectReference(source)
    unsafe resampler = ObjectReference(resample)
    unsafe sink = ObjectReference(choice.element)
    (self.filter, self.limit, self.matchesSampleRate) = (filter, limit, matchesSampleRate)
    device = unsafe AudioSink.device(of: choice.element)
    let clock = unsafe GLib.with(taking: AudioSink.volumeOwner(of: choice.element)) {
      unsafe OutputClock.replace(in: $0)
    }
    self.clock = clock ?? nil
    let ring = unsafe Self.ring(of: choice.element)
    hasRing = ring != nil
    deviceTime = ring?.deviceTime ?? .zero
    // A sound server may have rendered 2 s ahead; with half of the buffer free, it accepts a replacement at once.
    let ahead = ring.map { $0.time < .seconds(2) ? $0.time * 3 / 4 : $0.time / 2 } ?? .milliseconds(200)
    capacity = deviceTime + ahead
    // Without a ring buffer, a replacement is played after two buffers that the sink has taken.
    chunk = ring == nil ? ahead / 4 : ahead < .seconds(2) ? ahead / 3 : .seconds(1)
    // `stream-type` makes the source seekable, for another speed.
    for (name, value) in [("format", "time"), ("stream-type", "seekable"), ("max-bytes", "0"), ("block", "false")] {
      unsafe gst_util_set_object_arg(UnsafeMutableRawPointer(source).assumingMemoryBound(to: GObject.self), name, value)
    }
    // A sample that is written again must be the same.
    for name in ["dithering", "noise-shaping"] {
      let object = unsafe UnsafeMutableRawPointer(convert).assumingMemoryBound(to: GObject.self)
      unsafe gst_util_set_object_arg(object, name, "none")
    }
    // The filter may change the rate, for another speed.
    let chain = unsafe [source] + (filter.map { unsafe [$0.pointer()] } ?? []) + [convert, resample, choice.element]
    unsafe chain.forEach { unsafe gst_bin_add(bin, $0) }
    for unsafe(before, after) in unsafe zip(chain, chain.dropFirst()) { unsafe gst_element_link(before, after) }
    if isShowingTitle {
      unsafe GLib.with(taking: cgst_element_of_factory(choice.element, "pulsesink")) {
        unsafe TitleBus.insert(at: $0, in: bin)
      }
    }
    unsafe Signal.connect("seek-data", of: source) { _, result in
      if let result = unsafe result { unsafe g_value_set_boolean(result, 1) }
    }
    unsafe PadProbe.add(to: "src", of: source, [GST_PAD_PROBE_TYPE_BUFFER]) { [queue] pad, info in
      unsafe takeMarker(pad, info) {
        report(.drained($0))
      } takes: {
        queue.take($0)
      }
    }
    unsafe PadProbe.add(to: "src", of: source, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM], dropOldCaps)
    let top = unsafe UInt(bitPattern: pipeline.object)
    unsafe GLib.with(taking: gst_element_get_bus(pipeline.pointer())) { bus in
      unsafe BusHandler.install(on: bus) { [firstError] message in
        let isOfPipeline = unsafe UInt(bitPattern: message.pointee.src) == top
        guard let event = unsafe Event(message, isOfPipeline: isOfPipeline) else { return nil }
        if case .failed(let error) = event { firstError.error.withLock { $0 = $0 ?? error } }
        report(event)
        return nil
      }
    }
  }

  /// Returns the size of the ring buffer of a sink, or of the sink in a bin, and the duration that is in a device behind it; nil
  /// without a ring buffer.
  private static func ring(of output: UnsafeMutablePointer<GstElement>) -> (time: Duration, deviceTime: Duration)? {
    guard let bin = unsafe cgst_bin(output) else { return unsafe ring(output) }
    return unsafe GLib.first(in: bin) { unsafe ring($0) }
    func ring(_ sink: UnsafeMutablePointer<GstElement>) -> (time: Duration, deviceTime: Duration)? {
      guard unsafe cgst_is_audio_base_sink(sink) != 0 else { return nil }
      let time = unsafe GLib.get(sink, "buffer-time") { Duration.microseconds(unsafe g_value_get_int64($0)) }
      // The thread of such a sink fills a device of the same size, with silence if samples are missing.
      let type = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GTypeInstance.self)
      let hasDevice = unsafe g_type_check_instance_is_a(type, gst_audio_sink_get_type()) != 0
      return (time, hasDevice ? time : .zero)
    }
  }

  // MARK: Device

  /// Opens the sink for a format, paused, and blocks while the device opens; the next frame to be written has a number.
  func open(_ format: PCMFormat, at frame: Int64) throws(PlayerError) {
    close()
    guard let caps = unsafe gst_caps_from_string(format.caps) else {
      throw PlayerError(code: .output, message: "the format \(format.caps) is unknown to GStreamer")
    }
    unsafe GLib.set(source.object, "caps", type: gst_caps_get_type()) { unsafe gst_value_set_caps($0, caps) }
    unsafe cgst_mini_object_unref(caps)
    unsafe AudioSink.setDevice(device, of: sink.pointer())
    if matchesSampleRate { unsafe AudioSink.requestRate(format.rate, of: sink.pointer()) }
    self.format = format
    begin(frame)
    firstError.error.withLock { $0 = nil }
    guard setState(GST_STATE_PAUSED) else {
      close()
      throw firstError.error.withLock(\.self) ?? PlayerError(code: .output, message: "the output cannot be opened")
    }
  }

  /// Releases the device, and blocks until the threads of the pipeline have ended; samples that are not audible yet are
  /// discarded.
  func close() {
    guard format != nil else { return }
    // An element that is still negotiating may find the next one closed, and report that; a start ends this again.
    unsafe GLib.with(taking: gst_element_get_bus(pipeline.pointer())) { unsafe gst_bus_set_flushing($0, 1) }
    setState(GST_STATE_NULL)
    if let filter { unsafe Tempo.remove(from: filter.pointer()) }
    (format, isPlaying, speed) = (nil, false, 1)
  }

  /// Plays or pauses; a closed output ignores it.
  func setPlaying(_ isPlaying: Bool) {
    guard format != nil, isPlaying != self.isPlaying else { return }
    self.isPlaying = isPlaying
    setState(isPlaying ? GST_STATE_PLAYING : GST_STATE_PAUSED)
    // A pause is complete when the sink holds data again, and there may be none left.
    if !isPlaying, filled > 0 { sendGap(lasting: 1) }
  }

  /// Selects another clock, after the present one was lost.
  func selectClock() {
    guard isPlaying else { return }
    setPlaying(false)
    setPlaying(true)
  }

  /// Changes the state; returns false if that fails at once.
  @discardableResult private func setState(_ state: GstState) -> Bool {
    limited { unsafe gst_element_set_state(pipeline.pointer(), state) != GST_STATE_CHANGE_FAILURE }
  }

  /// Runs a call that may block.
  private func limited<Result>(_ call: () -> Result) -> Result {
    guard let limit else { return call() }
    return limit.run(call)
  }

  /// Distributes the latency of the sink again.
  func updateLatency() {
    if let bin = unsafe cgst_bin(pipeline.object) { unsafe gst_bin_recalculate_latency(bin) }
  }

  private func begin(_ frame: Int64) {
    guard let format else { return }
    timeline = OutputTimeline(rate: format.rate, from: frame)
    // The clock of PulseAudio's sink has this lead.
    if hasRing, clock == nil { timeline.restart(frame, at: scaled(StreamClock.lead)) }
    (written, filled, covered, isDiscontinuous) = (frame, 0, 0, true)
    queue.remove(from: .min)
    drain = Drain(number: drain.number + 1)
  }

  /// Notes that the server is PipeWire, which reads samples ahead and, unlike PulseAudio, takes none of them back.
  func notePipeWire() { deviceTime = max(deviceTime, Self.pipeWireTime) }

  // MARK: Samples

  /// Writes samples, as whole frames of the format; `frame` is the number of the first frame, and ``written`` is the
  /// number after the last.
  func write(_ bytes: [UInt8], at frame: Int64) {
    guard let format else { return }
    let now = now
    if frame != written { isDiscontinuous = true }
    let latest = hasRing ? deviceTime + Self.latest : .zero - Self.catchUp
    if now > 0, timeline.time(of: frame) < now + scaled(latest) {
      timeline.restart(frame, at: now + scaled(deviceTime + Self.safety))
      isDiscontinuous = true
    }
    written = frame + Int64(bytes.count / format.bytesPerFrame)
    covered = 0
    push(bytes, from: timeline.time(of: frame), to: timeline.time(of: written), first: frame)
    timeline.forget(before: heard)
  }

  /// Replaces the written samples from a frame on, which is not audible yet; returns the next frame to be written.
  ///
  /// A sink without a ring buffer has taken some samples, and then this is the first frame of a buffer after them.
  func rewind(to frame: Int64) -> Int64 {
    guard frame < written else { return written }
    if hasRing {
      (written, isDiscontinuous) = (frame, true)
    } else {
      written = queue.remove(from: frame) ?? written
      drain = Drain(number: drain.number + 1)
    }
    return written
  }

  /// Writes silence over the next samples whose frames were replaced and that nothing follows yet; returns the time after which to
  /// call it again, or nil if no such samples are left.
  ///
  /// A server accepts only as much as its buffer has room for, and samples after the silence have to wait for that. Therefore each
  /// call writes little.
  func coverReplaced() -> Duration? {
    guard let format, hasRing else { return nil }
    let start = max(timeline.time(of: written), covered, now)
    guard filled > start else { return nil }
    let due = now + scaled(deviceTime + Self.cover / 2)
    guard start <= due else { return .nanoseconds(start - due) / speed }
    let end = min(filled, due + scaled(Self.cover / 2))
    let frames = Int(end - start) * format.rate / 1_000_000_000 + 1
    isDiscontinuous = true
    push([UInt8](repeating: 0, count: frames * format.bytesPerFrame), from: start, to: end)
    covered = end
    isDiscontinuous = true
    return end < filled ? Self.cover / 2 : nil
  }

  /// Returns whether the sink has taken the last sample that was written; if it has not, ``Event/drained(_:)`` follows.
  ///
  /// The clock of a sink without a ring buffer does not show it: the sink's thread may be late. The last samples may also wait in a
  /// resampler, until silence follows them.
  func isDrained() -> Bool {
    guard !hasRing, format != nil, filled > 0 else { return true }
    if drain.isDone, drain.frame == written { return true }
    guard drain.frame != written, let marker = unsafe gst_buffer_new() else { return false }
    pushTail()
    drain = Drain(number: drain.number + 1, frame: written)
    unsafe marker.pointee.offset = guint64(drain.number)
    unsafe cgst_push_buffer(source.pointer(), marker)
    unsafe cgst_mini_object_unref(marker)
    return false
  }

  /// Notes that the sink has taken everything before a request.
  func noteDrained(_ number: Int64) { if number == drain.number { drain.isDone = true } }

  /// Writes as much silence as the resampler delays the samples.
  private func pushTail() {
    guard let format, let query = unsafe gst_query_new_latency() else { return }
    defer { unsafe cgst_mini_object_unref(query) }
    var latency = GstClockTime(0)
    unsafe GLib.withPad("src", of: resampler.pointer()) { pad in
      if unsafe gst_pad_query(pad, query) != 0 { unsafe gst_query_parse_latency(query, nil, &latency, nil) }
    }
    guard latency > 0, let delay = Duration(gst: latency) else { return }
    let count = Int(format.frame(at: delay)) + 1
    let start = timeline.time(of: written)
    push([UInt8](repeating: 0, count: count * format.bytesPerFrame), from: start, to: start, first: written)
  }

  /// Writes samples of the stream between two times; `first` is the number of the first frame, nil for silence between frames.
  private func push(_ bytes: [UInt8], from start: Int64, to end: Int64, first: Int64? = nil) {
    guard let buffer = unsafe bytes.withUnsafeBytes({ unsafe gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) })
    else { return }
    unsafe (buffer.pointee.pts, buffer.pointee.duration) = (GstClockTime(start), GstClockTime(max(0, end - start)))
    if !hasRing, let first { unsafe buffer.pointee.offset = guint64(queue.add(first)) }
    if isDiscontinuous { unsafe buffer.pointee.mini_object.flags |= GST_BUFFER_FLAG_DISCONT.rawValue }
    isDiscontinuous = false
    filled = max(filled, end)
    unsafe cgst_push_buffer(source.pointer(), buffer)
    unsafe cgst_mini_object_unref(buffer)
  }

  /// Lets a sink with a ring buffer that has begun to play do so although its buffer is not full.
  ///
  /// `pulsesink` begins when its buffer is full, also after a pause. A gap of unknown duration makes it begin; only the thread
  /// of the source may send one, so an empty buffer requests it there. Before the sink is in PLAYING, the gap would start only the
  /// server's stream, and the clock would stand still.
  func start() { if hasRing, filled > 0 { sendGap(lasting: .max) } }

  /// Sends a gap at the start of the stream, of a duration in nanoseconds; the maximum is unknown.
  private func sendGap(lasting duration: GstClockTime) {
    guard let marker = unsafe gst_buffer_new() else { return }
    unsafe (marker.pointee.pts, marker.pointee.duration) = (0, duration)
    unsafe cgst_push_buffer(source.pointer(), marker)
    unsafe cgst_mini_object_unref(marker)
  }

  /// Discards all samples that are not audible yet, and continues with a frame, at a speed.
  func flush(to frame: Int64, speed: Double) {
    guard format != nil else { return }
    self.speed = speed
    begin(frame)
    // The clock of the output continues, and samples that would be in the device by now are lost.
    if deviceTime > .zero { timeline.restart(frame, at: scaled(deviceTime + Self.safety)) }
    let flags = GstSeekFlags(GST_SEEK_FLAG_FLUSH.rawValue)
    _ = limited {
      unsafe gst_element_seek(
        pipeline.pointer(), speed, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_NONE, -1)
    }
  }

  // MARK: Start at an instant

  /// Lets the sink begin to play before the first frame: with so much silence, if it has a ring buffer.
  func prime(_ silence: Duration) {
    guard hasRing else { return sendGap(lasting: 1) }
    writeSilence(until: scaled(silence))
  }

  /// Writes silence until a time from now on, before the first frame.
  func writeSilence(for time: Duration) { if hasRing { writeSilence(until: now + scaled(time)) } }

  /// Schedules the next frame at a time of the stream, or after a duration if the time is nil; later if it could not be written in
  /// time.
  func begin(at time: Int64?, in remaining: Duration) {
    guard let format else { return }
    let (earliest, time) = (now + scaled(deviceTime + Self.safety), time ?? now + scaled(remaining))
    // Whole frames, so that the first one follows the silence without a break.
    let frame = frames(before: max(earliest, time) + Int64(500_000_000 / format.rate))
    if hasRing { writeSilence(until: timeline.nanoseconds(frame)) }
    timeline.restart(written, at: max(filled, timeline.nanoseconds(frame)))
  }

  /// Writes silence from the last sample on, in whole frames.
  private func writeSilence(until time: Int64) {
    guard let format else { return }
    let (first, last) = (frames(before: filled), frames(before: time))
    guard first < last else { return }
    let bytes = [UInt8](repeating: 0, count: Int(last - first) * format.bytesPerFrame)
    push(bytes, from: timeline.nanoseconds(first), to: timeline.nanoseconds(last))
  }

  /// Returns the number of whole frames before a time of the stream.
  private func frames(before time: Int64) -> Int64 {
    guard let format else { return 0 }
    // The time of a frame is rounded down, so the next nanosecond may be in it.
    let (seconds, rest) = max(0, time + 1).quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds * Int64(format.rate) + rest * Int64(format.rate) / 1_000_000_000
  }

  /// Returns the time of the stream at an instant of a clock; nil while the clock of the sink is not exact.
  func time(at instant: MonotonicTime, of clock: any PlaybackClock) -> Int64? {
    var best: (time: Duration, spread: Duration)?
    // On a busy machine, the thread may be suspended between the readings of the clocks.
    for _ in 0..<5 {
      let before = clock.now
      guard let running = exactRunningTime else { return nil }
      let spread = clock.now - before
      if best.map({ spread < $0.spread }) ?? true { best = (running + (instant - before) - spread / 2, spread) }
      if spread <= Self.readingTolerance { break }
    }
    return best.map { scaled($0.time) }
  }

  /// The running time of the sink; nil unless it plays and its clock is exact.
  private var exactRunningTime: Duration? {
    guard clockError != nil, let time = runningTime else { return nil }
    // Reading the clock may show that the sink does not run.
    return clockError.map { time + $0 }
  }

  private var clockError: Duration? {
    guard let clock else { return .zero }
    return unsafe GLib.with(taking: AudioSink.volumeOwner(of: sink.pointer())) { unsafe clock.error(in: $0) } ?? nil
  }

  /// The running time of the sink; nil unless it plays.
  var runningTime: Duration? {
    guard isRunning else { return nil }
    return unsafe Duration(gst: gst_element_get_current_running_time(pipeline.pointer()))
  }

  /// Whether the pipeline has reached PLAYING and is not leaving it.
  var isRunning: Bool {
    guard format != nil else { return false }
    var (state, pending) = (GST_STATE_VOID_PENDING, GST_STATE_VOID_PENDING)
    unsafe gst_element_get_state(pipeline.pointer(), &state, &pending, 0)
    return state == GST_STATE_PLAYING && pending == GST_STATE_VOID_PENDING
  }

  // MARK: Position

  /// The number of the audible frame: all frames before it have been played.
  var heard: Int64 { min(written, timeline.frame(at: now)) }

  /// The number of the first frame that can still be replaced.
  ///
  /// A sink without a ring buffer takes all of a buffer, before its start.
  var replaceable: Int64 {
    let heard = heard
    guard hasRing else { return queue.start(from: heard) ?? written }
    guard isPlaying, now > 0 else { return heard }
    return min(written, timeline.frame(at: now + scaled(deviceTime + Self.safety)))
  }

  /// Returns the time until a frame is audible; negative afterwards.
  func time(until frame: Int64) -> Duration { .nanoseconds(timeline.time(of: frame) - now) / speed }

  /// Returns a time of the clock as a time of the stream.
  private func scaled(_ time: Duration) -> Int64 { Int64(Double(time.wholeNanoseconds) * speed) }

  /// The time until the last written frame has been played; negative afterwards.
  var level: Duration { time(until: written) }

  /// The time until the last written frame has been played, plus a given time; zero if nothing was written since a flush, because
  /// the output does not play then.
  func rest(_ time: Duration) -> Duration { filled > 0 ? level + time : .zero }

  /// The audible time of the stream.
  private var now: Int64 {
    guard format != nil else { return timeline.time(of: written) }
    // The start time is the time of the pause, and 0 after a flush. The running time counts from the previous start.
    guard isRunning else {
      return scaled(Duration(gst: unsafe gst_element_get_start_time(pipeline.pointer())) ?? .zero)
    }
    let running = unsafe gst_element_get_current_running_time(pipeline.pointer())
    return Duration(gst: running).map { scaled($0 + clockDelay) } ?? 0
  }

  /// The time by which the clock of the sink is behind, just after a start.
  private var clockDelay: Duration {
    guard let clock else { return .zero }
    let delay = unsafe GLib.with(taking: AudioSink.volumeOwner(of: sink.pointer())) { unsafe clock.delay(in: $0) }
    return (delay ?? nil) ?? .zero
  }
}

/// Drops the caps of the format before, with which `appsrc` starts again: the sink would open a device for them first.
private func dropOldCaps(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) -> GstPadProbeReturn {
  guard let event = unsafe cgst_probe_event(info), unsafe event.pointee.type == GST_EVENT_CAPS,
    let caps = unsafe GLib.caps(of: event)
  else { return GST_PAD_PROBE_OK }
  let isPresent = unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { source in
    unsafe GLib.get(source, "caps") { value in
      unsafe gst_value_get_caps(value).map { unsafe gst_caps_is_equal($0, caps) != 0 } ?? true
    }
  }
  return isPresent ?? true ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
}

/// Passes or drops a buffer that has a number as its offset, on the thread of the source.
///
/// An empty buffer is replaced by a gap, or by a call if it has a number.
private func takeMarker(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ body: (Int64) -> Void,
  takes: (Int64) -> Bool
) -> GstPadProbeReturn {
  guard let buffer = unsafe cgst_probe_buffer(info) else { return GST_PAD_PROBE_OK }
  let number = unsafe Int64(exactly: buffer.pointee.offset)
  guard unsafe gst_buffer_get_size(buffer) == 0 else {
    return number.map(takes) ?? true ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
  }
  if let number {
    body(number)
  } else if let gap = unsafe gst_event_new_gap(buffer.pointee.pts, buffer.pointee.duration) {
    unsafe gst_pad_push_event(pad, gap)
  }
  return GST_PAD_PROBE_DROP
}

extension Output.Event {
  /// Reads a message, on the thread that posts it; nil if it changes nothing.
  fileprivate init?(_ message: UnsafeMutablePointer<GstMessage>, isOfPipeline: Bool) {
    switch unsafe message.pointee.type {
    case GST_MESSAGE_STATE_CHANGED:
      var state = GST_STATE_VOID_PENDING
      unsafe gst_message_parse_state_changed(message, nil, &state, nil)
      guard isOfPipeline, state == GST_STATE_PLAYING else { return nil }
      self = .playing
    case GST_MESSAGE_ERROR:
      guard let failure = unsafe Failure(message) else { return nil }
      self = .failed(failure.playerError)
    case GST_MESSAGE_WARNING:
      var error: UnsafeMutablePointer<GError>?
      var debug: UnsafeMutablePointer<CChar>?
      unsafe gst_message_parse_warning(message, &error, &debug)
      self = .warning(unsafe Failure(taking: error, debug, message.pointee.src).summary)
    case GST_MESSAGE_CLOCK_LOST: self = .clockLost
    case GST_MESSAGE_LATENCY: self = .latencyChanged
    case GST_MESSAGE_REQUEST_STATE:
      var state = GST_STATE_VOID_PENDING
      unsafe gst_message_parse_request_state(message, &state)
      self = state == GST_STATE_PLAYING ? .resumeRequested : .pauseRequested
    default: return nil
    }
  }
}

extension PCMFormat {
  /// The format as caps of GStreamer.
  fileprivate var caps: String {
    let name =
      switch encoding {
      case .int16: "S16"
      case .int24: "S24"
      case .int32: "S32"
      case .float32: "F32"
      case .float64: "F64"
      }
    let order = UInt16(1).littleEndian == 1 ? "LE" : "BE"
    // GStreamer reads the digits of a bit mask as hexadecimal ones.
    let mask = channels > 2 ? ",channel-mask=(bitmask)0x\(String(channelMask ?? 0, radix: 16))" : ""
    return "audio/x-raw,format=\(name)\(order),rate=\(rate),channels=\(channels),layout=interleaved\(mask)"
  }
}
