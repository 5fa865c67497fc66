import Playback

extension Failure {
  /// Returns the player's error for the media of a URI; its cause, if that can be found out.
  func playerError(missing: [String], of uri: @autoclosure () -> String?) -> PlayerError {
    let error = playerError(missing: missing)
    let cause: PlayerError? =
      switch error.code {
      case .corrupt: uri().flatMap(LocalFile.undecodableFLAC)
      case .networkCut: uri().flatMap(TLSFailure.take)
      default: nil
      }
    return cause ?? error
  }
}
