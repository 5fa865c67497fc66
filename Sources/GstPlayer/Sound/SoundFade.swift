import CGst
import Playback
import Synchronization

/// Fades the samples that enter the output; the reported volume does not change.
///
/// The pipeline's executor sets the direction, and the streaming thread changes the samples. The fade is applied at the
/// output because playbin queues a second of audio between its filter and the output. Audio that the output has already
/// buffered is not changed.
final class SoundFade: Sendable {
  private struct State {
    var curve = FadeCurve.full
    /// The curve for the audio after a flush that is in progress.
    var afterFlush: FadeCurve?
    /// Whether the audio was faded out, so that the next item or seek starts with a fade-in from silence.
    var isFadedOut = false
    /// Whether the end of the present fade-out has not been reported yet.
    var isFadeOutEndPending = false
  }

  private let state = Mutex(State())
  private let length: Duration
  /// Reports the running time, in nanoseconds, at which a fade-out ends.
  private let onFadeOutEnd: @Sendable (UInt64) -> Void

  init(over length: Duration, onFadeOutEnd: @escaping @Sendable (UInt64) -> Void) {
    self.length = length
    self.onFadeOutEnd = onFadeOutEnd
  }

  /// Fades the audio that enters a pad.
  func attach(to pad: UnsafeMutablePointer<GstPad>) {
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { pad, info in
      guard let buffer = unsafe cgst_probe_buffer(info) else {
        if unsafe cgst_probe_event_of(info, GST_EVENT_FLUSH_STOP) != nil { self.flushed() }
        return GST_PAD_PROBE_OK
      }
      guard let sound = unsafe AudioBuffer(buffer, at: pad), let levels = self.levels(of: sound),
        let writable = unsafe cgst_writable_buffer(buffer)
      else { return GST_PAD_PROBE_OK }
      unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
      unsafe sound.apply(levels, to: writable)
      return GST_PAD_PROBE_OK
    }
  }

  // MARK: On the executor

  func turn(_ direction: FadeDirection) {
    state.withLock {
      switch direction {
      // Starts with the next sample.
      case .out:
        $0.curve.turn(to: 0, over: length)
        $0.isFadedOut = true
        $0.isFadeOutEndPending = true
      // Starts from the present level; no effect at full level or during a fade-in.
      case .in:
        $0.curve.turn(to: 1, over: length)
        $0.isFadedOut = false
        $0.isFadeOutEndPending = false
      // The next item or seek starts at full level.
      case .none: $0.isFadedOut = false
      }
    }
  }

  /// Prepares for audio of another position or item; the audio starts at once or after a flush.
  func begin(afterFlush: Bool) {
    state.withLock {
      var curve = FadeCurve.full
      if $0.isFadedOut {
        curve = FadeCurve(at: 0)
        curve.turn(to: 1, over: length)
      }
      $0.isFadeOutEndPending = false
      if afterFlush { $0.afterFlush = curve } else { ($0.curve, $0.afterFlush) = (curve, nil) }
    }
  }

  /// Cancels the preparation for a flush that was refused.
  func cancelFlush() { state.withLock { $0.afterFlush = nil } }

  // MARK: On the streaming thread

  private func flushed() {
    state.withLock {
      if let curve = $0.afterFlush { $0.curve = curve }
      $0.afterFlush = nil
    }
  }

  /// Returns the levels for the next buffer; nil if the buffer remains unchanged.
  private func levels(of sound: AudioBuffer) -> [FadeCurve.Point]? {
    state.withLock { state in
      if state.isFadeOutEndPending {
        state.isFadeOutEndPending = false
        onFadeOutEnd(sound.runningTime + UInt64(clamping: state.curve.remaining.wholeNanoseconds))
      }
      return state.curve.isFull ? nil : state.curve.points(lasting: sound.duration)
    }
  }
}
