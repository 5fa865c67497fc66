import CGst
import Joining
import Playback

/// Numbers the frames of decoded buffers from the start of the media, and leaves out those that an encoder added.
///
/// It counts the frames. The times of buffers are used only for the first frame after a start or a seek, and to find
/// gaps:
///
/// - A decoder cuts off the samples before the start of its segment, rounded down to a frame, and gives the rest the
///   time of the segment's start. The end of the buffer is exact. Without this, a seek is off by a frame in every
///   format.
/// - It keeps the samples before the end of the segment, rounded up to a frame, so a Vorbis file can have a frame too
///   many.
/// - Times that differ from the count by less than ``tolerance`` are rounded: MP4 and Matroska files have milliseconds.
struct SampleTrim: Equatable, Sendable {
  /// Frames of a buffer that belong to the media.
  struct Piece: Equatable, Sendable {
    /// The indexes in the buffer.
    var frames: Range<Int>
    /// The media frame of the first one.
    var first: Int64
  }

  /// A segment of a stream, in nanoseconds.
  struct Segment: Equatable, Sendable {
    var start: Int64 = 0
    /// Nil without an end.
    var stop: Int64?
    /// The time in the stream at the start.
    var time: Int64 = 0
  }

  static let tolerance = Duration.milliseconds(20)

  let padding: EncoderPadding?
  /// The frames a second of the buffers; more than 0.
  let rate: Int
  /// The frames by which the decoder's times are early.
  private let delay: Int64
  /// The number of the frame after the last one, by the decoder's times; nil before the first one.
  private var next: Int64?

  /// Creates a trim.
  ///
  /// - Parameters:
  ///   - padding: The frames to leave out; nil to keep all.
  ///   - rate: The frames a second of the buffers.
  ///   - delay: The frames by which the decoder's times are early.
  init(_ padding: EncoderPadding?, rate: Int, delay: Int64 = 0) {
    self.padding = padding?.converted(to: rate)
    (self.rate, self.delay) = (max(1, rate), max(0, delay))
  }

  /// Prepares for the data after a flush.
  mutating func restart() { next = nil }

  /// Returns the frames of the next buffer that belong to the media, in order; at most two pieces.
  ///
  /// - Parameters:
  ///   - count: The number of frames in the buffer.
  ///   - stamp: The time of the buffer in its segment; nil if unknown.
  ///   - duration: The duration of the buffer; nil if unknown.
  ///   - segment: The segment; nil if it is not in times.
  /// - Returns: The pieces.
  mutating func pieces(_ count: Int, stamp: Int64?, duration: Int64? = nil, in segment: Segment?) -> [Piece] {
    let count = max(0, count)
    var (lower, upper) = (Int64.min, Int64.max)
    var first = next ?? 0
    if let segment, let stamp {
      let offset = segment.time &- segment.start
      let placed = place(count, stamp, duration, segment, offset)
      if let next, (placed - next).magnitude < UInt64(frame(Self.tolerance.wholeNanoseconds)) {
        first = next
      } else {
        first = placed
      }
      lower = frame(segment.time)
      if let stop = segment.stop { upper = max(lower, frame(stop &+ offset)) }
    }
    let (end, overflows) = first.addingReportingOverflow(Int64(count))
    guard !overflows else { return [] }
    next = end
    let kept = (first..<end).clamped(to: min(lower, upper)..<upper)
    let decoded = kept.lowerBound + delay..<kept.upperBound + delay
    guard !decoded.isEmpty else { return [] }
    return (padding?.media(in: decoded) ?? [decoded]).map { part in
      let from = Int(part.lowerBound - delay - first)
      return Piece(frames: from..<from + part.count, first: padding?.media(part.lowerBound) ?? part.lowerBound)
    }
  }

  private func place(_ count: Int, _ stamp: Int64, _ duration: Int64?, _ segment: Segment, _ offset: Int64) -> Int64 {
    let first = frame(stamp &+ offset)
    let halfFrame = Int64(500_000_000 / rate)
    guard let duration, (stamp &- segment.start).magnitude <= halfFrame.magnitude else { return first }
    let exact = frame(stamp &+ offset &+ duration) - Int64(count)
    // A duration that is far off does not describe these frames.
    return (exact - first).magnitude <= 2 ? exact : first
  }

  /// Returns the number of the frame that is nearest to a time.
  private func frame(_ time: Int64) -> Int64 {
    let limit: Int64 = 1 << 52
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: Int64(rate))
    guard !overflows else { return time < 0 ? -limit : limit }
    let half: Int64 = rest < 0 ? -500_000_000 : 500_000_000
    return min(max(whole + (rest * Int64(rate) + half) / 1_000_000_000, -limit), limit)
  }

  // MARK: Times

  /// Returns the media time of a time that GStreamer reports, such as a duration.
  func mediaTime(_ time: Duration) -> Duration {
    let decoded = time + late
    return padding?.mediaTime(decoded) ?? decoded
  }

  /// Returns the time that a seek needs to begin at a media time.
  func seekTime(_ media: Duration) -> Duration {
    max(.zero, (padding?.decodedTime(media) ?? media) - late)
  }

  private var late: Duration { .seconds(1) * delay / rate }
}

extension SampleTrim.Segment {
  /// Nil for a segment without times.
  init?(_ segment: GstSegment) {
    guard segment.format == GST_FORMAT_TIME, let start = Int64(exactly: segment.start),
      let time = Int64(exactly: segment.time)
    else { return nil }
    self.init(start: start, stop: Int64(exactly: segment.stop), time: time)
  }
}
