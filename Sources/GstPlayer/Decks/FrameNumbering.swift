/// Numbers the frames of a passage by the times of its buffers, without their rounding.
///
/// - A time that differs from the count by less than ``tolerance`` is rounded: GStreamer's times have nanoseconds, those of
///   some containers milliseconds, and those of some decoders their frames. Such a buffer, or one without a time, continues
///   the count.
/// - A later time is a gap, and the numbers continue at it.
/// - An earlier time is not one of samples that were there before: a chain or a broadcast begins its times again. The numbers
///   continue to count, and later times are relative to that.
struct FrameNumbering: Equatable, Sendable {
  static let tolerance = Duration.milliseconds(20)

  /// The number of the frame after the last one; nil before the first one.
  private(set) var next: Int64?
  /// The number that a first buffer without a time has.
  private let start: Int64
  /// What is added to the numbers of the times.
  private var shift: Int64 = 0

  init(from start: Int64 = 0) { self.start = start }

  /// Returns the number of the first one of consecutive frames, whose time has the number `stamp`; nil if they have no time.
  mutating func number(_ frames: Int64, stamp: Int64?, tolerance: Int64) -> Int64 {
    let first = place(stamp, tolerance)
    next = first + frames
    return first
  }

  private mutating func place(_ stamp: Int64?, _ tolerance: Int64) -> Int64 {
    guard let next else { return Self.limited(stamp ?? start) }
    guard let stamp else { return next }
    let number = Self.limited(stamp.addingReportingOverflow(shift).partialValue)
    let distance = number - next
    if distance.magnitude < tolerance.magnitude { return next }
    if distance > 0 { return number }
    shift -= distance
    return next
  }

  /// A time beyond every medium must not exceed the numbers of blocks.
  private static func limited(_ number: Int64) -> Int64 { min(max(-1 << 52, number), 1 << 52) }
}
