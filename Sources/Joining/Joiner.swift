import Playback

/// Joins the parts of a plan into one run of samples for an output, and knows which part each sample belongs to.
///
/// An engine adds the blocks of its decks in any order and takes runs of samples with ``next(_:lead:)``. It reports how
/// far the output has played with ``heard(_:)``. The joiner is a value; it has no clock, threads or devices.
///
/// - A *part* is a range of a stream in the plan. It keeps its ID when the plan changes, so an audible part continues
///   to play.
/// - A *passage* is the media of a stream that a deck decodes after a seek. A ring buffer keeps its samples.
/// - A *frame* is one sample of each channel. Frames of the output count from 0, frames of a passage from the start of
///   the media. All frames before ``heard`` have been played, and all frames before ``written`` have been returned.
/// - A *voice* is a part that has begun, until all its frames have been played. It maps frames of the output to frames
///   of its media, and knows the level of each frame. Two voices sound in an overlap. Each repetition of a part is a
///   voice.
///
/// A change of the plan takes effect at a frame F between ``heard`` and ``written``. The joiner goes back to its state
/// before F was written, and continues from there with the new plan. It keeps samples and levels until they are played.
///
/// Invariants:
/// - The samples depend only on the plans and on the frames at which the plans change. The sizes of blocks and runs do
///   not matter, unless a deck is late for an overlap.
/// - Gapless parts lose no frame and repeat none. A late deck delays the parts after it, never a part before it.
/// - A frame that sounds alone at level 1 is copied bit for bit.
package struct Joiner: Sendable {
  /// The format of the samples that are written.
  package private(set) var format: PCMFormat
  /// The number of the next frame of the output.
  package private(set) var written: Int64 = 0
  /// The number of the frame of the output that is audible; the frames before it have been played.
  package private(set) var heard: Int64 = 0

  /// The parts that have not begun, after the part that repeats, if one does.
  private var plan: [Part] = []
  /// In the order of their starts; a voice that has been played to its end is removed.
  private var voices: [Voice] = []
  /// The newest parts that have begun, and the frames of their first starts, so that a plan that was made before is
  /// understood.
  private var begun: [(id: Part.ID, at: Int64)] = []
  private var rings: [Passage: Ring] = [:]
  /// The volume of everything; nil if it is and was 1.
  private var volume: Envelope?

  /// The longest silence for media that the deck left out; beyond that, the media after it follows at once.
  static let longestGap = Duration.seconds(2)
  /// The shortest overlap: a shorter rest of one is a gapless join.
  static let shortestOverlap = Duration.milliseconds(10)
  /// The time in which a part returns to the full level after its overlap was cancelled.
  static let recovery = Duration.milliseconds(50)
  /// The time in which the volume of a part that sounds changes.
  static let ramp = Duration.milliseconds(20)
  /// The number of parts that are remembered after their start.
  private static let memory = 32

  /// Creates a joiner for an output of a format.
  package init(_ format: PCMFormat) { self.format = format }

  // MARK: Plan

  /// Replaces the plan with the parts that are to play from a frame of the output on, the current part first.
  ///
  /// The frame is clamped to the range from ``heard`` to ``written``; the frames after it are written again. A part
  /// that has begun continues with its new values, and its volume changes within 20 ms. A part that has ended is passed
  /// over, unless it repeats. A part that is missing in the plan ends at the frame, unless it fades out into one of the
  /// plan.
  package mutating func setPlan(_ parts: [Part], from frame: Int64) {
    rewind(to: min(max(heard, frame), written))
    plan = parts
    if let latest = parts.lastIndex(where: { part in begun.contains { $0.id == part.id } }) {
      plan.removeFirst(parts[latest].repeats ? latest : latest + 1)
    }
    // The newest voice that stays; sounding voices before it fade out into it.
    let staying = voices.lastIndex { voice in voice.isSounding && parts.contains { $0.id == voice.part.id } }
    for index in voices.indices where voices[index].isSounding {
      if let part = parts.first(where: { $0.id == voices[index].part.id }) {
        voices[index].setPart(part, at: written, rate: format.rate, ramp: frames(Self.ramp))
      } else if staying.map({ index > $0 }) ?? true {
        (voices[index].ended, voices[index].isRemoved) = (written, true)
      }
    }
    if let staying, voices[staying].level.fadeOut != nil, voices[staying].part.fadeOut == nil { recover(staying) }
    endVoices()
  }

  /// Returns the first frame from ``heard`` to ``written`` at which a plan differs from the written samples; ``written`` if none
  /// does.
  ///
  /// A plan differs where a written part begins that the plan does not have there, or where the plan ends a part.
  ///
  /// If the plan changes from this frame on, samples that stay are kept as they were written. Volumes are not compared.
  package func difference(from parts: [Part]) -> Int64 {
    var next = parts.startIndex
    var difference = written
    for voice in voices where voice.ended.map({ $0 > heard }) ?? true {
      let last = next > parts.startIndex ? parts[next - 1] : nil
      if last?.id == voice.part.id, last?.repeats == true { continue }
      guard let place = parts[next...].firstIndex(where: { $0.id == voice.part.id }),
        voice.begun < heard || place == next, parts[place].passage == voice.part.passage
      else { return max(heard, min(difference, voice.begun)) }
      next = place + 1
      let end = end(of: parts[place]) ?? .max
      // One whose samples were late has ended with its fade.
      let hasEnded = voice.ended.map { ended in voice.level.fadeOut.map { $0.end > ended } ?? true } ?? false
      guard end < voice.next || hasEnded && end > voice.next else { continue }
      difference = min(difference, voice.output(of: min(end, voice.next)) ?? written)
    }
    return max(heard, difference)
  }

  /// Returns the frame at which the next part of a plan begins beside another one, if that was written without it because
  /// its samples were missing; nil otherwise.
  package func lateStart(of parts: [Part]) -> Int64? {
    guard let next = parts.first(where: { part in !begun.contains { $0.id == part.id } }),
      let ring = rings[next.passage], ring.format == format,
      case .samples = ring.content(at: format.frame(at: next.start))
    else { return nil }
    switch next.join {
    case .gapless: return nil
    case .fadeIn: return heard < written ? heard : nil
    case .overlap(let shape):
      guard let current, let part = parts.first(where: { $0.id == current.part.id }), !part.repeats,
        let end = end(of: part)
      else { return nil }
      let start = end - length(of: shape, from: current.first, to: end, next)
      return current.output(of: start).flatMap { $0 < written ? $0 : nil }
    }
  }

  /// Changes the volume of everything linearly from the next frame on; from the present volume, unless another one is given.
  package mutating func fade(from start: Double? = nil, to level: Double, over time: Duration) {
    let present = start ?? volume?.level(at: written) ?? 1
    // A smaller change takes less time.
    let length = frames(time * (level - present).magnitude)
    volume = Envelope(from: present, to: level, start: written, length: max(1, length))
  }

  /// The frame at which the last change of the volume ends; nil if the volume has not been changed.
  package var fadeEnd: Int64? { volume?.end }

  /// Returns a voice to the full level.
  private mutating func recover(_ index: Int) {
    let (level, start) = (voices[index].level, written)
    let reached = (level.fadeIn?.level(at: start) ?? 1) * (level.fadeOut?.level(at: start) ?? 1)
    let recovery = Envelope(from: reached, to: 1, start: start, length: max(1, frames(Self.recovery)))
    voices[index].setLevel(at: start) { ($0.fadeIn, $0.fadeOut) = (recovery, nil) }
  }

  /// Returns to the state before a frame was written.
  private mutating func rewind(to frame: Int64) {
    for voice in voices where voice.begun >= frame { begun.removeAll { $0.id == voice.part.id && $0.at >= frame } }
    voices.removeAll { $0.begun >= frame }
    for index in voices.indices { voices[index].rewind(to: frame) }
    written = frame
  }

  // MARK: Decks

  /// Adds samples of a deck; returns false, without adding them, if the earlier ones of the passage have another
  /// format.
  @discardableResult package mutating func append(_ block: Block) -> Bool {
    rings[block.passage, default: Ring()].append(block)
  }

  /// Notes that a deck has decoded a passage to the end of its media.
  package mutating func finish(_ passage: Passage) {
    rings[passage, default: Ring()].finish()
    endVoices()
  }

  /// Discards the samples of a passage, for example because its deck is closed.
  package mutating func discard(_ passage: Passage) { rings[passage] = nil }

  /// The next frame of each passage that will be written; the frames before it were written, or are left out.
  package var next: [Passage: Int64] {
    var next: [Passage: Int64] = [:]
    for voice in voices where voice.isSounding && !voice.part.repeats {
      next[voice.part.passage] = min(next[voice.part.passage] ?? .max, voice.next)
    }
    return next
  }

  /// The number of frames of a passage that are kept.
  package func frames(of passage: Passage) -> Int64 { rings[passage]?.frames ?? 0 }

  // MARK: Output

  /// Writes the next samples, at most `limit` frames and at least one.
  ///
  /// A part begins only when at most `lead` frames have been written and not played: the latency of the output, and
  /// time for an edit. An edit before that costs nothing.
  ///
  /// If several parts have begun, the parts whose samples are missing are left out, unless `isPatient`.
  package mutating func next(_ limit: Int64, lead: Int64 = .max, isPatient: Bool = false) -> Step {
    while true {
      endVoices()
      var limit = max(1, limit)
      var obstacle: Step?
      switch nextStart() {
      case .none: break
      case .at(let frame) where frame > written: limit = min(limit, frame - written)
      case .at, .now:
        obstacle = begin(lead: lead)
        if obstacle == nil { continue }
        // An overlap that is late does not delay the part before it; one that is held back does.
        if case .holding(let frame) = obstacle { return .holding(until: frame) }
      }
      if isPatient, let missing { return .waiting(missing) }
      if let bytes = write(limit) {
        endVoices()
        return .samples(bytes)
      }
      if endsVoice { continue }
      if let current, current.isSounding { return .waiting(current.part.passage) }
      if let obstacle { return obstacle }
      return voices.last { $0.isSounding }.map { .waiting($0.part.passage) } ?? .ended
    }
  }

  /// Continues in another format when all frames in the old format have been played; returns the events of those
  /// frames.
  @discardableResult package mutating func reopened(_ format: PCMFormat) -> [Event] {
    let events = heard(written)
    self.format = format
    return events
  }

  /// The passage of the next part and the format of the one before it, if both are to sound together and their formats differ.
  ///
  /// They do only if its deck converts it, from its first sample to its last; otherwise it follows gaplessly. So nil also if its own format
  /// is clearly better.
  package var conversion: (passage: Passage, format: PCMFormat)? {
    let isSounding = current?.isSounding ?? false
    let before = isSounding ? format : plan.first.flatMap { rings[$0.passage]?.format }
    guard let before, let next = plan.dropFirst(isSounding ? 0 : 1).first, next.join != .gapless,
      let found = rings[next.passage]?.format, found != before, before.carries(found)
    else { return nil }
    return (next.passage, before)
  }

  /// Notes that a frame of the output is audible, and returns the parts that have begun and ended since the last call.
  ///
  /// All frames before it have been played. A part has begun when its first frame has been played, and has ended when
  /// all its frames have been played. The frame is limited to ``written``.
  @discardableResult package mutating func heard(_ frame: Int64) -> [Event] {
    heard = min(max(heard, frame), written)
    var events: [(frame: Int64, event: Event)] = []
    for index in voices.indices {
      let voice = voices[index]
      if !voice.isStartReported, voice.reportsStart <= heard {
        voices[index].isStartReported = true
        events.append((voice.begun, .began(voice.part.id, at: format.time(at: voice.first))))
      }
      if let ended = voice.ended, ended <= heard {
        events.append((ended, .ended(voice.part.id, at: format.time(at: voice.next))))
      }
    }
    voices.removeAll { $0.ended.map { $0 <= heard } ?? false }
    free()
    return events.sorted { $0.frame < $1.frame }.map(\.event)
  }

  /// The smallest frame, from the audible one on, for which ``heard(_:)`` returns an event; nil while
  /// more must be written first.
  package var nextEvent: Int64? {
    voices.lazy.compactMap { $0.isStartReported ? $0.ended : $0.reportsStart }.min()
  }

  /// Returns the media time of a part at a frame of the output from ``heard`` on; nil if it does not sound there.
  package func position(of part: Part.ID, at frame: Int64) -> Duration? {
    let voice = voices.last { $0.part.id == part && $0.begun <= frame && $0.ended.map { $0 > frame } ?? true }
    return voice?.media(at: frame).map { format.time(at: $0) }
  }
}

// MARK: The next part

extension Joiner {
  private enum Start {
    /// Nothing follows, or its start is not known yet.
    case none
    /// At a frame of the output.
    case at(Int64)
    /// Nothing else sounds, or only parts that fade out.
    case now
  }

  /// Returns when the next part begins.
  private func nextStart() -> Start {
    guard let next = plan.first else { return .none }
    guard let current, current.isSounding else { return .now }
    if case .fadeIn = next.join { return .now }
    guard !current.part.repeats, case .overlap(let shape) = next.join, let end = end(of: current.part) else {
      return .none
    }
    if let format = rings[next.passage]?.format, format != self.format { return .none }
    // Media without a sample follows the end.
    if let ring = rings[next.passage], ring.format == nil, ring.end != nil { return .none }
    let length = length(of: shape, from: current.first, to: end, next)
    let rest = end - current.next
    // It may be too late for all of the overlap, because of an edit or because the samples come late.
    guard min(length, rest) >= frames(Self.shortestOverlap) else { return .none }
    return .at(written + max(0, rest - length))
  }

  /// Returns the number of frames in which a part, from one frame of its media to another one, and the next one overlap.
  private func length(of shape: CrossfadeShape, from first: Int64, to end: Int64, _ next: Part) -> Int64 {
    let length = min(frames(shape.length), (end - first) / 2)
    guard rings[next.passage]?.format != nil, let last = self.end(of: next) else { return length }
    return min(length, (last - format.frame(at: next.start)) / 2)
  }

  /// The newest voice that no change of the plan has ended.
  private var newest: Int? { voices.lastIndex { !$0.isRemoved } }

  private var current: Voice? { newest.map { voices[$0] } }

  /// Begins the next part; returns the obstacle if that is not possible yet.
  private mutating func begin(lead: Int64) -> Step? {
    guard let part = plan.first else { return .ended }
    guard let ring = rings[part.passage], let format = ring.format else {
      guard rings[part.passage]?.end != nil else { return .waiting(part.passage) }
      // The media is empty.
      var voice = Voice(part, from: self.format.frame(at: part.start), at: written)
      voice.ended = written
      add(voice)
      return nil
    }
    if written - heard > lead { return .holding(until: written - lead) }
    var first = format.frame(at: part.start)
    switch ring.content(at: first) {
    case .samples: break
    // A stream whose first sample is later begins with it.
    case .gap(let frames): first += frames
    case .nothing where ring.end == nil: return .waiting(part.passage)
    case .nothing: break
    }
    guard format == self.format else { return .reopening(format) }
    add(Voice(part, from: first, at: written, fadeIn: fadeIn(of: part)))
    return nil
  }

  /// Returns the fade-in of the next part, for which the part before it begins to fade out if they overlap.
  private mutating func fadeIn(of part: Part) -> Envelope? {
    let start = written
    switch part.join {
    case .gapless: return nil
    case .fadeIn(let shape):
      return Envelope(from: 0, to: 1, curve: shape.curve, start: start, length: max(1, frames(shape.length)))
    case .overlap(let shape):
      guard let newest, voices[newest].isSounding, let end = end(of: voices[newest].part) else { return nil }
      let length = end - voices[newest].next
      fadeOut(newest, over: length, shape.curve)
      return Envelope(from: 0, to: 1, curve: shape.curve, start: start, length: length)
    }
  }

  /// Lets a voice fade out from the next frame on.
  private mutating func fadeOut(_ index: Int, over length: Int64, _ curve: Player.CrossfadeCurve) {
    let start = written
    voices[index].setLevel(at: start) {
      $0.fadeOut = Envelope(from: 1, to: 0, curve: curve, start: start, length: length)
    }
  }

  /// Begins the fade-outs of parts that are due; returns the number of frames until the next one is, at most a limit.
  private mutating func beginFadeOuts(_ limit: Int64) -> Int64 {
    var limit = limit
    for index in voices.indices where voices[index].isSounding && voices[index].level.fadeOut == nil {
      guard let shape = voices[index].part.fadeOut, let end = end(of: voices[index].part) else { continue }
      let rest = end - voices[index].next
      let wait = rest - frames(shape.length)
      if wait > 0 { limit = min(limit, wait) } else if rest > 0 { fadeOut(index, over: rest, shape.curve) }
    }
    return limit
  }

  /// Makes the first part of the plan a voice.
  private mutating func add(_ voice: Voice) {
    // A range without a sample would repeat without end.
    let isEmpty = end(of: voice.part).map { $0 <= voice.first } ?? false
    if !voice.part.repeats || isEmpty { plan.removeFirst() }
    voices.append(voice)
    guard !begun.contains(where: { $0.id == voice.part.id }) else { return }
    begun.append((voice.part.id, voice.begun))
    if begun.count > Self.memory { begun.removeFirst() }
  }
}

// MARK: Samples

extension Joiner {
  /// Writes frames of all voices that have some; nil if none has.
  private mutating func write(_ limit: Int64) -> [UInt8]? {
    var count = beginFadeOuts(limit)
    var sources: [(index: Int, isSilent: Bool)] = []
    for index in voices.indices where voices[index].isSounding {
      // A voice whose samples are late, or were and are too many now, ends with its fade.
      if let fadeOut = voices[index].level.fadeOut { count = min(count, fadeOut.end - written) }
      guard let (frames, isSilent) = available(index), frames > 0 else { continue }
      count = min(count, frames)
      sources.append((index, isSilent))
    }
    guard let first = sources.first else { return nil }
    let voice = voices[first.index]
    let bytes =
      if sources.count == 1, !first.isSilent, voice.isExact(count, at: written, format: format),
        volume.map({ $0.end <= written && $0.to == 1 }) ?? true,
        let ring = rings[voice.part.passage]
      { ring.bytes(voice.next..<voice.next + count) } else { mix(sources, count) }
    for source in sources { voices[source.index].write(count, at: written) }
    written += count
    return bytes
  }

  /// The passage that a voice waits for because its samples are missing; nil if no voice waits.
  ///
  /// A voice that has ended or fades out does not wait.
  private var missing: Passage? {
    mutating get {
      for index in voices.indices where voices[index].isSounding && voices[index].level.fadeOut == nil {
        if !isOver(voices[index]), available(index) == nil { return voices[index].part.passage }
      }
      return nil
    }
  }

  /// Returns how many frames of a voice follow, and whether they are silence for media that was left out; nil if its
  /// deck has not decoded them.
  private mutating func available(_ index: Int) -> (frames: Int64, isSilent: Bool)? {
    guard let ring = rings[voices[index].part.passage], ring.format == format else { return nil }
    let rest = end(of: voices[index].part).map { $0 - voices[index].next } ?? .max
    switch ring.content(at: voices[index].next) {
    case .samples(let frames): return (min(frames, rest), false)
    case .gap(let frames) where frames <= self.frames(Self.longestGap): return (min(frames, rest), true)
    case .gap(let frames):
      voices[index].skip(to: voices[index].next + min(frames, rest))
      return frames < rest ? available(index) : nil
    case .nothing: return nil
    }
  }

  /// Returns the limited sum of the next frames of voices.
  private func mix(_ sources: [(index: Int, isSilent: Bool)], _ count: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(count) * format.bytesPerFrame)
    // The numbers of a piece stay in the cache.
    for first in stride(from: 0, to: count, by: 1_024) {
      mix(sources, first..<min(first + 1_024, count), into: &bytes)
    }
    return bytes
  }

  /// Appends some of the next frames, which count from the first of them.
  private func mix(_ sources: [(index: Int, isSilent: Bool)], _ frames: Range<Int64>, into bytes: inout [UInt8]) {
    let channels = format.channels
    var sum = [Double](repeating: 0, count: frames.count * channels)
    var greatest = [Double](repeating: 0, count: frames.count)
    for (index, _) in sources {
      let voice = voices[index]
      let media = voice.next + frames.lowerBound..<voice.next + frames.upperBound
      let levels = voice.levels(media, at: written + frames.lowerBound, rate: format.rate)
      for frame in levels.indices { greatest[frame] += levels[frame] * voice.level.peak }
      // A gap has nothing to read.
      var frame = 0
      rings[voice.part.passage]?.read(media) { piece in
        let end = frame + piece.count / format.bytesPerFrame
        format.add(piece, scaledBy: levels[frame..<end], to: &sum, at: frame)
        frame = end
      }
    }
    // The levels of the linear curve are 1 together, except for their last bit.
    for frame in greatest.indices where greatest[frame] > 1 + 1e-9 {
      for sample in frame * channels..<(frame + 1) * channels {
        sum[sample] = limited(sum[sample], greatest: greatest[frame])
      }
    }
    if let volume {
      for frame in 0..<frames.count {
        let level = volume.level(at: written + frames.lowerBound + Int64(frame))
        for sample in frame * channels..<(frame + 1) * channels { sum[sample] *= level }
      }
    }
    bytes += format.encoding.pack(sum)
  }

  // MARK: Ends

  /// Returns the frame of its media at which a part ends; nil while unknown.
  private func end(of part: Part) -> Int64? {
    guard let media = rings[part.passage]?.end else { return part.end.map { format.frame(at: $0) } }
    return part.end.map { min(format.frame(at: $0), media) } ?? media
  }

  private func isOver(_ voice: Voice) -> Bool {
    voice.level.fadeOut.map { $0.end <= written } ?? false || end(of: voice.part).map { $0 <= voice.next } ?? false
  }

  /// Whether a voice that sounds has reached its end.
  private var endsVoice: Bool { voices.contains { $0.isSounding && isOver($0) } }

  private mutating func endVoices() {
    for index in voices.indices where voices[index].isSounding && isOver(voices[index]) {
      voices[index].ended = written
    }
  }

  private func frames(_ time: Duration) -> Int64 { format.frame(at: time) }

  /// Discards the samples that are not needed any more, even after a change of the plan at the audible frame.
  private mutating func free() {
    var needed: [Passage: Int64] = [:]
    func need(_ passage: Passage, from frame: Int64) { needed[passage] = min(needed[passage] ?? .max, frame) }
    for voice in voices { need(voice.part.passage, from: voice.media(at: heard) ?? voice.first) }
    for part in plan {
      guard let format = rings[part.passage]?.format else { continue }
      need(part.passage, from: format.frame(at: part.start))
    }
    for (passage, frame) in needed { rings[passage]?.free(before: frame) }
  }
}

extension Joiner {
  /// The result of ``Joiner/next(_:lead:)``.
  package enum Step: Equatable, Sendable {
    /// The next samples of the output, interleaved.
    case samples([UInt8])
    /// Samples of this passage are needed, and its deck has not decoded them.
    case waiting(Passage)
    /// The next part begins too far ahead of the audible sample: continues when this frame is audible.
    case holding(until: Int64)
    /// The next part has another format: continues after ``Joiner/reopened(_:)``, when all frames have been played.
    case reopening(PCMFormat)
    /// Nothing is left of the plan.
    case ended
  }

  /// An event of the output that a listener can notice.
  package enum Event: Equatable, Sendable {
    /// A part is audible from this media time on.
    case began(Part.ID, at: Duration)
    /// The last sample of a part was audible; its media ended at this time.
    case ended(Part.ID, at: Duration)
  }
}
