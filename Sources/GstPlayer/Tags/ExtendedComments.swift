import Playback

/// The `KEY=value` comments, as in FLAC and Ogg, for which GStreamer defines no tag.
enum ExtendedComments {
  /// Copies values that `metadata` does not have yet.
  static func add(_ comments: [String], to metadata: inout MediaMetadata) {
    for comment in comments {
      guard let equals = comment.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = String(comment[comment.utf8.index(after: equals)...])
      guard !value.isEmpty else { continue }
      switch comment[..<equals].uppercased() {
      case "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS": metadata.lyrics = metadata.lyrics ?? value
      // https://www.freedesktop.org/wiki/Specifications/free-media-player-specs/
      case "FMPS_RATING": metadata.userRating = metadata.userRating ?? fraction(value)
      case "FMPS_PLAYCOUNT": metadata.useCount = metadata.useCount ?? count(value)
      default: break
      }
    }
  }

  private static func fraction(_ text: String) -> Double? {
    Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
  }

  /// Parses a play count, which may have a fraction.
  private static func count(_ text: String) -> Int? {
    Double(text).flatMap { (0...Double(Int32.max)).contains($0) ? Int($0) : nil }
  }
}
