import CGst

/// Restricts a `uridecodebin`, `parsebin` or `decodebin` to audio: no decoder, parser or sink is created for video,
/// pictures or subtitles.
///
/// The flags of playbin select the rendered streams, not the decoded ones: playbin of GStreamer 1.22 still decodes video.
/// It also tries every installed video sink to find one that fits the decoder. Without a display some of those sinks
/// crash the process, and each load increased the memory. With this restriction, 2,500 loads of a Matroska film take as
/// much memory as 250.
///
/// With this restriction, such a stream becomes a pad with the encoded data. Without a pad, decodebin would wait for
/// the end of the stream without limit, and an adaptive stream could not switch.
///
/// It can go when playbin decodes no stream that its flags exclude.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/uridecodebin.html>
enum AudioOnlyDecoding {
  /// Restricts a decoding bin that has not been started; the restriction lasts for the lifetime of the element.
  static func restrict(_ decoder: UnsafeMutablePointer<GstElement>) {
    unsafe Signal.connect("autoplug-continue", of: decoder) { values, result in
      let caps = unsafe Signal.pointer(values + 2, to: GstCaps.self)
      unsafe g_value_set_boolean(result, caps.map { unsafe isVisual($0) } == true ? 0 : 1)
    }
    // An element for video, pictures or subtitles may accept a container.
    unsafe Signal.connect("autoplug-select", of: decoder) { values, result in
      guard let factory = unsafe g_value_peek_pointer(values + 3) else { return }
      let isVisual = unsafe gst_element_factory_list_is_type(OpaquePointer(factory), cgst_visual_media()) != 0
      unsafe g_value_set_enum(result, isVisual ? skipped : tried)
    }
  }

  /// Values of `GstAutoplugSelectResult`, which is private to the playback plug-in.
  private static let (tried, skipped): (gint, gint) = (0, 2)

  /// Hides the pads of video, pictures and subtitles from playbin, and ends their streams together with the audio.
  ///
  /// Call it before playbin connects its own handlers. Hidden pads are not linked. A stream that ended after the audio
  /// would delay the next part of a chain.
  static func hidePads(of decoder: UnsafeMutablePointer<GstElement>) {
    unsafe Signal.padAdded(to: decoder) { decoder, pad in
      // playbin's handler is connected later, and is not called.
      guard unsafe !isHidden(pad) else { return unsafe g_signal_stop_emission_by_name(decoder, "pad-added") }
      unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { pad, info in
        if unsafe cgst_probe_event_of(info, GST_EVENT_EOS) != nil {
          unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { unsafe endHiddenStreams(of: $0) }
        }
        return GST_PAD_PROBE_OK
      }
    }
  }

  /// Whether caps are video, pictures or subtitles, but not a container of several streams.
  static func isVisual(_ caps: UnsafePointer<GstCaps>) -> Bool {
    guard let type = unsafe GLib.mediaType(of: caps) else { return false }
    let flags = unsafe gst_pb_utils_get_caps_description_flags(caps).rawValue
    guard flags & GST_PBUTILS_CAPS_DESCRIPTION_FLAG_CONTAINER.rawValue == 0 else { return false }
    return flags & GST_PBUTILS_CAPS_DESCRIPTION_FLAG_SUBTITLE.rawValue != 0
      || ["video/", "image/", "text/", "subpicture/", "closedcaption/"].contains { type.hasPrefix($0) }
  }

  /// Whether all pads of a decoder are hidden from playbin.
  static func isEverythingHidden(of decoder: UnsafeMutablePointer<GstElement>) -> Bool {
    var isHidden = true
    unsafe forEachPad(of: decoder) { if unsafe !Self.isHidden($0) { isHidden = false } }
    return isHidden
  }

  /// Whether the data of a decoder is an HTML document.
  static func isWebPage(_ decoder: UnsafeMutablePointer<GstElement>) -> Bool {
    var isPage = false
    unsafe forEachPad(of: decoder) { pad in
      let isHTML = unsafe GLib.with(takingMini: gst_pad_get_current_caps(pad)) { unsafe Self.isHTML($0) }
      if isHTML == true { isPage = true }
    }
    return isPage
  }

  /// Whether caps are an HTML document.
  static func isHTML(_ caps: UnsafePointer<GstCaps>) -> Bool { unsafe GLib.mediaType(of: caps) == "text/html" }

  /// Ends the hidden streams of a decoder, except those that have already ended.
  private static func endHiddenStreams(of decoder: UnsafeMutablePointer<GstElement>) {
    unsafe forEachPad(of: decoder) { pad in
      guard unsafe isHidden(pad), let inner = unsafe cgst_ghost_target(pad) else { return }
      defer { unsafe gst_object_unref(inner) }
      // A caps event after EOS would be rejected, and fail the item.
      guard unsafe has(GST_EVENT_SEGMENT, inner), unsafe !has(GST_EVENT_EOS, inner) else { return }
      unsafe gst_pad_push_event(inner, gst_event_new_eos())
    }
  }

  private static func has(_ type: GstEventType, _ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    unsafe GLib.with(takingMini: gst_pad_get_sticky_event(pad, type, 0)) { _ in true } ?? false
  }

  /// Calls `body` for each source pad of a decoder.
  static func forEachPad(
    of decoder: UnsafeMutablePointer<GstElement>, _ body: (UnsafeMutablePointer<GstPad>) -> Void
  ) {
    let list = unsafe cgst_source_pads(decoder)
    defer { unsafe g_list_free(list) }
    unsafe GLib.elements(of: list).forEach { data in
      unsafe body(data.assumingMemoryBound(to: GstPad.self))
      unsafe gst_object_unref(data)
    }
  }

  /// Whether a decoder has a source pad.
  static func hasPad(_ decoder: UnsafeMutablePointer<GstElement>) -> Bool {
    var hasPad = false
    unsafe forEachPad(of: decoder) { _ in hasPad = true }
    return hasPad
  }

  /// Whether a pad is one of video, pictures or subtitles.
  static func isHidden(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    unsafe GLib.with(takingMini: gst_pad_get_current_caps(pad)) { unsafe isVisual($0) } ?? false
  }
}
