import Playback

/// A part that has begun, until all its frames have been played; each repetition is another voice.
struct Voice: Sendable {
  /// Frames that were written without a break: frame `media` of the part is frame `output` of the output.
  private struct Span: Sendable {
    var output: Int64
    var media: Int64
    var frames: Int64
  }

  /// The volume from a frame of the output on.
  struct Level: Equatable, Sendable {
    /// The frame.
    var from: Int64
    var gain: Double
    /// The greatest sample of the media.
    var peak: Double
    var curve: VolumeCurve?
    /// Is added to the product of both, so that a change of them is not a step.
    var correction: Envelope?
    var fadeIn: Envelope?
    var fadeOut: Envelope?
  }

  private(set) var part: Part
  /// The frame of the output at which it begins.
  let begun: Int64
  /// The first frame of its media.
  let first: Int64
  /// The next frame of the media.
  private(set) var next: Int64
  /// Sorted; the last one may be extended.
  private var spans: [Span] = []
  /// Sorted, and at least one; the last one is in effect.
  private var levels: [Level]
  /// The frame of the output at which it has ended; nil while it sounds.
  var ended: Int64?
  /// Whether a change of the plan ended it.
  var isRemoved = false
  var isStartReported = false

  init(_ part: Part, from first: Int64, at begun: Int64, fadeIn: Envelope? = nil) {
    (self.part, self.first, self.next, self.begun) = (part, first, first, begun)
    levels = [Level(from: begun, gain: part.gain, peak: part.peak, curve: part.curve, fadeIn: fadeIn)]
  }

  var isSounding: Bool { ended == nil }

  /// The frame of the output that reports its start when it is audible: the frame after its first one, or its end if it
  /// is empty.
  var reportsStart: Int64 { min(begun + 1, ended ?? .max) }

  // MARK: Samples

  /// Notes that frames are written at a frame of the output.
  mutating func write(_ frames: Int64, at output: Int64) {
    if let last = spans.last, last.output + last.frames == output, last.media + last.frames == next {
      spans[spans.count - 1].frames += frames
    } else {
      spans.append(Span(output: output, media: next, frames: frames))
    }
    next += frames
  }

  /// Continues at a later frame of the media.
  mutating func skip(to frame: Int64) { next = frame }

  /// Returns to the state before a later frame than its first was written; its part and its media stay.
  mutating func rewind(to frame: Int64) {
    if let ended, ended >= frame { (self.ended, isRemoved) = (nil, false) }
    levels.removeAll { $0.from >= frame }
    spans.removeAll { $0.output >= frame }
    guard let last = spans.last else { return }
    let frames = min(last.frames, frame - last.output)
    spans[spans.count - 1].frames = frames
    next = last.media + frames
  }

  /// Returns the frame of the media at a frame of the output; nil before the first one.
  func media(at output: Int64) -> Int64? {
    guard let span = spans.last(where: { $0.output <= output }) else { return nil }
    return span.media + min(output - span.output, span.frames)
  }

  /// Returns the frame of the output at which a frame of the media was written, or the one after the last.
  func output(of media: Int64) -> Int64? {
    spans.last { $0.media <= media && media <= $0.media + $0.frames }.map { $0.output + media - $0.media }
  }

  // MARK: Levels

  var level: Level { levels[levels.count - 1] }

  /// Changes the level from the next frame of the output on.
  mutating func setLevel(at output: Int64, _ change: (inout Level) -> Void) {
    var level = level
    change(&level)
    level.from = output
    levels.append(level)
  }

  /// Replaces the part, whose range and level change from the next frame of the output on.
  ///
  /// A step in the gain of an audible part would click, so its level changes within `ramp` frames.
  mutating func setPart(_ part: Part, at output: Int64, rate: Int, ramp: Int64) {
    self.part = part
    guard level.gain != part.gain || level.peak != part.peak || level.curve != part.curve else { return }
    let before = volumes(next..<next + 1, at: output, rate: rate)[0]
    setLevel(at: output) {
      ($0.gain, $0.peak, $0.curve, $0.correction) = (part.gain, part.peak, part.curve, nil)
    }
    let step = before - volumes(next..<next + 1, at: output, rate: rate)[0]
    if step != 0 { setLevel(at: output) { $0.correction = Envelope(from: step, to: 0, start: output, length: ramp) } }
  }

  /// Whether the next frames are written as they are.
  func isExact(_ frames: Int64, at output: Int64, format: PCMFormat) -> Bool {
    let changes = max(level.correction?.end ?? 0, level.fadeIn?.end ?? 0)
    guard level.gain == 1, level.fadeOut == nil, changes <= output else { return false }
    guard let curve = level.curve else { return true }
    return curve.isFull(from: format.time(at: next), to: format.time(at: next + frames))
  }

  /// Returns the levels of frames of the media that are written at a frame of the output.
  func levels(_ media: Range<Int64>, at output: Int64, rate: Int) -> [Double] {
    var levels = volumes(media, at: output, rate: rate)
    level.fadeIn?.scale(&levels, at: output)
    level.fadeOut?.scale(&levels, at: output)
    return levels
  }

  /// Returns the levels without the fades.
  private func volumes(_ media: Range<Int64>, at output: Int64, rate: Int) -> [Double] {
    var volumes = [Double](repeating: level.gain, count: media.count)
    level.curve?.scale(&volumes, from: media.lowerBound, rate: rate)
    if let correction = level.correction, correction.end > output {
      for index in volumes.indices {
        volumes[index] = max(0, volumes[index] + correction.level(at: output + Int64(index)))
      }
    }
    return volumes
  }
}
