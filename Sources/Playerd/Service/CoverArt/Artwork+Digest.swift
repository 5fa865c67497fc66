import CMd
package import Playback

extension MediaMetadata.Artwork {
  /// The SHA-256 of the bytes in hexadecimal; the same for equal pictures from different sources.
  ///
  /// The first call computes it. It is never taken from the process that has read the picture, which could give it the name
  /// of another one.
  ///
  /// <https://man.archlinux.org/man/SHA256Data.3>
  package var digest: String {
    digest { bytes in
      // The digits, and a zero byte.
      var text = [CChar](repeating: 0, count: 65)
      _ = unsafe SHA256Data(bytes, bytes.count, &text)
      return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
