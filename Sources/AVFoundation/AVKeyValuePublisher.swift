#if OpenCombine
  import Foundation
  public import OpenCombine

  extension AVKeyValueObserving {
    /// Returns a publisher of the values of a property, on the main queue.
    ///
    /// Each subscriber receives the present value first, with the option `initial`, and then the value after each change.
    /// While a subscriber does not demand values, the latest one is kept for it.
    public nonisolated func publisher<Value>(
      for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> AnyPublisher<Value, Never> {
      KeyValuePublisher(object: self, keyPath: keyPath, options: options).eraseToAnyPublisher()
    }
  }

  /// A publisher of the values of an observed property.
  private struct KeyValuePublisher<Subject: AVKeyValueObserving, Value>: Publisher {
    typealias Output = Value
    typealias Failure = Never

    let object: Subject
    let keyPath: KeyPath<Subject, Value>
    let options: NSKeyValueObservingOptions

    /// Observes the property for a subscriber until it cancels.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      subscriber.receive(subscription: KeyValueSubscription(self, subscriber.receive(_:)))
    }
  }

  /// The observation of a property for one subscriber.
  private final class KeyValueSubscription<Subject: AVKeyValueObserving, Value>: Subscription,
    @unchecked Sendable  // `lock` guards all variables
  {
    typealias Downstream = (Value) -> Subscribers.Demand

    private let lock = NSLock()
    private var downstream: Downstream?
    private var publisher: KeyValuePublisher<Subject, Value>?
    private var observation: NSKeyValueObservation?
    private var demand = Subscribers.Demand.none
    /// The latest value that had no demand.
    private var kept: Value?

    init(_ publisher: KeyValuePublisher<Subject, Value>, _ downstream: @escaping Downstream) {
      self.publisher = publisher
      self.downstream = downstream
    }

    func request(_ demand: Subscribers.Demand) {
      lock.lock()
      self.demand += demand
      let (first, kept) = (publisher, kept)
      (publisher, self.kept) = (nil, nil)
      lock.unlock()
      if let kept { deliver(kept) }
      guard let first else { return }
      // A call before a change does not contain a new value.
      let observation = first.object.observe(first.keyPath, options: first.options.union(.new)) {
        [weak self] _, change in
        if let value = change.newValue { self?.deliver(value) }
      }
      // After a cancellation, the observation ends here.
      lock.withLock { if downstream != nil { self.observation = observation } }
    }

    private func deliver(_ value: Value) {
      lock.lock()
      guard let downstream, demand > 0 else {
        kept = value
        return lock.unlock()
      }
      demand -= 1
      lock.unlock()
      let more = downstream(value)
      lock.withLock { demand += more }
    }

    func cancel() {
      lock.lock()
      let observation = observation
      (self.observation, downstream, publisher, kept) = (nil, nil, nil, nil)
      lock.unlock()
      observation?.invalidate()
    }
  }
#endif
