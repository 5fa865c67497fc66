/// The start of the engine's processes, and the end of one that decodes.
extension PlaybackMachine {
  /// Begins the time limit of a load, or of a seek, when the engine has started.
  mutating func engineStarts(_ isStarting: Bool, now: MonotonicTime) {
    isEngineStarting = isStarting
    if !isStarting, phase.isLoading || phase.isReady && loaded.isSeeking {
      loaded.limitLoad(to: configuration.loadTimeout, now: now)
    }
  }

  /// Logs that the process of a stream has ended; the stream stays, and continues in another process.
  mutating func decodingInterrupted(_ stream: StreamToken, _ text: String, now: MonotonicTime) {
    guard let item = item(of: stream) else { return }
    emit(.warning(text, of: item))
    if stream == token { log(PlayerError(code: .engineEnded, message: text), .reloading, now: now) }
  }
}
