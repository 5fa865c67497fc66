import EventLoop
package import Playback
import Synchronization

/// The inspection of media in a separate process.
///
/// The process is started with the first request, and ended when it had none for the idle time. It is also ended when it
/// does not answer, exceeds its memory or sends an invalid message. Media during whose inspection it ended is marked: it
/// fails with the code `engine-ended` and the reason, and a local file is tried again when it has changed.
///
/// If several requests were open at the end, each of them may be at fault. They are repeated one at a time, and only the
/// one that ends the process alone is marked.
///
/// Invariants: at most one process exists. A request is settled once.
package final class InspectionProcess: InspectionService, EngineChildOwner {
  struct State: EngineChildState {
    var settings = MediaSettings()
    var child: EngineChild?
    /// Whether the child is to end: requests wait for the next one.
    var isEnding = false
    /// Whether a start was requested from the loop.
    var isStarting = false
    /// Whether the child has stopped a request early: its threads may still run, and end the process later.
    var hasRemains = false
    /// Whether a request of the child did not end by itself: its threads may run without end.
    var isHung = false
    /// The requests for the next process, or for the time after the suspects.
    var waiting: [OpenRequest] = []
    /// The requests of which one has ended the process; each is repeated alone.
    var suspects: [OpenRequest] = []
    /// Whether the open request is a suspect.
    var isAlone = false
    var marks = UnreadableMedia()
    /// The timer of the idle time.
    var timer: EventSources.ID?
    /// What restricts the last process.
    var restrictions: String?
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  let log: EngineLog
  private let limits: Player.Configuration.Engine
  private let policy: SandboxPolicy
  let loop: PollLoop
  private let state = Mutex(State())
  private static let name = "inspection"

  /// Creates the client of a process, which starts with the first request.
  ///
  /// - Parameters:
  ///   - program: The path of the program and its limits. `answerTime` is also the time after its time limit for which a
  ///     request may stay without an answer.
  ///   - policy: The restrictions of the process, unless the sandbox of the program is off.
  ///   - log: Receives the messages of libraries in the process.
  package init(
    _ program: Player.Configuration.Engine, _ policy: SandboxPolicy,
    log: @escaping EngineLog = { text, _ in EngineService.report(text) }
  ) {
    (limits, self.policy) = (program, policy)
    self.log = log
    loop = PollLoop(name: Self.name)
  }

  deinit { loop.stop() }

  /// The ID of the process; nil while there is none.
  package var processID: Int32? { state.withLock { $0.child?.processID } }

  /// What restricts the process that has started last, such as `Landlock 7, seccomp`; nil before.
  package var restrictions: String? { state.withLock { $0.restrictions } }

  package func apply(_ settings: MediaSettings) {
    state.withLock { state in
      guard settings != state.settings else { return }
      state.settings = settings
      if !state.isEnding { state.child?.send(.settings(settings)) }
    }
  }

  // MARK: Requests

  /// Carries out a request.
  func perform(_ request: OpenRequest) async throws(PlayerError) -> MediaAnswer {
    try await request.answer {
      begin($0)
    } cancel: {
      cancel($0)
    }
  }

  private func begin(_ request: OpenRequest) {
    let child = state.withLock { $0.child }
    let isOutdated = child?.reachesAllPaths == false
    let failure: PlayerError? = state.withLock { state in
      guard !state.isClosed else { return .closed(process: Self.name) }
      if isOutdated, !state.isEnding, state.child === child, child?.hasStarted == true,
        child?.openRequests.isEmpty == true
      {
        state.endOrderly(on: loop)
      }
      if let failure = state.marks.failure(of: request) { return failure }
      guard !request.isSettled else { return nil }
      state.waiting.append(request)
      advance(&state)
      return nil
    }
    if let failure { request.settle(.failure(failure)) }
  }

  private func cancel(_ request: OpenRequest) {
    state.withLock { state in
      state.waiting.removeAll { $0 === request }
      state.suspects.removeAll { $0 === request }
      state.child?.cancel(request)
    }
  }

  /// Sends the requests that may be sent, and starts a process for them if there is none.
  private func advance(_ state: inout State) {
    guard !state.waiting.isEmpty || !state.suspects.isEmpty else { return }
    guard let child = state.child, !state.isEnding else { return startSoon(&state) }
    let isFree = child.openRequests.isEmpty
    if isFree { state.isAlone = !state.suspects.isEmpty }
    if state.isAlone {
      guard isFree else { return }
      child.perform(state.suspects.removeFirst())
    } else {
      // Suspects begin when the open requests are answered.
      guard state.suspects.isEmpty else { return }
      for request in state.waiting { child.perform(request) }
      state.waiting = []
    }
    state.setTimer(nil, on: loop)
  }

  var isBusy: Bool { state.withLock { $0.child?.openRequests.isEmpty == false } }

  /// A file of an inspection takes about five: its own, the lyrics beside it, and the answer.
  var messagesPerSecond: Int { 2_000 }

  func answered(_ request: OpenRequest, _ answer: MediaAnswer, by child: EngineChild) {
    state.withLock { state in
      guard state.child === child else { return }
      if case .failed(let error) = answer {
        if [.loadTimeout, .outOfResources].contains(error.code) { state.isHung = true }
        if [.loadTimeout, .networkTimeout, .cancelled].contains(error.code) { state.hasRemains = true }
      }
      advance(&state)
      if child.openRequests.isEmpty { endWhenIdle(&state) }
    }
  }

  func receive(_ event: EngineEvent, from child: EngineChild) throws {
    throw WireError("a message of the engine of a player")
  }

  func started(_ child: EngineChild) { state.withLock { $0.restrictions = child.restrictions } }

  // MARK: The process

  private func startSoon(_ state: inout State) {
    guard state.child == nil, !state.isStarting, !state.isClosed else { return }
    state.isStarting = true
    // The thread of the loop exists as long as the process, which the kernel kills when its starter ends.
    loop.submit { self.start() }
  }

  private func start() {
    let isWanted = state.withLock { state in
      if state.isClosed { state.isStarting = false }
      return !state.isClosed
    }
    guard isWanted else { return released() }
    let result = Result<EngineChild, WireError> { () throws(WireError) in
      try EngineChild(limits, policy, on: loop, owner: self)
    }
    let failed: [OpenRequest] = state.withLock { state in
      state.isStarting = false
      guard case .success(let child) = result else { return state.takeRequests() }
      (state.child, state.isAlone, state.hasRemains, state.isHung) = (child, false, false, false)
      child.send(.startInspection(memoryLimit: limits.memoryLimit))
      child.send(.settings(state.settings))
      advance(&state)
      if state.isClosed { state.endOrderly(on: loop) } else if child.openRequests.isEmpty { endWhenIdle(&state) }
      return []
    }
    guard case .failure(let reason) = result else { return }
    for request in failed { request.settle(.failure(.cannotStart(reason, process: Self.name))) }
    released()
  }

  func ended(_ child: EngineChild, _ reason: String?) {
    let open = child.openRequests
    let failed: [OpenRequest] = state.withLock { state in
      state.setTimer(nil, on: loop)
      (state.child, state.isEnding) = (nil, false)
      if state.isClosed { return open + state.takeRequests() }
      // A program that does not start is not the fault of media.
      if !child.hasStarted { return open + state.takeRequests() }
      var failed: [OpenRequest] = []
      if open.count == 1, !state.hasRemains, let reason {
        state.marks.add(open[0], .ended(reason, process: Self.name))
        failed = open
      } else {
        state.suspects.insert(contentsOf: open.filter { !$0.isSettled }, at: 0)
      }
      advance(&state)
      return failed
    }
    for request in failed {
      request.settle(.failure(reason.map { .ended($0, process: Self.name) } ?? .closed(process: Self.name)))
    }
    released()
  }

  /// Ends the process when it had no request for the idle time, or now if threads may run without end.
  private func endWhenIdle(_ state: inout State) {
    let time = state.isHung ? Duration.zero : limits.idleTime
    state.setTimer(
      loop.timer(after: time) { [self] in
        self.state.withLock { state in
          if !state.isEnding, state.child?.openRequests.isEmpty == true { state.endOrderly(on: loop) }
        }
      }, on: loop)
  }

  // MARK: Close

  /// Ends the process; open and later requests fail with the code `cancelled`.
  package func close() {
    let requests: [OpenRequest] = state.withLock { state in
      guard !state.isClosed else { return [] }
      state.isClosed = true
      let open = state.child?.openRequests ?? []
      if !state.isEnding { state.endOrderly(on: loop) }
      return state.takeRequests() + open
    }
    for request in requests { request.settle(.failure(.closed(process: Self.name))) }
    released()
  }

  /// Waits until the process of a closed client has ended.
  package func closed() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { $0.add(continuation) }
      if !waits { continuation.resume() }
    }
  }

  /// Resumes the callers that wait for the end of a closed client, and ends its thread.
  private func released() {
    guard let waiters = state.withLock({ $0.takeWaiters() }) else { return }
    loop.stop()
    for waiter in waiters { waiter.resume() }
  }
}

extension InspectionProcess.State {
  /// Removes the requests that are not open.
  fileprivate mutating func takeRequests() -> [OpenRequest] {
    defer { (waiting, suspects) = ([], []) }
    return suspects + waiting
  }
}

/// The media during whose inspection the process ended, with the errors.
struct UnreadableMedia {
  private struct Mark {
    var error: PlayerError
    var file: FileIdentity?
  }

  private struct Key: Hashable {
    var uri: String
    var decodes: Bool
  }

  /// The marks that are kept at most.
  private static let limit = 10_000

  private var marks: [Key: Mark] = [:]

  /// Marks the media of a request.
  mutating func add(_ request: OpenRequest, _ error: PlayerError) {
    guard let uri = request.request.uri else { return }
    if marks.count >= Self.limit { marks = [:] }
    marks[Key(uri: uri, decodes: request.request.decodes)] = Mark(error: error, file: request.file)
  }

  /// Returns the error of media that is marked; a file that has changed since then is not marked any more.
  mutating func failure(of request: OpenRequest) -> PlayerError? {
    guard let uri = request.request.uri else { return nil }
    let key = Key(uri: uri, decodes: request.request.decodes)
    guard let mark = marks[key] else { return nil }
    guard mark.file != request.file else { return mark.error }
    marks[key] = nil
    return nil
  }
}
