/// The choice of the output device.
extension PlaybackMachine {
  /// The device that was heard has gone: what plays is paused before all the room hears it.
  mutating func outputRemoved(_ id: AudioOutput.ID, now: MonotonicTime) {
    dropFading()
    guard intent == .playing else { return endFall(now: now) }
    emit(.warning("the output device “\(id)” has gone; paused"))
    pause(fading: false, now: now)
  }

  /// Plays on through another device, from the same place.
  mutating func setAudioOutput(_ output: AudioOutput?, now: MonotonicTime) {
    guard output?.sinkDescription != audioOutput?.sinkDescription else { return }
    audioOutput = output
    let held = position(at: now)
    perform(.setSink(output?.sinkDescription))
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
