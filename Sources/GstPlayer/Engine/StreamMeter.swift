import CGst
import Playback
import Synchronization

/// Measures the progress of one stream, on the threads that carry it.
final class StreamMeter: CallbackContext, Sendable {
  private let measured = Mutex(StreamProgress())

  var progress: StreamProgress { measured.withLock { $0 } }

  /// Counts the bytes that go into and out of the queue behind the source.
  func watch(queue: UnsafeMutablePointer<GstElement>) {
    let kinds = [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]
    if let pad = unsafe gst_element_get_static_pad(queue, "sink") {
      unsafe add(arrivalProbe, kinds, to: pad)
      unsafe gst_object_unref(pad)
    }
    if let pad = unsafe gst_element_get_static_pad(queue, "src") {
      unsafe add(departureProbe, kinds, to: pad)
      unsafe gst_object_unref(pad)
    }
  }

  /// Follows the times of the sound that a decoder gives.
  func watch(decoded pad: UnsafeMutablePointer<GstPad>) {
    unsafe add(
      decodedProbe, [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, GST_PAD_PROBE_TYPE_EVENT_FLUSH],
      to: pad)
  }

  private func add(
    _ probe: GstPadProbeCallback, _ kinds: [GstPadProbeType], to pad: UnsafeMutablePointer<GstPad>
  ) {
    let mask = GstPadProbeType(kinds.reduce(0) { $0 | $1.rawValue })
    unsafe gst_pad_add_probe(pad, mask, probe, callbackData, releaseCallbackData)
  }

  fileprivate func note(_ change: (inout StreamProgress) -> Void) { measured.withLock { change(&$0) } }
}

/// What passes a probe, as far as it matters here.
private enum PassingItem {
  case bytes(Int64)
  case segment(GstSegment)
  case flush

  init?(_ info: UnsafeMutablePointer<GstPadProbeInfo>?) {
    guard let info = unsafe info else { return nil }
    if let buffer = unsafe cgst_probe_buffer(info) {
      self = unsafe .bytes(Int64(clamping: gst_buffer_get_size(buffer)))
      return
    }
    guard let event = unsafe cgst_probe_event(info) else { return nil }
    switch unsafe cgst_event_type(event) {
    case GST_EVENT_FLUSH_START: self = .flush
    case GST_EVENT_SEGMENT:
      var segment: UnsafePointer<GstSegment>?
      unsafe gst_event_parse_segment(event, &segment)
      guard let segment = unsafe segment else { return nil }
      self = unsafe .segment(segment.pointee)
    default: return nil
    }
  }
}

/// Where bytes arrive: behind the source.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
private func arrivalProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let meter = unsafe StreamMeter.borrow(data) else { return GST_PAD_PROBE_OK }
  switch unsafe PassingItem(info) {
  case .bytes(let count): meter.note { $0.receive(bytes: count) }
  case .segment(let segment) where segment.format == GST_FORMAT_BYTES:
    var size: gint64 = -1
    let isKnown = unsafe gst_pad_peer_query_duration(pad, GST_FORMAT_BYTES, &size) != 0 && size > 0
    meter.note {
      $0.receive(from: Int64(clamping: segment.start))
      $0.size = isKnown ? Int64(size) : nil
    }
  default: break
  }
  return GST_PAD_PROBE_OK
}

/// Counts the bytes that leave the queue towards the parser.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
private func departureProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let meter = unsafe StreamMeter.borrow(data) else { return GST_PAD_PROBE_OK }
  switch unsafe PassingItem(info) {
  case .bytes(let count): meter.note { $0.forward(bytes: count) }
  case .segment(let segment) where segment.format == GST_FORMAT_BYTES:
    meter.note { $0.forward(from: Int64(clamping: segment.start)) }
  default: break
  }
  return GST_PAD_PROBE_OK
}

/// Where decoded sound leaves the decoder.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
private func decodedProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let info = unsafe info, let meter = unsafe StreamMeter.borrow(data) else {
    return GST_PAD_PROBE_OK
  }
  if let buffer = unsafe cgst_probe_buffer(info) {
    if let end = unsafe streamTime(atEndOf: buffer, on: pad) { meter.note { $0.decode(until: end) } }
    return GST_PAD_PROBE_OK
  }
  switch unsafe PassingItem(info) {
  case .flush: meter.note { $0.flush() }
  case .segment(var segment):
    let start = unsafe gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, segment.start)
    if let start = Duration(gst: start) { meter.note { $0.decode(from: start) } }
  default: break
  }
  return GST_PAD_PROBE_OK
}

/// The time of the media at which a buffer ends; nil for one without a time, or outside of its segment.
private func streamTime(
  atEndOf buffer: UnsafeMutablePointer<GstBuffer>, on pad: UnsafeMutablePointer<GstPad>
) -> Duration? {
  guard let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return nil }
  defer { unsafe cgst_mini_object_unref(event) }
  var segment: UnsafePointer<GstSegment>?
  unsafe gst_event_parse_segment(event, &segment)
  guard let segment = unsafe segment, unsafe segment.pointee.format == GST_FORMAT_TIME,
    let start = unsafe Duration(gst: buffer.pointee.pts)
  else { return nil }
  let length = unsafe Duration(gst: buffer.pointee.duration) ?? .zero
  let end = GstClockTime(clamping: (start + length).wholeNanoseconds)
  let stop = unsafe segment.pointee.stop
  return unsafe Duration(gst: gst_segment_to_stream_time(segment, GST_FORMAT_TIME, min(end, stop)))
}
