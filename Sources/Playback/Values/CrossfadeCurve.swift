extension Player {
  /// The levels of the two items during a crossfade.
  public enum CrossfadeCurve: String, Codable, CaseIterable, Sendable {
    /// The sum of the powers is constant: different music sounds equally loud throughout.
    case equalPower = "equal-power"
    /// The sum of the levels is constant: two copies of the same sound are equally loud throughout.
    case linear
  }
}
