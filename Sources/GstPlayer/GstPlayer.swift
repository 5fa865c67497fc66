@_exported public import Playback

extension Player {
  /// Makes a player with an empty queue; GStreamer starts in the background.
  ///
  /// - Parameter configuration: Output, initial volume and time limits. If its
  ///   ``/Playback/Player/Configuration/audioSink`` is not an audio output, the first item fails with the code `output`
  ///   and playback stops.
  public convenience init(configuration: Player.Configuration = Player.Configuration()) {
    let loudness = LoudnessService(configuration.replayGain) { uri, report in
      let measurement = LoudnessMeasurement(of: uri, report)
      measurement.begin()
      return { measurement.cancel() }
    }
    self.init(
      configuration: configuration, engine: PipelineHost(configuration: configuration, loudness: loudness),
      clock: DispatchClock(), observers: ObserverQueue())
  }
}
