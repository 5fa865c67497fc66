@testable import Playback

extension PlaybackMachine {
  /// The invariants between the parts of the machine that do not hold now; each part documents its own.
  var violations: [String] {
    let stream = phase.stream
    let isAdvancing = timebase.isRunning
    let tokens = [stream.token.number] + stream.handOver.successors.map(\.token.number)
    let rules: [(String, Bool)] = [
      ("stopped: nothing is loaded", intent != .stopped || phase.isNone),
      ("an empty queue: nothing is loaded", !queue.isEmpty || phase.isNone),
      ("the position advances: the pipeline runs", !isAdvancing || stream.run == .running),
      ("a seek, a start and an end: the position stands", !isAdvancing || stream.seek == nil),
      ("a stream that loads neither seeks nor runs", phase.isReady || stream.seek == nil && stream.run == .held),
      ("an ended item does not seek", stream.run != .ended || stream.seek == nil),
      ("successors have later tokens, in order", zip(tokens, tokens.dropFirst()).allSatisfy { $0 < $1 }),
      ("at most one successor is withdrawn, the last", stream.handOver.kept.allSatisfy { !$0.isWithdrawn }),
      ("a fading pause: the pipeline runs", fade.pauseDue == nil || intent == .paused && stream.run == .running),
      ("a fading stop: nothing is loaded", fade.unloadDue == nil || phase.isNone),
      ("a fade: the sound is hushed", fade.outcome == nil || fade.isHushed),
      ("a lost source: it is searched for", !isSourceLost || current.reconnection != nil),
      ("the fill level is at least that of the queue", stream.buffer.percent >= stream.buffer.queued),
      ("a cut lies before the end of the segment", isCutInSegment),
      ("released: only a local file", !phase.isReleased || queue.current?.isLocal == true),
    ]
    return rules.filter { !$0.1 }.map(\.0)
  }

  private var isSourceLost: Bool { if case .sourceLost = phase { true } else { false } }

  private var isCutInSegment: Bool {
    guard let cut = loaded.segment.cut, let end = loaded.segment.end else { return true }
    return cut < end
  }
}
