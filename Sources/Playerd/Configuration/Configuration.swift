import Playback
import TextCoding

/// The settings of the daemon; each property has one row in ``ConfigurationKey/all``.
struct Configuration: Equatable, Sendable {
  /// On the scale of MPRIS, 0…``maximumVolume``.
  var volume = 1.0
  /// Whether a start keeps the volume of the last session.
  var keepVolume = true
  var maximumVolume = 1.0
  var loop = Player.LoopMode.none
  var shuffle = false
  var rate = 1.0
  /// Whether a new queue keeps the speed of the previous one.
  var keepRate = false
  var pitch = PitchChoice.keep
  /// A GStreamer bin description; empty for the best available output.
  var audioSink = ""
  /// The ID of the output device; empty for the default device.
  var audioDevice = ""
  var pauseOnUnplug = true
  var replayGain = ReplayGainChoice.off
  /// Language codes, the preferred one first.
  var audioLanguages: [String] = []
  /// In seconds.
  var fade = 0.0
  /// In seconds.
  var crossfade = 0.0
  /// In seconds.
  var crossfadeOnSkip = 0.0
  var crossfadeCurve = Player.CrossfadeCurve.equalPower
  var trimSilence = false
  /// In seconds.
  var loadTimeout = 10.0
  /// In seconds.
  var networkTimeout = 60.0
  /// In seconds; 0 for the default.
  var networkBuffer = 0.0
  /// The certificates that are accepted although they cannot be verified, each as `host=sha256:fingerprint`.
  var certificates: [String] = []
  /// The code page of texts that are not UTF-8, a name of iconv; empty for Windows-1252.
  var textEncoding = ""
  /// The user agent of HTTP requests; empty for the default.
  var userAgent = ""
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
  /// Whether the machine is kept awake during playback.
  var inhibitSleep = false
  var power = PowerChoice.normal
  /// In seconds.
  var engineIdleTime = 60.0
  /// In MiB.
  var engineMemory = 512.0
  var sandbox = Player.Configuration.Engine.Sandbox.on
  var logLevel = LogLevelArgument.info
  /// The commands at a track, a stop and an error, each a program and its arguments; empty for none.
  var onTrack: [String] = []
  var onStop: [String] = []
  var onError: [String] = []
  /// Whether the track that plays is shown as a notification of the desktop.
  var notifies = false

  /// The configured output device; empty if none or a sink is configured, because a sink has precedence.
  var outputDevice: String { audioSink.isEmpty ? audioDevice : "" }

  /// The decoding of playlists and cue sheets that are not UTF-8.
  var textDecoding: TextDecoding { TextDecoding(codePage: textEncoding) ?? TextDecoding() }

  /// The playlist folder: the configured one, or `Playlists` in the music directory.
  var playlistFolder: [UInt8]? {
    let folder = playlistsDirectory.isEmpty ? MusicDirectory.path.map { "\($0)/Playlists" } : playlistsDirectory
    return folder.map { Array($0.utf8) }
  }
}

/// The behaviour when the machine sleeps: the key `pause-on-sleep`.
enum SleepPolicy: String, CaseIterable, Sendable {
  /// Playback pauses and stays paused after the sleep.
  case pause
  /// Playback pauses and resumes after the sleep if it was playing.
  case resume
  /// Playback is not changed.
  case off
}

/// The pitch at another speed.
enum PitchChoice: String, CaseIterable, Sendable {
  case keep, follow
}

/// The times at which the player saves power.
enum PowerChoice: String, CaseIterable, Sendable {
  case normal, low, battery
}

/// The ReplayGain tags that are applied.
enum ReplayGainChoice: String, CaseIterable, Sendable {
  case off, track, album
}
