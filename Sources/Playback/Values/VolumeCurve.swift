/// The volume of an item over the time of its media, in addition to the player's volume; the counterpart of
/// `AVAudioMix`.
public struct VolumeCurve: Codable, Hashable, Sendable {
  /// A linear change of the volume, or a jump if its duration is 0.
  public struct Ramp: Codable, Hashable, Sendable {
    /// The time of the media at which it begins.
    public var start: Duration
    /// The time of the media at which it ends.
    public var end: Duration
    /// The volume at the start, linear.
    public var from: Double
    /// The volume at the end and until the next ramp, linear.
    public var to: Double

    /// Creates a ramp.
    public init(from: Double, to: Double, start: Duration, end: Duration) {
      (self.from, self.to, self.start, self.end) = (from, to, start, end)
    }
  }

  /// The ramps, sorted by their starts; a ramp ends at the latest where the next one starts.
  public let ramps: [Ramp]

  /// Creates a curve; of ramps with one start, the last one applies.
  public init(_ ramps: [Ramp]) {
    let sorted = ramps.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
    self.ramps = sorted.map(\.element)
  }

  /// Returns the ramp that applies at a time of the media; nil before the first one, where the volume is 1.
  public func ramp(at time: Duration) -> Ramp? {
    let index = ramps.partitioningIndex { $0.start > time }
    return index > 0 ? ramps[index - 1] : nil
  }

  /// Returns the volume at a time of the media.
  public func level(at time: Duration) -> Double {
    guard let ramp = ramp(at: time) else { return 1 }
    guard time < ramp.end else { return ramp.to }
    return ramp.from + (ramp.to - ramp.from) * ((time - ramp.start) / (ramp.end - ramp.start))
  }

  /// Whether the volume is 1 from one time of the media to another.
  public func isFull(from start: Duration, to end: Duration) -> Bool {
    let index = ramps.partitioningIndex { $0.start > start }
    let first = index > 0 ? ramps[index - 1] : nil
    let isFullFirst = first.map { $0.to == 1 && (start >= $0.end || $0.from == 1) } ?? true
    return isFullFirst && (index == ramps.count || ramps[index].start > end)
  }
}
