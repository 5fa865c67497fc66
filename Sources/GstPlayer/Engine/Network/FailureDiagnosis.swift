import Dispatch
import Playback

/// The diagnosis of the failure to open a network stream, for errors that GStreamer reports without a reason.
struct FailureDiagnosis {
  let stream: StreamToken
  /// The error without a reason.
  private let error: PlayerError
  /// Whether it is in progress; further errors of the stream are then consequences, which are not reported.
  private var isRunning = true
  /// Whether there was such an error that is not one of the source.
  private var hasConsequence = false

  init(of stream: StreamToken, _ error: PlayerError) { (self.stream, self.error) = (stream, error) }

  /// Finds out the reason in the background.
  static func run(_ uri: String, _ report: @escaping @Sendable (_ reason: PlayerError?) -> Void) {
    DispatchQueue(label: "org.playerd.network-probe", qos: .utility).async { report(NetworkProbe.diagnose(uri)) }
  }

  /// Notes a further error; returns whether it is a consequence.
  mutating func takes(_ error: PlayerError) -> Bool {
    guard isRunning else { return false }
    if !error.isFromSource { hasConsequence = true }
    return true
  }

  /// Returns the error to report, with the reason that was found.
  mutating func end(with reason: PlayerError?) -> PlayerError {
    isRunning = false
    var reason = reason ?? error
    // Perhaps only the source has ended, and the data received before is sufficient for playback.
    reason.isFromSource = reason.code == .networkCut && !hasConsequence
    return reason
  }
}
