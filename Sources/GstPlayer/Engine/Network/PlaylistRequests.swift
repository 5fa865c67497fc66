import CGst
import Playback
import Synchronization

/// Observes the requests for the playlists and keys of adaptive streams: sets their headers, applies the rule of
/// ``StreamSources``, records the URIs of playlists after redirects, and limits the size of the responses.
///
/// A demuxer of GStreamer 1.22 downloads them with a source that is in no bin, so no signal of the pipeline announces
/// it. It links the source with a pad outside of any element before each request, and names the playlist that led to the
/// request as `Referer`. The stream whose headers are sent is found by that URI.
enum PlaylistRequests {
  private struct WeakHeaders: Sendable {
    let id: ObjectIdentifier
    weak var headers: RequestHeaders?
  }

  /// The streams with headers.
  private static let streams = Mutex<[WeakHeaders]>([])

  /// The URIs before temporary redirects, by the URIs after them.
  private static let origins = Mutex<[String: String]>([:])
  /// The maximum number of these URIs.
  private static let originLimit = 256

  /// Records a temporary redirect of an HTTP source.
  ///
  /// If the first playlist of a stream is one of segments, the demuxer requests it again after its redirect.
  static func redirected(from uri: String, to target: String) {
    hook
    origins.withLock { origins in
      if origins.count >= originLimit { origins = [:] }
      origins[target] = uri
    }
  }

  static func add(_ headers: RequestHeaders) {
    hook
    streams.withLock { $0.append(WeakHeaders(id: ObjectIdentifier(headers), headers: headers)) }
  }

  static func remove(_ headers: RequestHeaders) {
    let id = ObjectIdentifier(headers)
    // Reading the weak references could release another object under the lock.
    streams.withLock { $0.removeAll { $0.id == id } }
  }

  /// Limits the size of each response from now on.
  static func limitSizes() { hook }

  /// Prepares the source for each link of two pads in the process from now on; has an effect once.
  ///
  /// <https://docs.gtk.org/gobject/func.signal_add_emission_hook.html>,
  /// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPad::linked>
  static let hook: Void = {
    let padsLinked: GSignalEmissionHook = { _, count, values, _ in
      let goesOn: gboolean = 1
      guard count == 2, let values = unsafe values, let pad = unsafe g_value_get_object(values),
        let peer = unsafe g_value_get_object(values + 1)
      else { return goesOn }
      if unsafe GLib.with(taking: GLib.parent(of: peer), { _ in true }) == true { return goesOn }
      unsafe GLib.with(taking: GLib.parent(of: pad)) { parent in
        guard let source = unsafe cgst_element(parent), unsafe GLib.take(cgst_source_uri(source)) != nil else { return }
        unsafe StreamSources.watchStarts(of: pad.assumingMemoryBound(to: GstPad.self))
        if unsafe GLib.borrow(cgst_factory_name(source)) == "souphttpsrc" {
          unsafe HTTPSession.identify(source)
          unsafe PlaylistRequests.limit(source)
          unsafe PlaylistRequests.prepare(source)
        }
      }
      return goesOn
    }
    let signal = unsafe g_signal_lookup("linked", gst_pad_get_type())
    if signal != 0 { unsafe g_signal_add_emission_hook(signal, 0, padsLinked, nil, nil) }
  }()

  /// Fails a download that becomes too large: the downloader would keep all of it.
  private static func limit(_ source: UnsafeMutablePointer<GstElement>) {
    guard unsafe cgst_mark(source, "playerd-limited") != 0 else { return }
    let size = Mutex(0)
    unsafe PadProbe.add(to: "src", of: source, PadProbe.data) { pad, info in
      guard let buffer = unsafe cgst_probe_buffer(info) else {
        if unsafe GstSegment.passing(info) != nil { size.withLock { $0 = 0 } }
        return GST_PAD_PROBE_OK
      }
      let added = unsafe Int(clamping: gst_buffer_get_size(buffer))
      let (before, after) = size.withLock { size in
        let before = size
        size = min(size, MediaLimits.playlistBytes) + added
        return (before, size)
      }
      guard after > MediaLimits.playlistBytes else { return GST_PAD_PROBE_OK }
      if before <= MediaLimits.playlistBytes {
        unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { source in
          let message = PlayerError.size(of: "a playlist", MediaLimits.playlistBytes).message
          let code = gint(GST_RESOURCE_ERROR_READ.rawValue)
          guard let error = unsafe g_error_new_literal(gst_resource_error_quark(), code, message) else { return }
          defer { unsafe g_error_free(error) }
          let object = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: GstObject.self)
          unsafe gst_element_post_message(source, gst_message_new_error(object, error, nil))
        }
      }
      return GST_PAD_PROBE_DROP
    }
  }

  /// Sets the URI and the headers of a source that is about to request a playlist.
  private static func prepare(_ source: UnsafeMutablePointer<GstElement>) {
    guard let fields = unsafe GLib.structure(source, "extra-headers") else { return }
    defer { unsafe gst_structure_free(fields) }
    guard let playlist = unsafe GLib.borrow(gst_structure_get_string(fields, "Referer")) else { return }
    // The first playlist of a stream is its own referrer.
    if unsafe GLib.text(source, "location") == playlist, let uri = origins.withLock({ $0[playlist] }) {
      unsafe GLib.set(source, "location", to: uri)
    }
    let found = streams.withLock { $0.compactMap(\.headers) }.filter { $0.knows(playlist) }
    // If two streams have the same playlist, its source may belong to either, so different headers are not sent at all.
    guard let headers = found.first, found.allSatisfy({ $0.headers == headers.headers }) else { return }
    if let uri = unsafe GLib.text(source, "location") { for headers in found { headers.note(uri) } }
    unsafe headers.apply(to: source)
  }
}
