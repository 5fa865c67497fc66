import CGst
import Playback
import Synchronization

/// An instant at which a stream begins, by a clock that is not that of its output.
protocol EntranceInstant: Sendable {
  /// The time of the output after which the clocks have been read often enough.
  var measuring: Duration { get }
  /// The duration until the instant, negative after it; nil while that clock stands.
  var remaining: Duration? { get }
  /// Returns the running time of the instant in the pipeline of the stream, and the duration until then; nil while the
  /// time of an output is not known.
  ///
  /// It can be called on any thread.
  func measure(in context: PipelineContext) -> (runningTime: Duration, remaining: Duration)?
}

/// Holds the first sample of a stream before the output, and lets it pass so that it is audible at an instant.
///
/// An output starts some time after its pipeline, which no one can predict to the millisecond: a server has to be filled
/// and to answer. Therefore the output starts early and plays silence. When both clocks are exact, the running time of
/// the instant is known, and the segment of the stream is delayed to it. The output then places the first sample exactly.
///
/// The silence is written, because the time of a stream of PulseAudio stands while the server has no data. It is written
/// up to the first sample: the server counts a hole as data, so a hole before a full buffer can exceed its limit of 4 MB,
/// and it then drops the samples that it receives.
final class StreamEntrance: Sendable {
  private struct Start {
    let instant: any EntranceInstant
    /// The fade-in of the stream; nil for none.
    var fade: CrossfadeRamp?
  }

  private let start: Mutex<Start?>
  private let isCancelled = Atomic(false)

  /// The duration of silence that is written ahead.
  private static let silenceAhead = Duration.milliseconds(600)
  /// The interval between two looks at the clocks.
  private static let interval = Duration.milliseconds(20)
  /// The duration by which the first sample is at least ahead when it is written.
  private static let margin = Duration.milliseconds(40)
  /// The duration before the instant at which a clock that is not exact is used, because the sample has to be written.
  private static let latest = Duration.milliseconds(120)
  /// The maximum duration of the silence, after which the first stream does not respond.
  private static let limit = EngineCommand.startLead + .seconds(2)

  init(_ instant: (any EntranceInstant)? = nil) { start = Mutex(instant.map { Start(instant: $0) }) }

  /// Sets the instant and the fade-in, before the pipeline starts.
  func set(_ instant: any EntranceInstant, _ fade: CrossfadeRamp?) {
    start.withLock { $0 = Start(instant: instant, fade: fade) }
  }

  /// Lets all samples pass from the next flush on.
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Holds the first sample at the output of a pipeline, and the first one after a flush until one has passed.
  ///
  /// - Parameters:
  ///   - pad: The pad of the output.
  ///   - context: The pipeline.
  ///   - begins: Called on the streaming thread with the running time of the first sample, before it passes.
  func attach(
    to pad: UnsafeMutablePointer<GstPad>, _ context: PipelineContext, begins: @escaping @Sendable (Duration) -> Void
  ) {
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER]) { pad, info in
      guard !self.isCancelled.load(ordering: .relaxed) else { return GST_PAD_PROBE_REMOVE }
      guard let buffer = unsafe cgst_probe_buffer(info) else { return GST_PAD_PROBE_OK }
      let (time, start) = unsafe (self.hold(buffer, at: pad, context), self.start.withLock { $0 })
      guard let time, let start else { return GST_PAD_PROBE_OK }
      unsafe start.fade?.attach(to: pad)
      begins(time)
      // The output then places the sample by its time, not behind the silence.
      if let writable = unsafe cgst_writable_buffer(buffer) {
        unsafe writable.pointee.mini_object.flags |= GST_BUFFER_FLAG_DISCONT.rawValue
        unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
      }
      return GST_PAD_PROBE_REMOVE
    }
  }

  // MARK: On the streaming thread

  /// Blocks until the running time of the first sample is known, and delays the segment to it.
  ///
  /// All waits are those of the output for its clock, which a flush and a change to READY end, and which a pause extends.
  ///
  /// - Returns: The running time; nil if the stream was flushed or released before.
  private func hold(
    _ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>, _ context: PipelineContext
  ) -> Duration? {
    guard let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return nil }
    var isEventOwned = true
    defer { if isEventOwned { unsafe cgst_mini_object_unref(event) } }
    guard var segment = unsafe GstSegment.of(event),
      let first = unsafe Duration(gst: gst_segment_to_running_time(&segment, GST_FORMAT_TIME, buffer.pointee.pts)),
      unsafe sendSilentSegment(to: pad), let instant = unsafe playSilence(at: pad, context)
    else { return nil }
    context.formatChange.delay(by: max(.zero, instant - first))
    isEventOwned = false
    return unsafe gst_pad_send_event(pad, event) != 0 ? instant : nil
  }

  /// Plays silence until the running time of the instant is known; nil after a flush.
  private func playSilence(at pad: UnsafeMutablePointer<GstPad>, _ context: PipelineContext) -> Duration? {
    var silence = unsafe Silence(at: pad)
    // Prerolls the output; it returns when the pipeline plays.
    guard unsafe silence?.write(to: pad) ?? wait(until: .zero, at: pad) else { return nil }
    var readings: [Duration] = []
    while true {
      let now = context.runningTime ?? .zero
      if let instant = instant(in: context, now, &readings, settles: silence != nil) {
        while let end = silence?.end, end < instant {
          guard unsafe silence?.write(to: pad, until: instant) == true else { return nil }
        }
        return instant
      }
      // Silence behind the instant would delay the first sample.
      let remaining = start.withLock { $0?.instant.remaining } ?? Self.silenceAhead
      let ahead = now + min(Self.silenceAhead, max(.zero, remaining - Self.margin))
      while let end = silence?.end, end < ahead {
        guard unsafe silence?.write(to: pad, until: ahead) == true else { return nil }
      }
      guard unsafe wait(until: now + Self.interval, at: pad) else { return nil }
    }
  }

  /// Returns the running time of the instant in the second pipeline, the median of the readings so far; nil to read the
  /// clocks again.
  ///
  /// A clock that `settles` becomes exact some time after the start of the output.
  private func instant(
    in context: PipelineContext, _ now: Duration, _ readings: inout [Duration], settles: Bool
  ) -> Duration? {
    guard let start = start.withLock({ $0?.instant }), now < Self.limit else { return now + Self.margin }
    let measured = start.measure(in: context)
    // Nil in a pause of the first stream, which the second one follows.
    guard let remaining = measured?.remaining ?? start.remaining else { return nil }
    let isSoon = remaining < CrossfadeStart.settling
    if let measured, now >= CrossfadeStart.settling || isSoon || !settles { readings.append(measured.runningTime) }
    guard isSoon || now >= start.measuring || !settles else { return nil }
    guard !readings.isEmpty else {
      // A clock that is not exact is better than a late start.
      return remaining < Self.latest ? now + max(remaining, Self.margin) : nil
    }
    return max(readings.sorted()[readings.count / 2], now + Self.margin)
  }

  /// Sends a segment for the silence, in which the running time is the time of the buffers.
  private func sendSilentSegment(to pad: UnsafeMutablePointer<GstPad>) -> Bool {
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    return unsafe gst_pad_send_event(pad, gst_event_new_segment(&segment)) != 0
  }

  /// Waits until the output has reached a running time; returns false after a flush.
  ///
  /// A gap of unknown duration makes a sound server play the samples that it has received.
  private func wait(until time: Duration, at pad: UnsafeMutablePointer<GstPad>) -> Bool {
    let gap = unsafe gst_event_new_gap(GstClockTime(clamping: time.wholeNanoseconds), GstClockTime.max)
    return unsafe gst_pad_send_event(pad, gap) != 0
  }
}

/// Silent buffers in the format of a pad.
@safe private struct Silence {
  private let info: GstAudioInfo
  /// The number of samples of each channel that were written.
  private var frames = 0

  /// Reads the format; nil if the output needs no silence, because it does not have a buffer of its own.
  init?(at pad: UnsafeMutablePointer<GstPad>) {
    guard unsafe FormatChange.endsInRingBuffer(pad), let caps = unsafe gst_pad_get_current_caps(pad) else { return nil }
    defer { unsafe cgst_mini_object_unref(caps) }
    var info = unsafe GstAudioInfo()
    guard unsafe gst_audio_info_from_caps(&info, caps) != 0, unsafe info.rate > 0, unsafe info.bpf > 0 else {
      return nil
    }
    unsafe self.info = info
  }

  /// The running time at which the silence ends.
  var end: Duration { unsafe .seconds(1) * frames / Int(info.rate) }

  /// Writes a tenth of a second, or less up to an instant, without the probes of the pad, which count the samples of the
  /// stream.
  mutating func write(to pad: UnsafeMutablePointer<GstPad>, until instant: Duration? = nil) -> Bool {
    let rest = instant.map { unsafe Int(max(0, ($0 - end) / .seconds(1)) * Double(info.rate)) + 1 } ?? .max
    let count = unsafe min(max(1, Int(info.rate) / 10), rest)
    guard let buffer = unsafe gst_buffer_new_allocate(nil, gsize(count) * gsize(info.bpf), nil) else { return false }
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer, &map, GST_MAP_WRITE) != 0 else {
      unsafe cgst_mini_object_unref(buffer)
      return false
    }
    unsafe gst_audio_format_info_fill_silence(info.finfo, map.data, map.size)
    unsafe gst_buffer_unmap(buffer, &map)
    let start = end
    frames += count
    unsafe buffer.pointee.pts = GstClockTime(clamping: start.wholeNanoseconds)
    unsafe buffer.pointee.duration = GstClockTime(clamping: (end - start).wholeNanoseconds)
    return unsafe cgst_chain(pad, buffer) == GST_FLOW_OK
  }
}
