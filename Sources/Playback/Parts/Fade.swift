/// The fade before a pause or a stop: readers see the new state at once, and the pipeline follows when the fade-out has
/// ended.
///
/// Invariants: at the end of a fade, the pipeline either pauses or is unloaded; without a fade, `outcome` is nil.
/// `isFadedOut` outlives the fade: audio that was faded out is faded in when playback resumes.
struct Fade: Codable, Equatable, Sendable {
  /// The action at the end of the fade, and the latest instant of that end.
  enum Outcome: Codable, Equatable, Sendable {
    case pause(MonotonicTime)
    case unload(MonotonicTime)
  }

  var outcome: Outcome?
  /// Whether the audio was faded out, and is to fade in when playback resumes.
  var isFadedOut = false

  /// The instant at which the pipeline pauses; nil unless a pause is fading.
  var pauseDue: MonotonicTime? { if case .pause(let due) = outcome { due } else { nil } }
  /// The instant at which the media is unloaded; nil unless a stop is fading.
  var unloadDue: MonotonicTime? { if case .unload(let due) = outcome { due } else { nil } }

  var wake: MonotonicTime? { pauseDue ?? unloadDue }

  /// Sets the instant at which the fade ends, as the engine reported it.
  mutating func ends(at instant: MonotonicTime) {
    switch outcome {
    case .pause: outcome = .pause(instant)
    case .unload: outcome = .unload(instant)
    case nil: break
    }
  }
}
