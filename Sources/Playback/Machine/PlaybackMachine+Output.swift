/// Selects the output device.
extension PlaybackMachine {
  /// Handles the removal of the device in use: if configured, playback pauses before it becomes audible on another
  /// device.
  mutating func outputRemoved(_ id: AudioOutput.ID, now: MonotonicTime) {
    if settings.audioOutput?.id == id { output.isSubstituted = true }
    guard configuration.pausesWhenOutputIsRemoved else { return }
    dropFading()
    guard intent == .playing else { return finishFadeOut(now: now) }
    emit(.warning("the output device “\(id)” was removed; playback is paused"))
    pause(fading: false, now: now)
  }

  /// Records the device that the output uses, which may be another than the selected one.
  mutating func outputInUse(_ id: AudioOutput.ID) {
    if let selected = settings.audioOutput { output.isSubstituted = selected.id != id }
  }

  /// Records that the output was opened, silently if there is none.
  mutating func outputOpened(isSilent: Bool) {
    if output.isSilent, !isSilent { emit(.warning("an audio output is available; switching to it")) }
    output.isSilent = isSilent
  }

  /// Holds the position while the device is suspended.
  mutating func outputSuspended(now: MonotonicTime) {
    guard isRunning, !loaded.isSeeking else { return }
    if fade.pauseDue != nil {
      // Nothing is left to fade out.
      finishFadeOut(now: now)
    } else {
      freeze(at: now)
      loaded.run = .starting
    }
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
    let isOther = newOutput?.sinkDescription != settings.audioOutput?.sinkDescription
    guard isOther || output.isSubstituted else { return }
    settings.audioOutput = newOutput
    output.isSubstituted = false
    if !isOther { perform(.reopenOutput) }
    outputIsAvailable(now: now)
  }

  /// Opens the current item again if the output was lost.
  mutating func outputIsAvailable(now: MonotonicTime) {
    output.recover()
    if case .outputLost = phase.state { loadAgain(at: position(at: now), now: now) }
  }
}
