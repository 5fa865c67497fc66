extension Player.Configuration {
  /// The treatment of the pitch at another rate; the counterpart of `AVAudioTimePitchAlgorithm`.
  public enum TimePitchAlgorithm: String, Codable, Hashable, Sendable, CaseIterable {
    /// The pitch is kept: short segments of the audio are skipped or repeated where the waveforms match.
    ///
    /// It suits speech, and is acceptable for music. At the end of an item and before a seek, up to 0.1 s of audio may
    /// be missing.
    case timeDomain
    /// The pitch follows the rate, as with a vinyl record; every sample is played, and the CPU cost is lowest.
    case varispeed
  }
}
