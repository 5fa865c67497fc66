import Playback

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
