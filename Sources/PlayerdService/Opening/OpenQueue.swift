import DBus
import Playback
import PlayerdInterfaces
import Synchronization

/// Keeps the open requests from any thread until they are finished or cancelled.
final class OpenQueue: Sendable {
  /// An accepted request.
  struct Operation: Sendable {
    let id: PendingOpens.ID
    let request: OpenRequest
    /// Called once, when the request is finished or cancelled.
    let reply: @Sendable (OpenReport) -> Void
  }

  private struct State {
    var pending = PendingOpens()
    /// The tasks of the requests whose work has not returned, cancelled ones included.
    var tasks: [PendingOpens.ID: Task<Void, Never>] = [:]
    /// The calls that wait until no request is pending.
    var waiters: [AsyncStream<Void>.Continuation] = []
    var observers: [@Sendable (Change) -> Void] = []
    /// The player of the requests, if it exists.
    weak var player: Player?
  }

  /// A change of the pending requests; it is passed on in two steps.
  enum Change: Sendable {
    /// The requests have changed; the player's events of the same command follow.
    case begun(PendingOpens)
    /// These events have been passed on.
    case ended
  }

  /// The limit of pending requests.
  static let limit = 1000

  /// The accepted requests in order; read by one consumer.
  let operations: AsyncStream<Operation>
  private let inbox: AsyncStream<Operation>.Continuation
  private let state = Mutex(State())

  init() {
    (operations, inbox) = AsyncStream.makeStream(of: Operation.self)
  }

  /// Calls `changed` with the pending requests, now and, on any thread, when they or their intended states change.
  ///
  /// It is called under the lock of the queue, to keep the order of the changes, and must only pass them on.
  func observe(_ changed: @escaping @Sendable (Change) -> Void) {
    state.withLock { state in
      state.observers.append(changed)
      changed(.begun(state.pending))
      changed(.ended)
    }
  }

  /// Sets the player of the requests: a pause before a request is accepted does not pause that request.
  func follow(_ player: Player) { state.withLock { $0.player = player } }

  /// Accepts a request and cancels the older ones that it makes obsolete.
  ///
  /// `reply` is called once, on any thread, when the request is finished or cancelled.
  ///
  /// - Throws: `LimitsExceeded` if 1000 requests are pending, unless this one cancels them.
  func accept(
    _ request: OpenRequest, reply: @escaping @Sendable (OpenReport) -> Void = { _ in }
  ) throws(DBusError) {
    let isAccepted = decide { state in
      let isFull = state.pending.operations.count >= Self.limit
      guard !isFull || request.placement == .replace && request.takeover == .always else { return false }
      // The event of an earlier pause may not have been delivered yet.
      if let player = state.player { state.pending.follow(PendingOpens.PlayerView(player.snapshot)) }
      let id = state.pending.add(request)
      inbox.yield(Operation(id: id, request: request, reply: reply))
      return true
    }
    guard isAccepted else { throw .limitsExceeded("\(Self.limit) requests are being opened") }
  }

  /// Reads the pending requests as one consistent state.
  func read<Result: Sendable>(_ body: (PendingOpens) -> Result) -> Result { state.withLock { body($0.pending) } }

  /// Runs one decision about the pending requests at a time; it must not block.
  func update<Result: Sendable>(_ body: (inout PendingOpens) -> Result) -> Result { decide { body(&$0.pending) } }

  /// Whether a request is pending: not finished and not cancelled.
  func contains(_ id: PendingOpens.ID) -> Bool { read { $0.contains(id) } }

  // MARK: Work

  /// Stores the new task of a request, to cancel it together with the request.
  func start(_ id: PendingOpens.ID, _ makeTask: () -> Task<Void, Never>) {
    let obsolete = state.withLock { state in
      // Created inside the lock, so that it is stored before it calls `finish`.
      let task = makeTask()
      state.tasks[id] = task
      return state.pending.contains(id) ? nil : task
    }
    obsolete?.cancel()
  }

  /// Records that the work of a request has returned.
  func finish(_ id: PendingOpens.ID) {
    decide { state in
      state.pending.finish(id)
      state.tasks[id] = nil
    }
  }

  /// Cancels the work of all requests, and returns when all work has returned.
  func cancelAll() async {
    let tasks = state.withLock { Array($0.tasks.values) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  // MARK: Waiting

  /// Returns when no request is pending, or when the task is cancelled.
  func idle() async {
    let (stream, waiter) = AsyncStream.makeStream(of: Void.self)
    state.withLock { state in
      if state.pending.operations.isEmpty { waiter.finish() } else { state.waiters.append(waiter) }
    }
    for await _ in stream {}
  }

  /// Makes one decision; its commands to the player and the change of the requests take effect together.
  private func decide<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, tasks, waiters) = state.withLock { state in
      let before = state.pending.operations
      func decide() -> Result {
        let result = body(&state)
        if state.pending.operations != before { for observer in state.observers { observer(.begun(state.pending)) } }
        return result
      }
      let player = state.player
      let result = if let player { player.transaction(decide) } else { decide() }
      let tasks = state.pending.takeCancelled().compactMap { state.tasks[$0] }
      var waiters: [AsyncStream<Void>.Continuation] = []
      if state.pending.operations.isEmpty { swap(&waiters, &state.waiters) }
      if state.pending.operations != before { for observer in state.observers { observer(.ended) } }
      return (result, tasks, waiters)
    }
    // Outside the lock, because these calls run code of the tasks.
    for task in tasks { task.cancel() }
    for waiter in waiters { waiter.finish() }
    return result
  }
}
