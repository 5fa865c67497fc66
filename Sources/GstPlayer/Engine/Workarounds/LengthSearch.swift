import CGst
import Synchronization

/// Keeps old data from `oggdemux` until the answer to its request for the last page has arrived.
///
/// `oggdemux` of GStreamer 1.22 requests the end of a stream from a server to learn its duration, on another thread. A
/// short file may arrive whole before that. The demuxer then takes that data for the answer: it finds a wrong duration,
/// or none and refuses every seek. The request flushes the stream, so the data is not needed.
///
/// It can go when `oggdemux` ignores everything until the flush of its request.
///
/// <https://gstreamer.freedesktop.org/documentation/ogg/oggdemux.html>
final class LengthSearch: Sendable {
  private enum Step: Int, AtomicRepresentable { case awaited, requested, answered }

  private let step = Atomic(Step.awaited)

  /// Observes a demuxer; other elements are not changed.
  static func protect(_ element: UnsafeMutablePointer<GstElement>) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "oggdemux" else { return }
    let search = LengthSearch()
    unsafe PadProbe.add(to: "sink", of: element, [GST_PAD_PROBE_TYPE_EVENT_UPSTREAM]) { _, info in
      guard unsafe SeekEvent(info) != nil else { return GST_PAD_PROBE_OK }
      _ = search.step.compareExchange(expected: .awaited, desired: .requested, ordering: .relaxed)
      return GST_PAD_PROBE_OK
    }
    unsafe PadProbe.add(to: "sink", of: element, PadProbe.dataAndFlushes) { pad, info in
      if unsafe cgst_probe_event_of(info, GST_EVENT_FLUSH_STOP) != nil {
        search.step.store(.answered, ordering: .relaxed)
      }
      let isEnd = unsafe cgst_probe_event_of(info, GST_EVENT_EOS) != nil
      guard unsafe isEnd || cgst_probe_buffer(info) != nil else { return GST_PAD_PROBE_OK }
      switch search.step.load(ordering: .relaxed) {
      case .answered: return GST_PAD_PROBE_OK
      // The demuxer ignores data, but not its end, when it is about to send its request.
      case .awaited: return unsafe isEnd && searches(at: pad) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      // It has given up if the request was refused.
      case .requested: return unsafe searches(at: pad) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      }
    }
  }

  /// Whether the demuxer has found its streams, and requests the last page.
  private static func searches(at pad: UnsafeMutablePointer<GstPad>) -> Bool {
    var size: gint64 = -1
    guard unsafe pad.pointee.mode == GST_PAD_MODE_PUSH,
      unsafe gst_pad_peer_query_duration(pad, GST_FORMAT_BYTES, &size) != 0, size > 0
    else { return false }
    return unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { demuxer in
      let isSeekable = unsafe QueriedFacts.isSeekable { unsafe gst_element_query(demuxer, $0) != 0 }
      return unsafe demuxer.pointee.numsrcpads > 0 && isSeekable == true
    } ?? false
  }
}
