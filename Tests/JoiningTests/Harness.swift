import Joining
import Playback

/// Decks that decode on demand, a plan, and an output, all without time; the samples are 16-bit mono at 1,000 Hz, so a
/// frame is a millisecond.
struct Harness {
  var joiner = Joiner(Self.format)
  /// The samples of the output since the last change of the plan before them.
  private(set) var output: [Int16] = []

  static let format = PCMFormat(.int16, rate: 1_000, channels: 1).required

  /// The passage of a stream.
  static func passage(_ stream: UInt64, seek: Int = 0) -> Passage { Passage(StreamToken(number: stream), seek: seek) }

  /// The sample that every stream of the tests has at a frame: different streams and frames differ.
  static func sample(_ stream: UInt64, _ frame: Int64) -> Int16 {
    Int16(truncatingIfNeeded: Int64(stream) * 4_000 + frame)
  }

  /// The samples of a stream.
  static func samples(_ stream: UInt64, _ frames: Range<Int64>) -> [Int16] { frames.map { sample(stream, $0) } }

  /// Adds the samples of a stream.
  mutating func decode(
    _ stream: UInt64, _ frames: Range<Int64>, seek: Int = 0, ends: Bool = false, in format: PCMFormat = format
  ) {
    decode(Self.samples(stream, frames), of: stream, at: frames.lowerBound, seek: seek, ends: ends, in: format)
  }

  /// Adds samples to a stream.
  mutating func decode(
    _ samples: [Int16], of stream: UInt64, at first: Int64 = 0, seek: Int = 0, ends: Bool = false,
    in format: PCMFormat = format
  ) {
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    if let block = Block(Self.passage(stream, seek: seek), format, first: first, bytes: bytes) { joiner.append(block) }
    if ends { joiner.finish(Self.passage(stream, seek: seek)) }
  }

  /// Replaces the plan from a frame of the output on.
  mutating func plan(_ parts: [Part], from frame: Int64? = nil) {
    joiner.setPlan(parts, from: frame ?? joiner.written)
    output.removeLast(output.count - Int(joiner.written))
  }

  /// Writes up to some frames, or everything, in runs of at most `step` frames; returns what stopped it.
  @discardableResult mutating func write(_ frames: Int64 = .max, step: Int64 = 1_000, lead: Int64 = .max) -> Joiner
    .Step?
  {
    var rest = frames
    while rest > 0 {
      let result = joiner.next(min(step, rest), lead: lead)
      guard case .samples(let bytes) = result else { return result }
      rest -= Int64(bytes.count / 2)
      output += stride(from: 0, to: bytes.count, by: 2).map {
        Int16(truncatingIfNeeded: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
      }
    }
    return nil
  }
}

extension Joiner {
  /// Returns the part with the greatest number at a frame of the output, and its media time there.
  func position(at frame: Int64) -> (part: Part.ID, time: Duration)? {
    for number in (1...64 as ClosedRange<UInt64>).reversed() {
      if let time = position(of: Part.ID(number), at: frame) { return (Part.ID(number), time) }
    }
    return nil
  }
}

extension Optional {
  /// The value; the tests give constants only.
  var required: Wrapped {
    guard let self else { preconditionFailure("a constant of the tests is invalid") }
    return self
  }
}

extension Part {
  /// A part whose ID is the number of its stream.
  init(
    _ stream: UInt64, id: UInt64? = nil, seek: Int = 0, from start: Int = 0, to end: Int? = nil, gain: Double = 1,
    curve: VolumeCurve? = nil, overlap: Int? = nil, _ shape: Player.CrossfadeCurve = .linear, repeats: Bool = false
  ) {
    self.init(
      id: ID(id ?? stream), Harness.passage(stream, seek: seek), from: .milliseconds(start),
      to: end.map { .milliseconds($0) }, gain: gain, curve: curve,
      join: overlap.map { .overlap(CrossfadeShape(length: .milliseconds($0), curve: shape)) } ?? .gapless,
      repeats: repeats)
  }
}

/// A generator of random numbers that repeats a run from its seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
