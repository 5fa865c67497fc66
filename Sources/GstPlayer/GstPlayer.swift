import EngineProcess
@_exported public import Playback
import PlayerClock

extension Player {
  /// Makes a player with an empty queue; GStreamer starts in the background.
  ///
  /// - Parameter configuration: Output, initial volume and time limits. If its
  ///   ``/Playback/Player/Configuration/audioSink`` is not an audio output, the first item fails with the code `output`
  ///   and playback stops.
  public convenience init(configuration: Player.Configuration = Player.Configuration()) {
    self.init(configuration: configuration, verifier: nil)
  }

  /// Makes a player with an empty queue that calls its observers on a given executor; GStreamer starts when the first
  /// item is loaded.
  ///
  /// Until then, the player needs a third of the memory, and reports nothing that an observer added later would miss.
  ///
  /// - Parameters:
  ///   - configuration: Output, initial volume and time limits.
  ///   - observers: The executor on which observers are called.
  package convenience init(configuration: Player.Configuration, observers: any ObserverExecutor) {
    self.init(configuration: configuration, verifier: nil, observers: observers, startsOnDemand: true)
  }

  /// Makes a player with an empty queue and its own volume, balance and meters; GStreamer runs in this process, and starts when the
  /// first item is loaded.
  package convenience init(configuration: Player.Configuration, mix: SoundMix) {
    self.init(configuration: configuration, verifier: nil, mix: mix, startsOnDemand: true)
  }

  /// Makes a player whose samples are compared by `verifier`, or changed by `mix`.
  convenience init(
    configuration: Player.Configuration, verifier: SampleVerifier?, mix: SoundMix? = nil,
    observers: any ObserverExecutor = ObserverQueue(), startsOnDemand: Bool = false
  ) {
    // Samples are compared and changed in this process.
    let hasProcess = configuration.engine.path != nil && verifier == nil && mix == nil
    let engine: any PlaybackEngine =
      hasProcess
      ? ProcessEngine(configuration: configuration)
      : DeckEngine(configuration: configuration, verifier: verifier, mix: mix, startsOnDemand: startsOnDemand)
    self.init(
      configuration: configuration, engine: engine,
      loudness: verifier == nil ? LoudnessService.make(configuration, inProcess: hasProcess) : nil,
      clock: DispatchClock(),
      observers: observers)
  }
}

extension LoudnessService {
  /// Creates the measurements of a player; nil unless the configuration requests them.
  fileprivate static func make(_ configuration: Player.Configuration, inProcess hasProcess: Bool) -> LoudnessService? {
    if hasProcess { return LoudnessService(configuration, digest: GLib.sha256) }
    return LoudnessService(configuration, digest: GLib.sha256) { uri, includesTagged throws(PlayerError) in
      try await GstPlayerInspection().measureLoudness(of: uri, includingTagged: includesTagged)
    }
  }
}
