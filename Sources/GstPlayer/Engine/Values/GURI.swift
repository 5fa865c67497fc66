import CGst

/// A reference to a URI of GLib.
@safe final class GURI: Sendable {
  private nonisolated(unsafe) let uri: OpaquePointer  // never changes; a GUri is immutable

  /// Reads the URI of a message; nil if there is none.
  init?(of message: UnsafeMutableRawPointer) {
    guard let uri = unsafe GLib.get(message, "uri", { unsafe g_value_dup_boxed($0) }) else { return nil }
    unsafe self.uri = OpaquePointer(uri)
  }

  /// Parses a URI as libsoup does; nil if it is invalid.
  init?(_ text: String) {
    guard let uri = unsafe g_uri_parse(text, cgst_http_uri_flags(), nil) else { return nil }
    unsafe self.uri = uri
  }

  deinit { unsafe g_uri_unref(uri) }

  var text: String { unsafe GLib.take(g_uri_to_string(uri)) ?? "" }
  var host: String? { unsafe GLib.borrow(g_uri_get_host(uri)) }

  func set(on message: UnsafeMutableRawPointer) {
    unsafe GLib.set(message, "uri", type: g_uri_get_type()) { unsafe g_value_set_boxed($0, UnsafeRawPointer(uri)) }
  }
}
