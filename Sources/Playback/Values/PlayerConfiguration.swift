extension Player {
  /// The configuration of a player; fixed for its lifetime.
  ///
  /// Numbers and durations beyond their limits are clamped; a number that is not finite is ignored. Decoding restores
  /// an encoded configuration, and does not check its values.
  public struct Configuration: Codable, Sendable {
    /// The output as a GStreamer bin description, such as `pulsesink device=hdmi` or `fakesink sync=true`; nil for the
    /// best one that works.
    public var audioSink: String?
    /// The initial volume, linear, within ``Player/volumeRange``; 1 is unchanged.
    public var volume: Double {
      didSet { volume = Self.clamped(volume: volume) ?? oldValue }
    }
    /// The highest volume that another program may set at the output, linear.
    package var maximumVolume = Self.volumeRange.upperBound
    /// The time after which an item that is not ready to play fails; 0.1 s or more.
    public var loadTimeout: Duration {
      didSet { loadTimeout = Self.clamped(timeout: loadTimeout) }
    }
    /// The length of a pause after which a local file releases the output device; its position is kept.
    ///
    /// The minimum is zero.
    public var releaseOutputAfter: Duration {
      didSet { releaseOutputAfter = Self.clamped(wait: releaseOutputAfter) }
    }

    /// The time that a playing stream may spend without data before it fails; until then playback waits.
    ///
    /// The minimum is 0.1 s.
    public var networkTimeout: Duration {
      didSet { networkTimeout = Self.clamped(timeout: networkTimeout) }
    }
    /// The time for reconnecting to a broadcast that was lost during playback before it fails; zero disables
    /// reconnecting.
    ///
    /// A broadcast is a stream without a duration that is not seekable. The delays between the attempts grow from 1 s
    /// to 30 s.
    public var reconnectTimeout: Duration {
      didSet { reconnectTimeout = Self.clamped(wait: reconnectTimeout) }
    }
    /// The duration of a network stream to buffer ahead of the position, from 1 s to 10 min; nil for the engine's
    /// default.
    public var preferredForwardBufferDuration: Duration? {
      didSet { preferredForwardBufferDuration = Self.clamped(forwardBuffer: preferredForwardBufferDuration) }
    }

    /// The duration of the received data of a station that is kept in memory, so that playback can pause, go back, and return to the
    /// present; zero, the default, to one hour.
    ///
    /// A station is a stream of frames without a container, such as MP3, AAC or FLAC, from a server that states no length and supports no
    /// seek. At most 16 MB are kept, and given back when the item ends.
    public var timeShift = Duration.zero {
      didSet { timeShift = min(max(.zero, timeShift), .seconds(3600)) }
    }

    /// The use of loudness tags, and of measured loudness for files without them; nil ignores both.
    public var replayGain: Player.Configuration.ReplayGain?

    /// The measurement of the silence at the ends of local files, which is skipped: the next item begins before it, with
    /// its crossfade if there is one; nil, the default, plays it.
    ///
    /// In silence, all samples are below −60 dBFS for more than half a second. The next items are measured as for
    /// ``ReplayGain/measurement``, including items with loudness tags. Items that follow each other in an album, and items that
    /// never crossfade for another reason, are not shortened; see ``Player/crossfade``.
    public var silenceTrimming: Player.Configuration.ReplayGain.Measurement?

    /// The preferred languages of audio tracks, the most preferred first, for items with several; BCP 47 or ISO 639.
    ///
    /// The counterpart of `AVPlayerMediaSelectionCriteria.preferredLanguages`. For each language, the exact variant is
    /// preferred (`pt-BR`), then any other. Without a match, an item begins with the track that its media marks as the
    /// default, or else with its first.
    public var preferredAudioLanguages: [String]

    /// The initial treatment of the pitch at another rate, see ``Player/timePitchAlgorithm``.
    public var timePitchAlgorithm: Player.Configuration.TimePitchAlgorithm

    /// The duration of the fade-out at a pause or a stop, and of the fade-in when playback resumes; zero, the default,
    /// disables both.
    ///
    /// A pause or stop is reported at once, and the volume does not change. After a pause, the position advances while
    /// the audio fades out, and is held where the fade-out ended. Play during the fade-out turns it into a fade-in.
    ///
    /// The fade begins after the audio that the output already holds, about 0.1 to 0.2 s. Of a network stream, the same
    /// amount is lost after the fade. The end of an item, a skip, a seek, ``Player/pause(fading:)``, the loss of the
    /// output and ``Player/close()`` do not fade, and end a fade in progress.
    ///
    /// With a fade, the output uses a smaller buffer, and requests data eight times as often.
    public var fade: Duration {
      didSet { fade = Self.clamped(fade: fade) }
    }
    /// The maximum of ``fade``.
    public static let longestFade = Duration.seconds(5)

    /// Whether playback pauses when the device in use is removed while its sound server keeps running, or when headphones are
    /// unplugged from it.
    ///
    /// If false, playback continues on the device or port that the server selects.
    public var pausesWhenOutputIsRemoved: Bool

    /// Whether PipeWire is requested to run the device at the sample rate of each stream, also at a rate that its
    /// `default.clock.allowed-rates` does not contain, and no stream is converted for a crossfade.
    ///
    /// Streams of one format follow each other as otherwise. Between others, there is no crossfade, and a short gap, in which the
    /// output is opened again. The volume, ReplayGain and another speed still change the samples.
    /// <https://docs.pipewire.org/page_man_pipewire-props_7.html>
    public var matchesSampleRate = false

    /// Whether the player initially saves power, see ``Player/isLowPowerModeEnabled``.
    public var isLowPowerModeEnabled = false

    /// The crossfades of the player at its start; see ``Player/crossfade``.
    public var crossfade = Player.Crossfade()

    /// The program that mixers show for the player's stream, with the title of the audible item; nil for the defaults of
    /// the output.
    ///
    /// PulseAudio's output shows the program and the title; PipeWire's own output shows only the program.
    public var application: Player.Configuration.Application?

    /// Where the engine runs: in the player's process, or in a separate one.
    public var engine = Player.Configuration.Engine.inProcess

    /// The time limit for pipeline operations that need no more data.
    ///
    /// These are the release of an item, the opening of the output, and the preroll of an item whose source has ended
    /// early.
    package var pipelineTimeout = Duration.seconds(3)

    /// The seed of the random numbers that shuffle the queue; nil for the system's random numbers.
    ///
    /// A simulation sets it, so that a run can be repeated.
    package var shuffleSeed: UInt64?

    /// Whether the player keeps its latest inputs for ``Player/recording``; for the daemon and the simulation.
    package var recordsInputs = false
    /// The bytes that the recorder keeps at most.
    package var recordingLimit = 1 << 20

    /// Creates a configuration; each parameter is the value of the property with its name.
    ///
    /// A volume that is not finite is replaced by 1.
    public init(
      audioSink: String? = nil, volume: Double = 1, loadTimeout: Duration = .seconds(10),
      releaseOutputAfter: Duration = .seconds(5), replayGain: Player.Configuration.ReplayGain? = nil,
      networkTimeout: Duration = .seconds(60), reconnectTimeout: Duration = .seconds(180),
      preferredForwardBufferDuration: Duration? = nil, pausesWhenOutputIsRemoved: Bool = false,
      timePitchAlgorithm: Player.Configuration.TimePitchAlgorithm = .timeDomain, fade: Duration = .zero,
      preferredAudioLanguages: [String] = []
    ) {
      self.audioSink = audioSink
      self.volume = Self.clamped(volume: volume) ?? 1
      self.loadTimeout = Self.clamped(timeout: loadTimeout)
      self.releaseOutputAfter = Self.clamped(wait: releaseOutputAfter)
      self.replayGain = replayGain
      self.networkTimeout = Self.clamped(timeout: networkTimeout)
      self.reconnectTimeout = Self.clamped(wait: reconnectTimeout)
      self.preferredForwardBufferDuration = Self.clamped(forwardBuffer: preferredForwardBufferDuration)
      self.pausesWhenOutputIsRemoved = pausesWhenOutputIsRemoved
      self.timePitchAlgorithm = timePitchAlgorithm
      self.fade = Self.clamped(fade: fade)
      self.preferredAudioLanguages = preferredAudioLanguages
    }

    static func clamped(fade: Duration) -> Duration { min(max(.zero, fade), longestFade) }

    /// The volumes that can be set.
    static let volumeRange = 0.0...10.0

    /// Returns the nearest volume that can be set; nil for one that is ignored.
    static func clamped(volume: Double) -> Double? {
      volume.isFinite ? min(max(volumeRange.lowerBound, volume), volumeRange.upperBound) : nil
    }

    static func clamped(timeout: Duration) -> Duration { max(.milliseconds(100), timeout.limited) }

    private static func clamped(wait: Duration) -> Duration { max(.zero, wait.limited) }

    static func clamped(forwardBuffer: Duration?) -> Duration? {
      forwardBuffer.map { min(max(.seconds(1), $0), .seconds(600)) }
    }
  }
}
