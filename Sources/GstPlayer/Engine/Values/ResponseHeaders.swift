import CGst

/// The headers of the response to a request, which `souphttpsrc` reports in an event before the data.
///
/// <https://gstreamer.freedesktop.org/documentation/soup/souphttpsrc.html>
struct ResponseHeaders {
  let uri: String?
  /// The URI after redirects; nil if there were none.
  let redirection: String?
  let status: UInt32
  /// The header fields by their names in lower case, without those that occur more than once; nil if there are none.
  let fields: [String: String]?

  /// Reads an event; nil for another one.
  init?(_ event: UnsafeMutablePointer<GstEvent>) {
    guard let structure = unsafe gst_event_get_structure(event),
      unsafe gst_structure_has_name(structure, "http-headers") != 0
    else { return nil }
    uri = unsafe GLib.borrow(gst_structure_get_string(structure, "uri"))
    redirection = unsafe GLib.borrow(gst_structure_get_string(structure, "redirection-uri"))
    var status: guint = 0
    unsafe gst_structure_get_uint(structure, "http-status-code", &status)
    self.status = status
    fields = unsafe gst_structure_get_value(structure, "response-headers").flatMap { unsafe Self.fields($0) }
  }

  private static func fields(_ value: UnsafePointer<GValue>) -> [String: String]? {
    guard unsafe cgst_value_holds(value, gst_structure_get_type()) != 0,
      let headers = unsafe gst_value_get_structure(value)
    else { return nil }
    var fields: [String: String] = [:]
    for index in 0..<max(0, unsafe gst_structure_n_fields(headers)) {
      guard let name = unsafe GLib.borrow(gst_structure_nth_field_name(headers, guint(index))) else { continue }
      fields[name.lowercased()] = unsafe GLib.borrow(gst_structure_get_string(headers, name))
    }
    return fields
  }
}
