@_exported public import Playback

extension Player {
  /// Makes a player with an empty queue; GStreamer starts in the background.
  ///
  /// - Parameter configuration: Output, initial volume and time limits. If its
  ///   ``/Playback/Player/Configuration/audioSink`` is not an audio output, the first item fails with the code `output`
  ///   and playback stops.
  public convenience init(configuration: Player.Configuration = Player.Configuration()) {
    self.init(
      configuration: configuration, engine: PipelineHost(configuration: configuration), clock: DispatchClock(),
      observers: ObserverQueue())
  }
}
