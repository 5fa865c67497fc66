import CGst
import Playback

/// Strings, values and errors of GLib, each taken (transfer full) or borrowed (transfer none) in one place.
enum GLib {
  /// The text of a string that stays GLib's.
  static func borrow(_ text: UnsafePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    return unsafe String(cString: text)
  }

  /// The text of a string that is ours; frees it.
  static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// As much of the text of a string that is ours as `limit` bytes hold; frees it.
  static func take(_ text: UnsafeMutablePointer<CChar>?, limit: Int) -> String? {
    guard let text = unsafe text else { return nil }
    let size = unsafe strlen(text)
    guard size > limit else { return unsafe take(text) }
    // Back to where a character begins.
    var end = limit
    while end > 0, unsafe UInt8(bitPattern: text[end]) & 0xC0 == 0x80 { end -= 1 }
    unsafe text[end] = 0
    return unsafe take(text)
  }

  /// The domain, code and message of an error that is ours; frees it.
  static func take(_ error: UnsafeMutablePointer<GError>?) -> ErrorText? {
    guard let error = unsafe error else { return nil }
    defer { unsafe g_error_free(error) }
    return unsafe ErrorText(
      domain: error.pointee.domain, code: Int(error.pointee.code), message: borrow(error.pointee.message) ?? "")
  }

  /// The media type of caps, of the first where there are several; nil for empty caps and for any.
  static func mediaType(of caps: UnsafePointer<GstCaps>) -> String? {
    guard unsafe gst_caps_get_size(caps) > 0, let structure = unsafe gst_caps_get_structure(caps, 0) else { return nil }
    return unsafe borrow(gst_structure_get_name(structure))
  }

  /// The calling thread, by address.
  ///
  /// <https://docs.gtk.org/glib/type_func.Thread.self.html>
  static var currentThread: UInt { UInt(bitPattern: unsafe g_thread_self()) }

  struct ErrorText {
    var domain: GQuark
    var code: Int
    var message: String
  }

  /// Sets a property, when the object has one of that name.
  static func set(_ object: UnsafeMutableRawPointer, _ name: String, to value: Double) {
    unsafe set(object, name, type: cgst_type_double()) { unsafe g_value_set_double($0, value) }
  }

  static func set(_ object: UnsafeMutableRawPointer, _ name: String, to value: Bool) {
    unsafe set(object, name, type: cgst_type_boolean()) { unsafe g_value_set_boolean($0, value ? 1 : 0) }
  }

  static func set(_ object: UnsafeMutableRawPointer, _ name: String, to value: Int64) {
    unsafe set(object, name, type: cgst_type_int64()) { unsafe g_value_set_int64($0, Int(value)) }
  }

  static func set(_ object: UnsafeMutableRawPointer, _ name: String, to value: String) {
    unsafe set(object, name, type: cgst_type_string()) { unsafe g_value_set_string($0, value) }
  }

  /// Sets an object property; the object takes its own reference.
  static func set(_ object: UnsafeMutableRawPointer, _ name: String, toObject value: UnsafeMutableRawPointer) {
    unsafe set(object, name, type: gst_object_get_type()) { unsafe g_value_set_object($0, value) }
  }

  private static func set(
    _ object: UnsafeMutableRawPointer, _ name: String, type: GType, fill: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    var value = GValue()
    unsafe g_value_init(&value, type)
    unsafe fill(&value)
    unsafe g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    unsafe g_value_unset(&value)
  }

  static func text(_ object: UnsafeMutableRawPointer, _ name: String) -> String? {
    var value = GValue()
    unsafe g_value_init(&value, cgst_type_string())
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    return unsafe borrow(g_value_get_string(&value))
  }

  static func double(_ object: UnsafeMutableRawPointer, _ name: String) -> Double {
    var value = GValue()
    unsafe g_value_init(&value, cgst_type_double())
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    return unsafe g_value_get_double(&value)
  }

  /// Whether a property is that very object.
  static func isObject(
    _ object: UnsafeMutableRawPointer, _ name: String, _ other: UnsafeMutableRawPointer
  ) -> Bool {
    unsafe withObject(object, name) { unsafe $0 == other }
  }

  /// Whether an object property has a value.
  static func hasObject(_ object: UnsafeMutableRawPointer, _ name: String) -> Bool {
    unsafe withObject(object, name) { unsafe $0 != nil }
  }

  private static func withObject(
    _ object: UnsafeMutableRawPointer, _ name: String, _ body: (UnsafeMutableRawPointer?) -> Bool
  ) -> Bool {
    var value = GValue()
    unsafe g_value_init(&value, gst_object_get_type())
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    return unsafe body(g_value_get_object(&value))
  }

  static func bool(_ object: UnsafeMutableRawPointer, _ name: String) -> Bool {
    var value = GValue()
    unsafe g_value_init(&value, cgst_type_boolean())
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    return unsafe g_value_get_boolean(&value) != 0
  }
}

extension Duration {
  /// A GStreamer time; nil for `GST_CLOCK_TIME_NONE` and what is out of range.
  init?(gst time: GstClockTime) {
    guard time <= GstClockTime(Int64.max) else { return nil }
    self = .nanoseconds(Int64(time))
  }
}
