import Playback

extension EngineCommand {
  /// The stream that the command opens; nil for another command.
  var openedStream: StreamToken? { if case .open(let request) = self { request.stream } else { nil } }
}
