package import Playback

extension MediaMetadata.Artwork {
  /// The SHA-256 of the bytes in hexadecimal; the same for equal pictures from different sources.
  ///
  /// The first call computes it, which takes a few milliseconds per megabyte.
  package var digest: String { digest { GLib.sha256($0) ?? "" } }
}
