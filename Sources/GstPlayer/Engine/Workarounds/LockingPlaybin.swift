import CGst
import Synchronization

/// Makes the player's playbin, whose type adds each decoder with a locked state.
///
/// When playbin of GStreamer 1.22 switches to its next source group, it first adds the decoder of the group, on a streaming
/// thread, and then sets its URI and connects its own handlers. A state change of playbin at that time, such as the one to
/// PLAYING after the preroll, starts the added decoder as well. A new decoder then fails because it has no URI, and one that
/// is used again opens its last URI. A pad that is added before the handlers are connected is never linked, and if the decoder
/// is not recorded yet, playbin waits for its preroll for ever.
///
/// playbin starts the decoder itself when it is complete, in spite of the lock, and unlocks its state afterwards.
///
/// It can go when playbin sets the URI and the handlers of a decoder before it adds the decoder.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstelement.html#gst_element_set_locked_state>
enum LockingPlaybin {
  /// The registered type; nil before the plug-in has been loaded.
  private static let type = Mutex<GType?>(nil)

  /// Makes a playbin, with a floating reference; nil if GStreamer's playback plug-in cannot be loaded.
  static func make() -> UnsafeMutablePointer<GstElement>? {
    let type = type.withLock { type in
      if type == nil { type = register() }
      return type
    }
    guard let type else { return nil }
    return unsafe g_object_new_with_properties(type, 0, nil, nil).flatMap { unsafe cgst_element($0) }
  }

  private static func register() -> GType? {
    guard let playbin = GLib.elementType("playbin") else { return nil }
    return unsafe GLib.registerType("PlayerdPlaybin", of: playbin) { bins, _ in
      unsafe bins?.assumingMemoryBound(to: GstBinClass.self).pointee.add_element = add
    }
  }
}

/// Locks the state of a decoder, and adds it as playbin does.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstbin.html#GstBinClass::add_element>
private func add(_ bin: UnsafeMutablePointer<GstBin>?, _ element: UnsafeMutablePointer<GstElement>?) -> gboolean {
  let failed: gboolean = 0
  guard let element = unsafe element,
    let add = unsafe cgst_parent_class(bin)?.assumingMemoryBound(to: GstBinClass.self).pointee.add_element
  else { return failed }
  if unsafe GLib.borrow(cgst_factory_name(element)) == "uridecodebin" {
    unsafe gst_element_set_locked_state(element, 1)
  }
  return unsafe add(bin, element)
}
