import Synchronization

/// Runs calls that may wait for a disk without end on queues of their own.
///
/// No call can stop one that waits for a disk or a file server that does not answer: its thread is lost until then.
package enum DiskCall {
  /// Returns the result of a call; nil if the disk has not answered within a time limit.
  package static func result<Value: Sendable>(
    within limit: Duration, _ body: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let (results, result) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
    let (queue, watch) = (QueueExecutor(label: "org.playerd.disk"), QueueExecutor(label: "org.playerd.disk.watch"))
    // The task ends with the call, or with the process.
    let task = Task(executorPreference: queue) { result.yield(await body()) }
    watch.setTimer(at: watch.now.advanced(by: limit)) { result.yield(nil) }
    defer { watch.setTimer(at: nil) {} }
    for await value in results { return value }
    task.cancel()
    return nil
  }
}

/// Calls functions at the same time, so that none waits for another that a disk blocks; on eight threads at most.
package final class SeparateCalls: Sendable {
  private struct State {
    var running = 0
    var waiting: [@Sendable () -> Void] = []
  }

  private static let limit = 8
  private let label: String
  private let state = Mutex(State())

  /// Creates a pool of queues in the background.
  package init(label: String) { self.label = label }

  /// Calls a function soon; if eight others wait for a disk, when one of them has returned.
  package func run(_ body: @escaping @Sendable () -> Void) {
    let runs = state.withLock { state in
      guard state.running < Self.limit else {
        state.waiting.append(body)
        return false
      }
      state.running += 1
      return true
    }
    if runs { begin(body) }
  }

  private func begin(_ body: @escaping @Sendable () -> Void) {
    QueueExecutor(label: label, isInBackground: true).run { [self] in
      body()
      let next = state.withLock { state in
        if state.waiting.isEmpty { state.running -= 1 }
        return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
      if let next { begin(next) }
    }
  }
}
