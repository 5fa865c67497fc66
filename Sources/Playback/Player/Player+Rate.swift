extension Player {
  /// The speeds that can be set.
  public static let rateRange = 0.25...4.0

  /// Sets the speed; 1 is normal.
  ///
  /// The pitch is kept, unless ``PlayerConfiguration/timePitchAlgorithm`` says otherwise.
  /// It neither starts play nor changes the default rate. The counterpart of `AVPlayer.rate`, but for 0, which is
  /// ``pause()`` here.
  ///
  /// - Parameter rate: Within ``rateRange``; a positive rate beyond it is clamped. Zero, a negative rate, and one that is
  ///   not finite are ignored: nothing plays backwards. It stays for the items that follow.
  public func setRate(_ rate: Double) {
    guard let rate = Self.clamped(rate) else { return }
    core.apply { $0.setRate(rate, now: $1) }
  }

  /// Sets the speed that ``play()`` resumes at from Paused and Stopped; the counterpart of `AVPlayer.defaultRate`.
  ///
  /// It neither starts play nor changes the speed of what plays.
  ///
  /// - Parameter rate: Within ``rateRange``; a positive rate beyond it is clamped. Zero, a negative rate, and one that is
  ///   not finite are ignored. Nil, as at first, resumes at the speed that was set last.
  public func setDefaultRate(_ rate: Double?) {
    guard let rate else { return core.apply { machine, _ in machine.setDefaultRate(nil) } }
    guard let rate = Self.clamped(rate) else { return }
    core.apply { machine, _ in machine.setDefaultRate(rate) }
  }

  /// The nearest rate that can be set; nil for one that is ignored.
  static func clamped(_ rate: Double) -> Double? {
    rate.isFinite && rate > 0 ? min(max(rateRange.lowerBound, rate), rateRange.upperBound) : nil
  }
}
