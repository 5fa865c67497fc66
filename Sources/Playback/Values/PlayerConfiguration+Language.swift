extension Player.Configuration {
  /// Whether a text is a valid language in ``preferredAudioLanguages``: BCP 47 or ISO 639.
  package static func isLanguage(_ text: String) -> Bool {
    let parts = text.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let code = parts.first, (2...8).contains(code.utf8.count), code != "und" else { return false }
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
  }
}
