/// The registry of a player's event readers, event observers and time observers.
struct ObserverRegistry: Sendable {
  var readers: [UInt64: AsyncStream<Player.Event>.Continuation] = [:]
  var logReaders: [UInt64: AsyncStream<Player.LogEntry>.Continuation] = [:]
  /// The event observers, the oldest first.
  private var eventObservers: [(number: UInt64, delivery: ObserverDelivery)] = []
  /// The observers of time and of metadata.
  private var observers: [UInt64: ObserverDelivery] = [:]

  // MARK: Registration

  mutating func add(ofEvents observer: ObserverDelivery, as number: UInt64) {
    eventObservers.append((number, observer))
  }

  mutating func add(_ observer: ObserverDelivery, as number: UInt64) { observers[number] = observer }

  /// Removes an observer or a reader; returns the observer, which the caller releases outside the player's lock.
  mutating func remove(_ number: UInt64) -> ObserverDelivery? {
    readers[number] = nil
    logReaders[number] = nil
    let index = eventObservers.firstIndex { $0.number == number }
    return observers.removeValue(forKey: number) ?? index.map { eventObservers.remove(at: $0).delivery }
  }

  /// Ends all notifications, because the player is closed.
  ///
  /// Never call it under the player's lock.
  func dismiss() {
    for observer in observers.values { observer.end() }
    for observer in eventObservers { observer.delivery.end() }
    for reader in readers.values { reader.finish() }
    for reader in logReaders.values { reader.finish() }
  }

  /// Whether there is a reader or an observer of events.
  var hasEventObservers: Bool { !readers.isEmpty || !eventObservers.isEmpty }

  /// The number of readers and observers.
  var count: Int { readers.count + logReaders.count + eventObservers.count + observers.count }

  // MARK: Notification

  func notify(_ event: Player.Event) {
    for reader in readers.values { reader.yield(event) }
    for observer in eventObservers { observer.delivery.deliver(.event(event)) }
  }

  func notify(_ entry: Player.LogEntry) {
    for reader in logReaders.values { reader.yield(entry) }
  }

  func notify(_ notice: TimeObserverScheduler.Notice) { observers[notice.observer]?.deliver(notice.content) }
}
