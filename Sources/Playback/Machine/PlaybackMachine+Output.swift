/// Selects the output device.
extension PlaybackMachine {
  /// Handles the removal of the device in use: if configured, playback pauses before it becomes audible on another
  /// device.
  mutating func outputRemoved(_ id: AudioOutput.ID, now: MonotonicTime) {
    if settings.audioOutput?.id == id { changeOutput { $0.isSubstituted = true } }
    guard configuration.pausesWhenOutputIsRemoved else { return }
    dropFading()
    guard intent == .playing else { return finishFadeOut(now: now) }
    emit(.warning("the output device “\(id)” was removed; playback is paused"))
    pause(fading: false, now: now)
  }

  /// Records the device that the output uses, which may be another than the selected one; reports of earlier outputs
  /// are ignored.
  mutating func outputInUse(_ stream: StreamToken, _ id: AudioOutput.ID) {
    if let selected = settings.audioOutput, stream == token || isHandedOver(stream) {
      changeOutput { $0.isSubstituted = selected.id != id }
    }
  }

  /// Changes the state of the output that readers see.
  mutating func changeOutput(_ edit: (inout OutputState) -> Void) {
    let old = output
    edit(&output)
    if output != old { emit(.changed) }
  }

  /// The status of the output.
  var outputStatus: Player.Snapshot.OutputStatus {
    if case .outputLost = phase.state { return .unavailable }
    if output.isSilent { return .silent }
    return output.isSubstituted ? .substituted : .selected
  }

  /// Continues playback on another device from the same position.
  ///
  /// The same device is opened again if the sound server has moved the stream to another one.
  mutating func setAudioOutput(_ newOutput: AudioOutput?, now: MonotonicTime) {
    guard newOutput?.sinkDescription != settings.audioOutput?.sinkDescription || output.isSubstituted else { return }
    settings.audioOutput = newOutput
    output.isSubstituted = false
    reopenOutput(now: now)
  }

  /// Continues playback with another treatment of the pitch from the same position.
  mutating func setTimePitch(_ algorithm: Player.Configuration.TimePitchAlgorithm, now: MonotonicTime) {
    guard algorithm != settings.timePitch else { return }
    settings.timePitch = algorithm
    perform(.setTimePitch(algorithm))
    reopenOutput(now: now)
  }

  /// Creates a pipeline with the selected output, and loads the current item there at its position.
  mutating func reopenOutput(now: MonotonicTime) {
    let held = position(at: now)
    endCrossfade()
    skipped = nil
    perform(.setSink(settings.audioOutput?.sinkDescription))
    performSettings()
    output.recover()
    switch phase.state {
    case .loading, .ready, .outputLost: loadAgain(at: held, now: now)
    case .none, .released, .sourceLost: break
    }
    emit(.changed)
  }
}
