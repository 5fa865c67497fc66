import Playback

extension EngineCommand {
  /// The stream that the command opens; nil for another command.
  var openedStream: StreamToken? {
    switch self {
    case .load(_, let stream, _), .prepare(_, let stream, _): stream
    default: nil
    }
  }

  /// Whether the command begins the opening of a stream, for which a process is started.
  ///
  /// A stream is prepared beside one that plays, and no process is started for it alone.
  var opensStream: Bool {
    switch self {
    case .load, .selectAudioTrack: true
    default: false
    }
  }
}
