import EventLoop
import Playback
import Synchronization

/// The owner of a supervised process, which is called on the thread of the loop.
protocol SupervisorClient: AnyObject, Sendable {
  /// Handles that a process exists, and sends its initial state.
  func begin(_ child: EngineChild, of supervisor: Supervisor)
  /// Handles that the process has reported its start.
  func started(_ child: EngineChild, of supervisor: Supervisor)
  /// Receives a message of an engine; an error ends the process.
  func receive(_ report: EngineReport, from supervisor: Supervisor) throws
  /// Receives that a request has its answer.
  func answered(_ request: PendingRequest, _ answer: MediaAnswer, of supervisor: Supervisor)
  /// Handles that the process has ended; the reason is nil if the end was requested. Its open requests are the client's.
  func ended(_ child: EngineChild, _ reason: String?, of supervisor: Supervisor)
  /// Handles that no process can be started.
  func failed(_ reason: WireError, of supervisor: Supervisor)
  /// Whether the process has to show that it runs although no command is sent.
  func isBusy(_ supervisor: Supervisor) -> Bool
  /// Handles that the process of a closed supervisor has ended.
  func released(_ supervisor: Supervisor)
}

/// Supervises one process of a kind: starts it on demand, also again after its end, and ends it after the idle time.
///
/// Nothing waits for a process: the client sends the whole state to each process that begins.
///
/// Invariant: at most one process is used. A new process starts only after the previous one was reaped, or has outlived SIGKILL
/// because a disk does not answer.
final class Supervisor: EngineChildOwner {
  private struct State {
    /// Weak: the client retains its supervisors.
    weak var client: (any SupervisorClient)?
    /// The client of a closed supervisor, until its process has ended.
    var closing: (any SupervisorClient)?
    var child: EngineChild?
    /// Whether the child was sent its state, and takes commands.
    var hasBegun = false
    /// Whether the child is to end.
    var isEnding = false
    /// Whether a start was requested from the loop.
    var isStarting = false
    var isNeeded = false
    /// The processes that have ended one after the other without having started.
    var failedStarts = 0
    /// The requests for the next process.
    var waiting: [PendingRequest] = []
    /// The timer of the idle time.
    var timer: EventSources.ID?
    var isClosed = false
    /// Whether it was closed, and its process has ended.
    var isReleased = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    var isGone: Bool { child == nil && !isStarting }
  }

  /// The number of processes that may end without having started: the program is of another version, for example.
  private static let startLimit = 2

  /// The name of the process, for users.
  let name: String
  let log: EngineLog
  private let program: Player.Configuration.Engine
  private let policy: SandboxPolicy
  private let loop: PollLoop
  /// The messages that a process may send in a second; it waits with more.
  let messagesPerSecond: Int
  private let state = Mutex(State())

  /// Creates a supervisor without a process.
  ///
  /// - Parameters:
  ///   - name: The name of the process, for users.
  ///   - program: The path of the program, and its limits.
  ///   - policy: The restrictions of the process.
  ///   - loop: The loop that calls the client; it must outlive the process.
  ///   - messagesPerSecond: The messages that a process may send in a second; it waits with more.
  ///   - log: Receives the messages of libraries in the process.
  init(
    _ name: String, _ program: Player.Configuration.Engine, _ policy: SandboxPolicy, on loop: PollLoop,
    messagesPerSecond: Int, log: @escaping EngineLog
  ) {
    (self.name, self.program, self.policy, self.loop, self.log) = (name, program, policy, loop, log)
    self.messagesPerSecond = messagesPerSecond
  }

  /// Sets the client; called once, before anything else.
  func open(_ client: any SupervisorClient) { state.withLock { $0.client = client } }

  private var client: (any SupervisorClient)? { state.withLock { $0.client } }

  /// The present process; nil while there is none.
  var child: EngineChild? { state.withLock { $0.child } }

  /// Whether a process is needed, but no process has reported its start, or the present process is ending.
  var awaitsStart: Bool { state.withLock { $0.isNeeded && !($0.child?.hasStarted == true && !$0.isEnding) } }

  /// Whether a process takes commands.
  var isActive: Bool { state.withLock { $0.hasBegun && !$0.isEnding } }

  // MARK: Start

  /// Starts a process unless there is one; without need, it ends after the idle time.
  func start() { state.withLock { startSoon(&$0) } }

  /// Notes whether a process is needed, and starts one.
  func setNeeded(_ isNeeded: Bool) {
    state.withLock { state in
      guard isNeeded != state.isNeeded || isNeeded && state.isGone else { return }
      state.isNeeded = isNeeded
      if isNeeded {
        setTimer(nil, &state)
        startSoon(&state)
      } else {
        endWhenIdle(&state)
      }
    }
  }

  private func startSoon(_ state: inout State) {
    guard state.isGone, !state.isClosed else { return }
    state.isStarting = true
    // The thread of the loop exists as long as the process, which the kernel kills when its starter ends.
    loop.submit { self.startNow() }
  }

  private func startNow() {
    let isWanted = state.withLock { state in
      if state.isClosed { state.isStarting = false }
      return !state.isClosed
    }
    guard isWanted else { return released() }
    let result = Result<EngineChild, WireError> { () throws(WireError) in
      try EngineChild(program, policy, on: loop, owner: self)
    }
    switch result {
    case .success(let child):
      state.withLock { state in
        (state.child, state.isStarting) = (child, false)
        if state.isClosed { endOrderly(&state) } else if !state.isNeeded { endWhenIdle(&state) }
      }
      begin()
    case .failure(let reason):
      let requests = state.withLock { state in
        (state.isStarting, state.isNeeded) = (false, false)
        defer { state.waiting = [] }
        return state.waiting
      }
      for request in requests { request.settle(.failure(.cannotStart(reason, process: name))) }
      client?.failed(reason, of: self)
      released()
    }
  }

  /// Lets the client send its state to the process, which takes commands from then on; on the loop.
  ///
  /// A client that is not ready yet calls it again when it is.
  func begin() {
    guard let child = state.withLock({ $0.isEnding || $0.hasBegun ? nil : $0.child }) else { return }
    client?.begin(child, of: self)
  }

  /// Notes that the process was sent its state; sends the requests that wait.
  func hasBegun() {
    let (child, requests) = state.withLock { state in
      state.hasBegun = true
      defer { state.waiting = [] }
      return (state.child, state.waiting)
    }
    guard let child else { return }
    child.ping()
    for request in requests where !request.isSettled { child.perform(request) }
  }

  /// Lets a process that may lack a file begin again, or replaces it; the commands until then are not sent.
  ///
  /// The loop reads the file system, which may not answer, and the caller must not wait for that.
  func examine() {
    let isActive = state.withLock { state in
      guard state.hasBegun, !state.isEnding else { return false }
      state.hasBegun = false
      return true
    }
    guard isActive else { return }
    loop.submit { [self] in
      if child?.reachesAllPaths != false { return begin() }
      state.withLock { endOrderly(&$0) }
    }
  }

  // MARK: Messages

  /// Sends a message, if a process takes commands.
  func send(_ request: EngineRequest) {
    guard let child = state.withLock({ $0.hasBegun && !$0.isEnding ? $0.child : nil }) else { return }
    child.send(request)
    child.ping()
  }

  /// Carries out a request, now or in the next process.
  func perform(_ request: PendingRequest) {
    let isClosed = state.withLock { state in
      guard !state.isClosed else { return true }
      guard !request.isSettled else { return false }
      if state.hasBegun, !state.isEnding, let child = state.child {
        child.perform(request)
      } else {
        state.waiting.append(request)
        startSoon(&state)
      }
      return false
    }
    if isClosed { request.settle(.failure(.closed(process: name))) }
  }

  /// Withdraws a request, which is settled.
  func cancel(_ request: PendingRequest) {
    state.withLock { state in
      state.waiting.removeAll { $0 === request }
      state.child?.cancel(request)
    }
  }

  // MARK: The process

  var isBusy: Bool { client?.isBusy(self) ?? false }

  func started(_ child: EngineChild) {
    // What waits for a start waits for the next process.
    if state.withLock({ $0.child === child && !$0.isEnding }) { client?.started(child, of: self) }
  }

  func receive(_ report: EngineReport, from child: EngineChild) throws {
    guard state.withLock({ $0.child === child && !$0.isEnding }) else { return }
    try client?.receive(report, from: self)
  }

  func answered(_ request: PendingRequest, _ answer: MediaAnswer, by child: EngineChild) {
    if state.withLock({ $0.child === child }) { client?.answered(request, answer, of: self) }
  }

  func ended(_ child: EngineChild, _ reason: String?) {
    let (isClosed, hasFailed) = state.withLock { state in
      setTimer(nil, &state)
      (state.child, state.hasBegun, state.isEnding) = (nil, false, false)
      state.failedStarts = reason == nil || child.hasStarted ? 0 : state.failedStarts + 1
      guard state.failedStarts >= Self.startLimit else { return (state.isClosed, false) }
      (state.failedStarts, state.isNeeded) = (0, false)
      return (state.isClosed, true)
    }
    if isClosed {
      for request in child.openRequests { request.settle(.failure(.closed(process: name))) }
    } else {
      client?.ended(child, reason, of: self)
      if hasFailed, let reason { client?.failed(WireError(reason), of: self) }
    }
    state.withLock { if $0.isNeeded || !$0.waiting.isEmpty { startSoon(&$0) } }
    released()
  }

  /// Requests the end of the process; the next process carries out the commands that arrive before it ends.
  func end() { state.withLock { if !$0.isEnding { endOrderly(&$0) } } }

  /// Kills the process, whose end is not unexpected then.
  func discard() {
    let child = state.withLock { state in
      state.isEnding = true
      return state.child
    }
    child?.discard()
  }

  /// Kills the process, whose end is unexpected.
  func kill(because reason: String) { child?.end(because: reason) }

  // MARK: End

  private func setTimer(_ timer: EventSources.ID?, _ state: inout State) {
    if let old = state.timer { loop.cancelTimer(old) }
    state.timer = timer
  }

  private func endOrderly(_ state: inout State) {
    guard let child = state.child else { return }
    state.isEnding = true
    setTimer(nil, &state)
    child.endOrderly()
  }

  /// Ends the process when it was not needed for the idle time.
  private func endWhenIdle(_ state: inout State) {
    guard state.child != nil, !state.isEnding else { return }
    setTimer(
      loop.timer(after: program.idleTime) { [self] in
        self.state.withLock { state in
          guard !state.isNeeded, !state.isEnding, let child = state.child else { return }
          if child.openRequests.isEmpty { endOrderly(&state) } else { endWhenIdle(&state) }
        }
      }, &state)
  }

  /// Ends the process; requests fail.
  func close() {
    let requests: [PendingRequest] = state.withLock { state in
      guard !state.isClosed else { return [] }
      (state.isClosed, state.closing) = (true, state.client)
      if !state.isEnding { endOrderly(&state) }
      defer { state.waiting = [] }
      return state.waiting
    }
    for request in requests { request.settle(.failure(.closed(process: name))) }
    released()
  }

  /// Waits until the process of a closed supervisor has ended.
  func closed() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        guard !state.isGone else { return false }
        state.waiters.append(continuation)
        return true
      }
      if !waits { continuation.resume() }
    }
  }

  private func released() {
    let waiters: [CheckedContinuation<Void, Never>]? = state.withLock { state in
      guard state.isClosed, state.isGone, !exchange(&state.isReleased, with: true) else { return nil }
      defer { state.waiters = [] }
      return state.waiters
    }
    guard let waiters else { return }
    state.withLock { $0.closing.take() }?.released(self)
    for waiter in waiters { waiter.resume() }
  }
}
