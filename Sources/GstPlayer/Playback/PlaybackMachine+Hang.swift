/// What hangs inside GStreamer.
extension PlaybackMachine {
  /// A pipeline that did not answer was left behind; a new one, with nothing loaded, has taken its place.
  mutating func pipelineWasReplaced(after hang: PipelineHost.Hang, now: MonotonicTime) {
    emit(.warning("\(hang.sentence); it is left behind"))
    perform(.setVolume(volume))
    perform(.setMuted(isMuted))
    perform(.setForwardBuffer(forwardBuffer))
    perform(.setAudioLanguages(audioLanguages))
    switch hang {
    case .output: outputFailed(PlayerError(.output, hang.sentence), now: now)
    case .tearDown:
      switch load {
      case .loading, .ready: break
      case .none, .parked, .outputLost, .sourceLost: return
      }
      let ticket = start?.ticket
      start?.ticket = nil
      loadCurrent(at: position(at: now), ticket: ticket, now: now)
    case .item: if load == .ready { fail(PlayerError(.unknown, hang.sentence), now: now) }
    }
  }
}

extension PipelineHost.Hang {
  /// What a person is told.
  var sentence: String {
    switch self {
    case .output: "the output does not answer"
    case .tearDown: "the media loaded before does not answer"
    case .item: "the media does not answer"
    }
  }
}
