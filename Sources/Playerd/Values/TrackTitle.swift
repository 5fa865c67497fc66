/// The title and artist of a track in one line; without both, the name of the file.
enum TrackTitle {
  static func text(_ title: String?, _ artist: String?, uri: String? = nil) -> String {
    let text = joinedTexts([title, artist], by: " — ")
    return text.isEmpty ? uri.map { FileURI.name(of: $0) } ?? "" : text
  }
}

/// Joins the texts that are neither nil nor empty.
func joinedTexts(_ texts: [String?], by separator: String) -> String {
  texts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: separator)
}
