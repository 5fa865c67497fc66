import CGst
import Glibc
import Synchronization
import TextCoding

/// Decodes the texts of media and stations whose encoding is not declared.
package enum LegacyText {
  /// The decoding that was set; nil for the default.
  private static let value = Mutex<TextDecoding?>(nil)

  static var decoding: TextDecoding { value.withLock { $0 } ?? TextDecoding() }

  /// Sets the code page of iconv for texts that are not UTF-8, also for those that GStreamer decodes.
  ///
  /// It changes the environment of the process: call it before media are opened, while no other thread reads the
  /// environment. Later calls and unknown code pages are ignored. A variable that the user has set is kept.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/tag/gsttag.html#gst_tag_freeform_string_to_utf8>
  package static func setCodePage(_ name: String) {
    guard let decoding = TextDecoding(codePage: name) else { return }
    let isFirst = value.withLock { value in
      defer { value = value ?? decoding }
      return value == nil
    }
    guard isFirst else { return }
    // Its thread reads the environment.
    try? GStreamer.initialize()
    unsafe setenv("GST_TAG_ENCODING", name, 0)
  }
}
