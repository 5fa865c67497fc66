package import Playback

/// A stretch of a stream in the plan of an output.
package struct Part: Identifiable, Equatable, Sendable {
  /// Identifies a part across changes of the plan: a part that keeps its ID plays on.
  package struct ID: Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
  }

  package var id: ID
  /// The source of the samples.
  package var passage: Passage
  /// The media time of its first sample.
  package var start: Duration
  /// The media time at which it ends; nil for the end of the media, which also ends it if it comes first.
  package var end: Duration?
  /// The volume, linear, 0 or more.
  package var gain: Double
  /// The greatest sample of the media, linear, above 0; 1 if it is unknown.
  ///
  /// Sums that may exceed full scale are limited.
  package var peak = 1.0
  /// The volume over the media time, in addition to ``gain``.
  package var curve: VolumeCurve?
  /// How it follows the part before it; an overlap is at most half as long as each of its two parts.
  package var join: PartJoin
  /// The fade to silence before its end, whatever follows; nil for none.
  package var fadeOut: CrossfadeShape?
  /// Whether it begins again at its end, until the plan changes.
  package var repeats: Bool

  /// Creates a part; by default, the rest of a stream at the full level.
  package init(
    id: ID, _ passage: Passage, from start: Duration = .zero, to end: Duration? = nil, gain: Double = 1,
    curve: VolumeCurve? = nil, join: PartJoin = .gapless, repeats: Bool = false
  ) {
    (self.id, self.passage, self.start, self.end) = (id, passage, start, end)
    (self.gain, self.curve, self.join, self.repeats) = (gain, curve, join, repeats)
  }
}

/// The samples of a stream after one of its seeks.
package struct Passage: Hashable, Sendable {
  package var stream: StreamToken
  /// The number of seeks before it.
  package var seek: Int

  /// Creates a passage; by default, the one from the first load of a stream.
  package init(_ stream: StreamToken, seek: Int = 0) { (self.stream, self.seek) = (stream, seek) }
}

/// Consecutive samples of a passage.
package struct Block: Sendable {
  package var passage: Passage
  package var format: PCMFormat
  /// The number of the first frame, from the start of the media.
  package var first: Int64
  /// Whole frames.
  package var bytes: [UInt8]

  /// Creates a block; nil if the bytes are not whole frames, or if the numbers of the frames exceed 2⁵³.
  package init?(_ passage: Passage, _ format: PCMFormat, first: Int64, bytes: [UInt8]) {
    guard bytes.count.isMultiple(of: format.bytesPerFrame), first.magnitude < 1 << 53 else { return nil }
    (self.passage, self.format, self.first, self.bytes) = (passage, format, first, bytes)
  }

  /// The number of frames.
  package var frames: Int64 { Int64(bytes.count / format.bytesPerFrame) }
  /// The number of the frame after the last one.
  package var end: Int64 { first + frames }
}
