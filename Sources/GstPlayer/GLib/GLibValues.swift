import CGst
import TextCoding

/// Converts GLib strings, values and errors, each taken (transfer full) or borrowed (transfer none).
enum GLib {
  /// Returns the text of a string that GLib keeps.
  static func borrow(_ text: UnsafePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    return unsafe String(cString: text)
  }

  /// Returns the text of a string, and frees it.
  static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text = unsafe text else { return nil }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// Returns the bytes of a string, which need not be UTF-8, and frees it.
  static func takeBytes(_ text: UnsafeMutablePointer<CChar>?) -> [UInt8]? {
    guard let text = unsafe text else { return nil }
    defer { unsafe g_free(text) }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// Returns at most the first `limit` bytes of a string that GLib keeps.
  static func borrow(_ text: UnsafePointer<CChar>, limit: Int) -> String {
    var end = unsafe strnlen(text, limit)
    // Moves the end back to the start of a character.
    if end == limit { while end > 0, unsafe UInt8(bitPattern: text[end]) & 0xC0 == 0x80 { end -= 1 } }
    return unsafe String(decoding: UnsafeRawBufferPointer(start: text, count: end), as: UTF8.self)
  }

  /// Returns the domain, code and message of an error, and frees it.
  static func take(_ error: UnsafeMutablePointer<GError>?) -> (domain: GQuark, code: Int, message: String)? {
    guard let error = unsafe error else { return nil }
    defer { unsafe g_error_free(error) }
    return unsafe (error.pointee.domain, Int(error.pointee.code), borrow(error.pointee.message) ?? "")
  }

  /// Returns the media type of caps, or of their first structure; nil for empty caps and for ANY.
  static func mediaType(of caps: UnsafePointer<GstCaps>) -> String? {
    guard unsafe gst_caps_get_size(caps) > 0, let structure = unsafe gst_caps_get_structure(caps, 0) else { return nil }
    return unsafe borrow(gst_structure_get_name(structure))
  }

  /// Returns a positive number in the first structure of caps; nil if there is none.
  static func number(_ field: String, in caps: UnsafePointer<GstCaps>) -> gint? {
    var number: gint = 0
    guard unsafe gst_caps_get_size(caps) > 0, let structure = unsafe gst_caps_get_structure(caps, 0),
      unsafe gst_structure_get_int(structure, field, &number) != 0, number > 0
    else { return nil }
    return number
  }

  /// The address of the calling thread's `GThread`.
  ///
  /// <https://docs.gtk.org/glib/type_func.Thread.self.html>
  static var currentThread: UInt { UInt(bitPattern: unsafe g_thread_self()) }

  /// Sets a property to a number or a Boolean.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstutils.html#gst_util_set_object_arg>
  static func set(_ object: UnsafeMutableRawPointer, _ name: String, to value: some LosslessStringConvertible) {
    unsafe gst_util_set_object_arg(object.assumingMemoryBound(to: GObject.self), name, "\(value)")
  }

  /// Sets a property to a text.
  static func set(_ object: UnsafeMutableRawPointer, _ name: String, to value: String) {
    unsafe set(object, name, type: cgst_type_string()) { unsafe g_value_set_string($0, value) }
  }

  /// Sets a property to a path.
  static func set(_ object: UnsafeMutableRawPointer, _ name: String, toPath path: [UInt8]) {
    unsafe path.withCString { path in
      unsafe set(object, name, type: cgst_type_string()) { unsafe g_value_set_string($0, path) }
    }
  }

  /// Sets a property to an object; the owner takes its own reference to it.
  static func set(_ object: UnsafeMutableRawPointer, _ name: String, toObject value: UnsafeMutableRawPointer) {
    unsafe set(object, name, type: gst_object_get_type()) { unsafe g_value_set_object($0, value) }
  }

  /// Sets a property to a copy of a list of strings.
  static func set(_ object: UnsafeMutableRawPointer, _ name: String, toStrings values: [String]) {
    var list: [UnsafeMutablePointer<CChar>?] = unsafe values.map { unsafe g_strdup($0) } + [nil]
    defer { unsafe list.forEach { unsafe g_free($0) } }
    unsafe set(object, name, type: g_strv_get_type()) { value in
      unsafe list.withUnsafeMutableBufferPointer { unsafe g_value_set_boxed(value, $0.baseAddress) }
    }
  }

  /// Sets a field of a structure.
  static func set(_ structure: UnsafeMutablePointer<GstStructure>, _ field: String, to text: String) {
    var value = GValue()
    unsafe g_value_init(&value, cgst_type_string())
    unsafe g_value_set_string(&value, text)
    unsafe gst_structure_set_value(structure, field, &value)
    unsafe g_value_unset(&value)
  }

  /// Returns a copy of the structure in a property, which the caller frees; nil if there is none.
  static func structure(_ object: UnsafeMutableRawPointer, _ name: String) -> UnsafeMutablePointer<GstStructure>? {
    unsafe get(object, name) { unsafe gst_value_get_structure($0).flatMap { unsafe gst_structure_copy($0) } }
  }

  /// Returns the result of `read` for the value of a property.
  static func get<Result>(
    _ object: UnsafeMutableRawPointer, _ name: String, _ read: (UnsafePointer<GValue>) -> Result
  ) -> Result {
    var value = GValue()
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    return unsafe read(&value)
  }

  /// Sets a property to a value of this type, which `fill` sets.
  static func set(
    _ object: UnsafeMutableRawPointer, _ name: String, type: GType, fill: (UnsafeMutablePointer<GValue>) -> Void
  ) {
    var value = GValue()
    unsafe g_value_init(&value, type)
    unsafe fill(&value)
    unsafe g_object_set_property(object.assumingMemoryBound(to: GObject.self), name, &value)
    unsafe g_value_unset(&value)
  }

  /// Returns a copy of the bytes of a buffer; nil if they cannot be read.
  static func bytes(of buffer: UnsafeMutablePointer<GstBuffer>) -> [UInt8]? {
    unsafe withBytes(of: buffer) { unsafe Array($0) }
  }

  /// Returns the result of `body` for the bytes of a buffer; nil if they cannot be read.
  @discardableResult
  static func withBytes<Result>(
    of buffer: UnsafeMutablePointer<GstBuffer>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    var map = unsafe GstMapInfo()
    guard unsafe gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { unsafe gst_buffer_unmap(buffer, &map) }
    return unsafe body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
  }

  /// Returns the caps of a CAPS event, which keeps them.
  static func caps(of event: UnsafeMutablePointer<GstEvent>) -> UnsafeMutablePointer<GstCaps>? {
    var caps: UnsafeMutablePointer<GstCaps>?
    unsafe gst_event_parse_caps(event, &caps)
    return unsafe caps
  }

  /// Returns the result of `body` for an object, and releases the object; nil if there is none.
  @discardableResult
  static func with<Object, Result>(
    taking object: UnsafeMutablePointer<Object>?, _ body: (UnsafeMutablePointer<Object>) -> Result
  ) -> Result? {
    guard let object = unsafe object else { return nil }
    defer { unsafe gst_object_unref(object) }
    return unsafe body(object)
  }

  /// The same for a mini object, such as caps or an event.
  @discardableResult
  static func with<Object, Result>(
    takingMini object: UnsafeMutablePointer<Object>?, _ body: (UnsafeMutablePointer<Object>) -> Result
  ) -> Result? {
    guard let object = unsafe object else { return nil }
    defer { unsafe cgst_mini_object_unref(object) }
    return unsafe body(object)
  }

  /// The same for the pad of an element with this name.
  @discardableResult
  static func withPad<Result>(
    _ name: String, of element: UnsafeMutablePointer<GstElement>, _ body: (UnsafeMutablePointer<GstPad>) -> Result
  ) -> Result? {
    unsafe with(taking: gst_element_get_static_pad(element, name), body)
  }

  /// Returns the SHA-256 of bytes in hexadecimal.
  static func sha256(_ bytes: [UInt8]) -> String? {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe take(g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes.baseAddress, gsize(bytes.count)))
    }
  }

  /// Returns the bin that contains an element, or the element of a pad; the caller releases it.
  static func parent(of object: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GstObject>? {
    unsafe gst_object_get_parent(object.assumingMemoryBound(to: GstObject.self))
  }

  static func name(of object: UnsafeMutableRawPointer) -> String? {
    unsafe take(gst_object_get_name(object.assumingMemoryBound(to: GstObject.self)))
  }

  /// Returns the outermost object that contains an element or a pad, or the object itself; the caller releases it.
  static func top(of object: UnsafeMutableRawPointer) -> UnsafeMutablePointer<GstObject> {
    var top = unsafe gst_object_ref(object).assumingMemoryBound(to: GstObject.self)
    while let parent = unsafe gst_object_get_parent(top) {
      unsafe gst_object_unref(top)
      unsafe top = parent
    }
    return unsafe top
  }

  /// Returns the element of a bin with this name, which the bin keeps; nil if there is none.
  static func element(_ name: String, in bin: UnsafeMutablePointer<GstBin>) -> UnsafeMutablePointer<GstElement>? {
    unsafe with(taking: gst_bin_get_by_name(bin, name)) { unsafe $0 }
  }

  /// Returns the first result of `read` for the elements in a bin and in the bins in it; nil if there is none.
  ///
  /// If elements are added or removed during the iteration, it begins again.
  static func first<Result>(
    in bin: UnsafeMutablePointer<GstBin>, _ read: (UnsafeMutablePointer<GstElement>) -> Result?
  ) -> Result? {
    guard let iterator = unsafe gst_bin_iterate_recurse(bin) else { return nil }
    defer { unsafe gst_iterator_free(iterator) }
    var value = GValue()
    defer { unsafe g_value_unset(&value) }
    while true {
      switch unsafe gst_iterator_next(iterator, &value) {
      case GST_ITERATOR_OK:
        guard let item = unsafe g_value_get_object(&value), let element = unsafe cgst_element(item) else { continue }
        if let result = unsafe read(element) { return result }
      case GST_ITERATOR_RESYNC: unsafe gst_iterator_resync(iterator)
      default: return nil
      }
    }
  }

  /// Returns the data of the elements of a list, which the caller keeps.
  static func elements(of list: UnsafeMutablePointer<GList>?) -> [UnsafeMutableRawPointer] {
    var elements: [UnsafeMutableRawPointer] = unsafe []
    var node = unsafe list
    while let current = unsafe node {
      if let data = unsafe current.pointee.data { unsafe elements.append(data) }
      unsafe node = current.pointee.next
    }
    return unsafe elements
  }

  static func text(_ object: UnsafeMutableRawPointer, _ name: String) -> String? {
    unsafe get(object, name) { unsafe borrow(g_value_get_string($0)) }
  }
}

extension Duration {
  /// Converts a GStreamer time; nil for `GST_CLOCK_TIME_NONE` and for values out of range.
  init?(gst time: GstClockTime) {
    guard time <= GstClockTime(Int64.max) else { return nil }
    self = .nanoseconds(Int64(time))
  }
}
