import CGst

/// The scheme, host and port of a URI.
struct HTTPOrigin: Equatable {
  let scheme: String
  /// The name or address as it is in the URI; compared without case.
  let host: String
  let port: UInt32

  init?(_ uri: String) {
    guard let parsed = unsafe gst_uri_from_string(uri) else { return nil }
    defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(parsed)) }
    guard let scheme = unsafe GLib.borrow(gst_uri_get_scheme(parsed))?.lowercased(),
      let host = unsafe GLib.borrow(gst_uri_get_host(parsed))
    else { return nil }
    let port = unsafe gst_uri_get_port(parsed)
    (self.scheme, self.host) = (scheme, host)
    self.port = port != 0 ? port : scheme == "https" ? 443 : 80
  }

  static func == (left: HTTPOrigin, right: HTTPOrigin) -> Bool {
    (left.scheme, left.host.lowercased(), left.port) == (right.scheme, right.host.lowercased(), right.port)
  }
}
