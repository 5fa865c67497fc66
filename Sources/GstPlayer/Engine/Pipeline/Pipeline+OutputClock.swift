import CGst
import EngineProcess
import Playback

/// The time of the output.
extension Pipeline {
  /// Sets the buffer of PulseAudio's sink for its next stream, unless the configuration describes the sink.
  func sizeOutputBuffer(isLarge: Bool) {
    guard configuration.audioSink == nil else { return }
    unsafe context.withPulseSink {
      unsafe AudioSink.tune($0, fades: configuration.fade > .zero || mix != nil, isLarge: isLarge)
    }
  }

  /// The time limit for a measurement of the position, from its request.
  static let sampleTimeout = Duration.seconds(1)

  /// Measures the position as soon as the output's clock is exact, and reports it.
  func samplePosition(until limit: MonotonicTime) {
    sampleTimer.set(nil) {}
    // Once a successor has reached the output, the position belongs to the successor.
    guard context.streamAtSink == stream else { return }
    if let position = exactPosition {
      report(.sampled(stream, position: position, context.takeProgress(of: stream)))
    } else if requestedState == GST_STATE_PLAYING, .now < limit {
      sampleTimer.set(.now + StreamClock.hold) { [weak self] in self?.assumeIsolated { $0.samplePosition(until: limit) }
      }
    }
  }

  /// The position of the output while its clock is exact; nil after a start and while the output does not run.
  private var exactPosition: Duration? {
    guard context.clockDelay == .zero else { return nil }
    // Reading the clock may show that the stream has not begun, or has no time.
    guard position != nil, context.clockDelay == .zero else { return nil }
    // On a busy machine, the thread may be suspended during the query.
    for _ in 0..<3 {
      let start = MonotonicTime.now
      let position = position
      if .now - start < .milliseconds(1) { return position }
    }
    return position
  }

  /// The running time of the audio; nil if there is none.
  var runningTime: Duration? {
    guard let playbin = unsafe playbin else { return nil }
    let time = unsafe Duration(gst: gst_element_get_current_running_time(playbin))
    return time.map { $0 + (context.clockDelay ?? .zero) }
  }
}

extension PipelineContext {
  /// The time by which the output's clock is behind, just after a start; nil if the output does not run.
  var clockDelay: Duration? {
    guard let clock = outputClock.value else { return .zero }
    return unsafe withPulseSink { unsafe clock.delay(in: $0) } ?? .zero
  }

  /// The running time of the output by its clock; nil unless it plays.
  var runningTime: Duration? {
    unsafe output.with { element in
      var state = GST_STATE_VOID_PENDING
      unsafe gst_element_get_state(element, &state, nil, 0)
      return state == GST_STATE_PLAYING ? unsafe Duration(gst: gst_element_get_current_running_time(element)) : nil
    } ?? nil
  }

  /// The running time of the audio that the output plays; nil unless it plays and its time is known.
  var exactRunningTime: Duration? {
    guard clockError != nil, let time = runningTime else { return nil }
    // Reading the clock may show that the output does not run.
    return clockError.map { time + $0 }
  }

  private var clockError: Duration? {
    guard let clock = outputClock.value else { return .zero }
    return unsafe withPulseSink { unsafe clock.error(in: $0) } ?? .zero
  }

  /// Returns the result of `body` for the sink of the output if it is PulseAudio's, else nil.
  ///
  /// Other outputs do not change their device automatically.
  @discardableResult
  func withPulseSink<Result>(_ body: (UnsafeMutablePointer<GstElement>) -> Result) -> Result? {
    guard let sink = unsafe output.with({ unsafe AudioSink.volumeOwner(of: $0) }) ?? nil else { return nil }
    defer { unsafe gst_object_unref(sink) }
    return unsafe cgst_has_property(sink, "current-device") != 0 ? body(sink) : nil
  }
}
