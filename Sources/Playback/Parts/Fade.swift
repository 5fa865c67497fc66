/// The fade before a pause or a stop: readers see the new state at once, and the pipeline follows when the fade-out has
/// ended.
///
/// Invariants: at the end of a fade, the pipeline either pauses or is unloaded. `isFadedOut` outlives the fade: audio
/// that was faded out is faded in when playback resumes.
struct Fade: Codable, Equatable, Sendable {
  /// The latest instant at which the pipeline pauses; nil unless a pause is fading.
  var pauseDue: MonotonicTime?
  /// The latest instant at which the media is released; nil unless a stop is fading.
  var unloadDue: MonotonicTime?
  /// Whether the audio was faded out, and is to fade in when playback resumes.
  var isFadedOut = false

  /// The latest instant at which the fade ends; nil without one.
  var wake: MonotonicTime? { pauseDue ?? unloadDue }

  /// Sets the instant at which the fade ends, as the engine reported it.
  mutating func ends(at instant: MonotonicTime) {
    if pauseDue != nil { pauseDue = instant }
    if unloadDue != nil { unloadDue = instant }
  }
}
