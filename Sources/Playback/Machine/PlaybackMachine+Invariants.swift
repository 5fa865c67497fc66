/// Checks the rules between the parts of the machine, for the tests and the simulation; each part documents its own
/// invariants.
extension PlaybackMachine {
  /// The violated rules; empty in a correct program.
  var violations: [String] {
    let stream = loaded
    let isAdvancing = timebase.isRunning
    var violations = phase.violations
    func check(_ rule: String, _ holds: Bool) { if !holds { violations.append(rule) } }
    check("stopped: nothing is loaded", intent != .stopped || phase.isNone)
    check("an empty queue: nothing is loaded", !queue.isEmpty || phase.isNone)
    check("the position advances: the pipeline runs", !isAdvancing || stream.run == .running)
    check("a seek, a start and an end: the position stands", !isAdvancing || !stream.isSeeking)
    // After a seek, the pipeline is set to play or to wait when the buffer is known.
    check("the pipeline plays if the intent and the stream permit", stream.isSeeking || shouldRun == stream.isWanted)
    check("a fading pause: the pipeline runs", !fade.isPausing || intent == .paused && stream.run == .running)
    check("a fading stop: nothing is loaded", !fade.isStopping || phase.isNone)
    check("an overlap: the stream is ready, and does not seek", outgoing == nil || phase.isReady && !stream.isSeeking)
    check("an overlap: two streams", outgoing?.token != stream.token)
    check("the plan has open streams", engine.plan.allSatisfy { engine.streams.contains($0.stream) })
    check("stopped: no stream is open", !phase.isNone || fade.isStopping || skipped != nil || engine.streams.isEmpty)
    check(
      "a start at an instant: the intent is to play, and nothing is audible",
      scheduledStart == nil || intent == .playing && !isAdvancing)
    check(
      "the item that fades out stands and plays together with the current one",
      outgoing.map { $0.anchor.isRunning == isAdvancing } ?? true)
    check("a lost source: a reconnection is due", !phase.isSourceLost || current.reconnection != nil)
    check(
      "released: only a local file, or at its end", !phase.isReleased || phase.isAtEnd || queue.current?.isLocal == true
    )
    return violations
  }
}
