/// The choice of the output device.
extension PlaybackMachine {
  /// The device that was heard has gone: what plays is paused before all the room hears it, where that is configured.
  mutating func outputRemoved(_ id: AudioOutput.ID, now: MonotonicTime) {
    if settings.audioOutput?.id == id { substituteAudioOutput(true) }
    guard configuration.pausesWhenOutputIsRemoved else { return }
    dropFading()
    guard intent == .playing else { return endFall(now: now) }
    emit(.warning("the output device “\(id)” has gone; paused"))
    pause(fading: false, now: now)
  }

  /// The output plays on a device, which may be another than the chosen one; the output chosen before says nothing of it.
  mutating func outputInUse(_ stream: StreamToken, _ id: AudioOutput.ID) {
    if let selected = settings.audioOutput, stream == token || isHandedOver(stream) {
      substituteAudioOutput(selected.id != id)
    }
  }

  private mutating func substituteAudioOutput(_ isSubstituted: Bool) {
    guard isSubstituted != output.isSubstituted else { return }
    output.isSubstituted = isSubstituted
    emit(.changed)
  }

  /// A pipeline was made; `isSilent` when no output opens.
  mutating func outputMade(isSilent: Bool) {
    guard isSilent != output.isSilent else { return }
    output.isSilent = isSilent
    emit(.changed)
  }

  /// Where the sound goes.
  var outputStatus: Player.OutputStatus {
    if case .outputLost = phase { return .unavailable }
    if output.isSilent { return .silent }
    return output.isSubstituted ? .substituted : .selected
  }

  /// An output opens where none did before: playback moves from silence to it, at the same position.
  mutating func outputFound(now: MonotonicTime) {
    emit(.warning("an audio output works now; playing through it"))
    reopenOutput(now: now)
  }

  /// Plays on through another device, from the same place.
  ///
  /// The same device is opened again if the sound server has moved the stream to another one.
  mutating func setAudioOutput(_ newOutput: AudioOutput?, now: MonotonicTime) {
    guard newOutput?.sinkDescription != settings.audioOutput?.sinkDescription || output.isSubstituted else { return }
    settings.audioOutput = newOutput
    output.isSubstituted = false
    reopenOutput(now: now)
  }

  /// Makes a pipeline with the chosen output, and loads the current item there at its position.
  private mutating func reopenOutput(now: MonotonicTime) {
    let held = position(at: now)
    perform(.setSink(settings.audioOutput?.sinkDescription))
    performSettings()
    output.recover()
    switch phase {
    case .loading, .ready, .outputLost: loadAgain(at: held, now: now)
    case .none, .released, .sourceLost: break
    }
    emit(.changed)
  }
}
