import Dispatch
import Playback
import Synchronization

/// A request of this program to a process; it is settled once, by its answer, its cancellation or the end of the process.
final class PendingRequest: Sendable {
  typealias Answer = Result<MediaAnswer, PlayerError>

  private struct State {
    var answer: Answer?
    var continuation: CheckedContinuation<Answer, Never>?
    /// The decision, which the caller makes once, also if the request is sent to another process.
    var decision: Bool?
    var isRetried = false
    var file: FileIdentity?
  }

  let request: MediaRequest
  private let decide: @Sendable (MediaQuestion) -> Bool
  private let state = Mutex(State())

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - decide: Called once with the question of the process, if it has one; on any thread.
  init(_ request: MediaRequest, decide: @escaping @Sendable (MediaQuestion) -> Bool = { _ in false }) {
    self.request = request
    self.decide = decide
  }

  /// The file as the process has opened it; nil before, and for other media.
  var file: FileIdentity? {
    get { state.withLock { $0.file } }
    set { state.withLock { $0.file = newValue } }
  }

  var isSettled: Bool { state.withLock { $0.answer != nil } }

  /// Waits for the answer.
  ///
  /// - Parameters:
  ///   - begin: Passes the request to its process, unless it is settled.
  ///   - cancel: Withdraws the request, which is settled, when the task is cancelled.
  /// - Returns: The answer.
  /// - Throws: The failure that the process reports, or the failure of the process; `cancelled` when the task is cancelled.
  func answer(
    _ begin: @Sendable (PendingRequest) -> Void, cancel: @Sendable (PendingRequest) -> Void
  ) async throws(PlayerError) -> MediaAnswer {
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state in
          if state.answer == nil { state.continuation = continuation }
          return state.answer
        }
        if let answer { return continuation.resume(returning: answer) }
        begin(self)
      }
    } onCancel: {
      settle(.failure(PlayerError(code: .cancelled, message: "the request was cancelled")))
      cancel(self)
    }
    if case .failed(let error) = try answer.get() { throw error }
    return try answer.get()
  }

  /// Settles the request, unless it is settled.
  func settle(_ answer: Answer) {
    let continuation: CheckedContinuation<Answer, Never>? = state.withLock { state in
      guard state.answer == nil else { return nil }
      state.answer = answer
      return state.continuation.take()
    }
    continuation?.resume(returning: answer)
  }

  /// Whether the request is sent to another process after the end of its first one: true once, unless it is settled.
  func retries() -> Bool {
    state.withLock { state in
      defer { state.isRetried = true }
      return !state.isRetried && state.answer == nil
    }
  }

  /// Passes a question to the caller, and its decision to `reply`; a request that is settled is not wanted.
  func ask(_ question: MediaQuestion, _ reply: @escaping @Sendable (Bool) -> Void) {
    let (decision, isSettled) = state.withLock { ($0.decision, $0.answer != nil) }
    guard decision == nil, !isSettled else { return reply(decision ?? false) }
    let decide: @Sendable () -> Void = { [self] in
      let decision = self.decide(question)
      state.withLock { $0.decision = decision }
      reply(decision)
    }
    switch question {
    case .isWanted: decide()
    // The caller may block its thread.
    case .isExamined: DispatchQueue(label: "org.playerd.examination", qos: .utility).async { decide() }
    }
  }
}

extension PendingRequest {
  /// Creates a request for the bytes behind a URI.
  static func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) -> PendingRequest {
    let request = MediaRequest.read(
      uri: uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: forPlayback)
    return PendingRequest(request) { question in
      if case .isWanted(let mediaType, let beginning) = question { isWanted(mediaType, beginning) } else { false }
    }
  }
}

extension MediaAnswer {
  /// The content of an answer to a read.
  var content: MediaContent? { if case .content(let content) = self { content } else { nil } }
}

extension PlayerError {
  /// The error of a process that cannot be started.
  static func cannotStart(_ reason: WireError, process: String = "engine") -> PlayerError {
    PlayerError(code: .engineEnded, message: "the \(process) process cannot be started: \(reason)")
  }

  /// The error of a request during which the process ended.
  static func ended(_ reason: String, process: String = "engine") -> PlayerError {
    PlayerError(code: .engineEnded, message: "the \(process) process ended: \(reason)")
  }

  /// The error of a request to a process that was closed.
  static func closed(process: String = "engine") -> PlayerError {
    PlayerError(code: .cancelled, message: "the \(process) process is closed")
  }
}
