extension TimeObserverScheduler {
  /// A step that follows from a decision.
  enum Step: Equatable, Sendable {
    case effect(Effect)
    case notify(Notice)
  }

  /// Returns all steps that follow from a decision, in the order in which they are performed and reported.
  ///
  /// The plain `changed` event is emitted once, after the other events, and the new position after that.
  mutating func steps(
    for effects: [Effect], from before: Playhead, to after: Playhead, now: MonotonicTime
  ) -> [Step] {
    var steps: [Step] = []
    // A stream that the decision opens does not have a position yet.
    if takeMeasurementRequest(), after.stream == before.stream {
      steps.append(.effect(.command(.samplePosition(of: after.stream))))
    }
    var changed = false
    var jumped = before.advances != after.advances
    var hasEnded = false
    for effect in effects {
      switch effect {
      case .emit(.changed):
        changed = true
        continue
      case .emit(.itemDidPlayToEnd(let item)) where item == before.outgoing?.item && !hasEnded:
        if let outgoing = before.outgoing { steps += finishFading(outgoing, now: now).map { .notify($0) } }
      case .emit(.itemDidPlayToEnd(let item)):
        if !hasEnded, item == before.item { steps += finish(before, now: now).map { .notify($0) } }
        hasEnded = true
      case .emit(.timeJumped): jumped = true
      case .emit(.currentItemChanged), .emit(.itemRepeated):
        jumped = true
        if let outgoing = after.outgoing, outgoing.item == before.item, before.outgoing == nil { beginFading(before) }
        beginPassage()
      default: break
      }
      steps.append(.effect(effect))
    }
    if let event = followChapters(after) {
      steps.append(.effect(.emit(event)))
      changed = true
    }
    steps += followMetadata(after).map { .notify($0) }
    if changed { steps.append(.effect(.emit(.changed))) }
    if jumped { steps += tickAll(after).map { .notify($0) } }
    return steps
  }
}
