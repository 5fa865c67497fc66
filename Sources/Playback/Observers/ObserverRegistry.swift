/// The registry of a player's event readers, event observers and time observers.
struct ObserverRegistry: Sendable {
  private var readers: [UInt64: AsyncStream<Player.Event>.Continuation] = [:]
  private var logReaders: [UInt64: AsyncStream<Player.LogEntry>.Continuation] = [:]
  /// The event observers, the oldest first.
  private var eventObservers: [(number: UInt64, delivery: ObserverDelivery)] = []
  /// The observers of time and of metadata.
  private var observers: [UInt64: ObserverDelivery] = [:]
  private var endings: [UInt64: @Sendable () -> Void] = [:]

  // MARK: Registration

  mutating func add(_ reader: AsyncStream<Player.Event>.Continuation, as number: UInt64) { readers[number] = reader }

  mutating func add(_ reader: AsyncStream<Player.LogEntry>.Continuation, as number: UInt64) {
    logReaders[number] = reader
  }

  mutating func add(ofEvents observer: ObserverDelivery, as number: UInt64) {
    eventObservers.append((number, observer))
  }

  mutating func add(_ observer: ObserverDelivery, as number: UInt64) { observers[number] = observer }

  /// Registers `ending`, which is called when the player is closed.
  mutating func add(ending: @escaping @Sendable () -> Void, as number: UInt64) { endings[number] = ending }

  /// Removes and returns the references registered under a number.
  ///
  /// The caller releases them outside the player's lock, because releasing them may run any code.
  mutating func remove(_ number: UInt64) -> Removed {
    let index = eventObservers.firstIndex { $0.number == number }
    return Removed(
      reader: readers.removeValue(forKey: number), logReader: logReaders.removeValue(forKey: number),
      ending: endings.removeValue(forKey: number),
      observer: observers.removeValue(forKey: number) ?? index.map { eventObservers.remove(at: $0).delivery })
  }

  struct Removed: Sendable {
    var reader: AsyncStream<Player.Event>.Continuation?
    var logReader: AsyncStream<Player.LogEntry>.Continuation?
    var ending: (@Sendable () -> Void)?
    var observer: ObserverDelivery?
  }

  /// Ends all notifications, because the player is closed.
  ///
  /// Never call it under the player's lock.
  func dismiss() {
    for observer in observers.values { _ = observer.cancel() }
    for observer in eventObservers { _ = observer.delivery.cancel() }
    for ending in endings.values { ending() }
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

  func notify(_ notice: TimeObserverScheduler.Notice) {
    switch notice {
    case .passing(let id, let position): observers[id.number]?.deliver(passing: position)
    case .tick(let id, let position): observers[id.number]?.deliver(.time(position))
    case .metadata(let number, let metadata): observers[number]?.deliver(.metadata(metadata))
    case .crossing(let id, let crossing): observers[id.number]?.deliver(.crossing(crossing))
    }
  }
}
