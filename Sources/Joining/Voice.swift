import Playback

/// A part that sounds, or whose samples have been written and not all heard; each repetition is another voice.
struct Voice: Sendable {
  /// Frames that were written without a break: frame `media` of the part is frame `output` of the output.
  struct Span: Sendable {
    var output: Int64
    var media: Int64
    var frames: Int64
    var fadeIn: Envelope?
    var fadeOut: Envelope?

    var outputEnd: Int64 { output + frames }
    var mediaEnd: Int64 { media + frames }
  }

  var part: Part
  /// The frame of the output at which it begins.
  let begun: Int64
  /// The first frame of its media.
  let first: Int64
  private(set) var spans: [Span] = []
  /// The next frame of the media.
  private(set) var next: Int64
  /// The frame of the output at which it has ended; nil while it sounds.
  var ended: Int64?
  /// Whether a change of the plan ended it.
  var isRemoved = false
  var fadeIn: Envelope?
  var fadeOut: Envelope?
  /// Whether its start and its end have been reported.
  var isReported = (start: false, end: false)

  init(_ part: Part, from first: Int64, at begun: Int64) {
    (self.part, self.first, self.next, self.begun) = (part, first, first, begun)
  }

  var isSounding: Bool { ended == nil }

  /// The frame of the output that reports its start when it is audible: the one after its first, so that this has been
  /// heard, or its end if it has no samples.
  var reportsStart: Int64 { min(begun + 1, ended ?? .max) }

  /// Returns the level of the fades at a frame of the output.
  func level(at frame: Int64) -> Double {
    (fadeIn?.level(at: frame) ?? 1) * (fadeOut?.level(at: frame) ?? 1)
  }

  /// Notes that frames are written at a frame of the output.
  mutating func write(_ frames: Int64, at output: Int64) {
    if var last = spans.last, last.outputEnd == output, last.mediaEnd == next, last.fadeIn == fadeIn,
      last.fadeOut == fadeOut
    {
      last.frames += frames
      spans[spans.count - 1] = last
    } else {
      spans.append(Span(output: output, media: next, frames: frames, fadeIn: fadeIn, fadeOut: fadeOut))
    }
    next += frames
  }

  /// Continues at a later frame of the media.
  mutating func skip(to frame: Int64) { next = frame }

  /// Returns to the state before a frame of the output was written; its part and its media stay.
  mutating func rewind(to frame: Int64) {
    if let ended, ended > frame { self.ended = nil }
    let hadSpans = !spans.isEmpty
    spans.removeAll { $0.output >= frame }
    guard var span = spans.last else { return next = hadSpans ? first : next }
    let isCut = span.outputEnd > frame
    span.frames = min(span.frames, frame - span.output)
    spans[spans.count - 1] = span
    // Fades that began at or after the frame begin again, or not at all.
    if isCut || fadeOut.map({ $0.start >= frame }) ?? false { (fadeIn, fadeOut) = (span.fadeIn, span.fadeOut) }
    next = span.mediaEnd
  }

  /// Returns the frame of the media at a frame of the output; nil before the first one.
  func media(at output: Int64) -> Int64? {
    guard let span = spans.last(where: { $0.output <= output }) else { return nil }
    return span.media + min(output - span.output, span.frames)
  }

  /// Discards the spans that were heard before a frame of the output.
  mutating func forget(before frame: Int64) {
    if let index = spans.lastIndex(where: { $0.output <= frame }), index > 0 { spans.removeFirst(index) }
  }
}
