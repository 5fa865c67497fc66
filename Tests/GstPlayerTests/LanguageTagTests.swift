import Testing

@testable import GstPlayer

@Suite("Language selection for audio tracks") struct LanguageTagTests {
  private static func tracks(_ languages: [String?]) -> [AudioTrack] {
    languages.map {
      var track = AudioTrack()
      track.language = $0
      return track
    }
  }

  @Test(
    "The first available language wins; within it an exact match, then the plain language, then any variant",
    arguments: [
      ([], ["en", "de"], nil),
      (["fr"], ["en", "de"], nil),
      (["de"], ["en", "de"], 1),
      (["de", "en"], ["en", "de"], 1),
      (["fr", "en", "de"], ["en", "de"], 0),
      (["de"], ["en", "ger"], 1),
      (["deu"], ["eng", "de-AT"], 1),
      (["DE_at"], ["de", "de-CH", "de-at"], 2),
      (["de-AT"], ["en", "de-CH", "de"], 2),
      (["de-AT"], ["en", "de-CH"], 1),
      (["pt"], ["pt-BR", "pt"], 1),
      (["pt"], ["en", "pt-BR", "pt-PT"], 1),
      (["zh-Hant"], ["zh-Hans", "zh-Hant-TW"], 1),
      (["de"], ["de", "de"], 0),
      (["und", "", "--", "no such language", "de"], [nil, "und", "de"], 2),
    ] as [([String], [String?], Int?)])
  func choice(preferring languages: [String], among spoken: [String?], place: Int?) {
    #expect(LanguageTag.choice(among: Self.tracks(spoken), preferring: languages) == place)
  }
}
