/// Registers a player's event readers, event observers and time observers.
struct ObserverRegistry: Sendable {
  private var readers: [UInt64: AsyncStream<Player.Event>.Continuation] = [:]
  private var logReaders: [UInt64: AsyncStream<Player.LogEntry>.Continuation] = [:]
  private var observers: [UInt64: ObserverDelivery] = [:]
  /// The numbers of the observers of events, the oldest first.
  private var eventObservers: [UInt64] = []

  mutating func add(_ reader: AsyncStream<Player.Event>.Continuation, as number: UInt64) { readers[number] = reader }

  mutating func add(_ reader: AsyncStream<Player.LogEntry>.Continuation, as number: UInt64) {
    logReaders[number] = reader
  }

  mutating func add(_ observer: ObserverDelivery, as number: UInt64, receivesEvents: Bool) {
    observers[number] = observer
    if receivesEvents { eventObservers.append(number) }
  }

  /// Removes an observer or a reader; returns the observer, to be released outside the player's lock.
  mutating func remove(_ number: UInt64) -> ObserverDelivery? {
    readers[number] = nil
    logReaders[number] = nil
    eventObservers.removeAll { $0 == number }
    return observers.removeValue(forKey: number)
  }

  /// Ends all notifications, because the player is closed.
  ///
  /// Never call it under the player's lock.
  func dismiss() {
    for observer in observers.values { observer.cancel() }
    for reader in readers.values { reader.finish() }
    for reader in logReaders.values { reader.finish() }
  }

  /// Whether there is a reader or an observer of events.
  var hasEventObservers: Bool { !readers.isEmpty || !eventObservers.isEmpty }

  /// The number of readers and observers.
  var count: Int { readers.count + logReaders.count + observers.count }

  /// Notifies of an event; only its observers receive the snapshot of the decision.
  func notify(_ event: Player.Event, _ snapshot: () -> SharedSnapshot) {
    for reader in readers.values { reader.yield(event) }
    guard !eventObservers.isEmpty else { return }
    let snapshot = snapshot()
    for number in eventObservers { observers[number]?.deliver(.event(event, snapshot)) }
  }

  func notify(_ entry: Player.LogEntry) {
    for reader in logReaders.values { reader.yield(entry) }
  }

  func notify(_ notice: TimeObserverScheduler.Notice) { observers[notice.observer]?.deliver(notice.content) }
}
