/// The fade before a pause or a stop: both take effect for readers at once, and the pipeline follows when the sound is
/// silent.
///
/// Invariants: the pipeline is either to pause or to unload at the end of a fade, or there is none. `isHushed` outlives
/// the fade: a sound that was faded out is faded in when playback resumes.
struct Fade: Equatable, Sendable {
  /// What follows when the sound is silent, at the latest at an instant.
  enum Outcome: Equatable, Sendable {
    case pause(MonotonicTime)
    case unload(MonotonicTime)
  }

  var outcome: Outcome?
  /// The sound was faded out, and fades in when playback resumes.
  var isHushed = false

  /// When the pipeline pauses; nil unless a pause is fading.
  var pauseDue: MonotonicTime? { if case .pause(let due) = outcome { due } else { nil } }
  /// When the media is released; nil unless a stop is fading.
  var unloadDue: MonotonicTime? { if case .unload(let due) = outcome { due } else { nil } }

  var wake: MonotonicTime? { pauseDue ?? unloadDue }

  /// The engine tells when the sound is silent.
  mutating func ends(at instant: MonotonicTime) {
    switch outcome {
    case .pause: outcome = .pause(instant)
    case .unload: outcome = .unload(instant)
    case nil: break
    }
  }
}
