import CGst
import Playback

/// A language in a form that can be compared, such as `de` or `pt-br`, from the name in the media or in the settings.
///
/// <https://www.rfc-editor.org/rfc/rfc5646>
struct LanguageTag: Equatable, Sendable {
  /// The language without a variant, in its shortest form: `de` for `ger`, `deu` and `de-AT`.
  let primary: String
  /// The subtags after the language, in lower case, such as `at` or `hant-tw`; empty if there are none.
  let variant: String

  /// Parses BCP 47 or any code of ISO 639; nil if the text is not a language.
  init?(_ text: String) {
    guard Player.Configuration.isLanguage(text) else { return nil }
    let parts = text.lowercased().split { $0 == "-" || $0 == "_" }
    guard let code = parts.first else { return nil }
    primary = unsafe GLib.borrow(gst_tag_get_language_code_iso_639_1(String(code))) ?? String(code)
    variant = parts.dropFirst().joined(separator: "-")
  }

  /// Returns how far this language is from a preferred one: 0 is the best match, nil is another language.
  private func distance(from wanted: LanguageTag) -> Int? {
    guard primary == wanted.primary else { return nil }
    if variant == wanted.variant { return 0 }
    if wanted.variant.isEmpty || variant.hasPrefix(wanted.variant + "-") { return 1 }
    // For Austrian German, German without a region is a better match than Swiss German.
    return variant.isEmpty ? 1 : 2
  }

  /// Returns the track that matches the first available language best, or the first of equal matches; nil without a
  /// match.
  static func choice(among tracks: [AudioTrack], preferring languages: [String]) -> Int? {
    let spoken = tracks.map { $0.language.flatMap(LanguageTag.init) }
    for wanted in languages.compactMap(LanguageTag.init) {
      let fitting = spoken.enumerated().compactMap { index, tag in
        tag?.distance(from: wanted).map { (index: index, distance: $0) }
      }
      if let best = fitting.min(by: { $0.distance < $1.distance }) { return best.index }
    }
    return nil
  }
}
