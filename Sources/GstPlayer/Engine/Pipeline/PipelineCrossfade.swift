import Playback

/// The part of a pipeline in a crossfade.
struct PipelineCrossfade {
  /// The position of a pipeline among those of a player.
  enum Role: Sendable {
    /// All commands apply to it.
    case loaded
    /// It is open for a crossfade, and starts at its instant.
    case prepared
    /// It fades out.
    case outgoing
  }

  var role = Role.loaded
  /// The fade-out of the loaded stream at its end.
  var fadeOut: CrossfadeRamp?
  /// The start of the second stream, until it is carried out.
  var start: CrossfadeStart?
  /// The fade-in of the stream, in a crossfade or after another one has left; it ends at the next load.
  var fadeIn: CrossfadeRamp?
  /// The fade-in of the next load.
  var nextFadeIn: CrossfadeShape?
  /// Holds the first sample of a prepared stream.
  let entrance = StreamEntrance()
  /// Whether a prepared stream may not start, because the player is paused.
  var isPaused = false
  /// Whether the start of a prepared stream waits for the end of a pause.
  var isHeld = false
  /// Whether a prepared stream was started.
  var hasBegun = false
  /// The running time of the first sample of a prepared stream, until it is reported, in nanoseconds.
  var firstSample: UInt64?
  /// Whether the end of the loaded stream was reported.
  var hasEnded = false
  /// The fade-out for a skip.
  var leaving: Leaving?
  /// Called after that fade-out.
  var leavingEnd: (@Sendable (isolated Pipeline) -> Void)?

  /// A fade-out by the volume of the output.
  struct Leaving {
    let shape: CrossfadeShape
    /// Whether the output's volume is lowered, and not the level of the samples that follow.
    let usesVolume: Bool
    /// The duration of the audio since its start.
    var elapsed = Duration.zero
    /// The instant of the last step; nil in a pause.
    var last: MonotonicTime?

    /// The level at present.
    var level: Double { shape.curve.level(shape.length > .zero ? elapsed / shape.length : 1, .fadeOut) }
  }

  var isLoaded: Bool { role == .loaded }

  /// The factor of the volume.
  var leavingLevel: Double { leaving.flatMap { $0.usesVolume ? $0.level : nil } ?? 1 }
}
