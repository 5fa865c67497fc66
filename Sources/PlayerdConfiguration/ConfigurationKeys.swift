import Playback
import PlayerdSystem
import TextCoding

extension ConfigurationKey {
  /// All keys, in the order of the manual.
  package static let all: [ConfigurationKey] = playing + output + opening + daemon

  static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }

  private static let playing: [ConfigurationKey] = [
    .percent(
      "volume", 0...400, \.volume,
      "The volume in percent at the first start, and at each start if keep-volume is false; 100 is unamplified."),
    .boolean(
      "keep-volume", \.keepVolume, "Whether a start keeps the volume of the last session, or uses the configured one."),
    .percent(
      "volume-max", 100...400, live: true, \.maximumVolume,
      "The highest volume that can be set, in percent; values above 100 amplify."),
    .choice(
      "loop", \.loop,
      "The loop mode at the start: stop at the end of the queue, repeat the track, or repeat the queue."),
    .shuffle("shuffle", \.shuffle, "Whether tracks or albums play in random order at the start."),
    .boolean("consume", \.consumes, "Whether each track leaves the queue when it was played."),
    .number("rate", 0.25...4, \.rate, "The speed at the start and of each new queue."),
    .boolean("keep-rate", live: true, \.keepRate, "Whether a new queue keeps the speed of the previous one."),
    .choice("pitch", \.pitch, "Whether the pitch stays the same at another speed, or follows the speed."),
  ]

  private static let output: [ConfigurationKey] = [
    .text(
      "audio-sink", \.audioSink,
      "The output as a GStreamer bin description, such as “pulsesink device=hdmi”; empty for the best available."),
    .text(
      "audio-device", \.audioDevice,
      "The ID of the output device, as listed by “mpris-playerd devices”; empty for the default device. "
        + "It is ignored if audio-sink is set."),
    .boolean(
      "pause-on-unplug", \.pauseOnUnplug,
      "Whether playback pauses when its output device is removed or its headphones are unplugged, or continues elsewhere."
    ),
    .boolean(
      "match-rate", \.matchRate,
      "Whether PipeWire's device runs at the sample rate of each track. Tracks of different formats are then not "
        + "crossfaded, and follow with a short gap."),
    .choice(
      "replay-gain", \.replayGain,
      "The ReplayGain tags that are applied: none, those of the track, or those of the album. "
        + "The loudness of local files without tags is measured."),
    .number(
      "fade", 0...5, live: true, \.fade,
      "The duration in seconds of the fade-out at pause and stop, and of the fade-in at resume; 0 for none."),
    .number(
      "crossfade", 0...15, \.crossfade,
      "The seconds in which the end of a track and the start of the next one are audible together; 0 for none. "
        + "Tracks of one album follow without a gap."),
    .number(
      "crossfade-on-skip", 0...5, \.crossfadeOnSkip,
      "The seconds in which a track fades out and the next one fades in when a command selects another one; 0 for none."
    ),
    .choice(
      "crossfade-curve", \.crossfadeCurve,
      "Whether a crossfade keeps the sum of the powers constant, or that of the levels."),
    .boolean(
      "trim-silence", \.trimSilence,
      "Whether silence at the end of a local file is skipped when another track follows, except in an album."),
    .list(
      "audio-languages", live: true, \.audioLanguages,
      "The preferred languages in order, such as “de” or “pt-BR”, for files with several audio tracks; "
        + "effective from the next track."
    ) { text in
      Player.Configuration.isLanguage(text) ? nil : "“\(text)” is not a language code, such as “de” or “pt-BR”"
    },
  ]

  private static let opening: [ConfigurationKey] = [
    .number("load-timeout", 1...600, \.loadTimeout, "The time limit for loading an item, in seconds."),
    .number(
      "network-timeout", 1...600, live: true, \.networkTimeout,
      "The time without data, in seconds, after which a stream is reconnected or fails."),
    .number(
      "network-buffer", 0...600, live: true, \.networkBuffer,
      "The seconds of a stream to buffer ahead, effective from the next item; 0 for the default, about 2 s."),
    .number(
      "time-shift", 0...3600, \.timeShift,
      "The seconds of a station that are kept in memory, at most 16 MB, so that it can pause and go back; 0 for none."),
    .text(
      "user-agent", \.userAgent,
      "The user agent of HTTP requests; empty for that of GStreamer. A playlist may set another one for its entries."
    ) { text in
      do throws(PlayerError) {
        if !text.isEmpty { _ = try HTTPRequestHeaders([:], userAgent: text) }
        return nil
      } catch {
        return error.message
      }
    },
    .list(
      "certificates", live: true, \.certificates,
      "The certificates of servers to accept although they cannot be verified, each as “host=sha256:fingerprint”; "
        + "the error message of an item contains the fingerprint."
    ) { text in
      guard let certificate = AcceptedCertificate(text) else {
        return "“\(text.excerpt)” is not of the form “host=sha256:” and 64 hexadecimal digits"
      }
      text = certificate.text
      return nil
    },
    .text(
      "text-encoding", \.textEncoding,
      "The encoding of the texts of stations, tags, playlists, cue sheets and LRC files that are not UTF-8, such as "
        + "“windows-1251”; empty for Windows-1252."
    ) { text in
      text.isEmpty || TextDecoding(codePage: text) != nil
        ? nil : "“\(text.excerpt)” is not an encoding with ASCII characters that iconv knows"
    },
    .list(
      "allowed-schemes", live: true, \.allowedSchemes,
      "The URI schemes that may be opened, from the command line, over D-Bus and from playlists. "
        + "The content of a server may name these schemes too, but never “file”."
    ) { scheme in
      let text = scheme
      scheme = text.lowercased()
      return "\(scheme)://".utf8.locationScheme == scheme ? nil : "“\(text)” is not a URI scheme, such as “rtsp”"
    },
    .list(
      "allowed-roots", live: true, \.allowedRoots,
      "The folders whose files may be opened, from the command line, over D-Bus and from playlists; empty for all. "
        + "The playlist folder is always allowed."
    ) { text in text.hasPrefix("/") ? nil : "“\(text)” is not an absolute path" },
    .list(
      "resolver", live: true, \.resolver,
      "The command that finds the media behind the addresses of resolver-for: a program and its arguments, to which the "
        + "address is added.", part: objection),
    .list(
      "resolver-for", live: true, \.resolverFor,
      "The addresses that the resolver finds the media for: hosts with their subdomains, such as “youtube.com”, and "
        + "schemes, such as “ytdl:”."
    ) { text in
      guard let rule = ResolverRule(text) else {
        return "“\(text.excerpt)” is neither a host, such as “youtube.com”, nor a scheme, such as “ytdl:”"
      }
      text = rule.text
      return nil
    },
    .text(
      "playlists-directory", \.playlistsDirectory,
      "The playlist folder; empty for “Playlists” in the music directory."
    ) { text in text.isEmpty || text.hasPrefix("/") ? nil : "“\(text)” is not an absolute path" },
  ]

  private static let daemon: [ConfigurationKey] = [
    .choice(
      "resume", \.resume,
      "The restored state of the last session's track: paused, playing if it was playing, or not loaded."),
    .list(
      "books", live: true, \.books,
      "The folders with audio books, whatever their tags and lengths; a folder in them continues where it was left."
    ) { text in text.hasPrefix("/") ? nil : "“\(text)” is not an absolute path" },
    .boolean(
      "lyrics", \.lyrics, "Whether metadata contains the lyrics, which are long and shown by few clients."),
    .boolean("allow-quit", live: true, \.allowQuit, "Whether clients may end the daemon over D-Bus."),
    .choice(
      "pause-on-sleep", live: true, \.pauseOnSleep,
      "Whether playback pauses when the machine sleeps, and resumes after it wakes up."),
    .boolean(
      "pause-others", live: true, \.pauseOthers,
      "Whether the other MPRIS players pause when this one starts to play."),
    .choice(
      "pause-for-others", live: true, \.pauseForOthers,
      "Whether playback pauses when another MPRIS player starts to play, and resumes when that one stops."),
    .boolean("inhibit-sleep", live: true, \.inhibitSleep, "Whether the machine is kept awake while music plays."),
    .choice(
      "power", \.power,
      "When the player saves power: normal for never, low for always, battery while the machine is on battery. It then "
        + "uses larger buffers, shows covers later, and reads other tracks ahead only on request."),
    .number(
      "engine-idle-time", 0...86_400, \.engineIdleTime,
      "The time without a loaded track after which the engine process ends, in seconds."),
    .number(
      "engine-memory", 64...65_536, \.engineMemory,
      "The memory in MiB that the engine process may use in addition to that at its start; one that needs more is ended."
    ),
    .choice(
      "sandbox", \.sandbox,
      "Whether the kernel restricts the processes that open media to the files and sockets that they need; "
        + "plug-ins that start programs or open files of their own need “off”."),
    .choice(
      "log-level", live: true, \.logLevel,
      "The log messages that are shown: those of this level and the more severe ones."),
    .boolean(
      "notify", live: true, \.notifies, "Whether each track that plays is shown as a notification of the desktop."),
    .list(
      "on-track", live: true, \.onTrack,
      "The command that runs when a track plays, or a station has another title: a program and its arguments.",
      part: objection),
    .list(
      "on-stop", live: true, \.onStop,
      "The command that runs when playback stops: a program and its arguments.", part: objection),
    .list(
      "on-error", live: true, \.onError, "The command that runs when a track fails: a program and its arguments.",
      part: objection),
  ]

  /// Returns the reason why an argument of a command is rejected.
  private static func objection(to argument: inout String) -> String? {
    argument.contains("\0") ? "an argument contains NUL" : nil
  }
}
