import CGst

/// The values of a SEEK event.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstevent.html#gst_event_new_seek>
struct SeekEvent {
  private(set) var rate = 1.0
  private(set) var format = GST_FORMAT_UNDEFINED
  var flags = GST_SEEK_FLAG_NONE
  private var startType = GST_SEEK_TYPE_NONE
  var start: gint64 = 0
  private var stopType = GST_SEEK_TYPE_NONE
  var stop: gint64 = -1
  private let number: guint32

  /// Reads the event of a probe; nil for other data.
  init?(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard let event = unsafe cgst_probe_event_of(info, GST_EVENT_SEEK) else { return nil }
    number = unsafe gst_event_get_seqnum(event)
    unsafe gst_event_parse_seek(event, &rate, &format, &flags, &startType, &start, &stopType, &stop)
  }

  /// A new event with these values.
  var event: UnsafeMutablePointer<GstEvent>? {
    guard let event = unsafe gst_event_new_seek(rate, format, flags, startType, start, stopType, stop) else {
      return nil
    }
    unsafe gst_event_set_seqnum(event, number)
    return unsafe event
  }
}
