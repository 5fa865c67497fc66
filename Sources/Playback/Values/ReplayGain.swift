extension Player.Configuration {
  /// The use of loudness tags, so that quiet and loud recordings play at a similar loudness.
  ///
  /// The gain from a file's ReplayGain tags is applied before the volume; a file without tags plays unchanged.
  /// <https://gstreamer.freedesktop.org/documentation/replaygain/rgvolume.html>
  public struct ReplayGain: Codable, Hashable, Sendable {
    /// The choice between a file's two gains; if only one exists, that one is used.
    public enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
      /// All items play at the same loudness.
      case track
      /// The items of an album keep their differences in loudness.
      case album
    }

    /// The gain that is used.
    public var mode: Mode
    /// The value added to the gain, in dB, −60 to 60; clamped, and not changed by a number that is not finite.
    public var preAmp: Double {
      didSet { preAmp = Self.clamped(preAmp) ?? oldValue }
    }
    /// Whether a gain that would clip peaks is lowered, and remaining peaks beyond full scale are softened.
    public var preventsClipping: Bool

    /// Creates a setting; `preAmp` is clamped to −60…60 dB, and 0 replaces a number that is not finite.
    public init(mode: Mode, preAmp: Double = 0, preventsClipping: Bool = true) {
      self.mode = mode
      self.preAmp = Self.clamped(preAmp) ?? 0
      self.preventsClipping = preventsClipping
    }

    private static func clamped(_ preAmp: Double) -> Double? { preAmp.isFinite ? min(max(-60, preAmp), 60) : nil }
  }
}
