/// How loudness tags are applied, so that quiet and loud recordings play alike.
///
/// What a file's ReplayGain tags say is applied before the volume; a file without tags plays as it is.
/// <https://gstreamer.freedesktop.org/documentation/replaygain/rgvolume.html>
public struct ReplayGain: Hashable, Sendable {
  /// Which of a file's two gains is used; where there is only the other, that one.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Each item as loud as any other.
    case track
    /// An album's items keep their differences.
    case album
  }

  /// Which gain is used.
  public var mode: Mode
  /// Added to the gain, in dB, −60 to 60; clamped, and unchanged by a number that is not finite.
  public var preAmp: Double {
    didSet { preAmp = Self.clamped(preAmp) ?? oldValue }
  }
  /// Whether a gain that would cut peaks is lowered, and what still goes beyond full scale is rounded off.
  public var preventsClipping: Bool

  /// Makes a setting; `preAmp` is clamped to −60…60 dB, and 0 where it is not finite.
  public init(_ mode: Mode, preAmp: Double = 0, preventsClipping: Bool = true) {
    self.mode = mode
    self.preAmp = Self.clamped(preAmp) ?? 0
    self.preventsClipping = preventsClipping
  }

  private static func clamped(_ preAmp: Double) -> Double? { preAmp.isFinite ? min(max(-60, preAmp), 60) : nil }
}
