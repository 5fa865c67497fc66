/// Numbers the frames of a passage by the times of its buffers, without their rounding.
///
/// - A time that differs from the count by less than ``tolerance`` is rounded: GStreamer counts nanoseconds, some containers
///   milliseconds, and some decoders whole frames of the codec. Such a buffer continues the count, and so does a buffer
///   without a time.
/// - A later time is a gap, and the numbers continue there. A sink would play nothing up to the next sample, and report nothing.
/// - An earlier time belongs to new samples: a chain or a broadcast begins its times again. The count continues, and later
///   times are relative to it.
/// - A later time beyond the end of the media is wrong: FLAC files of the encoder Flake 0.11 number their blocks so that each
///   one is minutes after the one before. The count continues, as for an earlier time.
struct FrameNumbering: Equatable, Sendable {
  static let tolerance = Duration.milliseconds(20)

  /// The number of the frame after the last one; nil before the first one.
  private(set) var next: Int64?
  /// The number of the frame after the media; nil if it is not known.
  var end: Int64?
  /// The number that a first buffer without a time has.
  private let start: Int64
  /// The distance that is added to the number of each time.
  private var shift: Int64 = 0

  init(from start: Int64 = 0) { self.start = start }

  /// Returns the number of the first of consecutive frames.
  ///
  /// - Parameters:
  ///   - frames: How many they are.
  ///   - stamp: The number by the time of the buffer; nil for a buffer without a time.
  ///   - tolerance: The difference of a number by its time to the count that is rounding, in frames.
  /// - Returns: The number.
  mutating func number(_ frames: Int64, stamp: Int64?, tolerance: Int64) -> Int64 {
    let first = place(stamp, tolerance)
    next = first + frames
    return first
  }

  private mutating func place(_ stamp: Int64?, _ tolerance: Int64) -> Int64 {
    guard let next else {
      let number = Self.limited(stamp ?? start)
      guard isBeyondEnd(number) else { return number }
      shift = start - number
      return start
    }
    guard let stamp else { return next }
    let number = Self.limited(stamp.addingReportingOverflow(shift).partialValue)
    let distance = number - next
    if distance.magnitude < tolerance.magnitude { return next }
    if distance > 0, !isBeyondEnd(number) { return number }
    shift -= distance
    return next
  }

  private func isBeyondEnd(_ number: Int64) -> Bool { end.map { number > $0 } ?? false }

  /// A time beyond every medium must not exceed the numbers of blocks.
  private static func limited(_ number: Int64) -> Int64 { min(max(-1 << 52, number), 1 << 52) }
}
