import CGst
import Glibc
import Playback

extension LocalFile {
  /// Returns the error for a FLAC file with more bits per sample than GStreamer decodes; nil for every other file.
  ///
  /// flacdec of GStreamer 1.22 reports that such a file has no valid frame. The sample size is in the first metadata
  /// block: <https://www.rfc-editor.org/rfc/rfc9639.html#name-streaminfo>
  static func undecodableFLAC(_ uri: String) -> PlayerError? {
    guard !isEndless(uri), let path = path(of: uri) else { return nil }
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 22)
    guard unsafe read(file, &bytes, bytes.count) == bytes.count, bytes.starts(with: Array("fLaC".utf8)) else {
      return nil
    }
    // The sample rate (20 bits) and the channels (3 bits) precede the sample size (5 bits), which is stored minus 1.
    let bits = (Int(bytes[20] & 1) << 4 | Int(bytes[21] >> 4)) + 1
    guard bits > 24 else { return nil }
    return PlayerError(code: .codecMissing, message: "GStreamer cannot decode FLAC with \(bits) bits per sample")
  }
}
