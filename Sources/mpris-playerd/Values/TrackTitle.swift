/// A track as one line names it.
enum TrackTitle {
  static func text(_ title: String?, _ artist: String?) -> String {
    [title, artist].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " — ")
  }
}
