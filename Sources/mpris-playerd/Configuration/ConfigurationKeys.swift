import GstPlayer

extension ConfigurationKey {
  /// Every key there is, in the order of the manual.
  static let all: [ConfigurationKey] = playing + output + opening + daemon

  static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }

  private static let playing: [ConfigurationKey] = [
    .number("volume", 0...4, \.volume, "The volume at the start, as sliders show it; 1 leaves the sound as it is."),
    .number(
      "volume-max", 1...4, live: true, \.maximumVolume, "The loudest volume that may be set; above 1 it is amplified."),
    .choice(
      "loop", \.loop,
      "What follows the end of a track at the start: nothing more than the next, the same, or all again."),
    .boolean("shuffle", \.shuffle, "Whether the order is random at the start."),
    .number("rate", 0.25...4, \.rate, "The speed at the start, and of each new queue."),
    .boolean("keep-rate", live: true, \.keepRate, "Whether a new queue keeps the speed of the one before."),
    .choice("pitch", \.pitch, "Whether the pitch is kept at another speed, or follows it, as that of a record does."),
  ]

  private static let output: [ConfigurationKey] = [
    .text(
      "audio-sink", \.audioSink,
      "The output as a GStreamer bin description, such as “pulsesink device=hdmi”; empty for the best that works."),
    .text(
      "audio-device", \.audioDevice,
      "The output device by its id, as “mpris-playerd devices” lists it; empty for the sound system's own choice. "
        + "It is ignored where audio-sink is set."),
    .boolean(
      "pause-on-unplug", \.pauseOnUnplug,
      "Whether play pauses when its output device goes away, as a headset does, instead of going on through another."),
    .choice("replay-gain", \.replayGain, "Whose loudness tags are followed: nobody's, the track's, or the album's."),
    .number(
      "fade", 0...5, \.fade,
      "How many seconds the sound takes to fade at a pause or a stop, and to come back; 0 for not at all."),
    .list(
      "audio-languages", live: true, \.audioLanguages,
      "The languages to be heard where a file has several, the one liked best first, such as “de” or “pt-BR”; from the "
        + "next track on."
    ) { text in
      PlayerConfiguration.isLanguage(text)
        ? .success(text)
        : .failure(ConfigurationPartError(reason: "“\(text)” is no code of a language, such as “de” or “pt-BR”"))
    },
  ]

  private static let opening: [ConfigurationKey] = [
    .number("load-timeout", 1...600, \.loadTimeout, "After how many seconds an item that does not start has failed."),
    .number(
      "network-timeout", 1...600, live: true, \.networkTimeout,
      "After how many seconds without data a stream that plays has failed, or is connected to again."),
    .number(
      "network-buffer", 0...600, live: true, \.networkBuffer,
      "How many seconds of a stream are held ahead, from the next item on; 0 for the usual two."),
    .list(
      "allowed-schemes", live: true, \.allowedSchemes,
      "The URI schemes that others may have opened over the bus."
    ) { text in
      let scheme = text.lowercased()
      return MediaTypes.uriSchemes.contains(scheme)
        ? .success(scheme)
        : .failure(
          ConfigurationPartError(reason: "“\(text)” is none of \(MediaTypes.uriSchemes.joined(separator: ", "))"))
    },
    .list(
      "allowed-roots", live: true, \.allowedRoots,
      "The folders whose files others may have opened over the bus; empty for all."
    ) { text in
      text.hasPrefix("/")
        ? .success(text) : .failure(ConfigurationPartError(reason: "“\(text)” is not an absolute path"))
    },
    .folder(
      "playlists-directory", \.playlistsDirectory,
      "The folder of the playlists that clients are offered; empty for “Playlists” in the music directory."),
  ]

  private static let daemon: [ConfigurationKey] = [
    .choice(
      "resume", \.resume,
      "What becomes of the last session's track: paused at its position, played on if it played, or left off."),
    .boolean(
      "lyrics", \.lyrics, "Whether clients are told the words of a track; they are long, and few clients show them."),
    .boolean("allow-quit", live: true, \.allowQuit, "Whether others may end the daemon over the bus."),
    .choice(
      "pause-on-sleep", live: true, \.pauseOnSleep,
      "What becomes of the music when the machine sleeps: paused, also afterwards; resumed afterwards; or left alone."),
    .boolean("inhibit-sleep", live: true, \.inhibitSleep, "Whether the machine is kept awake while music plays."),
    .choice("log-level", live: true, \.logLevel, "The least severe messages shown."),
  ]
}
