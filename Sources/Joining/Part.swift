package import Playback

/// A stretch of a stream in the plan of an output.
package struct Part: Identifiable, Codable, Equatable, Sendable {
  /// Identifies a part across changes of the plan: a part that keeps its ID plays on.
  package struct ID: Codable, Hashable, Sendable {
    package var number: UInt64
    package init(_ number: UInt64) { self.number = number }
  }

  package var id: ID
  /// The source of the samples.
  package var passage: Passage
  /// The media time of its first sample.
  package var start: Duration
  /// The part of the same passage that it continues: it begins where that one was audible last, if it was; nil for none.
  package var continues: ID?
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
package struct Passage: Codable, Hashable, Sendable {
  package var stream: StreamToken
  /// The number of seeks before it.
  package var seek: Int

  /// Creates a passage; by default, the one from the first load of a stream.
  package init(_ stream: StreamToken, seek: Int = 0) { (self.stream, self.seek) = (stream, seek) }
}

/// The memory of samples, which is free for others after the last reference.
package protocol SampleMemory: AnyObject, Sendable {
  /// The number of bytes.
  var count: Int { get }
  /// Returns a copy of bytes; the range is within the memory.
  func bytes(_ range: Range<Int>) -> [UInt8]
}

/// Consecutive samples of a passage.
package struct Block: Sendable {
  private enum Storage {
    case array([UInt8])
    case memory(any SampleMemory)
  }

  package var passage: Passage
  package let format: PCMFormat
  /// The number of the first frame, from the start of the media.
  package private(set) var first: Int64
  private let storage: Storage
  /// The bytes of the storage that belong to the block: whole frames.
  private var range: Range<Int>

  /// Creates a block; nil if the bytes are not whole frames, or if the numbers of the frames exceed 2⁵³.
  package init?(_ passage: Passage, _ format: PCMFormat, first: Int64, bytes: [UInt8]) {
    self.init(passage, format, first: first, .array(bytes), count: bytes.count)
  }

  /// Creates a block that keeps a reference to its memory; nil as for an array.
  package init?(_ passage: Passage, _ format: PCMFormat, first: Int64, memory: any SampleMemory) {
    self.init(passage, format, first: first, .memory(memory), count: memory.count)
  }

  private init?(_ passage: Passage, _ format: PCMFormat, first: Int64, _ storage: Storage, count: Int) {
    guard count >= 0, count.isMultiple(of: format.bytesPerFrame), first.magnitude < 1 << 53 else { return nil }
    (self.passage, self.format, self.first, self.storage, range) = (passage, format, first, storage, 0..<count)
  }

  /// The number of frames.
  package var frames: Int64 { Int64(range.count / format.bytesPerFrame) }
  /// The number of the frame after the last one.
  package var end: Int64 { first + frames }

  /// All bytes; an array is not copied, unless some of its frames were dropped.
  package var bytes: [UInt8] { bytes(first..<end) }

  /// Returns the bytes of the given frames, as far as the block contains them; a whole array is not copied.
  package func bytes(_ frames: Range<Int64>) -> [UInt8] {
    let range = offsets(of: frames)
    switch storage {
    case .array(let bytes): return range == bytes.indices ? bytes : Array(bytes[range])
    case .memory(let memory): return memory.bytes(range)
    }
  }

  /// Returns the bytes of the given frames, as far as the block contains them; an array is not copied.
  func slice(_ frames: Range<Int64>) -> ArraySlice<UInt8> {
    let range = offsets(of: frames)
    switch storage {
    case .array(let bytes): return bytes[range]
    case .memory(let memory): return memory.bytes(range)[...]
    }
  }

  /// Drops the frames before a number; copies nothing.
  package mutating func drop(before frame: Int64) {
    guard frame > first else { return }
    range = offsets(of: min(frame, end)..<end)
    first = frame
  }

  /// Drops the frames from a number on; copies nothing.
  mutating func drop(from frame: Int64) { range = offsets(of: first..<max(first, min(frame, end))) }

  /// Returns where the frames are in the storage.
  private func offsets(of frames: Range<Int64>) -> Range<Int> {
    let part = frames.clamped(to: first..<end)
    let size = format.bytesPerFrame
    let start = range.lowerBound + Int(part.lowerBound - first) * size
    return start..<start + part.count * size
  }
}
