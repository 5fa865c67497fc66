import CGst
import Playback
import Synchronization

/// Delays the change of an output to another format until the output has played the audio that it has buffered.
///
/// For other caps, a sink with a ring buffer such as `pulsesink` closes its stream, and drops up to a second of audio.
/// The caps are therefore held until the last sample before them is played. The new stream opens at that time or later,
/// and the sink would drop the samples that are due before. The segments after the change are therefore delayed.
///
/// <https://gstreamer.freedesktop.org/documentation/audio/gstaudiobasesink.html>
final class FormatChange: Sendable {
  private struct State {
    /// Whether the segment after the change has not arrived.
    var isPending = false
    /// The running time, in nanoseconds, by which segments are delayed.
    var delay: UInt64 = 0
  }

  private let state = Mutex(State())

  /// Removes the delay, for a new load or after a flush: the running time starts again.
  func begin() { state.withLock { $0 = State() } }

  /// Delays the segments from the next one on.
  func delay(by time: Duration) {
    state.withLock { $0.delay += UInt64(clamping: time.wholeNanoseconds) }
  }

  /// Plays the buffered audio up to a media time; returns at once if the output does not drop it.
  ///
  /// It blocks the streaming thread as a buffer does for which there is no room: a flush and a change to READY end the
  /// wait, and a pause extends it.
  func drain(_ pad: UnsafeMutablePointer<GstPad>, until end: Duration) {
    guard unsafe Self.endsInRingBuffer(pad), let gap = unsafe Self.gap(at: end, on: pad) else { return }
    state.withLock { $0.isPending = true }
    // With a gap of unknown duration, the sink also plays the last part of its buffer, which is not full.
    unsafe gst_pad_send_event(pad, gap)
  }

  /// Returns the segment event that replaces an incoming one; nil to keep it.
  func segment(
    _ event: UnsafeMutablePointer<GstEvent>, at pad: UnsafeMutablePointer<GstPad>
  ) -> UnsafeMutablePointer<GstEvent>? {
    guard var segment = unsafe GstSegment.of(event), segment.format == GST_FORMAT_TIME else { return nil }
    let (now, base) = unsafe (Self.runningTime(at: pad), UInt64(segment.base))
    let delay = state.withLock { state in
      if state.isPending, let now, now > base { state.delay = max(state.delay, now - base) }
      state.isPending = false
      return state.delay
    }
    let (delayed, isOverflow) = base.addingReportingOverflow(delay)
    guard delay > 0, !isOverflow else { return nil }
    segment.base = guint64(delayed)
    guard let changed = unsafe gst_event_new_segment(&segment) else { return nil }
    unsafe gst_event_set_seqnum(changed, gst_event_get_seqnum(event))
    return unsafe changed
  }

  /// Whether a pad is that of a sink with a ring buffer, or of a bin with only such a sink.
  ///
  /// A bin with other elements may convert the audio, and its sink may keep its format.
  static func endsInRingBuffer(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    if let result = unsafe GLib.with(taking: cgst_ghost_target(pad), { unsafe endsInRingBuffer($0) }) { return result }
    return unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { unsafe cgst_is_audio_base_sink($0) } == 1
  }

  /// Makes a gap that begins with the last sample before a media time, in the present segment of a pad.
  private static func gap(
    at end: Duration, on pad: UnsafeMutablePointer<GstPad>
  ) -> UnsafeMutablePointer<GstEvent>? {
    guard var segment = unsafe GstSegment.present(at: pad) else { return nil }
    let time = unsafe gst_segment_position_from_stream_time(
      &segment, GST_FORMAT_TIME, guint64(clamping: end.wholeNanoseconds))
    // A gap at the end of the segment would be outside of it.
    guard time > 0, time <= Int64.max else { return nil }
    return unsafe gst_event_new_gap(time - 1, GstClockTime.max)
  }

  private static func runningTime(at pad: UnsafeMutablePointer<GstPad>) -> UInt64? {
    let time = unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) {
      unsafe gst_element_get_current_running_time($0)
    }
    return time.flatMap { $0 <= Int64.max ? UInt64($0) : nil }
  }
}
