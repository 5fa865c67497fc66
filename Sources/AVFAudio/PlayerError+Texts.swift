public import Foundation
public import GstPlayer

/// Texts for users, which `localizedDescription` returns.
extension PlayerError: LocalizedError {
  /// The failure and its reason.
  public var errorDescription: String? { text(about: nil) }

  /// The reason of the failure.
  public var failureReason: String? { message.prefix(1).uppercased() + message.dropFirst() + "." }

  /// Returns the failure of the media of a URI, and its reason.
  package func text(about uri: String?) -> String {
    let media =
      if let uri { Player.Item.isLocal(uri) ? "The file" : "The stream" } else { "The media" }
    let failure =
      switch code {
      case .cancelled: "The operation was cancelled"
      case .output: "The audio output cannot be used"
      case .corrupt, .noProgress, .engineEnded, .networkCut, .limitExceeded: "\(media) cannot be played"
      default: "\(media) could not be opened"
      }
    return "\(failure): \(message)."
  }

  /// The texts of an error about the media of a URI, for the errors of Apple's frameworks.
  package func userInfo(about uri: String?) -> [String: Any] {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: text(about: uri), NSUnderlyingErrorKey: self as NSError]
    userInfo[NSLocalizedFailureReasonErrorKey] = failureReason
    userInfo[NSDebugDescriptionErrorKey] = detail.isEmpty ? nil : detail
    return userInfo
  }
}
