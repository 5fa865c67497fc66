/// Who is told of a player: the readers of its events, and the observers that are called.
struct Audience: Sendable {
  private var readers: [UInt64: AsyncStream<PlayerEvent>.Continuation] = [:]
  /// The oldest first.
  private var eventObservers: [(number: UInt64, delivery: ObserverDelivery)] = []
  private var timeObservers: [TimeObservers.ID: ObserverDelivery] = [:]
  private var endings: [UInt64: @Sendable () -> Void] = [:]

  // MARK: Coming and going

  mutating func add(_ reader: AsyncStream<PlayerEvent>.Continuation, as number: UInt64) { readers[number] = reader }

  mutating func add(_ observer: ObserverDelivery, as number: UInt64) { eventObservers.append((number, observer)) }

  mutating func add(_ observer: ObserverDelivery, as id: TimeObservers.ID) { timeObservers[id] = observer }

  /// Has `ending` called when the player is closed.
  mutating func add(ending: @escaping @Sendable () -> Void, as number: UInt64) { endings[number] = ending }

  mutating func remove(_ number: UInt64) {
    readers[number] = nil
    endings[number] = nil
    timeObservers[TimeObservers.ID(number: number)] = nil
    eventObservers.removeAll { $0.number == number }
  }

  /// Cancels every observer; what else is to be done at the end must not be done under the player's lock.
  mutating func leave() -> [@Sendable () -> Void] {
    for observer in timeObservers.values { _ = observer.cancel() }
    for observer in eventObservers { _ = observer.delivery.cancel() }
    let ends = endings.values + readers.values.map { reader in { @Sendable in reader.finish() } }
    self = Audience()
    return Array(ends)
  }

  /// Whether somebody follows the events.
  var hearsEvents: Bool { !readers.isEmpty || !eventObservers.isEmpty }

  // MARK: Telling

  func tell(_ event: PlayerEvent) {
    for reader in readers.values { reader.yield(event) }
    for observer in eventObservers { observer.delivery.deliver(.event(event)) }
  }

  func tell(_ notice: CourseWatch.Notice) {
    switch notice {
    case .tick(let id, let position): timeObservers[id]?.deliver(.time(position))
    case .crossing(let id, let crossing): timeObservers[id]?.deliver(.crossing(crossing))
    }
  }
}
