import Dispatch
import Playback
import Synchronization

/// Passes the messages of a pipeline to its executor, in order; it never grows by a message that already waits.
///
/// With a decoder that never prerolls, playbin of GStreamer 1.22 may post ASYNC_DONE without end, 30,000 times a second. Each
/// would wait on the executor, together with the time-outs that end such an item.
final class BusMessageQueue: Sendable {
  /// A report of a state, which is read when it is handled: one that waits stands for all later ones.
  private enum State: Hashable {
    case asyncDone(StreamToken, flushes: Int)
    case playing(StreamToken)
  }

  private let executor: DispatchQueue
  private let handle: @Sendable (BusMessage) -> Void
  private let waiting = Mutex<Set<State>>([])

  /// Makes a queue whose messages are passed to `handle` on an executor.
  init(_ executor: DispatchQueue, handle: @escaping @Sendable (BusMessage) -> Void) {
    self.executor = executor
    self.handle = handle
  }

  /// Passes a message, on any thread.
  func deliver(_ message: BusMessage) {
    let state: State? =
      switch message {
      case .asyncDone(let stream, let flushes): .asyncDone(stream, flushes: flushes)
      case .playing(let stream): .playing(stream)
      default: nil
      }
    if let state, !waiting.withLock({ $0.insert(state).inserted }) { return }
    executor.async { [self] in
      if let state { waiting.withLock { _ = $0.remove(state) } }
      handle(message)
    }
  }
}
