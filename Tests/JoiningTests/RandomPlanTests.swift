import Joining
import Playback
import Testing

@Suite("Random plans") struct RandomPlanTests {
  @Test("Every frame that no edit removes is written once, in order, and its events are reported", arguments: 0..<50)
  func gapless(seed: UInt64) {
    var session = Session(seed: seed)
    for _ in 0..<60 where !session.hasFailed { session.step() }
    if !session.hasFailed { session.finish() }
  }

  @Test("The sizes of blocks and runs and edits that change nothing never change a sample", arguments: 0..<50)
  func overlaps(seed: UInt64) {
    var random = SplitMix(state: seed)
    let parts = (1...5 as ClosedRange<UInt64>).map { stream in
      let start = Int.random(in: 0...100, using: &random)
      let curve = VolumeCurve([
        .init(from: 1, to: 0.5, start: .milliseconds(start + 20), end: .milliseconds(start + 40))
      ])
      return Part(
        stream, from: Bool.random(using: &random) ? 7 : 0, to: Bool.random(using: &random) ? 80 : nil,
        gain: [1, 1, 0.7].randomElement(using: &random) ?? 1, curve: Bool.random(using: &random) ? curve : nil,
        overlap: [nil, 20, 60].randomElement(using: &random) ?? nil,
        Bool.random(using: &random) ? .linear : .equalPower)
    }
    let lengths = parts.map { _ in Int64.random(in: 1...150, using: &random) }
    func decks(_ size: Int64) -> Harness {
      var harness = Harness()
      harness.plan(parts)
      for (part, length) in zip(parts, lengths) {
        for first in stride(from: 0, to: length, by: Int(size)) {
          harness.decode(part.id.number, first..<min(first + size, length))
        }
        harness.joiner.finish(part.passage)
      }
      return harness
    }
    var (plain, edited) = (decks(1_000), decks(Int64.random(in: 1...50, using: &random)))
    plain.write()
    let lead: Int64 = [.max, 200, 10].randomElement(using: &random) ?? 0
    while true {
      let result = edited.write(Int64.random(in: 1...60, using: &random), step: 13, lead: lead)
      if result == .ended { break }
      let (heard, written) = (edited.joiner.heard, edited.joiner.written)
      edited.joiner.heard(Int64.random(in: heard...min(written, heard + 50), using: &random))
      edited.plan(parts, from: Int64.random(in: max(edited.joiner.heard, written - 30)...written, using: &random))
    }
    #expect(edited.output == plain.output)
  }
}

/// Random calls of a joiner with gapless parts, and the frames that it is to write.
private struct Session {
  /// A frame that is to be written.
  struct Frame {
    var id: Part.ID
    var stream: UInt64
    var media: Int64
    /// Whether the part begins or repeats with it.
    var isFirst: Bool
  }

  /// A deck that decodes a stream from its start.
  struct Deck {
    var length: Int64
    var decoded: Int64 = 0
    var isFinished = false
  }

  private(set) var hasFailed = false
  /// The calls of the joiner, for the report of a failure.
  private var calls: [String] = []
  private var random: SplitMix
  private var harness = Harness()
  private let lead: Int64
  private var plan: [Part] = []
  private var decks: [Passage: Deck] = [:]
  private var expected: [Frame] = []
  private var events: [Joiner.Event] = []
  /// The frames at which an end has been reported.
  private var ends: Set<Int> = []

  init(seed: UInt64) {
    random = SplitMix(state: seed)
    lead = [.max, 0, 5, 30].randomElement(using: &random) ?? 0
    for _ in 0..<Int.random(in: 1...5, using: &random) { plan += newParts() }
    harness.plan(plan)
    expect(from: 0)
  }

  // MARK: Steps

  mutating func step() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: decode(Harness.passage(UInt64.random(in: 1...UInt64(decks.count), using: &random)))
    case 3..<6: write()
    case 6..<8: hear()
    case 8: edit()
    default: if Int.random(in: 0..<4, using: &random) == 0, let deck = plan.first?.passage { reopen(deck) }
    }
  }

  mutating func finish() {
    for index in plan.indices { plan[index].repeats = false }
    apply(from: harness.joiner.written)
    for _ in 0..<10_000 where !hasFailed && write() != .ended {
      for stream in 1...UInt64(decks.count) { decode(Harness.passage(stream)) }
      if Bool.random(using: &random) { hear() }
    }
    if harness.joiner.written != expected.count { fail("wrote \(harness.joiner.written) of \(expected.count) frames") }
    while !hasFailed, harness.joiner.nextEvent != nil { hear() }
    if events != expectedEvents { fail("reported \(events), not \(expectedEvents)") }
  }

  /// Stops the session at its first failure, because those that follow from it say nothing.
  private mutating func fail(_ failure: String) {
    guard !hasFailed else { return }
    hasFailed = true
    Issue.record("\(failure)\n\(calls.joined(separator: "\n"))")
  }

  // MARK: Decks

  /// Decodes a block, and notes the end some time after the last one.
  private mutating func decode(_ passage: Passage) {
    guard var deck = decks[passage] else { return }
    if deck.decoded == deck.length {
      deck.isFinished = true
      calls.append("finish \(passage.stream.number)")
      harness.joiner.finish(passage)
    } else {
      // Some frames arrive twice.
      let first = max(0, deck.decoded - max(0, Int64.random(in: -10...5, using: &random)))
      let end = min(deck.length, deck.decoded + Int64.random(in: 1...25, using: &random))
      calls.append("decode \(passage.stream.number): \(first)..<\(end)")
      harness.decode(passage.stream.number, first..<end)
      deck.decoded = end
    }
    decks[passage] = deck
  }

  private mutating func reopen(_ passage: Passage) {
    harness.joiner.discard(passage)
    calls.append("discard \(passage.stream.number)")
    if harness.joiner.frames(of: passage) > 0 { fail("frames remain of \(passage.stream.number)") }
    decks[passage]?.decoded = 0
    decks[passage]?.isFinished = false
  }

  // MARK: Output

  @discardableResult private mutating func write() -> Joiner.Step? {
    let before = Int(harness.joiner.written)
    let limit = Int64.random(in: 1...40, using: &random)
    let result = harness.write(limit, step: Int64.random(in: 1...40, using: &random), lead: lead)
    let (written, heard) = (Int(harness.joiner.written), harness.joiner.heard)
    calls.append("write \(before)..<\(written) of \(limit): \(result.map { "\($0)" } ?? "")")
    if written > expected.count { fail("wrote \(written) of \(expected.count) frames") }
    guard !hasFailed else { return .ended }
    for index in before..<written {
      let frame = expected[index]
      let sample = Harness.sample(frame.stream, frame.media)
      if harness.output[index] != sample { fail("frame \(index) is \(harness.output[index]), not \(sample)") }
      if frame.isFirst, Int64(index) - heard > lead { fail("frame \(index) begins a part before its time") }
    }
    switch result {
    case .waiting(let passage):
      let possible = expected[max(0, written - 1)..<min(expected.count, written + 1)]
      let isPossible = decks[passage]?.isFinished == false && possible.contains { $0.stream == passage.stream.number }
      if !isPossible { fail("waits for \(passage.stream.number)") }
    case .holding(let frame):
      let begins = written == expected.count || expected[written].isFirst
      if frame != Int64(written) - lead || frame <= heard || !begins { fail("holds until \(frame)") }
    case .ended: if written != expected.count { fail("ends at \(written) of \(expected.count) frames") }
    case .samples, .reopening: fail("a write ends with samples or another format")
    case nil: break
    }
    return result
  }

  private mutating func hear() {
    let (heard, written) = (harness.joiner.heard, harness.joiner.written)
    var frame = Int64.random(in: heard...min(written, heard + 40), using: &random)
    let next = harness.joiner.nextEvent
    if let next, Bool.random(using: &random) { frame = next }
    let found = harness.joiner.heard(frame)
    calls.append("hear \(frame): \(found)")
    if found.isEmpty != (next.map { $0 > frame } ?? true) { fail("the next event was at \(next ?? -1)") }
    for case .ended(let id, _) in found where expected[Int(frame) - 1].id == id { ends.insert(Int(frame)) }
    events += found
    guard frame < written else { return }
    let (position, sample) = (harness.joiner.position(at: frame), expected[Int(frame)])
    let isRight = position?.part == sample.id && position?.time == .milliseconds(sample.media)
    if !isRight { fail("frame \(frame) is at \(position?.time ?? .zero) of \(position?.part.number ?? 0)") }
  }

  // MARK: Plans

  /// Returns a part of a new stream, or two parts that share it.
  private mutating func newParts() -> [Part] {
    let stream = UInt64(decks.count + 1)
    let length = Int64.random(in: 2...60, using: &random)
    decks[Harness.passage(stream)] = Deck(length: length)
    let middle = Int.random(in: 1..<Int(length), using: &random)
    let repeats = Int.random(in: 0..<8, using: &random) == 0
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: [Part(stream, id: stream * 2, to: middle), Part(stream, id: stream * 2 + 1, from: middle)]
    case 1: [Part(stream, id: stream * 2, from: middle, repeats: repeats)]
    case 2: [Part(stream, id: stream * 2, to: Int(length) + 5)]
    default: [Part(stream, id: stream * 2, repeats: repeats)]
    }
  }

  private mutating func edit() {
    let (heard, written) = (harness.joiner.heard, harness.joiner.written)
    let frame = Bool.random(using: &random) ? written : Int64.random(in: heard...written, using: &random)
    let current = frame > 0 ? plan.firstIndex { $0.id == expected[Int(frame) - 1].id } : nil
    let kept = current.map { $0 + 1 } ?? 0
    var next = Array(plan.dropFirst(kept))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: next.shuffle(using: &random)
    case 1: if !next.isEmpty { next.removeFirst() }
    case 2 where decks.count < 14: next = newParts() + next
    case 3 where decks.count < 14: next += newParts()
    default: break
    }
    plan = plan.prefix(kept) + next
    if let current {
      // Each of these can be changed back by a second edit.
      let former = plan[current]
      switch Int.random(in: 0..<6, using: &random) {
      case 0: plan.remove(at: current)
      case 1: plan[current].repeats.toggle()
      case 2: plan[current].end = .milliseconds(Int.random(in: 1...70, using: &random))
      case 3: plan.removeFirst(current)
      default: break
      }
      // The start of a loop may have been discarded.
      if plan.contains(where: { $0.id == former.id && $0.repeats }), !former.repeats { reopen(former.passage) }
      if !plan.contains(where: { $0.id == former.id }), Bool.random(using: &random) {
        apply(from: frame)
        plan.insert(former, at: current)
      }
    }
    apply(from: frame)
  }

  private mutating func apply(from frame: Int64) {
    harness.plan(plan, from: frame)
    let ids = plan.map {
      "\($0.id.number)\($0.repeats ? "r" : ""):\($0.passage.stream.number) \($0.start)-\($0.end ?? .zero)"
    }
    calls.append("plan from \(frame): \(ids)")
    if harness.joiner.written != frame { fail("\(harness.joiner.written) frames remain") }
    expect(from: Int(frame))
  }

  /// Replaces the expected frames from one on, with the plan.
  private mutating func expect(from start: Int) {
    expected.removeLast(expected.count - start)
    let known = plan.lastIndex { part in expected.contains { $0.id == part.id } }
    for (index, part) in plan.enumerated() where index >= known ?? 0 {
      let first = Int64(part.start / .milliseconds(1))
      let length = decks[part.passage]?.length ?? 0
      let end = min(part.end.map { Int64($0 / .milliseconds(1)) } ?? length, length)
      if index == known {
        if let last = expected.last, last.id == part.id, !ends.contains(start), last.media + 1 < end {
          expected += (last.media + 1..<end).map {
            Frame(id: part.id, stream: part.passage.stream.number, media: $0, isFirst: false)
          }
        }
        guard part.repeats else { continue }
      }
      repeat {
        guard first < end else { break }
        expected += (first..<end).map {
          Frame(id: part.id, stream: part.passage.stream.number, media: $0, isFirst: $0 == first)
        }
      } while part.repeats && expected.count < 1_500
      if part.repeats { break }
    }
  }

  private var expectedEvents: [Joiner.Event] {
    var events: [Joiner.Event] = []
    for (index, frame) in expected.enumerated() {
      let id = frame.id
      if frame.isFirst { events.append(.began(id, at: .milliseconds(frame.media))) }
      if index + 1 == expected.count || expected[index + 1].id != id || expected[index + 1].isFirst {
        events.append(.ended(id, at: .milliseconds(frame.media + 1)))
      }
    }
    return events
  }
}
