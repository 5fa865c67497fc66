import CGst

/// The HTTP session of a source, with its connections and its thread.
enum HTTPSession {
  /// The time-out of a source in s; not the default of 15 s.
  private static let sourceTimeout: Int64 = 16

  /// Sets the configured user agent of a source.
  static func identify(_ source: UnsafeMutablePointer<GstElement>) {
    if let agent = Network.settings.userAgent { unsafe GLib.set(source, "user-agent", to: agent) }
  }

  /// Gives a source a separate HTTP session.
  ///
  /// `souphttpsrc` shares the session with the other sources of its pipeline, which read the playlists and the segments
  /// of a stream, unless one of its settings is not the default, such as the time-out. A source that is stopped closes
  /// its response on the thread that stops it. A separate session and its thread have ended by then, but the thread of
  /// a shared session still runs. libsoup is not thread-safe: the process crashed in 5 of about 240 runs of a process
  /// that plays HTTP Live Streaming and ends, and in one of about 20 runs of all tests. A connection
  /// is not kept from item to item.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/soup/souphttpsrc.html#souphttpsrc:timeout>
  static func separate(_ source: UnsafeMutablePointer<GstElement>) {
    guard unsafe GLib.borrow(cgst_factory_name(source)) == "souphttpsrc" else { return }
    unsafe GLib.set(source, "timeout", to: sourceTimeout)
    unsafe identify(source)
    EndedResponses.guardClosing
    HTTPRequest.observeAll
  }
}
