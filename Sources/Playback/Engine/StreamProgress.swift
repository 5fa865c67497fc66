/// The progress of a network stream: received bytes and decoded media time.
///
/// GStreamer 1.22 reports neither. Its BUFFERING messages describe one queue; behind that a demuxer and a parser hold
/// up to a block of the source (32 KiB and more, 2 s of MP3), and the output's own queue holds a second of sound.
public struct StreamProgress: Equatable, Sendable {
  /// The end of the decoded media; nil after a flush, until decoding begins again.
  public private(set) var decoded: Duration?
  /// The offset of the first byte that has not arrived; nil for a stream that is not counted in bytes.
  public private(set) var received: Int64?
  /// The offset of the first byte that waits in the queue.
  public private(set) var forwarded: Int64?
  /// The size of the media in bytes; nil if unknown.
  public var size: Int64?
  /// The offset of a block that left the queue, and how far decoding was by then; the first and the last of them.
  private var first: Mark?
  private var last: Mark?

  private struct Mark: Equatable {
    var offset: Int64
    /// Nil while nothing was decoded before the block.
    var time: Duration?
  }

  /// Makes the progress of a stream of which nothing is known.
  public init() {}

  /// Whether every received byte has left the queue, towards the decoder.
  public var isQueueEmpty: Bool { (received ?? 0) <= (forwarded ?? 0) }

  // MARK: Events

  /// What arrives next begins at this offset.
  public mutating func receive(from offset: Int64) { received = offset }

  /// Counts bytes that arrive.
  public mutating func receive(bytes: Int64) { received = received?.advancedClamping(by: bytes) }

  /// What leaves the queue next begins at this offset.
  public mutating func forward(from offset: Int64) { forwarded = offset }

  /// A block leaves the queue: all blocks before it have been decoded as far as that is possible.
  public mutating func forward(bytes: Int64) {
    guard let offset = forwarded else { return }
    forwarded = offset.advancedClamping(by: bytes)
    last = Mark(offset: offset, time: decoded)
    if decoded != nil, first == nil { first = last }
  }

  /// The next decoded buffer begins at this time.
  public mutating func decode(from time: Duration) {
    decoded = time
    if last?.time == nil { last?.time = time }
    first = first ?? last
  }

  /// The decoded media extends to this time.
  public mutating func decode(until time: Duration) { decoded = max(decoded ?? time, time) }

  /// A flush discards the decoded media, and reading continues at another offset.
  public mutating func flush() {
    decoded = nil
    first = nil
    last = nil
  }

  // MARK: Estimates

  /// The end of the received bytes in media time; nil while nothing has been decoded.
  ///
  /// An estimate from the bytes that have not been decoded: by the part that they are of the rest, where length and
  /// duration are known, else by the bit rate so far. It is exact where the rest has one bit rate.
  public func loaded(ofDuration duration: Duration?) -> Duration? {
    guard let decoded else { return nil }
    guard let received, let last, let time = last.time, received > last.offset else { return decoded }
    let bytes = Double(received) - Double(last.offset)
    if let duration, duration > time, let size, size > last.offset {
      return max(decoded, time + (duration - time) * min(1, bytes / (Double(size) - Double(last.offset))))
    }
    guard let first, let start = first.time, time - start >= Self.leastSample, last.offset > first.offset else {
      return decoded
    }
    let seen = Double(last.offset) - Double(first.offset)
    return max(decoded, time + (time - start) * min(Self.greatestRatio, bytes / seen))
  }

  /// From less than this no bit rate is concluded.
  private static let leastSample = Duration.milliseconds(500)
  /// The greatest ratio of undecoded to decoded bytes; keeps the arithmetic within bounds.
  private static let greatestRatio = 1_000.0
}

extension Int64 {
  fileprivate func advancedClamping(by distance: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(distance)
    return overflows ? .max : sum
  }
}
