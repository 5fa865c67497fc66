import GstPlayer

/// The failure of an item.
struct AVFailure: Sendable {
  private let playerError: PlayerError
  private let uri: String

  init(_ error: PlayerError, of uri: String) {
    playerError = error
    self.uri = uri
  }

  /// The error in the form of Apple's framework.
  var error: any Error { playerError.foundationError(about: uri) }
}
