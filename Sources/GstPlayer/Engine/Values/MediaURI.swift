import CGst
import Playback

/// Checks a URI before it is opened.
enum MediaURI {
  /// Returns the scheme in lower case; nil for a URI without a scheme.
  static func scheme(of uri: String) -> String? {
    guard let colon = uri.firstIndex(of: ":"), unsafe gst_uri_is_valid(uri) != 0 else { return nil }
    return uri[..<colon].lowercased()
  }

  /// Returns the error for a URI that cannot be played; nil if only opening it can show that.
  static func failure(of uri: String) -> PlayerError? {
    // As a C string, the URI would end at the NUL byte and refer to another resource.
    if uri.utf8.contains(0) { return PlayerError(code: .invalidArgument, message: "the URI contains a NUL byte") }
    if uri.isEmpty { return PlayerError(code: .invalidArgument, message: "the URI is empty") }
    switch scheme(of: uri) {
    case nil: return PlayerError(code: .invalidArgument, message: "not an absolute URI: it has no scheme")
    case "file": return LocalFile.failure(of: uri)
    case "http", "https": return serverFailure(of: uri)
    default: return nil
    }
  }

  /// Returns the error for a URI with a server that cannot be played; nil if only opening it can show that.
  ///
  /// <https://docs.gtk.org/glib/type_func.Uri.split.html>
  private static func serverFailure(of uri: String) -> PlayerError? {
    var host: UnsafeMutablePointer<CChar>?
    var error: UnsafeMutablePointer<GError>?
    guard unsafe g_uri_split(uri, cgst_uri_flags(), nil, nil, &host, nil, nil, nil, nil, &error) != 0 else {
      let reason = unsafe GLib.take(error)?.message ?? "unknown reason"
      return PlayerError(code: .invalidArgument, message: "the URI is malformed: \(reason)")
    }
    let name = unsafe GLib.take(host) ?? ""
    return name.isEmpty ? PlayerError(code: .invalidArgument, message: "the URI does not contain a server name") : nil
  }
}
