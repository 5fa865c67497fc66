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

  /// What belonged to a number; it is to be let go of outside the player's lock, as anything may follow from that.
  mutating func remove(_ number: UInt64) -> Removed {
    let index = eventObservers.firstIndex { $0.number == number }
    return Removed(
      reader: readers.removeValue(forKey: number), ending: endings.removeValue(forKey: number),
      observer: timeObservers.removeValue(forKey: TimeObservers.ID(number: number))
        ?? index.map { eventObservers.remove(at: $0).delivery })
  }

  struct Removed: Sendable {
    var reader: AsyncStream<PlayerEvent>.Continuation?
    var ending: (@Sendable () -> Void)?
    var observer: ObserverDelivery?
  }

  /// Tells nobody anything any more, as the player is closed.
  ///
  /// Never under the player's lock.
  func dismiss() {
    for observer in timeObservers.values { _ = observer.cancel() }
    for observer in eventObservers { _ = observer.delivery.cancel() }
    for ending in endings.values { ending() }
    for reader in readers.values { reader.finish() }
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
    case .passing(let id, let position): timeObservers[id]?.deliver(passing: position)
    case .tick(let id, let position): timeObservers[id]?.deliver(.time(position))
    case .crossing(let id, let crossing): timeObservers[id]?.deliver(.crossing(crossing))
    }
  }
}
