import Dispatch

/// The signals that the process handles instead of their default actions.
package enum ProcessSignals {
  /// Traps signals until the process ends, and returns those that arrive; one task may iterate them.
  ///
  /// It returns when the signals are trapped: each one that is sent afterwards is delivered.
  package static func trap(_ numbers: [CInt]) async -> AsyncStream<CInt> {
    let (signals, arrived) = AsyncStream.makeStream(of: CInt.self)
    let queue = DispatchQueue(label: "org.playerd.signals")
    for number in numbers {
      await withCheckedContinuation { trapped in
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setRegistrationHandler { trapped.resume() }
        // A source that nothing retains is cancelled.
        source.setEventHandler { withExtendedLifetime(source) { _ = arrived.yield(number) } }
        source.activate()
      }
    }
    return signals
  }
}
