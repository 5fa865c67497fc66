import EventLoop
import Playback
import Synchronization

/// Carries out the requests of a client with the functions of this process, several at the same time.
final class InspectionServer: Sendable {
  private struct Running {
    let decision: ClientDecision
    var task: Task<Void, Never>?
  }

  private let loop: PollLoop
  private let service: any InspectionService
  private let send: @Sendable (MediaReply) -> Void
  private let running = Mutex<[Int: Running]>([:])

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - loop: The loop that receives the messages.
  ///   - service: The functions, which must not block their callers.
  ///   - send: Sends a message to the client, from any thread.
  init(on loop: PollLoop, _ service: any InspectionService, send: @escaping @Sendable (MediaReply) -> Void) {
    self.loop = loop
    self.service = service
    self.send = send
  }

  /// Receives a message; on the loop.
  ///
  /// - Throws: ``WireError`` if the number of a request is in use.
  func receive(_ call: MediaCall) throws(WireError) {
    switch call {
    case .request(let request, let number): try begin(request, number)
    // The request may be answered by now.
    case .decision(let decision, let number): running.withLock { $0[number]?.decision }?.settle(decision)
    case .cancel(let number): running.withLock { $0[number]?.task }?.cancel()
    }
  }

  private func begin(_ request: MediaRequest, _ number: Int) throws(WireError) {
    let decision = ClientDecision()
    let isNew = running.withLock { running in
      guard running[number] == nil else { return false }
      running[number] = Running(decision: decision)
      return true
    }
    guard isNew else { throw WireError("two requests with one number") }
    // It begins after this call, because this thread carries it out.
    let task = Task(executorPreference: LoopTaskExecutor(loop)) { [self] in
      let answer = await answer(request) { [self] question in
        send(.question(question, number: number))
        return decision.wait()
      }
      // A thread of a request that was cancelled or has timed out may wait for its decision.
      decision.settle(false)
      running.withLock { $0[number] = nil }
      send(.answer(answer, number: number))
    }
    running.withLock { $0[number]?.task = task }
  }

  private func answer(
    _ request: MediaRequest, _ ask: @escaping @Sendable (MediaQuestion) -> Bool
  ) async -> MediaAnswer {
    do throws(PlayerError) {
      switch request {
      case .inspect(let uri, let timeout): return .description(try await service.inspect(uri, timeout: timeout))
      case .read(let uri, let headers, let byteLimit, let timeout, let forPlayback):
        return .content(
          try await service.read(
            uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: forPlayback
          ) { ask(.isWanted(mediaType: $0, beginning: $1)) })
      case .measureLoudness(let uri, let includesTagged):
        return .loudness(try await service.measureLoudness(of: uri, includingTagged: includesTagged))
      case .audioOutputs: return .audioOutputs(await service.audioOutputs())
      case .checkAudioSink(let description):
        try await service.checkAudioSink(description)
        return .checked
      case .compareSamples(let uri, let configuration, let rate):
        return .comparison(
          try await service.compareSamples(of: uri, configuration, rate: rate) { _ = ask(.isExamined) })
      case .support: return .support(await service.support())
      }
    } catch {
      return .failed(error)
    }
  }
}
