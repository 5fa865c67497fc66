import EventLoop
import Playback
import Synchronization

/// A request that a process has not answered.
struct SentRequest {
  let request: PendingRequest
  /// Whether the process has asked its question.
  var hasAsked = false
  /// The timer of its time limit.
  var timer: EventSources.ID?
}

/// The requests to a process, which it answers in any order.
extension EngineChild {
  /// The requests that are not answered, in the order in which they were sent.
  var openRequests: [PendingRequest] {
    state.withLock { state in state.requests.sorted { $0.key < $1.key }.map(\.value.request) }
  }

  /// Sends a request; on any thread.
  func perform(_ request: PendingRequest) {
    let isSent = state.withLock { state in
      let number = state.lastRequest + 1
      guard send(.media(.request(request.request, number: number))) else { return false }
      state.lastRequest = number
      state.requests[number] = SentRequest(request: request)
      if state.startMemory != nil { limit(request, number, &state) }
      return true
    }
    guard isSent else {
      return request.settle(.failure(PlayerError(code: .invalidArgument, message: "the request is too large")))
    }
    ping()
  }

  /// Withdraws a request, which is settled; it remains open until the process answers it.
  func cancel(_ request: PendingRequest) {
    let number = state.withLock { $0.requests.first { $0.value.request === request }?.key }
    if let number { send(.media(.cancel(number: number))) }
  }

  /// Sets the time after which a process that has not answered is taken for hung: it enforces the time limit itself.
  func limit(_ request: PendingRequest, _ number: Int, _ state: inout State) {
    if let limit = request.request.timeout { setTimer(limit + limits.answerTime, number, &state) }
  }

  private func setTimer(_ limit: Duration, _ number: Int, _ state: inout State) {
    let deadline = loop.now.advanced(by: limit)
    state.requests[number]?.timer = loop.timer(after: limit) { [self] in overdue(number, limit, deadline) }
  }

  /// Kills a process that has not answered a request in time; on the loop.
  private func overdue(_ number: Int, _ limit: Duration, _ deadline: SuspendingClock.Instant) {
    // The answer may be in the socket.
    receiveAvailable()
    let isOverdue = state.withLock { state in
      guard state.requests[number] != nil else { return false }
      let isLate = deadline.duration(to: loop.now) >= Self.lateness
      if isLate { setTimer(limits.answerTime, number, &state) }
      return !isLate
    }
    if isOverdue { end(because: "no answer for \(limit)") }
  }

  /// Handles a message about a request; on the loop.
  func received(_ reply: MediaReply) throws(WireError) {
    switch reply {
    case .question(let question, let number):
      let sent: SentRequest? = state.withLock { state in
        defer { state.requests[number]?.hasAsked = true }
        return state.requests[number]
      }
      guard let sent, !sent.hasAsked, sent.request.request.allows(question) else {
        throw WireError("a question without its request")
      }
      sent.request.ask(question) { [self] decision in send(.media(.decision(decision, number: number))) }
    case .answer(let answer, let number):
      guard let sent = state.withLock({ $0.requests[number] }) else { throw WireError("an answer without its request") }
      if let fault = sent.request.request.fault(of: answer) { throw WireError(fault) }
      state.withLock { $0.requests[number] = nil }
      if let timer = sent.timer { loop.cancelTimer(timer) }
      let answer = answer.limited
      sent.request.settle(.success(answer))
      owner.answered(sent.request, answer, by: self)
    }
  }
}
