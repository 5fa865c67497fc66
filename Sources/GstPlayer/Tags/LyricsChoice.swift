import Playback

/// Chooses between several lyrics of one file: the first with times, else the first.
struct LyricsChoice: Sendable {
  /// The names under which programs store lyrics as a comment, with times or without.
  private static let keys: Set = ["LYRICS", "SYNCEDLYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS"]

  /// Whether comments with a key in any case are lyrics.
  static func isKey(_ key: String) -> Bool { keys.contains(key.uppercased()) }

  private(set) var lyrics: String?
  private var hasTimes = false

  mutating func add(_ text: String?) {
    guard let text, !text.isEmpty, !hasTimes else { return }
    hasTimes = LyricsLine.hasTimes(inLRC: text)
    if hasTimes || lyrics == nil { lyrics = text }
  }
}
