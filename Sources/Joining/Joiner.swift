import Playback

/// Writes the parts of a plan as one run of samples for an output, and knows which sample belongs to which part.
///
/// It is a value without a clock, threads or devices. An engine adds the blocks of its decks in any order, takes runs of
/// samples with ``next(_:lead:)``, and says how much of them has been heard. Frames of the output count from 0 and are
/// never reused, except after a change of the plan: the frames from the change on are then written again.
///
/// - A sample at the full level that sounds alone is copied, and stays exact to the bit.
/// - A part whose samples are late delays what follows it, and never what precedes it.
/// - A sample is kept until it has been heard, so every edit can take effect from the audible sample on.
package struct Joiner: Sendable {
  /// The format of the samples that are written.
  package private(set) var format: PCMFormat
  /// The number of the next frame of the output.
  package private(set) var written: Int64 = 0
  /// The number of the frame of the output that is audible.
  package private(set) var heard: Int64 = 0

  /// The parts that have not begun.
  private var plan: [Part] = []
  /// In the order of their starts; those that have been heard to their ends are removed.
  private var voices: [Voice] = []
  /// The newest parts that have begun, so that a plan that was made before is understood.
  private var begun: [Part.ID] = []
  private var rings: [Passage: Ring] = [:]

  /// The longest silence for media that the deck left out; beyond that, the media after it follows at once.
  static let longestGap = Duration.seconds(2)
  /// The shortest overlap: a shorter rest of one is a gapless join.
  static let shortestOverlap = Duration.milliseconds(10)
  /// The time in which a part returns to the full level after its overlap was cancelled.
  static let recovery = Duration.milliseconds(50)
  /// The number of parts that are remembered after their start.
  private static let memory = 32

  /// Creates a joiner for an output of a format.
  package init(_ format: PCMFormat) { self.format = format }

  // MARK: Plan

  /// Replaces the plan: the parts that are to be heard from a frame of the output on, the current one first.
  ///
  /// The frame is limited to those that have been written and not heard; what was written from there on is written again. A
  /// part that has begun continues with its new values, and one that has ended is passed over. A part that is missing in the
  /// plan ends at the frame, unless it fades out into one of the plan.
  package mutating func setPlan(_ parts: [Part], from frame: Int64) {
    rewind(to: min(max(heard, frame), written))
    let known = parts.lastIndex { begun.contains($0.id) }
    plan = Array(parts[(known.map { $0 + 1 } ?? 0)...])
    // The newest voice that stays; those before it that sound fade out into it.
    let staying = voices.lastIndex { voice in voice.isSounding && parts.contains { $0.id == voice.part.id } }
    for index in voices.indices where voices[index].isSounding {
      if let part = parts.first(where: { $0.id == voices[index].part.id }) {
        voices[index].part = part
      } else if staying.map({ index > $0 }) ?? true {
        (voices[index].ended, voices[index].isRemoved) = (written, true)
      }
    }
    if let staying, voices[staying].fadeOut != nil { recover(staying) }
    voices.removeAll { $0.begun == $0.ended }
    free()
  }

  /// Returns a voice to the full level.
  private mutating func recover(_ index: Int) {
    let level = voices[index].level(at: written)
    voices[index].fadeOut = nil
    voices[index].fadeIn = level < 1 ? envelope(.recovery(from: level), lasting: frames(Self.recovery)) : nil
  }

  private mutating func rewind(to frame: Int64) {
    guard frame < written else { return }
    for voice in voices where voice.begun >= frame { begun.removeAll { $0 == voice.part.id } }
    voices.removeAll { $0.begun >= frame }
    for index in voices.indices { voices[index].rewind(to: frame) }
    // Another repetition of a part may have begun before.
    for voice in voices where !begun.contains(voice.part.id) { begun.append(voice.part.id) }
    written = frame
  }

  // MARK: Decks

  /// Adds samples of a deck; returns false, without adding them, if the earlier ones of the passage have another format.
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

  /// The number of frames of a passage that are kept.
  package func frames(of passage: Passage) -> Int64 { rings[passage]?.frames ?? 0 }

  // MARK: Output

  /// Writes the next samples, at most `limit` frames and at least one.
  ///
  /// A part begins only when at most `lead` frames have been written and not heard, the latency of the output and the time of
  /// an edit. An edit before that costs nothing.
  package mutating func next(_ limit: Int64, lead: Int64 = .max) -> Step {
    guard limit > 0 else { return .holding(until: written) }
    while true {
      endVoices()
      var limit = limit
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
      if let bytes = write(limit) {
        endVoices()
        return .samples(bytes)
      }
      if endsVoice { continue }
      if let obstacle { return obstacle }
      return voices.last { $0.isSounding }.map { .waiting($0.part.passage) } ?? .ended
    }
  }

  /// Continues with another format, after all frames in the former one have been heard; returns what that has ended.
  @discardableResult package mutating func reopened(_ format: PCMFormat) -> [Event] {
    let events = heard(written)
    self.format = format
    return events
  }

  /// The passage of the next part, if that is to overlap and its samples are in another format.
  ///
  /// It overlaps only if its deck converts it, from its first sample on; otherwise it follows gaplessly.
  package var passageToConvert: Passage? {
    let isSounding = current?.isSounding ?? false
    let before = isSounding ? format : plan.first.flatMap { rings[$0.passage]?.format }
    guard let before, let next = plan.dropFirst(isSounding ? 0 : 1).first, case .overlap = next.join,
      let found = rings[next.passage]?.format, found != before
    else { return nil }
    return next.passage
  }

  /// Notes that a frame of the output is audible, and returns what has begun and ended since the last call.
  ///
  /// All frames before it have been heard. A part has begun when its first frame has been heard, and has ended when all of
  /// its frames have been. The frame is limited to those that have been written.
  @discardableResult package mutating func heard(_ frame: Int64) -> [Event] {
    heard = min(max(heard, frame), written)
    var events: [(frame: Int64, event: Event)] = []
    for index in voices.indices {
      let voice = voices[index]
      if !voice.isReported.start, voice.reportsStart <= heard {
        voices[index].isReported.start = true
        events.append((voice.begun, .began(voice.part.id, at: time(of: voice, at: voice.first))))
      }
      if let ended = voice.ended, ended <= heard, !voice.isReported.end {
        voices[index].isReported.end = true
        events.append((ended, .ended(voice.part.id, at: time(of: voice, at: voice.next))))
      }
      voices[index].forget(before: heard)
    }
    voices.removeAll { $0.isReported.end }
    free()
    return events.sorted { $0.frame < $1.frame }.map(\.event)
  }

  /// The smallest frame, from the audible one on, for which ``heard(_:)`` returns an event; nil if there is none until more
  /// is written.
  package var nextEvent: Int64? {
    let next = voices.lazy.compactMap { $0.isReported.start ? $0.ended : $0.reportsStart }.min()
    return next.flatMap { $0 <= written ? max(heard, $0) : nil }
  }

  /// Returns the newest part at a frame of the output that has not been heard, and its media time there; nil if none sounds.
  package func position(at frame: Int64) -> (part: Part.ID, time: Duration)? {
    let voice = voices.last { $0.begun <= frame && $0.ended.map { $0 > frame } ?? true }
    guard let voice, let media = voice.media(at: frame) else { return nil }
    return (voice.part.id, time(of: voice, at: media))
  }
}

// MARK: The next part

extension Joiner {
  private enum Start {
    /// Nothing follows, or its start is not known yet.
    case none
    /// At a frame of the output.
    case at(Int64)
    /// Nothing else sounds, or what sounds only fades out.
    case now
  }

  /// Returns when the next part begins.
  private func nextStart() -> Start {
    guard let current, current.isSounding else {
      return plan.isEmpty && !repeats ? .none : .now
    }
    guard let next = plan.first, !current.part.repeats, case .overlap(let shape) = next.join,
      let end = end(of: current)
    else { return .none }
    var length = min(frames(shape.length), (end - current.first) / 2)
    if let ring = rings[next.passage], let format = ring.format {
      guard format == self.format else { return .none }
      let last = [ring.end, next.end.map(format.frame)].compactMap(\.self).min()
      if let last { length = min(length, (last - format.frame(at: next.start)) / 2) }
    }
    let rest = end - current.next
    // It may be too late for all of the overlap, because of an edit or because the samples come late.
    guard min(length, rest) >= frames(Self.shortestOverlap) else { return .none }
    return .at(written + max(0, rest - length))
  }

  /// The index of the newest voice that no change of the plan has ended.
  private var newest: Int? { voices.lastIndex { !$0.isRemoved } }

  private var current: Voice? { newest.map { voices[$0] } }

  /// Whether the newest voice has ended and is to begin again.
  private var repeats: Bool { current.map { !$0.isSounding && $0.part.repeats } ?? false }

  /// Begins the next part; returns the obstacle if that is not possible yet.
  private mutating func begin(lead: Int64) -> Step? {
    guard let part = repeats ? current?.part : plan.first else { return .ended }
    guard let ring = rings[part.passage], let format = ring.format else {
      guard rings[part.passage]?.end != nil else { return .waiting(part.passage) }
      // The media has no samples.
      guard !repeats else { return stopRepeating() }
      plan.removeFirst()
      var voice = Voice(part, from: 0, at: written)
      voice.ended = written
      add(voice)
      return nil
    }
    if written > 0, written - heard > lead { return .holding(until: written - lead) }
    let start = format.frame(at: part.start)
    var first = start
    switch ring.content(at: start) {
    case .samples: break
    // A stream whose first sample is later begins with it.
    case .gap(let frames): first += frames
    case .nothing where ring.end == nil: return .waiting(part.passage)
    case .nothing: break
    }
    guard format == self.format else { return .reopening(format) }
    var voice = Voice(part, from: first, at: written)
    if repeats {
      // A range without a sample would begin again without end.
      guard end(of: voice).map({ $0 > first }) ?? true else { return stopRepeating() }
    } else {
      plan.removeFirst()
      if case .overlap(let shape) = part.join, let newest, voices[newest].isSounding, let end = end(of: voices[newest])
      {
        let length = end - voices[newest].next
        voice.fadeIn = envelope(.fadeIn(shape.curve), lasting: length)
        voices[newest].fadeOut = envelope(.fadeOut(shape.curve), lasting: length)
      }
    }
    add(voice)
    return nil
  }

  private mutating func stopRepeating() -> Step? {
    if let index = newest { voices[index].part.repeats = false }
    return nil
  }

  private mutating func add(_ voice: Voice) {
    voices.append(voice)
    begun.removeAll { $0 == voice.part.id }
    begun.append(voice.part.id)
    if begun.count > Self.memory { begun.removeFirst() }
  }
}

// MARK: Samples

extension Joiner {
  /// Writes frames of all voices that have some; nil if none has.
  private mutating func write(_ limit: Int64) -> [UInt8]? {
    var count = limit
    var sources: [(index: Int, isSilent: Bool)] = []
    for index in voices.indices where voices[index].isSounding {
      guard let (frames, isSilent) = available(index), frames > 0 else { continue }
      count = min(count, frames)
      if let fadeOut = voices[index].fadeOut { count = min(count, max(1, fadeOut.end - written)) }
      sources.append((index, isSilent))
    }
    guard !sources.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(count) * format.bytesPerFrame)
    if sources.count == 1, let source = sources.first, !source.isSilent, isExact(source.index, count) {
      let voice = voices[source.index]
      rings[voice.part.passage]?.read(voice.next..<voice.next + count) { bytes += $0 }
    } else {
      mix(sources, count, into: &bytes)
    }
    for source in sources { voices[source.index].write(count, at: written) }
    written += count
    return bytes
  }

  /// Returns how many frames of a voice follow, and whether they are silence for media that was left out; nil if its deck
  /// has not decoded them.
  private mutating func available(_ index: Int) -> (frames: Int64, isSilent: Bool)? {
    guard let ring = rings[voices[index].part.passage] else { return nil }
    let rest = end(of: voices[index]).map { $0 - voices[index].next } ?? .max
    switch ring.content(at: voices[index].next) {
    case .samples(let frames): return (min(frames, rest), false)
    case .gap(let frames) where frames <= self.frames(Self.longestGap): return (min(frames, rest), true)
    case .gap(let frames):
      voices[index].skip(to: voices[index].next + min(frames, rest))
      return frames < rest ? available(index) : nil
    case .nothing: return nil
    }
  }

  /// Whether the next frames of a voice are at the full level.
  private func isExact(_ index: Int, _ count: Int64) -> Bool {
    let voice = voices[index]
    guard voice.part.gain == 1, voice.fadeOut == nil, voice.fadeIn.map({ $0.end <= written }) ?? true else {
      return false
    }
    guard let curve = voice.part.curve else { return true }
    return curve.isFull(from: time(of: voice, at: voice.next), to: time(of: voice, at: voice.next + count))
  }

  private func mix(_ sources: [(index: Int, isSilent: Bool)], _ count: Int64, into bytes: inout [UInt8]) {
    var sum = [Double](repeating: 0, count: Int(count) * format.channels)
    var greatest = [Double](repeating: 0, count: Int(count))
    for (index, isSilent) in sources {
      let voice = voices[index]
      let levels = (0..<count).map { frame in
        let gain = voice.part.gain * (voice.part.curve?.level(at: time(of: voice, at: voice.next + frame)) ?? 1)
        return gain * voice.level(at: written + frame)
      }
      for (frame, level) in levels.enumerated() { greatest[frame] += level }
      guard !isSilent else { continue }
      var sample = 0
      rings[voice.part.passage]?.read(voice.next..<voice.next + count) { piece in
        for value in format.encoding.unpack(piece) where sample < sum.count {
          sum[sample] += value * levels[sample / format.channels]
          sample += 1
        }
      }
    }
    for sample in sum.indices { sum[sample] = limited(sum[sample], greatest: greatest[sample / format.channels]) }
    format.encoding.pack(sum, into: &bytes)
  }

  // MARK: Ends

  /// Returns the frame of the media at which a voice ends; nil while unknown.
  private func end(of voice: Voice) -> Int64? {
    let range = voice.part.end.map { format.frame(at: $0) }
    return [range, rings[voice.part.passage]?.end].compactMap(\.self).min()
  }

  private func isOver(_ voice: Voice) -> Bool {
    voice.fadeOut.map { $0.end <= written } ?? false || end(of: voice).map { $0 <= voice.next } ?? false
  }

  /// Whether a voice that sounds has reached its end.
  private var endsVoice: Bool { voices.contains { $0.isSounding && isOver($0) } }

  private mutating func endVoices() {
    for index in voices.indices where voices[index].isSounding && isOver(voices[index]) {
      voices[index].ended = written
    }
  }

  // MARK: Units

  private func frames(_ time: Duration) -> Int64 { format.frame(at: time) }

  private func time(of voice: Voice, at frame: Int64) -> Duration { format.time(at: frame) }

  private func envelope(_ course: Envelope.Course, lasting length: Int64) -> Envelope {
    Envelope(course: course, start: written, length: max(1, length))
  }

  /// Discards the samples that are not needed any more, even after an edit at the audible sample.
  private mutating func free() {
    var needed: [Passage: Int64] = [:]
    func need(_ passage: Passage, from frame: Int64) { needed[passage] = min(needed[passage] ?? .max, frame) }
    for voice in voices {
      need(voice.part.passage, from: voice.part.repeats ? voice.first : voice.media(at: heard) ?? voice.first)
    }
    for part in plan {
      guard let format = rings[part.passage]?.format else { continue }
      need(part.passage, from: format.frame(at: part.start))
    }
    for passage in rings.keys {
      guard let frame = needed[passage] else { continue }
      rings[passage]?.free(before: frame)
    }
  }
}
