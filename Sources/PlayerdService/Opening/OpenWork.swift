import PlayerdInterfaces
import PlayerdSystem
import Synchronization

/// A call that runs when its queue is not blocked.
private final class Probe: Sendable {
  let hasRun = Atomic<Bool>(false)
}

/// The work of an open request on a queue of its own, which a disk may block, and its answer.
final class OpenWork: Sendable {
  private struct State {
    var trackCount: Int64 = 0
    var isAnswered = false
    /// Whether the work has returned, or waits for a disk that does not answer.
    var isOver = false
    var waiters: [AsyncStream<Void>.Continuation] = []
  }

  let operation: OpenQueue.Operation
  let log: OpenLog
  let queue: any SerialQueue
  /// A queue that the work does not block; nil if no disk can block it.
  private let watch: (any SerialQueue)?
  private let state = Mutex(State())

  init(_ operation: OpenQueue.Operation, _ log: OpenLog, on queue: any SerialQueue, watch: (any SerialQueue)?) {
    (self.operation, self.log, self.queue, self.watch) = (operation, log, queue, watch)
  }

  // MARK: The answer

  var isAnswered: Bool { state.withLock { $0.isAnswered } }

  /// Notes the number of tracks that are in the queue.
  func note(trackCount: Int) { state.withLock { $0.trackCount = Int64(trackCount) } }

  /// Answers the caller, unless it has an answer.
  func answer(_ report: OpenReport) {
    if state.withLock({ !exchange(&$0.isAnswered, with: true) }) { operation.reply(report) }
  }

  // MARK: The disk

  /// Checks each time after `limit` whether the work still runs; if a disk blocks it, the caller gets an answer, and later
  /// requests do not wait for it any more.
  func begin(checkingEvery limit: Duration, blocked: @escaping @Sendable (inout OpenReport) -> Void) {
    guard let watch else { return }
    let probe = Probe()
    queue.run { probe.hasRun.store(true, ordering: .relaxed) }
    watch.setTimer(at: watch.now.advanced(by: limit)) { [weak self] in
      guard let self, !state.withLock({ $0.isOver }) else { return }
      guard !probe.hasRun.load(ordering: .relaxed) else { return begin(checkingEvery: limit, blocked: blocked) }
      var report = log.report
      report.trackCount = state.withLock { $0.trackCount }
      report.isUnfinished = true
      blocked(&report)
      answer(report)
      end()
    }
  }

  /// Notes that the work has returned.
  func end() {
    let waiters = state.withLock { state in
      state.isOver = true
      defer { state.waiters = [] }
      return state.waiters
    }
    watch?.setTimer(at: nil) {}
    for waiter in waiters { waiter.finish() }
  }

  /// Returns when the work has returned or waits for a disk, or when the task is cancelled.
  func over() async {
    let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
    state.withLock { state in
      if state.isOver { waiter.finish() } else { state.waiters.append(waiter) }
    }
    for await _ in stream {}
  }
}
