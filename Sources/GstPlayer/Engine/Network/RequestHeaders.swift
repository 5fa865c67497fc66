import CGst
import Playback
import Synchronization

/// Sets the headers of a stream's HTTP requests on each of its sources.
final class RequestHeaders: Sendable {
  let headers: HTTPRequestHeaders
  private let origin: HTTPOrigin?
  /// The URIs that later requests name as their `Referer`: the item's URI, and its playlists' URIs.
  private let playlists: Mutex<Set<String>>
  /// The maximum number of them, because a server chooses the URIs.
  private static let limit = 256

  /// Creates the headers of a stream; nil without headers.
  init?(_ uri: String, _ headers: HTTPRequestHeaders?) {
    guard let headers else { return nil }
    self.headers = headers
    origin = HTTPOrigin(uri)
    playlists = Mutex([uri])
    PlaylistRequests.add(self)
  }

  deinit { PlaylistRequests.remove(self) }

  /// Sets the headers on a source that was just added to its bin, and again before each of its requests.
  ///
  /// The demuxer of an adaptive stream uses one source for all segments, whose servers may differ.
  func follow(_ source: UnsafeMutablePointer<GstElement>) {
    guard unsafe cgst_has_property(source, "extra-headers") != 0 else { return }
    unsafe apply(to: source)
    // The stream start precedes a request, and the headers of its response follow it.
    unsafe PadProbe.add(to: "src", of: source, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { pad, info in
      guard let event = unsafe cgst_probe_event(info) else { return GST_PAD_PROBE_OK }
      if unsafe event.pointee.type == GST_EVENT_STREAM_START {
        unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { unsafe self.apply(to: $0) }
      } else if let target = unsafe ResponseHeaders(event)?.redirection {
        self.note(target)
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// Sets the headers on a source, without the credentials if its URI is on another server.
  ///
  /// libsoup 3 itself removes `Authorization` when it follows a redirect to another server, but not the cookies that
  /// are set on a source. It also replaces the field `Cookie` of other headers by the cookies of its cookie jar.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/soup/souphttpsrc.html#souphttpsrc:extra-headers>
  func apply(to source: UnsafeMutablePointer<GstElement>) {
    let isHome = unsafe GLib.text(source, "location").flatMap(HTTPOrigin.init) == origin && origin != nil
    guard let fields = unsafe GLib.structure(source, "extra-headers") ?? gst_structure_new_empty("headers") else {
      return
    }
    defer { unsafe gst_structure_free(fields) }
    let cookies = headers.fields.first { $0.key.lowercased() == "cookie" }
    for (name, value) in headers.fields where name != cookies?.key {
      if isHome || !HTTPRequestHeaders.isCredential(name) {
        unsafe GLib.set(fields, name, to: value)
      } else {
        unsafe gst_structure_remove_field(fields, name)
      }
    }
    unsafe GLib.set(source, "extra-headers", type: gst_structure_get_type()) {
      unsafe gst_value_set_structure($0, fields)
    }
    if let cookies {
      unsafe GLib.set(source, "cookies", toStrings: isHome ? [cookies.value] : [])
      unsafe GLib.set(source, "automatic-redirect", to: !isHome)
    }
    if let agent = headers.userAgent { unsafe GLib.set(source, "user-agent", to: agent) }
  }

  /// Records a URI that later requests may name as their `Referer`.
  func note(_ uri: String) {
    playlists.withLock { if $0.count < Self.limit { $0.insert(uri) } }
  }

  func knows(_ uri: String) -> Bool { playlists.withLock { $0.contains(uri) } }
}
