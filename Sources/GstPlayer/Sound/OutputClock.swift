import CGst
import Playback
import Synchronization

/// The clock of PulseAudio's sink without the wrong times of libpulse 16.
///
/// libpulse dates the resume of a stream later than the call, by the delay of the connection. Until then, the time since
/// the resume is negative, and libpulse returns it as a large unsigned number. GStreamer's clock keeps the greatest time
/// that it was given: it would stand, the position would jump to 0, and the pipeline would wait.
///
/// <https://gitlab.freedesktop.org/pulseaudio/pulseaudio/-/blob/v16.1/src/pulsecore/time-smoother_2.c>
final class OutputClock: CallbackContext, Sendable {
  private let bound = Mutex(OutputTimeBound(now: .now))
  /// The address of the function of the sink that returns the time, and that of its data.
  private let function: UInt
  private let data: UInt

  private init(function: UInt, data: UInt) { (self.function, self.data) = (function, data) }

  /// Makes the clock of a sink ignore impossible times; call it before the sink is opened.
  static func check(_ sink: UnsafeMutablePointer<GstElement>) {
    let base = unsafe UnsafeMutableRawPointer(sink).assumingMemoryBound(to: GstAudioBaseSink.self)
    guard unsafe cgst_is_audio_base_sink(sink) != 0, let provided = unsafe base.pointee.provided_clock else { return }
    let clock = unsafe UnsafeMutableRawPointer(provided).assumingMemoryBound(to: GstAudioClock.self)
    guard let function = unsafe clock.pointee.func, unsafe clock.pointee.destroy_notify == nil else { return }
    let checked = unsafe OutputClock(
      function: unsafeBitCast(function, to: UInt.self), data: UInt(bitPattern: clock.pointee.user_data))
    unsafe clock.pointee.user_data = checked.callbackData
    unsafe clock.pointee.destroy_notify = releaseCallbackData
    unsafe clock.pointee.func = checkedTime
  }

  /// Returns the time of the stream; `GST_CLOCK_TIME_NONE` if it is unknown or impossible.
  fileprivate func time(of clock: UnsafeMutablePointer<GstClock>?) -> GstClockTime {
    guard let read = unsafe unsafeBitCast(function, to: GstAudioClockGetTimeFunc?.self) else { return .max }
    let time = unsafe read(clock, UnsafeMutableRawPointer(bitPattern: data))
    guard let known = Duration(gst: time) else { return .max }
    return bound.withLock { $0.accepts(known, now: .now) } ? time : .max
  }
}

/// The latest time that the stream of an output can have reached; a value.
///
/// A stream plays at most as long as the time that has passed. Its time starts again with each new stream.
struct OutputTimeBound {
  /// The largest difference between the clocks of a sound server and of the system.
  private static let tolerance = Duration.seconds(5)

  private var time = Duration.zero
  private var instant: MonotonicTime

  init(now: MonotonicTime) { instant = now }

  /// Returns whether a time is possible, and records it if so.
  mutating func accepts(_ time: Duration, now: MonotonicTime) -> Bool {
    guard time <= self.time + (now - instant) + Self.tolerance else { return false }
    (self.time, instant) = (time, now)
    return true
  }
}

/// Returns the time of a sink's stream, on any thread.
private func checkedTime(_ clock: UnsafeMutablePointer<GstClock>?, _ data: gpointer?) -> GstClockTime {
  unsafe OutputClock.borrow(data)?.time(of: clock) ?? .max
}
