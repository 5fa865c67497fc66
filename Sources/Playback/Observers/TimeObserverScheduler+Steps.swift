extension TimeObserverScheduler {
  /// A step that follows from a decision.
  enum Step: Equatable, Sendable {
    case command(EngineCommand)
    case finishSeek(SeekTicket, Bool)
    case emit(Player.Event)
    case notify(Notice)
  }

  /// Returns all steps that follow from a decision, in the order in which they are performed and reported.
  ///
  /// The plain `changed` event is emitted once, after the other events, and the new position after that.
  mutating func steps(
    for effects: [Effect], from before: Playhead, to after: Playhead, now: MonotonicTime
  ) -> [Step] {
    var steps: [Step] = takeMeasurementRequest() ? [.command(.samplePosition)] : []
    var changed = false
    var jumped = before.advances != after.advances
    var hasEnded = false
    for effect in effects {
      let event: Player.Event
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
      case .timeJumped: jumped = true
      case .currentItemChanged, .itemRepeated:
        jumped = true
        beginPassage()
      default: break
      }
      steps.append(.emit(event))
    }
    if let event = followChapters(after) {
      steps.append(.emit(event))
      changed = true
    }
    steps += followMetadata(after).map { .notify($0) }
    if changed { steps.append(.emit(.changed)) }
    if jumped { steps += tickAll(after).map { .notify($0) } }
    return steps
  }

  /// Handles the end of an item, or, in the same decision, of the successor after it.
  private mutating func finish(
    _ item: Player.Item, of before: Playhead, isFirst: Bool, now: MonotonicTime
  ) -> [Notice] {
    if isFirst, item == before.item { return finish(before, now: now) }
    guard let successor = before.successor, item == successor.item else { return [] }
    return finish(successor, now: now)
  }
}
