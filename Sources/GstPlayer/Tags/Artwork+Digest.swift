import CGst
public import Playback

extension Artwork {
  /// The SHA-256 of the bytes in hexadecimal: the same for the same picture, wherever it comes from.
  ///
  /// Computed by the first call, which takes a few milliseconds for each megabyte.
  public var digest: String {
    digest { bytes in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe GLib.take(g_compute_checksum_for_data(G_CHECKSUM_SHA256, bytes.baseAddress, gsize(bytes.count))) ?? ""
      }
    }
  }
}
