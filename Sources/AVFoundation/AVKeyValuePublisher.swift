#if OpenCombine
  import Foundation
  public import OpenCombine

  extension AVKeyValueObserving {
    /// Returns a publisher of the values of a property.
    ///
    /// Each subscriber receives the present value first, with the option `initial`, and then the value after each change.
    /// While a subscriber does not demand values, the latest one is kept for it. Changes are sent on the main queue;
    /// the present value, and one that was kept, are sent on the thread on which the subscriber demands values.
    public nonisolated func publisher<Value>(
      for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> AnyPublisher<Value, Never> {
      Deferred {
        // It keeps the latest value for a subscriber without demand; nil until there is one.
        nonisolated(unsafe) let latest = CurrentValueSubject<Value?, Never>(nil)  // has a lock
        let observation = self.observe(keyPath, options: options.union(.new)) { _, change in
          // A call before a change does not contain a new value.
          if let value = change.newValue { unsafe latest.send(value) }
        }
        return unsafe latest.compactMap { $0 }.handleEvents(receiveCancel: { observation.invalidate() })
      }.eraseToAnyPublisher()
    }
  }
#endif
