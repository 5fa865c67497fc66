public import Playback

extension PlayerConfiguration {
  /// Whether a text can name a language in ``preferredAudioLanguages``: BCP 47 or ISO 639.
  public static func isLanguage(_ text: String) -> Bool { LanguageTag(text) != nil }

  /// Checks that a description is an audio output that GStreamer can make; it is not opened.
  ///
  /// - Throws: ``PlayerError`` with the code `output` that names the description and the reason.
  public static func checkAudioSink(_ description: String) throws(PlayerError) {
    try GStreamer.initialize()
    AudioSink.discard(try AudioSink.make(description))
  }
}
