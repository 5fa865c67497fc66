extension CourseWatch {
  /// What a decision leads to.
  enum Step: Equatable, Sendable {
    case perform(Effect)
    case tell(PlayerEvent)
    case notify(Notice)
  }

  /// All that a decision leads to, in the order in which it is done and told.
  ///
  /// The bare news that something has changed comes once, after the events, and the new position after that.
  mutating func steps(
    for effects: [Effect], from before: Course, to after: Course, now: MonotonicTime
  ) -> [Step] {
    var steps: [Step] = []
    var changed = false
    var jumped = before.advances != after.advances
    for effect in effects {
      guard case .emit(let event) = effect else {
        steps.append(.perform(effect))
        continue
      }
      switch event {
      case .changed:
        changed = true
        continue
      case .itemDidPlayToEnd(before.item): steps += finish(before, now: now).map { .notify($0) }
      case .timeJumped, .currentItemChanged: jumped = true
      default: break
      }
      steps.append(.tell(event))
    }
    if changed { steps.append(.tell(.changed)) }
    if jumped { steps += tickAll(after).map { .notify($0) } }
    return steps
  }
}
