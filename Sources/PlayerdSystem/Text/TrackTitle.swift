/// The title and artist of a track in one line; without both, the name of the file.
package enum TrackTitle {
  package static func text(_ title: String?, _ artist: String?, uri: String? = nil) -> String {
    let text = joinedTexts([title, artist], by: " — ")
    return text.isEmpty ? uri.map { FileURI.name(of: $0) } ?? "" : text
  }
}

/// Formats a number with its noun: `1 track`, `12 tracks`.
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// Joins the texts, without nil and empty texts.
package func joinedTexts(_ texts: [String?], by separator: String) -> String {
  texts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: separator)
}
