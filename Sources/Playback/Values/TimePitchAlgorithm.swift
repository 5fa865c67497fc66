/// What becomes of the pitch at another speed; the counterpart of `AVAudioTimePitchAlgorithm`.
public enum TimePitchAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// The pitch is kept: pieces of the sound are left out or repeated where the waves fit; for speech, and fair for music.
  ///
  /// The sound at an end or before a seek may lack up to a tenth of a second.
  case timeDomain
  /// The pitch follows the speed, as that of a record does; every sample is heard, and it costs least.
  case varispeed
}
