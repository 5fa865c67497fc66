/// How a player is set up; fixed for its life.
///
/// Numbers and durations beyond their limits are clamped; a number that is not finite is ignored.
public struct PlayerConfiguration: Sendable {
  /// The output as a GStreamer bin description, such as `pulsesink device=hdmi` or `fakesink sync=true`; nil for the
  /// best that works.
  public var audioSink: String?
  /// The volume at the start, linear, within ``Player/volumeRange``; 1 is unchanged.
  public var volume: Double {
    didSet { volume = Self.clamped(volume: volume) ?? oldValue }
  }
  /// How long an item may take until it can play before it fails; from a tenth of a second.
  public var loadTimeout: Duration {
    didSet { loadTimeout = Self.clamped(timeout: loadTimeout) }
  }
  /// How long a pause lasts before a local file lets go of the output device; its position is kept.
  ///
  /// From zero.
  public var releaseOutputAfter: Duration {
    didSet { releaseOutputAfter = Self.clamped(wait: releaseOutputAfter) }
  }

  /// How long a stream that plays may bring nothing before it fails; until then play waits.
  ///
  /// From a tenth of a second.
  public var networkTimeout: Duration {
    didSet { networkTimeout = Self.clamped(timeout: networkTimeout) }
  }
  /// How long a broadcast that was lost while it played is looked for before it fails; zero for not at all.
  ///
  /// A broadcast is a stream without a length in which nothing can be sought. The pauses between the attempts grow from
  /// one second to 30.
  public var reconnectTimeout: Duration {
    didSet { reconnectTimeout = Self.clamped(wait: reconnectTimeout) }
  }
  /// How much of a network stream is held ahead of the position, from a second to ten minutes; nil for what GStreamer
  /// thinks best.
  public var preferredForwardBufferDuration: Duration? {
    didSet { preferredForwardBufferDuration = Self.clamped(forwardBuffer: preferredForwardBufferDuration) }
  }

  /// How loudness tags are applied; nil leaves them alone.
  public var replayGain: ReplayGain?

  /// The languages whose audio tracks are played, the one liked best first, where an item has several; BCP 47 or ISO 639.
  ///
  /// The counterpart of `AVPlayerMediaSelectionCriteria.preferredLanguages`. Of a language, the very variant that is
  /// named comes first (`pt-BR`), then any other. Without one of them an item begins with the track that its media
  /// marks, else with its first.
  public var preferredAudioLanguages: [String]

  /// What becomes of the pitch at another speed, see ``Player/setRate(_:)``.
  public var timePitchAlgorithm: TimePitchAlgorithm

  /// How long the sound takes to fall to silence at a pause or a stop, and to rise when play goes on after such a pause;
  /// zero, as at first, for not at all.
  ///
  /// A pause or stop is told at once, and the volume does not change. After a pause the position runs as long as there is
  /// sound, and is held where that has ended; a play meanwhile turns the fade around. What the output holds already, a
  /// tenth or two of a second, is heard before; of a network stream as much is lost after it. The end of an item, a skip,
  /// a seek, ``Player/pauseAtOnce()``, the loss of the output and ``Player/close()`` do not fade, and end a fade that is
  /// heard.
  ///
  /// With a fade the output holds less, and asks for sound eight times as often.
  public var fade: Duration {
    didSet { fade = Self.clamped(fade: fade) }
  }
  /// The longest ``fade``.
  public static let longestFade = Duration.seconds(5)

  /// Whether play pauses when the device that is heard goes away while its sound server lives, as headphones do; else it
  /// goes on where the server moves it.
  public var pausesWhenOutputIsRemoved: Bool

  /// How long the pipeline may take for what needs no more data: the release of an item, the opening of the output, and
  /// the preroll of an item whose source has ended early.
  package var patience = Duration.seconds(3)

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - audioSink: A GStreamer bin description; nil for the best output that works.
  ///   - volume: Linear, within ``Player/volumeRange``; 1 in place of a number that is not finite.
  ///   - loadTimeout: The limit for an item's preroll.
  ///   - releaseOutputAfter: The length of a pause after which the output device is let go.
  ///   - replayGain: How loudness tags are applied; nil leaves them alone.
  ///   - networkTimeout: The limit for a stream that brings nothing while it is waited for.
  ///   - reconnectTimeout: The limit for looking for a broadcast that was lost.
  ///   - preferredForwardBufferDuration: What is held ahead of the position, see
  ///     ``Player/setPreferredForwardBufferDuration(_:)``.
  ///   - pausesWhenOutputIsRemoved: Whether play pauses when the device that is heard goes away.
  ///   - timePitchAlgorithm: What becomes of the pitch at another speed.
  ///   - fade: How long the sound takes to fall to silence, up to ``longestFade``; what is beyond is clamped.
  ///   - preferredAudioLanguages: The languages of audio tracks, the one liked best first.
  public init(
    audioSink: String? = nil, volume: Double = 1, loadTimeout: Duration = .seconds(10),
    releaseOutputAfter: Duration = .seconds(5), replayGain: ReplayGain? = nil,
    networkTimeout: Duration = .seconds(60), reconnectTimeout: Duration = .seconds(180),
    preferredForwardBufferDuration: Duration? = nil, pausesWhenOutputIsRemoved: Bool = false,
    timePitchAlgorithm: TimePitchAlgorithm = .timeDomain, fade: Duration = .zero,
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

  private static func clamped(fade: Duration) -> Duration { min(max(.zero, fade), longestFade) }

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
