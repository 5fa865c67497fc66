import GstPlayer

/// Everything that the daemon can be set to; each property has one row in ``ConfigurationKey/all``.
struct Configuration: Equatable, Sendable {
  /// As MPRIS counts, 0…``maximumVolume``.
  var volume = 1.0
  var maximumVolume = 1.0
  var loop = LoopMode.none
  var shuffle = false
  var rate = 1.0
  /// Whether a new queue keeps the speed of the one before.
  var keepRate = false
  var pitch = PitchChoice.keep
  /// A GStreamer bin description; empty for the best output that works.
  var audioSink = ""
  /// An output device by its id; empty for the sound system's own choice.
  var audioDevice = ""
  var pauseOnUnplug = true
  var replayGain = ReplayGainChoice.off
  /// The language liked best first.
  var audioLanguages: [String] = []
  /// In seconds.
  var fade = 0.0
  /// In seconds.
  var loadTimeout = 10.0
  /// In seconds.
  var networkTimeout = 60.0
  /// In seconds; 0 for what GStreamer thinks best.
  var networkBuffer = 0.0
  /// In lower case.
  var allowedSchemes = MediaTypes.uriSchemes
  /// Absolute folders; empty for every file.
  var allowedRoots: [String] = []
  /// An absolute folder; empty for `Playlists` in the music directory.
  var playlistsDirectory = ""
  var lyrics = false
  var allowQuit = true
  var resume = SessionRestorer.Resume.paused
  var pauseOnSleep = SleepPolicy.pause
  /// Whether the machine is kept awake while music plays.
  var inhibitSleep = false
  var logLevel = LogLevelArgument.info

  /// The configured output device; empty for none, and where a sink is configured, which has precedence.
  var outputDevice: String { audioSink.isEmpty ? audioDevice : "" }
}

/// What becomes of the pitch at another speed.
enum PitchChoice: String, CaseIterable, Sendable {
  case keep, follow
}

/// Which loudness tags are followed.
enum ReplayGainChoice: String, CaseIterable, Sendable {
  case off, track, album
}
