/// The title and artist of a track in one line.
enum TrackTitle {
  static func text(_ title: String?, _ artist: String?) -> String {
    [title, artist].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " — ")
  }
}
