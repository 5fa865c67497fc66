extension Player {
  /// The rates that can be set.
  public static let rateRange = 0.25...4.0

  /// The requested rate, within ``rateRange``, also while paused; 1 is normal.
  ///
  /// A positive rate beyond the range is clamped. Zero, a negative rate, and one that is not finite are ignored:
  /// reverse playback is not supported. The rate applies to the following items as well. Setting it does not start
  /// playback or change the default rate. The pitch is kept, unless ``Player/Configuration/timePitchAlgorithm``
  /// specifies otherwise.
  ///
  /// The counterpart of `AVPlayer.rate`, except for 0, which is ``pause(fading:)`` here.
  public var rate: Double {
    get { core.value { $0.settings.rate } }
    set { if let rate = Self.clamped(newValue) { core.apply(.setRate(rate)) } }
  }

  /// The rate at which ``play()`` resumes from Paused and Stopped, within ``rateRange``; the counterpart of
  /// `AVPlayer.defaultRate`.
  ///
  /// Nil, the initial value, resumes at the rate that was set last. A rate beyond the range is clamped or ignored, as
  /// for ``rate``. Setting it does not start playback or change the current rate.
  public var defaultRate: Double? {
    get { core.value { $0.settings.defaultRate } }
    set {
      let rate = newValue.flatMap(Self.clamped)
      guard rate != nil || newValue == nil else { return }
      core.apply(.setDefaultRate(rate))
    }
  }

  /// The treatment of the pitch at another rate; the counterpart of `AVPlayerItem.audioTimePitchAlgorithm`.
  ///
  /// The initial value is ``Player/Configuration/timePitchAlgorithm``. A change opens the output again, with the audible
  /// sample.
  public var timePitchAlgorithm: Player.Configuration.TimePitchAlgorithm {
    get { core.value { $0.settings.timePitch } }
    set { core.apply(.setTimePitch(newValue)) }
  }

  /// Returns the nearest rate that can be set; nil for one that is ignored.
  static func clamped(_ rate: Double) -> Double? {
    rate.isFinite && rate > 0 ? min(max(rateRange.lowerBound, rate), rateRange.upperBound) : nil
  }
}
