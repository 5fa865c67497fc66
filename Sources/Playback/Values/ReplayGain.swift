extension Player.Configuration {
  /// The use of measured gains; nil if none are used.
  package var measuredGain: ReplayGain? { replayGain.flatMap { $0.measurement == nil ? nil : $0 } }

  /// Whether local files are measured.
  package var measuresFiles: Bool { measuredGain != nil || silenceTrimming != nil }

  /// The use of loudness tags, so that quiet and loud recordings play at a similar loudness.
  ///
  /// The gain from a file's ReplayGain tags is applied before the volume. A file without tags plays unchanged, unless
  /// ``measurement`` requests its measurement.
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
    ///
    /// Decoding does not check it.
    public var preAmp: Double {
      didSet { preAmp = Self.clamped(preAmp) ?? oldValue }
    }
    /// The measurement of local files without tags; nil, the default, plays them unchanged.
    ///
    /// The next items are measured during playback, one at a time and at the lowest priority. The gain is −18 LUFS minus
    /// the loudness, as for the tags of ReplayGain 2.0. It is decided when an item is opened: an item whose measurement
    /// is not finished by then plays unchanged. With ``Mode/album``, an album contains the files of the queue that are in
    /// one folder and name the same album, up to 64 files. If its first item plays unchanged, the items after it play unchanged
    /// too.
    ///
    /// Not measured are streams, and files longer than 90 min. The files themselves are never changed.
    public var measurement: Measurement?
    /// Whether a gain that would clip peaks is lowered, and remaining peaks beyond full scale are softened.
    public var preventsClipping: Bool

    /// Creates a setting; `preAmp` is clamped to −60…60 dB, and 0 replaces a number that is not finite.
    public init(mode: Mode, preAmp: Double = 0, preventsClipping: Bool = true) {
      self.mode = mode
      self.preAmp = Self.clamped(preAmp) ?? 0
      self.preventsClipping = preventsClipping
    }

    /// The measurement of files that are played next.
    public struct Measurement: Codable, Hashable, Sendable {
      /// The absolute path of the folder that keeps the results for later players; nil keeps them in memory.
      ///
      /// It is created when the first result is stored. A result is identified by the content of its file, and takes
      /// 4 KiB; the latest 4,096 are kept.
      public var cacheFolder: String?

      /// Creates a setting.
      public init(cacheFolder: String? = nil) { self.cacheFolder = cacheFolder }
    }

    private static func clamped(_ preAmp: Double) -> Double? { preAmp.isFinite ? min(max(-60, preAmp), 60) : nil }
  }
}
