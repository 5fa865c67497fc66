import Synchronization

/// How far one request is on its way into the queue, and whether it still may go there.
final class OpenTurn: Sendable {
  private enum State { case waiting, begun, cancelled, over }

  private let state = Mutex(State.waiting)

  var isCancelled: Bool { state.withLock { $0 == .cancelled } }
  var isOver: Bool { state.withLock { $0 == .over } }

  /// To be asked before each edit of the queue; false when there is to be none.
  func begin() -> Bool {
    state.withLock { state in
      guard state != .cancelled else { return false }
      state = .begun
      return true
    }
  }

  func cancel() { state.withLock { if $0 != .over { $0 = .cancelled } } }

  /// Cancels it when it has not changed the queue yet.
  func cancelUnlessBegun() { state.withLock { if $0 == .waiting { $0 = .cancelled } } }

  func end() { state.withLock { $0 = .over } }
}
