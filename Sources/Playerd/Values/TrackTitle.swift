/// The title and artist of a track in one line; without both, the name of the file.
enum TrackTitle {
  static func text(_ title: String?, _ artist: String?, uri: String? = nil) -> String {
    let text = [title, artist].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " — ")
    return text.isEmpty ? uri.map { FileURI.name(of: $0) } ?? "" : text
  }
}
