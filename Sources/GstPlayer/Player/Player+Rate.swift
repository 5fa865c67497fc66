extension Player {
  /// The speeds that can be set.
  public static let rateRange = 0.25...4.0

  /// Sets the speed; 1 is normal.
  ///
  /// The pitch is kept, unless ``PlayerConfiguration/timePitchAlgorithm`` says otherwise.
  /// It neither starts play nor changes the default rate. The counterpart of `AVPlayer.rate`, but for 0, which is
  /// ``pause()`` here.
  ///
  /// - Parameter rate: Within ``rateRange``; what is beyond is clamped, and what is not a number is ignored. It stays
  ///   for the items that follow.
  public func setRate(_ rate: Double) {
    guard let rate = Self.clamped(rate) else { return }
    core.apply { $0.setRate(rate, now: $1) }
  }

  /// Sets the speed that ``play()`` resumes at from Paused and Stopped; the counterpart of `AVPlayer.defaultRate`.
  ///
  /// It neither starts play nor changes the speed of what plays.
  ///
  /// - Parameter rate: Within ``rateRange``; what is beyond is clamped, and what is not a number is ignored. Nil, as at
  ///   first, resumes at the speed that was set last.
  public func setDefaultRate(_ rate: Double?) {
    guard let rate else { return core.apply { machine, _ in machine.setDefaultRate(nil) } }
    guard let rate = Self.clamped(rate) else { return }
    core.apply { machine, _ in machine.setDefaultRate(rate) }
  }

  static func clamped(_ rate: Double) -> Double? {
    rate.isFinite ? min(max(rateRange.lowerBound, rate), rateRange.upperBound) : nil
  }
}
