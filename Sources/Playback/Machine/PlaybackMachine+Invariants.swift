/// Checks the rules between the parts of the machine, for the tests and the simulation; each part documents its own
/// invariants.
extension PlaybackMachine {
  /// The violated rules; empty in a correct program.
  var violations: [String] {
    let stream = loaded
    let isAdvancing = timebase.isRunning
    var violations: [String] = []
    func check(_ rule: String, _ holds: Bool) { if !holds { violations.append(rule) } }
    check("stopped: nothing is loaded", intent != .stopped || phase.isNone)
    check("a stream: only one that loads or is ready", phase.isLoaded == (stream.token != LoadedStream.none.token))
    check("an empty queue: nothing is loaded", !queue.isEmpty || phase.isNone)
    check("the position advances: the pipeline runs", !isAdvancing || stream.run == .running)
    check("a seek, a start and an end: the position stands", !isAdvancing || !stream.isSeeking)
    // After a seek, the pipeline is set to play or to wait when the buffer is known.
    check("the pipeline plays if the intent and the stream permit", stream.isSeeking || shouldRun == stream.isWanted)
    check("a stream that loads neither seeks nor runs", phase.isReady || !stream.isSeeking && stream.run == .held)
    check("a stream that loads has a deadline of its own", !phase.isLoading || stream.deadline.nanoseconds > 0)
    check("only a stream that loads has a start", phase.isLoading || !stream.seek.isStarting)
    check("an ended item does not seek", stream.run != .ended || !stream.isSeeking)
    let tokens = [stream.token] + stream.successors.map(\.token)
    check(
      "successors have later tokens, in order", zip(tokens, tokens.dropFirst()).allSatisfy { $0.number < $1.number })
    check("a fading pause: the pipeline runs", !fade.isPausing || intent == .paused && stream.run == .running)
    check("a fading stop: nothing is loaded", !fade.isStopping || phase.isNone)
    check("an overlap: the stream is ready, and does not seek", outgoing == nil || phase.isReady && !stream.isSeeking)
    check("a seek: no item follows yet", !stream.isSeeking || stream.successors.isEmpty)
    check("an overlap: two streams", outgoing?.token != stream.token)
    check("the plan has open streams", engine.plan.allSatisfy { engine.streams.contains($0.stream) })
    check(
      "stopped: no stream is open", !phase.isNone || fade.isStopping || skipped != nil || engine.streams.isEmpty)
    check(
      "a start at an instant: the intent is to play, and nothing is audible",
      scheduledStart == nil || intent == .playing && !isAdvancing)
    check(
      "the item that fades out stands and plays together with the current one",
      outgoing.map { $0.anchor.isRunning == isAdvancing } ?? true)
    check("a lost source: a reconnection is due", !phase.isSourceLost || current.reconnection != nil)
    check("the fill level is at least that of the queue", stream.buffer.percent >= stream.buffer.queued)
    check(
      "released: only a local file, or at its end", !phase.isReleased || phase.isAtEnd || queue.current?.isLocal == true
    )
    return violations
  }
}
