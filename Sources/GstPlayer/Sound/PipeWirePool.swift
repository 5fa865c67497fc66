import CGst

/// Activates the buffer pool of PipeWire's sink before the sink connects to the server.
///
/// The sink of PipeWire 1.2 to 1.6 waits on the thread of its connection, when the server has chosen the format, until
/// its first buffer is rendered. That blocks the connection, which all sinks of the process share: the sink's wait for
/// the server in its handler of CAPS, and a change from PAUSED to READY or NULL before the first start. The pool ends
/// the wait as soon as it is active, and rendering would activate it in the same way.
///
/// <https://gitlab.freedesktop.org/pipewire/pipewire/-/blob/1.4.2/src/gst/gstpipewiresink.c>
enum PipeWirePool {
  /// Activates the pool of each stream of an output before the sink reads its caps.
  static func activate(in output: UnsafeMutablePointer<GstElement>) {
    unsafe GLib.with(taking: cgst_element_of_factory(output, "pipewiresink")) { sink in
      unsafe GLib.withPad("sink", of: sink) { pad in
        unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { pad, info in
          if let event = unsafe cgst_probe_event_of(info, GST_EVENT_CAPS), let caps = unsafe GLib.caps(of: event) {
            unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) {
              unsafe activate(offeredPool(of: $0, at: pad, for: caps), for: caps)
            }
          }
          return GST_PAD_PROBE_OK
        }
      }
    }
  }

  /// Returns the pool of a sink, which the sink offers only with a property after it has read caps once.
  private static func offeredPool(
    of sink: UnsafeMutablePointer<GstElement>, at pad: UnsafeMutablePointer<GstPad>,
    for caps: UnsafeMutablePointer<GstCaps>
  ) -> UnsafeMutablePointer<GstBufferPool>? {
    let property = "use-bufferpool"
    if let pool = unsafe cgst_offered_pool(pad, caps) { return unsafe pool }
    guard unsafe cgst_has_property(sink, property) != 0 else { return nil }
    unsafe GLib.set(sink, property, to: true)
    defer { unsafe GLib.set(sink, property, to: false) }
    return unsafe cgst_offered_pool(pad, caps)
  }

  /// Activates a pool, and releases it.
  private static func activate(
    _ pool: UnsafeMutablePointer<GstBufferPool>?, for caps: UnsafeMutablePointer<GstCaps>
  ) {
    var format = unsafe GstAudioInfo()
    guard let pool = unsafe pool else { return }
    defer { unsafe gst_object_unref(pool) }
    guard unsafe gst_audio_info_from_caps(&format, caps) != 0, unsafe gst_buffer_pool_is_active(pool) == 0,
      let config = unsafe gst_buffer_pool_get_config(pool)
    else { return }
    // The sink splits larger buffers.
    let size = unsafe guint(clamping: Int(format.rate) * Int(format.bpf) / 10)
    unsafe gst_buffer_pool_config_set_params(config, caps, max(1, size), 0, 0)
    if unsafe gst_buffer_pool_set_config(pool, config) != 0 { unsafe gst_buffer_pool_set_active(pool, 1) }
  }
}
