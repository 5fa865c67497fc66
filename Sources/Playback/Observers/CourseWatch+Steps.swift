extension CourseWatch {
  /// What a decision leads to.
  enum Step: Equatable, Sendable {
    case command(EngineCommand)
    case finishSeek(SeekTicket, Bool)
    case tell(PlayerEvent)
    case notify(Notice)
  }

  /// All that a decision leads to, in the order in which it is done and told.
  ///
  /// The bare news that something has changed comes once, after the events, and the new position after that.
  mutating func steps(
    for effects: [Effect], from before: Course, to after: Course, now: MonotonicTime
  ) -> [Step] {
    var steps: [Step] = takeWish() ? [.command(.samplePosition)] : []
    var changed = false
    var jumped = before.advances != after.advances
    var hasEnded = false
    for effect in effects {
      let event: PlayerEvent
      switch effect {
      case .command(let command):
        steps.append(.command(command))
        continue
      case .finishSeek(let ticket, let isDone):
        steps.append(.finishSeek(ticket, isDone))
        continue
      case .emit(let emitted): event = emitted
      }
      switch event {
      case .changed:
        changed = true
        continue
      case .itemDidPlayToEnd(let item):
        steps += finish(item, of: before, isFirst: !hasEnded, now: now).map { .notify($0) }
        hasEnded = true
      case .timeJumped, .currentItemChanged, .itemRepeated: jumped = true
      default: break
      }
      steps.append(.tell(event))
    }
    if let event = followChapters(after) {
      steps.append(.tell(event))
      changed = true
    }
    if changed { steps.append(.tell(.changed)) }
    if jumped { steps += tickAll(after).map { .notify($0) } }
    return steps
  }

  /// The end of an item, or, in the same decision, of the successor after it.
  private mutating func finish(
    _ item: PlayerItem, of before: Course, isFirst: Bool, now: MonotonicTime
  ) -> [Notice] {
    if isFirst, item == before.item { return finish(before, now: now) }
    guard let successor = before.successor, item == successor.item else { return [] }
    return finish(successor, now: now)
  }
}
