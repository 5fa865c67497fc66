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
final class LockedDecoder: Sendable {
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
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER]) { pad, _ in
      unsafe decoder.read(pad)
      return GST_PAD_PROBE_REMOVE
    }
    // Intercepts queries that would wait for the mutex of the decoder, and passes other queries on.
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_QUERY_UPSTREAM]) { _, info in
      guard let query = unsafe cgst_probe_query(info) else { return GST_PAD_PROBE_OK }
      switch unsafe cgst_query_type(query) {
      case GST_QUERY_DURATION, GST_QUERY_SEEKING, GST_QUERY_POSITION:
        return unsafe decoder.handle(query) ? GST_PAD_PROBE_HANDLED : GST_PAD_PROBE_DROP
      default: return GST_PAD_PROBE_OK
      }
    }
    unsafe gst_object_unref(pad)
  }

  /// Reads the duration and seekability from the decoder, on its streaming thread.
  private func read(_ pad: UnsafeMutablePointer<GstPad>) {
    guard let parent = unsafe GLib.parent(of: pad) else { return }
    defer { unsafe gst_object_unref(parent) }
    // `gst_pad_query` would end at the probe.
    let result = unsafe StreamFactsAtEnd { unsafe pad.pointee.queryfunc(pad, parent, $0) != 0 }
    answer.withLock { $0 = result }
  }

  /// Answers a query; returns whether it answered.
  private func handle(_ query: UnsafeMutablePointer<GstQuery>) -> Bool {
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
