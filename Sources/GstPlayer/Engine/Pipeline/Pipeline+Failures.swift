import CGst
import Playback

/// Handles the failures of streams, and diagnoses a network stream that cannot be opened.
extension Pipeline {
  func failed(_ stream: StreamToken, _ error: PlayerError) {
    let received = context.progress(of: stream).received ?? 0
    if stream == self.stream, !hasPrerolled, error.code == .networkCut, received <= 0 {
      return explain(error, of: stream)
    }
    if stream == diagnosis?.stream, diagnosis?.takes(error) == true { return }
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
    diagnosis = FailureDiagnosis(of: stream, error)
    FailureDiagnosis.run(uri) { reason in self.enqueue { $0.explained(by: reason, of: stream) } }
  }

  private func explained(by reason: PlayerError?, of stream: StreamToken) {
    guard stream == self.stream, let error = diagnosis?.end(with: reason) else { return }
    report(.failed(stream, error))
  }
}
