import CGst
import Playback

/// A language as media or a person names it, in a form that can be compared: `de`, `pt-br`.
///
/// <https://www.rfc-editor.org/rfc/rfc5646>
struct LanguageTag: Equatable, Sendable {
  /// The language alone, in its shortest form: `de` for `ger`, `deu` and `de-AT`.
  let primary: String
  /// What follows it, in lower case: `at`, `hant-tw`; empty for nothing.
  let variant: String

  /// Reads BCP 47 or any code of ISO 639; nil for what names no language.
  init?(_ text: String) {
    let parts = text.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let code = parts.first, (2...8).contains(code.utf8.count), code != "und",
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isAllowed) })
    else { return nil }
    primary = unsafe GLib.borrow(gst_tag_get_language_code_iso_639_1(String(code))) ?? String(code)
    variant = parts.dropFirst().joined(separator: "-")
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }

  /// How well a track of this language serves who asks for another; nil for not at all, the lowest is best.
  private func distance(from wanted: LanguageTag) -> Int? {
    guard primary == wanted.primary else { return nil }
    if variant == wanted.variant { return 0 }
    if wanted.variant.isEmpty || variant.hasPrefix(wanted.variant + "-") { return 1 }
    // German for who asks for Austrian is nearer than Swiss.
    return variant.isEmpty ? 1 : 2
  }

  /// The track in the first of the languages that there is, the nearest to it and then the first; nil without one.
  static func choice(among tracks: [MediaDescription.AudioTrack], preferring languages: [String]) -> Int? {
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
