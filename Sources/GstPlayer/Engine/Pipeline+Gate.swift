import CGst
import Playback

/// The pads that the output gate watches.
extension Pipeline {
  func watchEntry(_ pad: UnsafeMutablePointer<GstPad>) {
    unsafe gst_pad_add_probe(
      pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, entryProbe, context.callbackData, releaseCallbackData)
  }

  func watchExit(_ pad: UnsafeMutablePointer<GstPad>) {
    let kinds = [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH]
    unsafe gst_pad_add_probe(
      pad, GstPadProbeType(kinds.reduce(0) { $0 | $1.rawValue }), exitProbe, context.callbackData, releaseCallbackData)
  }

  /// Ends the stream whose data has passed the entry as a whole; none is on its way there.
  func endAtEntry() {
    guard let filter = unsafe filter, let pad = unsafe gst_element_get_static_pad(filter, "sink") else { return }
    unsafe gst_pad_send_event(pad, gst_event_new_eos())
    unsafe gst_object_unref(pad)
  }
}

// MARK: Probes, on streaming threads

/// Turns the start of a withdrawn stream at the entry into the end of the one before.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
private func entryProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let info = unsafe info, let event = unsafe cgst_probe_event(info),
    unsafe cgst_event_type(event) == GST_EVENT_STREAM_START, let context = unsafe PipelineContext.borrow(data)
  else { return GST_PAD_PROBE_OK }
  if context.gate.start(at: .entry, group: unsafe group(of: event)).start == .withdrawn {
    unsafe end(insteadOf: event, in: info)
  }
  return GST_PAD_PROBE_OK
}

/// Follows the streams into the output, and ends them where they are to end.
private func exitProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let info = unsafe info, let context = unsafe PipelineContext.borrow(data) else {
    return GST_PAD_PROBE_OK
  }
  if let buffer = unsafe cgst_probe_buffer(info) { return unsafe pass(buffer, in: info, at: pad, context.gate) }
  guard let event = unsafe cgst_probe_event(info) else { return GST_PAD_PROBE_OK }
  switch unsafe cgst_event_type(event) {
  case GST_EVENT_STREAM_START:
    if !context.streamStartedAtSink(group: unsafe group(of: event)) { unsafe end(insteadOf: event, in: info) }
  case GST_EVENT_CAPS: unsafe context.capsAtSink(event, pad)
  case GST_EVENT_SEGMENT:
    var segment: UnsafePointer<GstSegment>?
    unsafe gst_event_parse_segment(event, &segment)
    if let segment = unsafe segment { context.segmentAtSink(runningTime: UInt64(unsafe segment.pointee.base)) }
  case GST_EVENT_FLUSH_STOP: context.gate.flushed()
  default: break
  }
  return GST_PAD_PROBE_OK
}

/// The group of the stream that starts; nil where the event names none.
private func group(of event: UnsafeMutablePointer<GstEvent>) -> UInt32? {
  var group: guint = 0
  return unsafe gst_event_parse_group_id(event, &group) != 0 ? group : nil
}

private func end(insteadOf event: UnsafeMutablePointer<GstEvent>, in info: UnsafeMutablePointer<GstPadProbeInfo>) {
  unsafe info.pointee.data = UnsafeMutableRawPointer(gst_event_new_eos())
  unsafe cgst_mini_object_unref(event)
}

/// Lets a buffer, or its head, into the output; sends the end in the place of one that lies behind the end.
private func pass(
  _ buffer: UnsafeMutablePointer<GstBuffer>, in info: UnsafeMutablePointer<GstPadProbeInfo>,
  at pad: UnsafeMutablePointer<GstPad>, _ gate: OutputGate
) -> GstPadProbeReturn {
  guard let times = unsafe mediaTimes(of: buffer, at: pad) else { return GST_PAD_PROBE_OK }
  switch gate.pass(from: times.start, to: times.end) {
  case .whole: return GST_PAD_PROBE_OK
  case .head(let head):
    if unsafe shorten(buffer, to: head / (times.end - times.start), in: info, at: pad) { return GST_PAD_PROBE_OK }
  case .none: break
  }
  // Waits until the output has played what it holds, as upstream waits for every buffer.
  unsafe gst_pad_send_event(pad, gst_event_new_eos())
  return GST_PAD_PROBE_DROP
}

/// The media times at which a buffer starts and ends; nil for one without a time or without a duration.
private func mediaTimes(
  of buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>
) -> (start: Duration, end: Duration)? {
  guard let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return nil }
  defer { unsafe cgst_mini_object_unref(event) }
  var segment: UnsafePointer<GstSegment>?
  unsafe gst_event_parse_segment(event, &segment)
  let (start, duration) = unsafe (buffer.pointee.pts, buffer.pointee.duration)
  let (end, isOverflow) = start.addingReportingOverflow(duration)
  guard let segment = unsafe segment, !isOverflow, start < end, end < Int64.max else { return nil }
  var times: (start: guint64, end: guint64) = (0, 0)
  // Times beyond the segment count too: the last buffer may be longer than it is told to be.
  guard unsafe gst_segment_to_stream_time_full(segment, GST_FORMAT_TIME, start, &times.start) > 0,
    unsafe gst_segment_to_stream_time_full(segment, GST_FORMAT_TIME, end, &times.end) > 0, times.start < times.end
  else { return nil }
  return (.nanoseconds(Int64(clamping: times.start)), .nanoseconds(Int64(clamping: times.end)))
}

/// Puts the first part of a buffer in its place, to the nearest sample; returns false where that is less than a sample.
private func shorten(
  _ buffer: UnsafeMutablePointer<GstBuffer>, to fraction: Double, in info: UnsafeMutablePointer<GstPadProbeInfo>,
  at pad: UnsafeMutablePointer<GstPad>
) -> Bool {
  guard let caps = unsafe gst_pad_get_current_caps(pad) else { return false }
  defer { unsafe cgst_mini_object_unref(caps) }
  var format = unsafe GstAudioInfo()
  guard unsafe gst_audio_info_from_caps(&format, caps) != 0, unsafe format.bpf > 0 else { return false }
  let frames = unsafe Double(gst_buffer_get_size(buffer) / gsize(format.bpf))
  let kept = (frames * fraction).rounded()
  guard kept >= 1 else { return false }
  guard kept < frames else { return true }
  let duration = unsafe Double(buffer.pointee.duration) * (kept / frames)
  guard let head = unsafe gst_audio_buffer_truncate(buffer, format.bpf, 0, gsize(kept)) else { return false }
  unsafe head.pointee.duration = GstClockTime(duration)
  unsafe info.pointee.data = UnsafeMutableRawPointer(head)
  return true
}
