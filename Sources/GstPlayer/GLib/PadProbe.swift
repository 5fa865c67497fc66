import CGst

/// A probe at a pad: a closure that GStreamer calls for the data and the events that pass the pad.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
@safe struct PadProbe {
  typealias Body =
    @Sendable (_ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn

  /// The kinds of a probe for buffers and for the events that pass with them.
  static let data = [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]
  static let dataAndFlushes = data + [GST_PAD_PROBE_TYPE_EVENT_FLUSH]

  private let body: Body

  /// Adds a probe, which retains `body` until it is removed; returns its number.
  @discardableResult
  static func add(
    to pad: UnsafeMutablePointer<GstPad>, _ kinds: [GstPadProbeType], _ body: @escaping Body
  ) -> gulong {
    let mask = GstPadProbeType(kinds.reduce(0) { $0 | $1.rawValue })
    let call: GstPadProbeCallback = { pad, info, data in
      guard let pad = unsafe pad, let info = unsafe info, let probe = unsafe CallbackValue<PadProbe>.value(in: data)
      else {
        return GST_PAD_PROBE_OK
      }
      return unsafe probe.body(pad, info)
    }
    return unsafe gst_pad_add_probe(pad, mask, call, CallbackValue.data(PadProbe(body: body)), releaseCallbackData)
  }

  /// Replaces the event of a probe, which takes over the new one; without a new one, the event stays.
  static func replace(
    in info: UnsafeMutablePointer<GstPadProbeInfo>, with event: UnsafeMutablePointer<GstEvent>?
  ) {
    guard let old = unsafe cgst_probe_event(info), let event = unsafe event else { return }
    unsafe info.pointee.data = UnsafeMutableRawPointer(event)
    unsafe cgst_mini_object_unref(old)
  }

  /// Replaces the segment event of a probe by one with another segment and the same number.
  static func replace(in info: UnsafeMutablePointer<GstPadProbeInfo>, with segment: GstSegment) {
    var segment = segment
    guard let old = unsafe cgst_probe_event(info), let event = unsafe gst_event_new_segment(&segment) else { return }
    unsafe gst_event_set_seqnum(event, gst_event_get_seqnum(old))
    unsafe replace(in: info, with: event)
  }

  /// Adds a probe to the pad of an element with this name, if there is one.
  static func add(
    to name: String, of element: UnsafeMutablePointer<GstElement>, _ kinds: [GstPadProbeType], _ body: @escaping Body
  ) {
    unsafe GLib.withPad(name, of: element) { unsafe add(to: $0, kinds, body) }
  }
}
