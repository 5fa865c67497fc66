import CGst
import Glibc
import Synchronization
import TextCoding

/// Decodes the texts of media and stations whose encoding is not declared.
package enum LegacyText {
  private static let value = Mutex(TextDecoding())

  static var decoding: TextDecoding { value.withLock { $0 } }

  /// Sets the code page of iconv for texts that are not UTF-8, also for those that GStreamer decodes.
  ///
  /// Call it once, before media are opened: it changes the environment of the process, beside which no other thread may
  /// read the environment. A variable that the user has set is kept. An unknown code page has no effect.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/tag/gsttag.html#gst_tag_freeform_string_to_utf8>
  package static func setCodePage(_ name: String) {
    guard let decoding = TextDecoding(codePage: name) else { return }
    value.withLock { $0 = decoding }
    // Its thread reads the environment.
    try? GStreamer.initialize()
    unsafe setenv("GST_TAG_ENCODING", name, 0)
  }
}
