public import AVFAudio

/// `outputVolume` can be observed.
extension AVAudioSession: AVKeyValueObserving {
  /// The observers of the session.
  public nonisolated var keyValueObservers: AVKeyValueObservers {
    observers(AVKeyValueObservers.init) { $0.notify($1) }
  }
}
