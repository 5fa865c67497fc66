import CGst
import Playback
import Synchronization

/// The headers of requests for the playlists and keys of adaptive streams.
///
/// A demuxer of GStreamer 1.22 downloads them with a source that is in no bin, so no signal of the pipeline announces
/// it. It links the source with a pad outside of any element before each request, and names the playlist that led to the
/// request as `Referer`. The stream is found by that URI.
enum PlaylistRequests {
  private struct Streams {
    /// The streams with headers, as weak references.
    var all: [WeakHeaders] = []
    var isHooked = false
  }

  private struct WeakHeaders: Sendable {
    let id: ObjectIdentifier
    weak var headers: RequestHeaders?
  }

  private static let streams = Mutex(Streams())

  static func add(_ headers: RequestHeaders) {
    let isHooked = streams.withLock { streams in
      streams.all.append(WeakHeaders(id: ObjectIdentifier(headers), headers: headers))
      defer { streams.isHooked = true }
      return streams.isHooked
    }
    if !isHooked { hook() }
  }

  static func remove(_ headers: RequestHeaders) {
    let id = ObjectIdentifier(headers)
    // Reading the weak references could release another object under the lock.
    streams.withLock { $0.all.removeAll { $0.id == id } }
  }

  /// Calls `padsLinked` for each link of two pads in the process from now on.
  ///
  /// <https://docs.gtk.org/gobject/func.signal_add_emission_hook.html>
  private static func hook() {
    let signal = unsafe g_signal_lookup("linked", gst_pad_get_type())
    guard signal != 0 else { return }
    unsafe g_signal_add_emission_hook(signal, 0, padsLinked, nil, nil)
  }

  /// Sets the headers on a source that is about to request a playlist.
  fileprivate static func prepare(_ source: UnsafeMutablePointer<GstElement>) {
    guard let fields = unsafe GLib.structure(source, "extra-headers") else { return }
    defer { unsafe gst_structure_free(fields) }
    guard let playlist = unsafe GLib.borrow(gst_structure_get_string(fields, "Referer")) else { return }
    let found = streams.withLock { $0.all.compactMap(\.headers) }.filter { $0.knows(playlist) }
    // If two streams have the same playlist, its source may belong to either, so different headers are not sent at all.
    guard let headers = found.first, found.allSatisfy({ $0.headers == headers.headers }) else { return }
    if let uri = unsafe GLib.text(source, "location") { for headers in found { headers.note(uri) } }
    unsafe headers.apply(to: source)
  }
}

/// Handles `linked` of a source pad.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPad::linked>
private func padsLinked(
  _ hint: UnsafeMutablePointer<GSignalInvocationHint>?, _ count: guint, _ values: UnsafePointer<GValue>?,
  _ data: UnsafeMutableRawPointer?
) -> gboolean {
  let goesOn: gboolean = 1
  guard count == 2, let values = unsafe values, let pad = unsafe g_value_get_object(values),
    let peer = unsafe g_value_get_object(values + 1)
  else { return goesOn }
  if let owner = unsafe GLib.parent(of: peer) {
    unsafe gst_object_unref(owner)
    return goesOn
  }
  guard let parent = unsafe GLib.parent(of: pad) else { return goesOn }
  defer { unsafe gst_object_unref(parent) }
  if let source = unsafe cgst_element(parent), unsafe GLib.borrow(cgst_factory_name(source)) == "souphttpsrc" {
    unsafe PlaylistRequests.prepare(source)
  }
  return goesOn
}
