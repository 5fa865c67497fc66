extension Player.Configuration {
  /// Whether a text is a valid language in ``preferredAudioLanguages``: BCP 47 or ISO 639.
  package static func isLanguage(_ text: String) -> Bool {
    let parts = text.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let code = parts.first, (2...8).contains(code.utf8.count), code != "und" else { return false }
    return parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isLanguageByte) }
  }

  private static func isLanguageByte(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
