import CGst

/// The output element: the one that was named, or the best of those that are installed and work.
enum AudioSink {
  /// An element with a floating reference, and whether it sounds.
  @safe struct Choice {
    let element: UnsafeMutablePointer<GstElement>
    var isSilent = false
  }

  /// Makes the output that a bin description names.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstparse.html#gst_parse_bin_from_description>
  static func make(_ description: String) throws(PlayerError) -> Choice {
    var error: UnsafeMutablePointer<GError>?
    let bin = unsafe gst_parse_bin_from_description(description, 1, &error)
    let text = unsafe GLib.take(error)
    guard let bin = unsafe bin else {
      throw PlayerError(.output, "the output “\(description)” cannot be made: \(text?.message ?? "unknown reason")")
    }
    return unsafe Choice(element: UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self))
  }

  /// Lets go of an output that nobody took.
  static func discard(_ choice: Choice) {
    unsafe gst_object_unref(gst_object_ref_sink(choice.element))
  }

  /// The output of highest rank that can be opened; when there is none, a silent one that keeps time.
  static func best() throws(PlayerError) -> Choice {
    for candidate in candidates() {
      guard let element = unsafe gst_element_factory_create(candidate.factory, nil) else { continue }
      unsafe tune(element)
      _ = unsafe gst_object_ref(element)
      let works = unsafe gst_element_set_state(element, GST_STATE_READY) == GST_STATE_CHANGE_SUCCESS
      unsafe gst_element_set_state(element, GST_STATE_NULL)
      unsafe g_object_force_floating(UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self))
      if works { return unsafe Choice(element: element) }
      unsafe gst_object_unref(element)
    }
    guard let element = unsafe gst_element_factory_make("fakesink", nil) else {
      throw PlayerError(.output, "GStreamer's core elements are not installed")
    }
    unsafe GLib.set(element, "sync", to: true)
    return unsafe Choice(element: element, isSilent: true)
  }

  /// A second of buffer in PulseAudio's sink, filled five times a second: a third of the wake-ups, and no control gets
  /// slower.
  private static func tune(_ element: UnsafeMutablePointer<GstElement>) {
    guard unsafe GLib.borrow(cgst_factory_name(element)) == "pulsesink" else { return }
    unsafe GLib.set(element, "buffer-time", to: Int64(1_000_000))
    unsafe GLib.set(element, "latency-time", to: Int64(200_000))
  }

  /// An element factory, and a reference to it.
  @safe private final class Candidate {
    let factory: OpaquePointer
    init(retaining factory: UnsafeMutableRawPointer) { unsafe self.factory = OpaquePointer(gst_object_ref(factory)) }
    deinit { unsafe gst_object_unref(UnsafeMutableRawPointer(factory)) }
  }

  /// Installed audio outputs, the highest rank first.
  private static func candidates() -> [Candidate] {
    guard let list = unsafe gst_element_factory_list_get_elements(cgst_audio_sinks(), GST_RANK_MARGINAL) else {
      return []
    }
    let sorted = unsafe g_list_sort(list, gst_plugin_feature_rank_compare_func)
    defer { unsafe gst_plugin_feature_list_free(sorted) }
    var result: [Candidate] = []
    var node = unsafe sorted
    while let current = unsafe node {
      if let data = unsafe current.pointee.data { unsafe result.append(Candidate(retaining: data)) }
      unsafe node = current.pointee.next
    }
    return result
  }
}
