import CGst
import Playback
import Synchronization

/// Answers the queries for a tracker module or MIDI decoder, so that they do not reach the decoder.
///
/// A GstNonstreamAudioDecoder of GStreamer 1.22 locks a mutex for each query, and sends EOS with the mutex locked. An
/// element that queries upstream at EOS would deadlock the streaming thread. A query from another thread would deadlock both threads, because playbin holds its lock during a query and
/// takes the same lock at EOS.
///
/// Duration and seekability are therefore read with the first buffer, when the streaming thread does not hold the
/// mutex.
///
/// It can go when GstNonstreamAudioDecoder holds no mutex while it sends events.
///
/// <https://gstreamer.freedesktop.org/documentation/bad-audio/gstnonstreamaudiodecoder.html>
final class LockedDecoder: Sendable {
  /// The answers of the decoder; nil before the first buffer.
  private let answer = Mutex<QueriedFacts?>(nil)

  /// Intercepts the queries for such a decoder; other elements are not changed.
  static func guardQueries(of element: UnsafeMutablePointer<GstElement>) {
    let type = unsafe g_type_from_name("GstNonstreamAudioDecoder")
    let instance = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self)
    guard type != 0, unsafe g_type_check_instance_is_a(instance, type) != 0 else { return }
    let decoder = LockedDecoder()
    unsafe PadProbe.add(to: "src", of: element, [GST_PAD_PROBE_TYPE_BUFFER]) { pad, _ in
      unsafe decoder.read(pad)
      return GST_PAD_PROBE_REMOVE
    }
    unsafe PadProbe.add(to: "src", of: element, [GST_PAD_PROBE_TYPE_QUERY_UPSTREAM]) { _, info in
      unsafe cgst_probe_query(info).map { unsafe decoder.handle($0) } ?? GST_PAD_PROBE_OK
    }
  }

  /// Reads the duration and seekability from the decoder, on its streaming thread.
  private func read(_ pad: UnsafeMutablePointer<GstPad>) {
    guard let parent = unsafe GLib.parent(of: pad) else { return }
    defer { unsafe gst_object_unref(parent) }
    // `gst_pad_query` would end at the probe.
    let result = unsafe QueriedFacts { unsafe pad.pointee.queryfunc(pad, parent, $0) != 0 }
    answer.withLock { $0 = result }
  }

  /// Answers or drops a query that would wait for the mutex of the decoder, and passes other queries on.
  private func handle(_ query: UnsafeMutablePointer<GstQuery>) -> GstPadProbeReturn {
    let answer = answer.withLock { $0 }
    var format = GST_FORMAT_UNDEFINED
    switch unsafe query.pointee.type {
    case GST_QUERY_DURATION:
      unsafe gst_query_parse_duration(query, &format, nil)
      guard format == GST_FORMAT_TIME, let duration = answer?.duration else { return GST_PAD_PROBE_DROP }
      unsafe gst_query_set_duration(query, format, Int(duration.wholeNanoseconds))
    case GST_QUERY_SEEKING:
      unsafe gst_query_parse_seeking(query, &format, nil, nil, nil)
      guard format == GST_FORMAT_TIME, let answer else { return GST_PAD_PROBE_DROP }
      let end = answer.duration.map { Int($0.wholeNanoseconds) } ?? -1
      unsafe gst_query_set_seeking(query, format, answer.isSeekable ? 1 : 0, 0, end)
    case GST_QUERY_POSITION: return GST_PAD_PROBE_DROP
    default: return GST_PAD_PROBE_OK
    }
    return GST_PAD_PROBE_HANDLED
  }
}
