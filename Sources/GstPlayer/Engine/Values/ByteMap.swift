/// Maps times to offsets in the bytes of a stream: known points, and estimates between them.
///
/// Invariant: the points are sorted by offset and by time; the first one is the start.
struct ByteMap: Equatable, Sendable {
  struct Point: Equatable, Sendable {
    var offset: Int64
    var time: Duration
  }

  /// The maximum number of points; a seek adds a few.
  static let limit = 128

  private(set) var points = [Point(offset: 0, time: .zero)]

  /// Adds a measured point; one that contradicts the known ones is ignored.
  mutating func note(_ point: Point) {
    let index = points.firstIndex { $0.time >= point.time } ?? points.count
    guard index > 0, points[index - 1].offset < point.offset, points.count < Self.limit else { return }
    if index < points.count, points[index].offset <= point.offset || points[index].time == point.time { return }
    points.insert(point, at: index)
  }

  /// Returns the last known point up to a time.
  func last(upTo time: Duration) -> Point { points.last { $0.time <= time } ?? points[0] }

  /// Returns the estimated offset of a time in media that ends at `end`.
  ///
  /// If `bisects`, it is in the middle of the bytes between the known points, because the bit rate differs too much.
  func offset(of time: Duration, end: Point, bisects: Bool = false) -> Int64 {
    let lower = last(upTo: time)
    let upper = points.first { $0.time > time } ?? end
    guard upper.offset > lower.offset, upper.time > lower.time else { return lower.offset }
    let share = bisects ? 0.5 : min(1, (time - lower.time) / (upper.time - lower.time))
    return lower.offset + Int64(Double(upper.offset - lower.offset) * share)
  }
}

/// The bit rate of a stream, if all of its frames so far have the same.
struct ConstantRate: Equatable, Sendable {
  /// The offset of the first frame; the header frame of an MP3 does not count, because it lasts no time.
  private(set) var first: Int64?
  private var count = 0
  private var sizes = 0...0
  private var bytes: Int64 = 0
  private var time = Duration.zero

  /// The number of frames after which the rate is known; the first ones may be shortened.
  private static let (shortened, least) = (2, 50)
  /// A frame is padded by a slot, of at most so many bytes.
  private static let slot = 4

  /// Adds the next frame.
  mutating func note(offset: Int64, size: Int, duration: Duration) {
    guard duration > .zero, size > 0 else { return }
    if first == nil { first = offset }
    count += 1
    guard count > Self.shortened else { return }
    sizes = bytes == 0 ? size...size : min(sizes.lowerBound, size)...max(sizes.upperBound, size)
    bytes = bytes.addingReportingOverflow(Int64(size)).partialValue
    time += duration
  }

  /// Returns the offset of a time in media that ends at `end`; nil if the frames or the end show another bit rate.
  func offset(of target: Duration, end: ByteMap.Point) -> Int64? {
    guard let first, count >= Self.least, sizes.upperBound - sizes.lowerBound <= Self.slot, time > .zero,
      end.time > .zero
    else { return nil }
    let rate = Double(bytes) / time.seconds
    let whole = rate * end.time.seconds
    guard abs(whole - Double(end.offset)) <= whole / 100 + 65_536 else { return nil }
    return first + Int64(rate * min(target, end.time).seconds)
  }
}
