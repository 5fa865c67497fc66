import CGst
import Playback
import Synchronization

/// The reason why a secure connection to a server failed.
enum TLSFailure: Sendable {
  /// The server does not speak TLS, or no common version of it.
  case handshake
  /// The certificate of the server is rejected for this reason.
  case certificate(reason: String)

  /// The failures that no player has reported yet, by the URIs of the requests and of the playlists that led to them.
  private static let failures = Mutex<[String: TLSFailure]>([:])
  /// The maximum number of them.
  private static let limit = 256

  func note(of request: HTTPRequest) {
    Self.failures.withLock { failures in
      if failures.count >= Self.limit { failures = [:] }
      for uri in [request.uri, request.referrer] { if let uri { failures[uri] = self } }
    }
  }

  static func forget(of request: HTTPRequest) { failures.withLock { $0[request.uri] = nil } }

  /// Returns the error for the failure of a URI, or of an entry in its playlist, once; nil without a failure.
  static func take(_ uri: String) -> PlayerError? {
    let uri = GURI(uri)?.text ?? uri
    return switch failures.withLock({ $0.removeValue(forKey: uri) }) {
    case .handshake: PlayerError(code: .tls, message: "cannot establish a secure connection")
    case .certificate(let reason): PlayerError(code: .tls, message: reason)
    case nil: nil
    }
  }
}
