package import Playback
import PlayerdSystem

extension MediaMetadata.Artwork {
  /// The SHA-256 of the bytes in hexadecimal; the same for equal pictures from different sources.
  ///
  /// The first call computes it. It is never taken from the process that has read the picture, which could give it the name
  /// of another one.
  package var digest: String { digest(SHA256.text(of:)) }
}
