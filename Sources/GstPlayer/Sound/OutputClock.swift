import CGst
import EngineProcess
import Playback
import PlayerClock
import Synchronization

/// Corrects the clock of PulseAudio's sink by the known starts of the stream.
///
/// libpulse estimates the time of a stream. The estimate is wrong until the server has reported the first time after a start:
///
/// - A stream that was created before it is started counts the time since its creation.
/// - libpulse 16 dates a resume later than the call, by the delay of the connection. The time since the resume is then negative,
///   and is returned as a large unsigned number: one of twelve pauses with a later start on a busy machine was silent for ever.
///
/// libpulse never returns a lesser time afterwards. Reading a wrong time would therefore stop the clock until the stream
/// has caught up with it, and a stopped clock holds the position. With this clock and a null sink, the position is within
/// 0.4 ms of a straight line from 0.3 s after a start on, and within 1.2 ms at a load of 8 on two cores.
///
/// <https://gitlab.freedesktop.org/pulseaudio/pulseaudio/-/blob/v16.1/src/pulsecore/time-smoother_2.c>
final class OutputClock: Sendable {
  private let stream = Mutex(StreamClock())
  /// The address of the sink's function that returns the time, and the address of the sink.
  private let function: UInt
  private let sink: UInt

  private init(function: UInt, sink: UInt) { (self.function, self.sink) = (function, sink) }

  /// Replaces the function of a sink's clock, and returns the replacement; call it before the sink is opened.
  static func replace(in sink: UnsafeMutablePointer<GstElement>) -> OutputClock? {
    guard unsafe cgst_is_audio_base_sink(sink) != 0 else { return nil }
    let base = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAudioBaseSink.self)
    guard let provided = unsafe base.pointee.provided_clock else { return nil }
    let clock = unsafe UnsafeMutableRawPointer(provided).assumingMemoryBound(to: GstAudioClock.self)
    guard let function = unsafe clock.pointee.func, unsafe clock.pointee.destroy_notify == nil else { return nil }
    // The data of the function is the sink, which owns the clock.
    let replacement = unsafe OutputClock(
      function: unsafeBitCast(function, to: UInt.self), sink: UInt(bitPattern: clock.pointee.user_data))
    unsafe clock.pointee.user_data = CallbackValue.data(replacement)
    unsafe clock.pointee.destroy_notify = releaseCallbackData
    unsafe clock.pointee.func = readTime
    return replacement
  }

  /// Returns the time by which the clock is behind because it stands after a start; nil if the stream does not run, or
  /// if its time is not known.
  ///
  /// `sink` is the sink of the clock, which may have been released since.
  func delay(in sink: UnsafeMutablePointer<GstElement>) -> Duration? {
    let state = unsafe cgst_ring_buffer_state(sink)
    return stream.withLock { $0.delay(in: state, now: .now) }
  }

  /// Returns the time by which the last reading of the clock was behind the stream, because the clock does not follow
  /// libpulse; nil while the time is not known.
  func error(in sink: UnsafeMutablePointer<GstElement>) -> Duration? {
    let state = unsafe cgst_ring_buffer_state(sink)
    return stream.withLock { $0.error(in: state, now: .now) }
  }

  /// Returns the time of the stream; if it must not be read, `GST_CLOCK_TIME_NONE` for the last time, or the lead.
  fileprivate func time(of clock: UnsafeMutablePointer<GstClock>?) -> GstClockTime {
    guard let sink = unsafe UnsafeMutableRawPointer(bitPattern: sink),
      let read = unsafe unsafeBitCast(function, to: GstAudioClockGetTimeFunc?.self)
    else { return .max }
    let state = unsafe cgst_ring_buffer_state(sink)
    let time = stream.withLock { stream -> Duration? in
      guard stream.allowsReading(in: state, now: .now) else {
        return state == GST_AUDIO_RING_BUFFER_STATE_STARTED ? nil : StreamClock.lead
      }
      return unsafe Duration(gst: read(clock, sink)).map { stream.checked($0, in: state, now: .now) }
    }
    return time.map { GstClockTime(clamping: $0.wholeNanoseconds) } ?? .max
  }
}

/// The starts of a stream, and the times that follow from them; a value.
///
/// A start is noticed because a pipeline reads its clock just before it changes to PLAYING.
struct StreamClock {
  /// A time after which the server has reported the time of a stream that has started.
  static let hold = Duration.milliseconds(100)
  /// The time of a stream before its first start, and with it of the first sample: as short as one sample of 8 kHz.
  ///
  /// The sink drops the first sample of a buffer that is due at time 0, because it rounds the end of the
  /// buffer down. It places a buffer after a discontinuity, such as one that replaces samples, by the time
  /// in nanoseconds, rounded down to a sample. At every usual sample rate, this lead differs by more than 0.17 samples from a whole
  /// number of samples, so both are exact.
  /// <https://gitlab.freedesktop.org/gstreamer/gstreamer/-/blob/1.22.0/subprojects/gst-plugins-base/gst-libs/gst/audio/gstaudiobasesink.c#L2068>
  static let lead = Duration.nanoseconds(149_509)
  /// The inaccuracy of a correct time.
  static let tolerance = Duration.milliseconds(20)
  /// The time after the start of a new stream from which a lead of the stream's time counts as the server's, and the
  /// limit of that lead.
  ///
  /// The server counts the time since the creation of the stream.
  static let settling = Duration.seconds(1)
  /// The greatest time by which a server has continued during a pause or a flush: PipeWire plays the samples that it has read,
  /// and counts silence as samples.
  static let greatestLead = Duration.milliseconds(500)

  /// The time of the stream at the last start, and the last instant before this start.
  private var start = (time: Duration.zero, instant: MonotonicTime(nanoseconds: 0))
  private var isStarted = false
  /// Whether the stream has played, and whether no time was read since it has started again.
  private var (hasPlayed, isResumed) = (false, false)
  /// Whether the last time that was read was not the stream's time, and was replaced.
  private var isReplaced = false
  /// The difference of the last time that was read to the one that was returned.
  private var difference = Duration.zero
  /// The time by which the server's time of this stream is ahead since it was created.
  private var serverLead = Duration.zero

  /// Returns whether the time may be read now, from the state of the sink's buffer.
  mutating func allowsReading(in state: GstAudioRingBufferState, now: MonotonicTime) -> Bool {
    switch state {
    case GST_AUDIO_RING_BUFFER_STATE_STARTED:
      isStarted = true
      return now >= start.instant + Self.hold
    case GST_AUDIO_RING_BUFFER_STATE_PAUSED: return true
    default:
      // A new stream, which is not started.
      (start, isStarted, isReplaced, serverLead) = ((.zero, now), false, false, .zero)
      (hasPlayed, isResumed) = (false, false)
      return false
    }
  }

  /// Returns the time that was read, without the lead of a new stream; instead of one that the stream cannot have reached, the time
  /// since its start.
  mutating func checked(_ read: Duration, in state: GstAudioRingBufferState, now: MonotonicTime) -> Duration {
    let elapsed = max(.zero, now - start.instant)
    var time = read - serverLead
    let lead = time - start.time - elapsed
    isReplaced = false
    // A start and a pause between two readings are not noticed.
    if lead > elapsed / 1000 + Self.tolerance {
      if isStarted, isResumed, lead < Self.greatestLead {
        start.time += lead
      } else {
        isReplaced = !isStarted || elapsed < Self.settling || lead >= Self.settling
        if !isReplaced { serverLead += lead }
        time = start.time + (isStarted ? elapsed : .zero)
      }
    }
    difference = read - time
    if state == GST_AUDIO_RING_BUFFER_STATE_PAUSED {
      isResumed = hasPlayed
      (start, isStarted) = ((time, now), false)
    }
    // The sink lets the server play when it has filled the buffer, which takes some time on a busy machine.
    if time <= start.time { start.instant = now } else if isStarted { (hasPlayed, isResumed) = (true, false) }
    return time
  }

  /// Returns the difference of the stream's time to the last one that was returned; nil if it is not known.
  ///
  /// If a start was noticed late, the time since then stays less than the stream's time.
  func error(in state: GstAudioRingBufferState, now: MonotonicTime) -> Duration? {
    guard state == GST_AUDIO_RING_BUFFER_STATE_STARTED, now >= start.instant + Self.hold, difference < Self.settling
    else { return nil }
    return difference
  }

  /// Returns the time by which the clock is behind because it must not be read; nil if the stream does not run, or if its
  /// time is not known.
  func delay(in state: GstAudioRingBufferState, now: MonotonicTime) -> Duration? {
    // The next reading notes the lead of the server.
    let isSettled = difference < Self.settling && now >= start.instant + Self.settling
    guard state == GST_AUDIO_RING_BUFFER_STATE_STARTED, !isReplaced || isSettled else { return nil }
    return now < start.instant + Self.hold ? max(.zero, now - start.instant) : .zero
  }
}

/// Returns the time of a sink's stream, on any thread.
private func readTime(_ clock: UnsafeMutablePointer<GstClock>?, _ data: gpointer?) -> GstClockTime {
  unsafe CallbackValue<OutputClock>.value(in: data)?.time(of: clock) ?? .max
}
