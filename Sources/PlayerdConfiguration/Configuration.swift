package import Playback
import PlayerdSystem
package import TextCoding

/// The settings of the daemon; each property has one row in ``ConfigurationKey/all``.
package struct Configuration: Equatable, Sendable {
  /// On the scale of MPRIS, 0…``maximumVolume``.
  package var volume = 1.0
  /// Whether a start keeps the volume of the last session.
  package var keepVolume = true
  package var maximumVolume = 1.0
  package var loop = Player.LoopMode.none
  package var shuffle = Player.ShuffleMode.off
  /// Whether each track leaves the queue when it was played.
  package var consumes = false
  package var rate = 1.0
  /// Whether a new queue keeps the speed of the previous one.
  package var keepRate = false
  package var pitch = PitchChoice.keep
  /// A GStreamer bin description; empty for the best available output.
  package var audioSink = ""
  /// The ID of the output device; empty for the default device.
  package var audioDevice = ""
  package var pauseOnUnplug = true
  package var matchRate = false
  package var replayGain = ReplayGainChoice.off
  /// Language codes, the preferred one first.
  package var audioLanguages: [String] = []
  /// In seconds.
  package var fade = 0.0
  /// In seconds.
  package var crossfade = 0.0
  /// In seconds.
  package var crossfadeOnSkip = 0.0
  package var crossfadeCurve = Player.CrossfadeCurve.equalPower
  package var trimSilence = false
  /// In seconds.
  package var loadTimeout = 10.0
  /// In seconds.
  package var networkTimeout = 60.0
  /// In seconds; 0 for the default.
  package var networkBuffer = 0.0
  /// In seconds; 0 for none.
  package var timeShift = 600.0
  /// The certificates that are accepted although they cannot be verified, each as `host=sha256:fingerprint`.
  package var certificates: [String] = []
  /// The code page of texts that are not UTF-8, a name of iconv; empty for Windows-1252.
  package var textEncoding = ""
  /// The user agent of HTTP requests; empty for the default.
  package var userAgent = ""
  /// In lower case.
  package var allowedSchemes = MediaTypes.uriSchemes
  /// Absolute folders; empty for every file.
  package var allowedRoots: [String] = []
  /// An absolute folder; empty for `Playlists` in the music directory.
  package var playlistsDirectory = ""
  package var lyrics = false
  package var allowQuit = true
  package var resume = ResumeChoice.paused
  /// Absolute folders whose files are books.
  package var books: [String] = []
  package var pauseOnSleep = SleepPolicy.pause
  /// Whether other MPRIS players pause when this one starts to play.
  package var pauseOthers = false
  package var pauseForOthers = PauseForOthers.off
  /// Whether the machine is kept awake during playback.
  package var inhibitSleep = false
  package var power = PowerChoice.normal
  /// In seconds.
  package var engineIdleTime = 60.0
  /// In MiB.
  package var engineMemory = 512.0
  package var sandbox = Player.Configuration.Engine.Sandbox.on
  package var logLevel = LogLevelArgument.info
  /// The commands at a track, a stop and an error, each a program and its arguments; empty for none.
  package var onTrack: [String] = []
  /// The command that finds the media of an address, and the hosts and schemes of these addresses.
  package var resolver: [String] = []
  package var resolverFor: [String] = []
  package var onStop: [String] = []
  package var onError: [String] = []
  /// Whether the track that plays is shown as a notification of the desktop.
  package var notifies = false

  package init() {}

  /// The configured output device; empty if none or a sink is configured, because a sink has precedence.
  package var outputDevice: String { audioSink.isEmpty ? audioDevice : "" }

  /// The decoding of playlists and cue sheets that are not UTF-8.
  package var textDecoding: TextDecoding { TextDecoding(codePage: textEncoding) ?? TextDecoding() }

  /// The playlist folder: the configured one, or `Playlists` in the music directory.
  package var playlistFolder: [UInt8]? {
    let folder = playlistsDirectory.isEmpty ? MusicDirectory.path.map { "\($0)/Playlists" } : playlistsDirectory
    return folder.map { Array($0.utf8) }
  }
}

/// The playback state after the queue of the last session has been restored.
package enum ResumeChoice: String, CaseIterable, Sendable {
  /// The current track is loaded and paused at its position.
  case paused
  /// The current track plays if it was playing.
  case playing
  /// Nothing is loaded; Play starts the current track from its start.
  case off
}

/// The behaviour when the machine sleeps: the key `pause-on-sleep`.
package enum SleepPolicy: String, CaseIterable, Sendable {
  /// Playback pauses and stays paused after the sleep.
  case pause
  /// Playback pauses and resumes after the sleep if it was playing.
  case resume
  /// Playback is not changed.
  case off
}

/// The behaviour when another MPRIS player starts to play: the key `pause-for-others`.
package enum PauseForOthers: String, CaseIterable, Sendable {
  /// Playback is not changed.
  case off
  /// Playback pauses and stays paused.
  case pause
  /// Playback pauses, and resumes when no other player plays.
  case resume
}

/// The pitch at another speed.
package enum PitchChoice: String, CaseIterable, Sendable {
  case keep, follow
}

/// The times at which the player saves power.
package enum PowerChoice: String, CaseIterable, Sendable {
  case normal, low, battery
}

/// The ReplayGain tags that are applied.
package enum ReplayGainChoice: String, CaseIterable, Sendable {
  case off, track, album
}
