import EngineProcess
@_exported public import Playback

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

  /// Makes a player whose samples are compared by `verifier`.
  convenience init(
    configuration: Player.Configuration, verifier: SampleVerifier?, observers: any ObserverExecutor = ObserverQueue(),
    startsOnDemand: Bool = false
  ) {
    // Samples are compared in this process.
    let engine: any PlaybackEngine =
      configuration.engine.path != nil && verifier == nil
      ? ProcessEngine(configuration: configuration)
      : GstPlayerEngine.make(configuration, verifier: verifier, startsOnDemand: startsOnDemand)
    self.init(
      configuration: configuration, engine: engine,
      clock: DispatchClock(), observers: observers)
  }
}
