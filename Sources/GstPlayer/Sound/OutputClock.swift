import CGst
import Playback
import Synchronization

/// The clock of PulseAudio's sink, which does not read the time of a stream just after it has resumed.
///
/// libpulse 16 dates the resume of a stream later than the call, by the delay of the connection. If the time is read
/// before that date, the time since the resume is negative, and libpulse returns it as a large unsigned number, also for
/// all later readings. The clock would stand, the position would jump to 0, and the pipeline would wait.
///
/// <https://gitlab.freedesktop.org/pulseaudio/pulseaudio/-/blob/v16.1/src/pulsecore/time-smoother_2.c>
final class OutputClock: Sendable {
  private let hold = Mutex(ResumeHold())
  /// The address of the function of the sink that returns the time, and that of the sink.
  private let function: UInt
  private let sink: UInt

  private init(function: UInt, sink: UInt) { (self.function, self.sink) = (function, sink) }

  /// Replaces the function of a sink's clock; call it before the sink is opened.
  static func replace(in sink: UnsafeMutablePointer<GstElement>) {
    guard unsafe cgst_is_audio_base_sink(sink) != 0 else { return }
    let base = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAudioBaseSink.self)
    guard let provided = unsafe base.pointee.provided_clock else { return }
    let clock = unsafe UnsafeMutableRawPointer(provided).assumingMemoryBound(to: GstAudioClock.self)
    guard let function = unsafe clock.pointee.func, unsafe clock.pointee.destroy_notify == nil else { return }
    // The data of the function is the sink, which owns the clock.
    let replacement = unsafe OutputClock(
      function: unsafeBitCast(function, to: UInt.self), sink: UInt(bitPattern: clock.pointee.user_data))
    unsafe clock.pointee.user_data = CallbackValue.data(replacement)
    unsafe clock.pointee.destroy_notify = releaseCallbackData
    unsafe clock.pointee.func = readTime
  }

  /// Returns the time of the stream; `GST_CLOCK_TIME_NONE`, for the last time, if it must not be read.
  fileprivate func time(of clock: UnsafeMutablePointer<GstClock>?) -> GstClockTime {
    guard let sink = unsafe UnsafeMutableRawPointer(bitPattern: sink),
      let read = unsafe unsafeBitCast(function, to: GstAudioClockGetTimeFunc?.self)
    else { return .max }
    let state = unsafe cgst_ring_buffer_state(sink)
    guard hold.withLock({ $0.allowsReading(in: state, now: .now) }) else { return .max }
    return unsafe read(clock, sink)
  }
}

/// The time after a resume in which the time of the stream must not be read; a value.
///
/// A resume is noticed because the pipeline reads the time before it changes to PLAYING.
struct ResumeHold {
  /// A time longer than the delay of a connection to a sound server on the same machine.
  static let length = Duration.milliseconds(100)

  private var isPaused = false
  private var end: MonotonicTime?

  /// Returns whether the time may be read, from the state of the sink's buffer.
  mutating func allowsReading(in state: GstAudioRingBufferState, now: MonotonicTime) -> Bool {
    switch state {
    case GST_AUDIO_RING_BUFFER_STATE_STARTED:
      if isPaused { end = now + Self.length }
      isPaused = false
      return end.map { now >= $0 } ?? true
    case GST_AUDIO_RING_BUFFER_STATE_PAUSED: isPaused = true
    // A new stream has not resumed.
    default: (isPaused, end) = (false, nil)
    }
    return true
  }
}

/// Returns the time of a sink's stream, on any thread.
private func readTime(_ clock: UnsafeMutablePointer<GstClock>?, _ data: gpointer?) -> GstClockTime {
  unsafe CallbackValue<OutputClock>.value(in: data)?.time(of: clock) ?? .max
}
