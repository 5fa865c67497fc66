import CGst
import Playback
import Synchronization

/// The answers to queries for a tracker module or MIDI decoder; the queries must not reach the decoder.
///
/// A GstNonstreamAudioDecoder of GStreamer 1.22 locks a mutex for each query, and sends EOS with the mutex locked. An
/// element that queries upstream at EOS, for example for playbin's `about-to-finish`, would deadlock the streaming
/// thread. A query from another thread would deadlock both threads, because playbin holds its lock during a query and
/// takes the same lock at EOS.
///
/// Duration and seekability are therefore read with the first buffer, when the streaming thread does not hold the
/// mutex.
///
/// <https://gstreamer.freedesktop.org/documentation/bad-audio/gstnonstreamaudiodecoder.html>
final class LockedDecoder: CallbackContext, Sendable {
  /// The answers of the decoder; nil before the first buffer.
  private let answer = Mutex<StreamFactsAtEnd?>(nil)

  private init() {}

  /// Intercepts the queries for such a decoder; other elements are not changed.
  static func guardQueries(of element: UnsafeMutablePointer<GstElement>) {
    let type = unsafe g_type_from_name("GstNonstreamAudioDecoder")
    let instance = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self)
    guard type != 0, unsafe g_type_check_instance_is_a(instance, type) != 0,
      let pad = unsafe gst_element_get_static_pad(element, "src")
    else { return }
    let decoder = LockedDecoder()
    unsafe decoder.add(bufferProbe, GST_PAD_PROBE_TYPE_BUFFER, to: pad)
    unsafe decoder.add(queryProbe, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, to: pad)
    unsafe gst_object_unref(pad)
  }

  /// Reads the duration and seekability from the decoder, on its streaming thread.
  fileprivate func read(_ pad: UnsafeMutablePointer<GstPad>) {
    let object = unsafe UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GstObject.self)
    guard let parent = unsafe gst_object_get_parent(object) else { return }
    defer { unsafe gst_object_unref(parent) }
    var result = StreamFactsAtEnd(isSeekable: false)
    if let query = unsafe gst_query_new_duration(GST_FORMAT_TIME) {
      // `gst_pad_query` would end at the probe.
      if unsafe pad.pointee.queryfunc(pad, parent, query) != 0 {
        var duration: gint64 = -1
        unsafe gst_query_parse_duration(query, nil, &duration)
        result.duration = duration > 0 ? .nanoseconds(duration) : nil
      }
      unsafe cgst_mini_object_unref(query)
    }
    if let query = unsafe gst_query_new_seeking(GST_FORMAT_TIME) {
      var isSeekable: gboolean = 0
      if unsafe pad.pointee.queryfunc(pad, parent, query) != 0 {
        unsafe gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
      }
      result.isSeekable = isSeekable != 0
      unsafe cgst_mini_object_unref(query)
    }
    answer.withLock { $0 = result }
  }

  /// Answers a query; returns whether it answered.
  fileprivate func handle(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
    guard let answer = answer.withLock({ $0 }) else { return false }
    var format = GST_FORMAT_UNDEFINED
    let duration = answer.duration.map { Int($0.wholeNanoseconds) } ?? -1
    switch unsafe cgst_query_type(query) {
    case GST_QUERY_DURATION:
      unsafe gst_query_parse_duration(query, &format, nil)
      guard format == GST_FORMAT_TIME, answer.duration != nil else { return false }
      unsafe gst_query_set_duration(query, format, duration)
    case GST_QUERY_SEEKING:
      unsafe gst_query_parse_seeking(query, &format, nil, nil, nil)
      guard format == GST_FORMAT_TIME else { return false }
      unsafe gst_query_set_seeking(query, format, answer.isSeekable ? 1 : 0, 0, duration)
    default: return false
    }
    return true
  }
}

/// Handles the first buffer of a decoder.
private func bufferProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  if let pad = unsafe pad { unsafe LockedDecoder.borrow(data)?.read(pad) }
  return GST_PAD_PROBE_REMOVE
}

/// Intercepts queries that would wait for the mutex of a decoder, and passes other queries on.
private func queryProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let query = unsafe cgst_probe_query(info), let decoder = unsafe LockedDecoder.borrow(data) else {
    return GST_PAD_PROBE_OK
  }
  switch unsafe cgst_query_type(query) {
  case GST_QUERY_DURATION, GST_QUERY_SEEKING, GST_QUERY_POSITION:
    return unsafe decoder.handle(query) ? GST_PAD_PROBE_HANDLED : GST_PAD_PROBE_DROP
  default: return GST_PAD_PROBE_OK
  }
}
