extension PlayerCore {
  /// The state under the lock of a player: the machine, and the values that follow its decisions.
  struct State {
    private(set) var machine: PlaybackMachine
    var observerRegistry = ObserverRegistry()
    var seeks: [SeekTicket: Player.Seek] = [:]
    var preparations = Preparations()
    private var lastNumber: UInt64 = 0
    var wake: MonotonicTime?
    var timeScheduler = TimeObserverScheduler()
    var anchor = AnchorKeeper()
    var log = PlaybackLog()
    /// The number of transactions in progress, and the reports that wait for their end, in order.
    private var transactions = 0
    private var held: [Report] = []
    private(set) var isClosed = false
    /// The snapshot of the last decision, created when an event or a reader needs it.
    var shared: SharedSnapshot?
    /// Nil unless the configuration requests a recording.
    private(set) var recorder: InputRecorder?

    init(_ configuration: Player.Configuration) {
      machine = PlaybackMachine(configuration: configuration)
      recorder = configuration.recordsInputs ? InputRecorder(limit: configuration.recordingLimit) : nil
    }

    /// Makes a decision of the machine; every input passes here, and nothing else changes the machine.
    mutating func decide(_ input: PlaybackInput, now: MonotonicTime) {
      recorder?.prepare(machine, now: now)
      machine.decide(input, now: now)
      recorder?.note(input, machine, now: now)
    }

    /// Returns the effects of the last decision, and removes them.
    mutating func takeEffects() -> [Effect] { machine.takeEffects() }

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    /// Returns the snapshot of the last decision.
    private mutating func sharedSnapshot(at now: MonotonicTime) -> SharedSnapshot {
      if let shared { return shared }
      var snapshot = machine.snapshot(at: now)
      snapshot.anchor = anchor.anchor
      let new = SharedSnapshot(snapshot)
      shared = new
      return new
    }

    /// Returns the snapshot of the last decision, with the values at `now` that advance without a decision.
    mutating func snapshot(at now: MonotonicTime) -> Player.Snapshot {
      var snapshot = sharedSnapshot(at: now).snapshot
      snapshot.position = machine.position(at: now)
      // The ranges of a file change only with decisions.
      if machine.isStreaming { snapshot.loadedTimeRanges = machine.loadedTimeRanges(at: now) }
      return snapshot
    }

    // MARK: Reports

    /// Reports an event or a notice, or keeps it until the last transaction has ended.
    mutating func report(_ report: Report, at now: MonotonicTime) {
      guard transactions > 0 else { return deliver(report, at: now) }
      // One `changed` reports all changes of a transaction.
      if report == .event(.changed) { held.removeAll { $0 == report } }
      held.append(report)
    }

    private mutating func deliver(_ report: Report, at now: MonotonicTime) {
      switch report {
      case .event(let event): observerRegistry.notify(event) { sharedSnapshot(at: now) }
      case .notice(let notice): observerRegistry.notify(notice)
      }
    }

    mutating func beginTransaction() { transactions += 1 }

    /// Delivers the reports of the transaction, unless another one is in progress.
    mutating func endTransaction(at now: MonotonicTime) {
      transactions -= 1
      guard transactions == 0 else { return }
      for report in held { deliver(report, at: now) }
      held = []
    }

    // MARK: Observers

    mutating func add(_ delivery: ObserverDelivery, to subject: Subject, as number: UInt64) {
      switch subject {
      case .events: observerRegistry.eventObservers.append(number)
      case .times(let kind): timeScheduler.observers.kinds[number] = kind
      case .metadata(let advance):
        timeScheduler.metadataTrackers.append((number, TimedMetadataTracker(advance: advance)))
      }
      observerRegistry.observers[number] = delivery
    }

    /// Removes an observer or a reader; returns the observer, to be released outside the lock.
    mutating func remove(_ number: UInt64) -> ObserverDelivery? {
      timeScheduler.observers.kinds[number] = nil
      timeScheduler.metadataTrackers.removeAll { $0.observer == number }
      return observerRegistry.remove(number)
    }

    // MARK: The end

    /// Stops for ever; returns the waiting callers and the observers, to be dismissed outside the lock.
    mutating func close(at now: MonotonicTime) -> (
      seeks: [SeekTicket: Player.Seek], preparations: Preparations, observers: ObserverRegistry
    ) {
      // Readers of a closed player must see it stopped.
      decide(.stop, now: now)
      shared = nil
      for entry in log.follow(machine, after: [], now: now) { observerRegistry.notify(entry) }
      _ = takeEffects()
      _ = anchor.follow(machine.playhead(at: now), now: now)
      defer {
        (isClosed, held) = (true, [])
        (seeks, preparations, observerRegistry) = ([:], Preparations(), ObserverRegistry())
      }
      return (seeks, preparations, observerRegistry)
    }
  }

  /// A report to observers and readers that follows from a decision.
  enum Report: Equatable {
    case event(Player.Event)
    case notice(TimeObserverScheduler.Notice)
  }

  /// The notices that an observer receives.
  enum Subject {
    case times(TimeObservers.Kind)
    case events
    case metadata(advance: Duration)
  }
}
