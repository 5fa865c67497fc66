public import Playback

extension Player.Configuration {
  /// Checks that GStreamer can make an audio output from a description, without opening it.
  ///
  /// - Throws: ``/Playback/PlayerError`` with the code `output`; the message contains the description and the reason.
  public static func checkAudioSink(_ description: String) throws(PlayerError) {
    try GStreamer.initialize()
    AudioSink.discard(try AudioSink.make(description))
  }
}
