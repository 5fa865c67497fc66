import CGst
import Playback
import Synchronization

/// The headers of the HTTP requests of one stream, which are set on each of its sources.
final class RequestHeaders: CallbackContext, Sendable {
  /// The scheme, host and port of a URI.
  struct Server: Equatable {
    var scheme: String
    var host: String
    var port: UInt32

    init?(_ uri: String) {
      guard let parsed = unsafe gst_uri_from_string(uri) else { return nil }
      defer { unsafe cgst_mini_object_unref(UnsafeMutableRawPointer(parsed)) }
      guard let scheme = unsafe GLib.borrow(gst_uri_get_scheme(parsed))?.lowercased(),
        let host = unsafe GLib.borrow(gst_uri_get_host(parsed))?.lowercased()
      else { return nil }
      let port = unsafe gst_uri_get_port(parsed)
      (self.scheme, self.host) = (scheme, host)
      self.port = port != 0 ? port : scheme == "https" ? 443 : 80
    }
  }

  let headers: HTTPRequestHeaders
  private let server: Server?
  /// The URIs that later requests name as their `Referer`: the item's, and those of its playlists.
  private let playlists: Mutex<Set<String>>
  /// The maximum number of them, because a server chooses the URIs.
  private static let limit = 256

  private init(_ headers: HTTPRequestHeaders, _ uri: String) {
    self.headers = headers
    server = Server(uri)
    playlists = Mutex([uri])
  }

  deinit { PlaylistRequests.remove(self) }

  /// Creates the headers of a stream; nil if it has none.
  static func of(_ uri: String, _ headers: HTTPRequestHeaders?) -> RequestHeaders? {
    guard let headers else { return nil }
    let requests = RequestHeaders(headers, uri)
    PlaylistRequests.add(requests)
    return requests
  }

  /// Sets the headers on a source that was just added to its bin, and again before each of its requests.
  ///
  /// The demuxer of an adaptive stream uses one source for all segments, whose servers may differ.
  func follow(_ source: UnsafeMutablePointer<GstElement>) {
    guard unsafe cgst_has_property(source, "extra-headers") != 0,
      let pad = unsafe gst_element_get_static_pad(source, "src")
    else { return }
    unsafe apply(to: source)
    unsafe add(requestProbe, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, to: pad)
    unsafe gst_object_unref(pad)
  }

  /// Sets the headers on a source, without the credentials if its URI is on another server.
  ///
  /// libsoup 3 itself removes `Authorization` when it follows a redirect to another server, but not the cookies that
  /// are set on a source. It also replaces the field `Cookie` of other headers by those of its cookie jar.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/soup/souphttpsrc.html#souphttpsrc:extra-headers>
  func apply(to source: UnsafeMutablePointer<GstElement>) {
    let isHome = unsafe GLib.text(source, "location").flatMap(Server.init) == server && server != nil
    guard let fields = unsafe GLib.structure(source, "extra-headers") ?? gst_structure_new_empty("headers") else {
      return
    }
    defer { unsafe gst_structure_free(fields) }
    var cookies: String?
    for (name, value) in headers.fields {
      let isAllowed = isHome || !HTTPRequestHeaders.isCredential(name)
      if name.lowercased() == "cookie" {
        cookies = isAllowed ? value : nil
      } else if isAllowed {
        unsafe GLib.set(fields, name, to: value)
      } else {
        unsafe gst_structure_remove_field(fields, name)
      }
    }
    unsafe GLib.set(source, "extra-headers", toStructure: fields)
    if headers.fields.keys.contains(where: { $0.lowercased() == "cookie" }) {
      unsafe GLib.set(source, "cookies", toStrings: cookies.map { [$0] } ?? [])
      unsafe GLib.set(source, "automatic-redirect", to: cookies == nil)
    }
    if let agent = headers.userAgent { unsafe GLib.set(source, "user-agent", to: agent) }
  }

  /// Records a URI that later requests may name as their `Referer`.
  func note(_ uri: String) {
    playlists.withLock { if $0.count < Self.limit { $0.insert(uri) } }
  }

  func knows(_ uri: String) -> Bool { playlists.withLock { $0.contains(uri) } }

  /// Handles an event of a source: its stream start precedes its request, and the headers of a response follow it.
  fileprivate func handle(_ event: UnsafeMutablePointer<GstEvent>, of pad: UnsafeMutablePointer<GstPad>) {
    switch unsafe cgst_event_type(event) {
    case GST_EVENT_STREAM_START:
      guard let parent = unsafe gst_pad_get_parent_element(pad) else { return }
      unsafe apply(to: parent)
      unsafe gst_object_unref(parent)
    case GST_EVENT_CUSTOM_DOWNSTREAM_STICKY:
      guard let structure = unsafe gst_event_get_structure(event),
        unsafe gst_structure_has_name(structure, "http-headers") != 0,
        let target = unsafe GLib.borrow(gst_structure_get_string(structure, "redirection-uri"))
      else { return }
      note(target)
    default: break
    }
  }
}

/// Handles the events of a source, on its streaming thread.
private func requestProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  if let pad = unsafe pad, let info = unsafe info, let event = unsafe cgst_probe_event(info) {
    unsafe RequestHeaders.borrow(data)?.handle(event, of: pad)
  }
  return GST_PAD_PROBE_OK
}
