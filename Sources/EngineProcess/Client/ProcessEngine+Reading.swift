package import Playback
import Synchronization

/// The requests to the process of the player.
extension ProcessEngine {
  /// Replaces the settings of the process, now and after each start.
  package func apply(_ settings: MediaSettings) {
    state.withLock { state in
      guard settings != state.mediaSettings else { return }
      state.mediaSettings = settings
      state.commanded?.send(.settings(settings))
    }
  }

  /// Reads the bytes behind a URI in the process that plays it next; starts the process if necessary.
  ///
  /// See ``InspectionService/read(_:headers:byteLimit:timeout:forPlayback:isWanted:)``. A read during which the process
  /// ended is repeated once; then it fails with the code `engine-ended`.
  package func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) async throws(PlayerError) -> MediaContent? {
    let request = OpenRequest.read(
      uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: forPlayback, isWanted: isWanted)
    return try await request.answer {
      begin($0)
    } cancel: {
      cancel($0)
    }.content
  }

  /// Checks in the process of the player that a description names an audio output that can be created.
  package func checkAudioSink(_ description: String) async throws(PlayerError) {
    _ = try await OpenRequest(.checkAudioSink(description)).answer {
      begin($0)
    } cancel: {
      cancel($0)
    }
  }

  private func begin(_ request: OpenRequest) {
    let isClosed = state.withLock { state in
      guard !state.isClosed else { return true }
      guard !request.isSettled else { return false }
      if let child = state.commanded {
        child.perform(request)
      } else {
        state.reads.append(request)
        startSoon(&state)
      }
      return false
    }
    if isClosed { request.settle(.failure(.closed())) }
  }

  private func cancel(_ request: OpenRequest) {
    state.withLock { state in
      state.reads.removeAll { $0 === request }
      state.child?.cancel(request)
    }
  }

  func answered(_ request: OpenRequest, _ answer: MediaAnswer, by child: EngineChild) {}
}

extension OpenRequest {
  /// Creates a request for the bytes behind a URI.
  static func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) -> OpenRequest {
    let request = MediaRequest.read(
      uri: uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: forPlayback)
    return OpenRequest(request) { question in
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
