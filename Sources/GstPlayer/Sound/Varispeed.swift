import CGst
import Synchronization

/// Changes the speed by declaring another sample rate; the samples stay unchanged.
///
/// A segment with a speed leaves as one that is already applied, as behind a time stretcher. The converter before the
/// output resamples to the output's rate.
///
/// <https://gstreamer.freedesktop.org/documentation/additional/design/segments.html>
final class Varispeed: Sendable {
  private struct State {
    /// The sample rates before and after the change.
    var (incoming, outgoing) = (gint(0), gint(0))
    /// The speed of the present segment.
    var speed = 1.0
    /// The start of that segment, in nanoseconds.
    var start: GstClockTime = 0
    /// Whether the caps event in progress was sent by this object.
    var isSending = false

    /// The effective speed, which is rounded to whole samples per second.
    var ratio: Double { incoming > 0 ? Double(outgoing) / Double(incoming) : 1 }

    func outgoing(for incoming: gint) -> gint {
      gint(min(max(1, (Double(incoming) * speed).rounded()), Double(gint.max)))
    }
  }

  private let state = Mutex(State())

  /// Changes the speed of the audio that enters a filter, which retains this object.
  func attach(to filter: UnsafeMutablePointer<GstElement>) {
    unsafe PadProbe.add(to: "sink", of: filter, PadProbe.data) { pad, info in
      if let buffer = unsafe cgst_probe_buffer(info) {
        guard !self.isIdle, let writable = unsafe cgst_writable_buffer(buffer) else { return GST_PAD_PROBE_OK }
        unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
        unsafe self.retime(writable)
      } else if let event = unsafe cgst_probe_event(info), let changed = unsafe self.event(for: event, at: pad) {
        unsafe cgst_mini_object_unref(event)
        unsafe info.pointee.data = UnsafeMutableRawPointer(changed)
      }
      return GST_PAD_PROBE_OK
    }
  }

  // MARK: On the streaming thread

  /// Returns the event that replaces an incoming one; nil to keep the incoming one.
  private func event(
    for event: UnsafeMutablePointer<GstEvent>, at pad: UnsafeMutablePointer<GstPad>
  ) -> UnsafeMutablePointer<GstEvent>? {
    switch unsafe event.pointee.type {
    case GST_EVENT_CAPS: unsafe caps(event)
    case GST_EVENT_SEGMENT: unsafe segment(event, at: pad)
    default: nil
    }
  }

  private func caps(_ event: UnsafeMutablePointer<GstEvent>) -> UnsafeMutablePointer<GstEvent>? {
    guard let caps = unsafe GLib.caps(of: event), let rate = unsafe GLib.number("rate", in: caps) else { return nil }
    let outgoing: gint? = state.withLock { state in
      guard !state.isSending else { return nil }
      state.incoming = rate
      state.outgoing = state.outgoing(for: rate)
      return state.outgoing
    }
    guard let outgoing, outgoing != rate else { return nil }
    return unsafe Self.event(caps, at: outgoing, like: event)
  }

  private func segment(
    _ event: UnsafeMutablePointer<GstEvent>, at pad: UnsafeMutablePointer<GstPad>
  ) -> UnsafeMutablePointer<GstEvent>? {
    guard var segment = unsafe GstSegment.of(event), segment.format == GST_FORMAT_TIME, segment.start <= Int.max,
      segment.rate > 0
    else { return nil }
    let (speed, start) = (segment.rate, segment.start)
    let (isOther, ratio) = state.withLock { state in
      state.speed = speed
      state.start = start
      let outgoing = state.outgoing(for: state.incoming)
      let isOther = outgoing != state.outgoing
      state.outgoing = outgoing
      return (isOther && state.incoming > 0, state.ratio)
    }
    if isOther { unsafe sendCaps(to: pad, like: event) }
    guard ratio != 1 else { return nil }
    segment.rate = 1
    segment.applied_rate *= ratio
    if segment.stop <= Int.max { segment.stop = Self.time(segment.stop, from: start, ratio: ratio) }
    guard let changed = unsafe gst_event_new_segment(&segment) else { return nil }
    unsafe gst_event_set_seqnum(changed, gst_event_get_seqnum(event))
    return unsafe changed
  }

  /// Sends caps with another sample rate for the following buffers, because upstream sends none.
  private func sendCaps(to pad: UnsafeMutablePointer<GstPad>, like event: UnsafeMutablePointer<GstEvent>) {
    guard let caps = unsafe gst_pad_get_current_caps(pad) else { return }
    defer { unsafe cgst_mini_object_unref(caps) }
    let outgoing = state.withLock { state in
      state.isSending = true
      return state.outgoing
    }
    if let changed = unsafe Self.event(caps, at: outgoing, like: event) { unsafe gst_pad_send_event(pad, changed) }
    state.withLock { $0.isSending = false }
  }

  /// Adapts the times of a writable buffer to the present speed.
  private func retime(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    let (start, ratio) = state.withLock { ($0.start, $0.ratio) }
    if unsafe buffer.pointee.pts <= Int.max {
      unsafe buffer.pointee.pts = Self.time(buffer.pointee.pts, from: start, ratio: ratio)
    }
    if unsafe buffer.pointee.duration <= Int.max {
      unsafe buffer.pointee.duration = Self.time(buffer.pointee.duration, from: 0, ratio: ratio)
    }
  }

  private var isIdle: Bool { state.withLock { $0.ratio == 1 } }

  /// Converts a time in a segment that begins at `start` to the time at the speed `ratio`.
  private static func time(_ time: GstClockTime, from start: GstClockTime, ratio: Double) -> GstClockTime {
    if time >= start { return start + GstClockTime(min(Double(time - start) / ratio, 9e18)) }
    return start - min(start, GstClockTime(min(Double(start - time) / ratio, 9e18)))
  }

  // MARK: Caps

  /// Makes a caps event with another rate and the sequence number of another event.
  private static func event(
    _ caps: UnsafeMutablePointer<GstCaps>, at rate: gint, like event: UnsafeMutablePointer<GstEvent>
  ) -> UnsafeMutablePointer<GstEvent>? {
    guard let copy = unsafe gst_caps_copy(caps) else { return nil }
    defer { unsafe cgst_mini_object_unref(copy) }
    unsafe cgst_set_rate(copy, rate)
    guard let changed = unsafe gst_event_new_caps(copy) else { return nil }
    unsafe gst_event_set_seqnum(changed, gst_event_get_seqnum(event))
    return unsafe changed
  }
}
