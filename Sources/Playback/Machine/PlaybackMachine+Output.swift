/// The choice of the output device.
extension PlaybackMachine {
  /// The device that was heard has gone: what plays is paused before all the room hears it, where that is configured.
  mutating func outputRemoved(_ id: AudioOutput.ID, now: MonotonicTime) {
    if audioOutput?.id == id { substituteAudioOutput(true) }
    guard configuration.pausesWhenOutputIsRemoved else { return }
    dropFading()
    guard intent == .playing else { return endFall(now: now) }
    emit(.warning("the output device “\(id)” has gone; paused"))
    pause(fading: false, now: now)
  }

  /// The output plays on a device, which may be another than the chosen one; the output chosen before says nothing of it.
  mutating func outputInUse(_ stream: StreamToken, _ id: AudioOutput.ID) {
    if let audioOutput, stream == token || isHandedOver(stream) { substituteAudioOutput(audioOutput.id != id) }
  }

  private mutating func substituteAudioOutput(_ isSubstituted: Bool) {
    guard isSubstituted != isAudioOutputSubstituted else { return }
    isAudioOutputSubstituted = isSubstituted
    emit(.changed)
  }

  /// A pipeline was made; `isSilent` when no output opens.
  mutating func outputMade(isSilent: Bool) {
    guard isSilent != isOutputSilent else { return }
    isOutputSilent = isSilent
    emit(.changed)
  }

  /// Where the sound goes.
  var outputStatus: Player.OutputStatus {
    if case .outputLost = load { return .unavailable }
    if isOutputSilent { return .silent }
    return isAudioOutputSubstituted ? .substituted : .selected
  }

  /// An output opens where none did before: playback moves from silence to it, at the same position.
  mutating func outputFound(now: MonotonicTime) {
    emit(.warning("an audio output works now; playing through it"))
    reopenOutput(now: now)
  }

  /// Plays on through another device, from the same place.
  ///
  /// The same device is opened again if the sound server has moved the stream to another one.
  mutating func setAudioOutput(_ output: AudioOutput?, now: MonotonicTime) {
    guard output?.sinkDescription != audioOutput?.sinkDescription || isAudioOutputSubstituted else { return }
    audioOutput = output
    isAudioOutputSubstituted = false
    reopenOutput(now: now)
  }

  /// Makes a pipeline with the chosen output, and loads the current item there at its position.
  private mutating func reopenOutput(now: MonotonicTime) {
    let held = position(at: now)
    perform(.setSink(audioOutput?.sinkDescription))
    perform(.setVolume(volume))
    perform(.setMuted(isMuted))
    perform(.setForwardBuffer(forwardBuffer))
    perform(.setAudioLanguages(audioLanguages))
    switch load {
    case .loading, .ready, .outputLost:
      let ticket = start?.ticket
      start?.ticket = nil
      outputBackOff = nil
      loadCurrent(at: held, ticket: ticket, now: now)
    case .none, .parked, .sourceLost: break
    }
    emit(.changed)
  }
}
