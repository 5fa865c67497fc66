import CGst
import Dispatch
import Playback

/// Handles the failures of streams, and diagnoses a network stream that cannot be opened.
extension Pipeline {
  /// The diagnosis of the failure to open a stream.
  struct Diagnosis {
    let stream: StreamToken
    /// Whether it is in progress; further errors of the stream are then consequences, which are not reported.
    var isRunning = true
    /// Whether there was such an error that is not one of the source.
    var hasConsequence = false
  }

  func failed(_ stream: StreamToken, _ error: PlayerError) {
    let received = context.progress(of: stream).received ?? 0
    if stream == self.stream, !hasPrerolled, error.code == .networkCut, received <= 0 {
      return explain(error, of: stream)
    }
    if stream == diagnosis?.stream, diagnosis?.isRunning == true {
      if !error.isFromSource { diagnosis?.hasConsequence = true }
      return
    }
    if error.code == .output { outputWasLost() }
    successorFailed(stream)
    report(.failed(stream, error))
  }

  /// Isolates a failed successor from later state changes, and repeats the state change that it may have ended.
  ///
  /// A state change that continues on a GStreamer thread ends without a result if a decoder cannot follow. The pipeline
  /// would then stay paused.
  private func successorFailed(_ stream: StreamToken) {
    // Isolates it again, because playbin unlocks a decoder once the decoder has been started.
    context.isolateFailedDecoder(of: stream)
    guard stream != self.stream, requestedState == GST_STATE_PAUSED || requestedState == GST_STATE_PLAYING else {
      return
    }
    setState(requestedState)
  }

  /// Diagnoses a failure to open a network stream, and then reports it; the executor does not wait for the diagnosis.
  private func explain(_ error: PlayerError, of stream: StreamToken) {
    guard diagnosis?.stream != stream else { return }
    diagnosis = Diagnosis(stream: stream)
    let uri = uri
    DispatchQueue(label: "org.playerd.network-probe", qos: .utility).async {
      let reason = NetworkProbe.diagnose(uri)
      self.enqueue { $0.explained(by: reason, insteadOf: error, of: stream) }
    }
  }

  private func explained(by reason: PlayerError?, insteadOf error: PlayerError, of stream: StreamToken) {
    guard stream == self.stream else { return }
    diagnosis?.isRunning = false
    var reason = reason ?? error
    // Perhaps only the source has ended, and the data received before is sufficient for playback.
    reason.isFromSource = reason.code == .networkCut && diagnosis?.hasConsequence != true
    report(.failed(stream, reason))
  }
}
