extension Duration {
  /// The duration in seconds, for arithmetic and display; the counterpart of `CMTime.seconds`.
  ///
  /// The value is exact to the nanosecond, and limited to ±292 years.
  public var seconds: Double { Double(wholeNanoseconds) / 1e9 }
}
