/// Pauses at the request of the sound server, which interrupts playback for a call.
extension PlaybackMachine {
  /// Pauses: the server has muted the stream, so its next part would be inaudible.
  mutating func pauseRequested(now: MonotonicTime) {
    guard intent == .playing else { return }
    emit(.warning("playback is paused by a request of the sound server, as for a call"))
    pause(fading: false, now: now)
    isInterrupted = true
  }

  /// Resumes playback that a request has paused, unless a command has decided about it since.
  mutating func resumeRequested(now: MonotonicTime) {
    guard isInterrupted, intent == .paused else { return }
    isInterrupted = false
    startPlaying(now: now)
  }
}

extension PlaybackInput {
  /// Whether a user decides about playback, which the end of an interruption then does not change.
  var endsInterruption: Bool {
    switch self {
    case .play, .playAt, .prepare, .stop, .pause, .advance, .playItem, .playImmediately, .seek, .replaceQueue: true
    default: false
    }
  }
}
