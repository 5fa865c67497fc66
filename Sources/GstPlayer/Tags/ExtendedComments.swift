import Playback

/// Reads the `KEY=value` comments, as in FLAC and Ogg, for which GStreamer defines no tag.
enum ExtendedComments {
  // https://www.freedesktop.org/wiki/Specifications/free-media-player-specs/
  private static let (rating, playCount) = ("FMPS_RATING", "FMPS_PLAYCOUNT")

  /// Whether ``add(_:to:_:)`` reads the comments with a key.
  static func isRead(_ key: String) -> Bool {
    LyricsChoice.isKey(key) || [rating, playCount].contains(key.uppercased())
  }

  /// Copies values that `metadata` does not have yet, and adds lyrics to the choice.
  static func add(
    _ comments: [(key: String, value: String)], to metadata: inout MediaMetadata, _ lyrics: inout LyricsChoice
  ) {
    for (key, value) in comments {
      switch key.uppercased() {
      case rating: metadata.userRating = metadata.userRating ?? number(value, upTo: 1)
      // It may have a fraction.
      case playCount: metadata.useCount = metadata.useCount ?? number(value, upTo: .max).map { Int($0) }
      default: if LyricsChoice.isKey(key) { lyrics.add(value) }
      }
    }
  }

  private static func number(_ text: String, upTo limit: Int32) -> Double? {
    Double(text).flatMap { (0...Double(limit)).contains($0) ? $0 : nil }
  }
}
