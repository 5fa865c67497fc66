import CGst
import Playback
import Synchronization

/// Takes the sound down and up again, sample by sample, on its way into the output; the volume that is told stays.
///
/// The pipeline's executor says where to, the streaming thread does it. Here, and not before: playbin holds a second of
/// sound between its filter and the output. What the output itself holds is heard as it is.
final class SoundFade: CallbackContext, Sendable {
  private struct State {
    var curve = FadeCurve.full
    /// The level of what follows a flush that is on its way.
    var afterFlush: FadeCurve?
    /// The sound was taken down: what is opened or sought now comes up from silence.
    var isHushed = false
    /// The end of the present fall has not been told.
    var isFallNew = false
  }

  private let state = Mutex(State())
  private let length: Duration
  /// Tells the running time, in nanoseconds, at which a fall has ended.
  private let tell: @Sendable (UInt64) -> Void

  init(over length: Duration, tell: @escaping @Sendable (UInt64) -> Void) {
    self.length = length
    self.tell = tell
  }

  // MARK: From the executor

  func turn(_ direction: FadeDirection) {
    switch direction {
    case .out: fall()
    case .in: rise()
    case .none: forget()
    }
  }

  /// Takes the sound down, from its next sample on.
  private func fall() {
    state.withLock {
      $0.curve.turn(to: 0, over: length)
      $0.isHushed = true
      $0.isFallNew = true
    }
  }

  /// Brings the sound up from where it is; nothing when it is up, or on its way.
  private func rise() {
    state.withLock {
      $0.curve.turn(to: 1, over: length)
      $0.isHushed = false
      $0.isFallNew = false
    }
  }

  /// What is opened or sought from now on has its full level at once.
  private func forget() { state.withLock { $0.isHushed = false } }

  /// Other sound is about to come, at once or after a flush.
  func begin(afterFlush: Bool) {
    state.withLock {
      var curve = FadeCurve.full
      if $0.isHushed {
        curve = FadeCurve(at: 0)
        curve.turn(to: 1, over: length)
      }
      $0.isFallNew = false
      if afterFlush { $0.afterFlush = curve } else { ($0.curve, $0.afterFlush) = (curve, nil) }
    }
  }

  /// There will be no flush.
  func cancelFlush() { state.withLock { $0.afterFlush = nil } }

  // MARK: On the streaming thread

  fileprivate func flushed() {
    state.withLock {
      if let curve = $0.afterFlush { $0.curve = curve }
      $0.afterFlush = nil
    }
  }

  /// Levels a buffer that is about to pass; nil to let it pass as it is.
  fileprivate func levels(of sound: PassingSound) -> [FadeCurve.Point]? {
    state.withLock { state in
      if state.isFallNew {
        state.isFallNew = false
        tell(sound.runningTime + UInt64(clamping: state.curve.remaining.wholeNanoseconds))
      }
      return state.curve.isFull ? nil : state.curve.points(lasting: sound.duration)
    }
  }
}

// MARK: The probe

extension SoundFade {
  /// Fades what goes into a pad, which keeps this as long.
  func attach(to pad: UnsafeMutablePointer<GstPad>) {
    let kinds = GstPadProbeType(GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue)
    unsafe gst_pad_add_probe(pad, kinds, fadeProbe, callbackData, releaseCallbackData)
  }
}

/// Whatever comes to the output: a buffer at its level, or the end of a flush.
///
/// <https://gstreamer.freedesktop.org/documentation/gstreamer/gstpad.html#GstPadProbeCallback>
private func fadeProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let info = unsafe info, let fade = unsafe SoundFade.borrow(data) else {
    return GST_PAD_PROBE_OK
  }
  guard let buffer = unsafe cgst_probe_buffer(info) else {
    if let event = unsafe cgst_probe_event(info), unsafe cgst_event_type(event) == GST_EVENT_FLUSH_STOP {
      fade.flushed()
    }
    return GST_PAD_PROBE_OK
  }
  guard let sound = unsafe PassingSound(buffer, at: pad), let levels = fade.levels(of: sound),
    let writable = unsafe cgst_writable_buffer(buffer)
  else { return GST_PAD_PROBE_OK }
  unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
  unsafe sound.apply(levels, to: writable)
  return GST_PAD_PROBE_OK
}
