/// The progress of a network stream: received bytes and decoded media time.
///
/// GStreamer 1.22 reports neither. Its BUFFERING messages describe one queue. Behind that queue, a demuxer and a parser
/// hold up to a block of the source (32 KiB and more, 2 s of MP3). The output's own queue holds 1 s of audio.
public struct StreamProgress: Codable, Equatable, Sendable {
  /// The end of the decoded media; nil after a flush, until decoding begins again.
  public private(set) var decoded: Duration?
  /// The end of the decoded media that has reached the output; nil after a flush, until the next sample arrives there.
  public private(set) var delivered: Duration?
  /// The last gap at the output; nil if there was none since the last flush.
  public private(set) var gap: Gap?
  /// The offset of the first byte that has not arrived; nil for a stream that is not counted in bytes.
  public private(set) var received: Int64?
  /// The number of bytes received so far; nil for a stream that is not counted in bytes.
  public private(set) var transferred: Int64?
  /// The number of segments of an adaptive stream that were downloaded; nil before the first one.
  public private(set) var segments: Int?
  /// The time of their downloads.
  public private(set) var downloadTime: Duration?
  /// The bytes per second that arrived while the queue had space; nil if unknown.
  public var bytesPerSecond: Int64?
  /// The offset of the first byte that waits in the queue.
  public private(set) var forwarded: Int64?
  /// The size of the media in bytes; nil if unknown.
  public var size: Int64?
  /// What a seek can reach of a station; nil for another stream.
  private var past: Past?
  /// Whether the source has sent all of its data, whose size may have been unknown.
  private var hasEnded = false
  /// The offset of a block that left the queue, and the decoded end at that time; for the first and the last block.
  private var first: Mark?
  private var last: Mark?

  private struct Mark: Codable, Equatable {
    var offset: Int64
    /// The decoded end; nil if nothing was decoded before the block.
    var time: Duration?
  }

  private enum Past: Codable, Equatable {
    case kept(Range<Duration>)
    case offered(Range<Duration>)
  }

  /// Two samples of a stream between which the output plays nothing for more than ``leastGap``, because the time stamps of
  /// the media jump.
  public struct Gap: Codable, Equatable, Sendable {
    /// The media time at which the sample before the gap ends.
    public var start: Duration
    /// The media time at which the sample after the gap begins; the start again if the media itself continues there.
    public var end: Duration

    /// Creates a gap.
    public init(start: Duration, end: Duration) { (self.start, self.end) = (start, end) }
  }

  /// Creates the progress of a stream without any data.
  public init() {}

  /// The media times that are kept in memory, and that a seek can reach; nil unless the stream is a station that is kept.
  public var kept: Range<Duration>? {
    get { if case .kept(let range) = past { range } else { nil } }
    set { past = newValue.map(Past.kept) }
  }

  /// The media times that the server of a live stream offers, and that a seek can reach; nil for another stream, and for one that is kept.
  public var window: Range<Duration>? {
    get { if case .offered(let range) = past { range } else { nil } }
    set { if kept == nil { past = newValue.map(Past.offered) } }
  }

  /// Whether every received byte has left the queue, towards the decoder.
  public var isQueueEmpty: Bool {
    if let kept { return decoded.map { kept.upperBound - $0 <= Self.filterDelay } ?? false }
    return (received ?? 0) <= (forwarded ?? 0)
  }

  // MARK: Events

  /// Sets the offset at which the next received bytes begin.
  public mutating func receive(from offset: Int64) { (received, hasEnded) = (offset, false) }

  /// Counts received bytes.
  public mutating func receive(bytes: Int64) {
    guard let received else { return }
    self.received = received.advancedClamping(by: bytes)
    transferred = (transferred ?? 0).advancedClamping(by: bytes)
  }

  /// Records that the source has sent all of its data.
  public mutating func receiveEnd() { hasEnded = true }

  /// Whether all of the media has been received.
  public var isWhole: Bool { hasEnded || size.map { (received ?? 0) >= $0 } ?? false }

  /// Counts a segment of an adaptive stream that was downloaded in a time.
  public mutating func receive(segmentIn time: Duration) {
    segments = (segments ?? 0) + 1
    downloadTime = (downloadTime ?? .zero) + time
  }

  /// Sets the offset at which the next bytes leave the queue.
  public mutating func forward(from offset: Int64) { forwarded = offset }

  /// Records that a block leaves the queue: all blocks before it have been decoded as far as possible.
  public mutating func forward(bytes: Int64) {
    guard let offset = forwarded else { return }
    forwarded = offset.advancedClamping(by: bytes)
    last = Mark(offset: offset, time: decoded)
    if decoded != nil, first == nil { first = last }
  }

  /// Sets the time at which the next decoded buffer begins.
  public mutating func decode(from time: Duration) {
    decoded = time
    if last?.time == nil { last?.time = time }
    first = first ?? last
  }

  /// Extends the decoded media to a time.
  public mutating func decode(until time: Duration) { decoded = max(decoded ?? time, time) }

  /// Extends the media that has reached the output to a time.
  ///
  /// `gap` is the gap before this sample; nil without one.
  public mutating func deliver(until time: Duration, after gap: Gap? = nil) {
    delivered = max(delivered ?? time, time)
    self.gap = gap ?? self.gap
  }

  /// The time without a sample from which on the output has a gap.
  public static let leastGap = Duration.seconds(10)

  /// The end of the decoded media if all of it has reached the output; nil if more is decoded, or nothing is.
  package var dataEnd: Duration? {
    guard let decoded, let delivered, decoded - delivered <= Self.filterDelay else { return nil }
    return decoded
  }

  /// The audio that a resampler or a change of the tempo holds back.
  private static let filterDelay = Duration.milliseconds(100)

  /// Discards the decoded media after a flush; reading continues at another offset.
  public mutating func flush() {
    decoded = nil
    delivered = nil
    gap = nil
    first = nil
    last = nil
  }

  // MARK: Estimates

  /// Returns the end of the received bytes in media time; nil while nothing has been decoded.
  ///
  /// The result is an estimate from the bytes that have not been decoded. If size and duration are known, it uses the
  /// share of these bytes in the rest of the media; otherwise the bit rate so far. It is exact if the rest has a
  /// constant bit rate.
  public func loaded(ofDuration duration: Duration?) -> Duration? {
    guard let decoded else { return nil }
    if let kept { return max(decoded, kept.upperBound) }
    guard let received, let last, let time = last.time, received > last.offset else { return decoded }
    let bytes = Double(received) - Double(last.offset)
    if let duration, duration > time, let size = size ?? (hasEnded ? received : nil), size > last.offset {
      return max(decoded, time + (duration - time) * min(1, bytes / (Double(size) - Double(last.offset))))
    }
    guard let first, let start = first.time, time - start >= Self.leastSample, last.offset > first.offset else {
      return decoded
    }
    let seen = Double(last.offset) - Double(first.offset)
    return max(decoded, time + (time - start) * min(Self.greatestRatio, bytes / seen))
  }

  /// The media time that arrives in a second while the queue has space; nil if unknown.
  var arrivalRate: Double? {
    guard let bytesPerSecond, let first, let last, let start = first.time, let time = last.time,
      time - start >= Self.leastSample, last.offset > first.offset
    else { return nil }
    return Double(bytesPerSecond) * (time - start).seconds / (Double(last.offset) - Double(first.offset))
  }

  /// Returns the media time at which the data ends, by its bit rate since the last flush; nil while that is unknown, or
  /// known from less than `sample`.
  func estimatedEnd(from sample: Duration = leastSample) -> Duration? {
    guard let size, let first, let last, let start = first.time, let time = last.time, time - start >= sample,
      last.offset > first.offset
    else { return nil }
    let rest = Double(max(last.offset, size)) - Double(last.offset)
    let seen = Double(last.offset) - Double(first.offset)
    return max(decoded ?? time, time + (time - start) * min(Self.greatestRest, rest / seen))
  }

  /// The minimum duration from which a bit rate is derived.
  static let leastSample = Duration.milliseconds(500)
  /// The greatest ratio of undecoded to decoded bytes; keeps the arithmetic within bounds.
  private static let greatestRatio = 1_000.0
  /// The same for the ratio of the rest of the media to the decoded bytes.
  private static let greatestRest = 1_000_000.0
}

extension Int64 {
  func advancedClamping(by distance: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(distance)
    return overflows ? .max : sum
  }
}
