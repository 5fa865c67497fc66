import Playback

/// Reads the `KEY=value` comments, as in FLAC and Ogg, for which GStreamer defines no tag.
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
      case "FMPS_RATING": metadata.userRating = metadata.userRating ?? number(value, upTo: 1)
      // It may have a fraction.
      case "FMPS_PLAYCOUNT": metadata.useCount = metadata.useCount ?? number(value, upTo: .max).map { Int($0) }
      default: break
      }
    }
  }

  private static func number(_ text: String, upTo limit: Int32) -> Double? {
    Double(text).flatMap { (0...Double(limit)).contains($0) ? $0 : nil }
  }
}
