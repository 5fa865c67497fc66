import CGst
import Playback
import Synchronization

/// Fades the samples of one stream at the output for a crossfade, in addition to the fades at pauses.
///
/// The level follows the running time of each sample, so that the ramp needs no clock. The probe exists only during a
/// crossfade: without one, no sample is touched.
final class CrossfadeRamp: Sendable {
  /// The part of a stream in a crossfade.
  enum Direction: Sendable {
    case fadeIn
    case fadeOut
  }

  private struct State {
    var direction: Direction
    var shape: CrossfadeShape
    /// The media time at which the ramp begins; nil for the next sample.
    var start: Duration?
    /// The running time at which the ramp begins, in nanoseconds; nil before the first sample.
    var begun: Double?
    /// The running time of the last cancellation, in nanoseconds, and the level at that time.
    var cancelled: (time: Double, level: Double)?
    var isCancelling = false
    var isDone = false
    /// Whether the stream has not played yet: the ramp then begins again at a seek.
    var awaitsStart: Bool
  }

  /// The time in which a cancelled fade-out returns to the full level.
  private static let returnTime = Duration.milliseconds(50)

  private let state: Mutex<State>

  /// Creates a ramp that begins with the next sample, or at a media time.
  init(_ direction: Direction, _ shape: CrossfadeShape, from start: Duration? = nil, awaitsStart: Bool = false) {
    state = Mutex(State(direction: direction, shape: shape, start: start, awaitsStart: awaitsStart))
  }

  /// Fades the audio that enters a pad.
  func attach(to pad: UnsafeMutablePointer<GstPad>) {
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { pad, info in
      guard let buffer = unsafe cgst_probe_buffer(info) else {
        if unsafe cgst_probe_event_of(info, GST_EVENT_FLUSH_STOP) != nil { self.flushed() }
        return GST_PAD_PROBE_OK
      }
      guard let sound = unsafe AudioBuffer(buffer, at: pad) else { return GST_PAD_PROBE_OK }
      let begin = self.start.flatMap { unsafe runningTime(of: $0, at: pad) }
      guard let level = self.level(of: sound, from: begin) else {
        return self.isDone ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
      }
      guard let writable = unsafe cgst_writable_buffer(buffer) else { return GST_PAD_PROBE_OK }
      unsafe info.pointee.data = UnsafeMutableRawPointer(writable)
      unsafe sound.scale(writable, by: level)
      return GST_PAD_PROBE_OK
    }
  }

  // MARK: On the executor

  /// Returns to the full level from the next sample on.
  func cancel() { state.withLock { $0.isCancelling = true } }

  /// Leaves all samples from the next one on unchanged.
  func end() { state.withLock { $0.isDone = true } }

  /// Notes that the stream plays.
  func started() { state.withLock { $0.awaitsStart = false } }

  /// The shape of a ramp whose stream has not played; nil for another.
  var awaitedShape: CrossfadeShape? { state.withLock { $0.awaitsStart ? $0.shape : nil } }

  // MARK: On the streaming thread

  private var isDone: Bool { state.withLock { $0.isDone } }

  private var start: Duration? { state.withLock { $0.start } }

  /// A fade-in ends at a seek, unless the stream has not played; a fade-out follows the media times after the seek.
  private func flushed() {
    state.withLock { state in
      if state.direction == .fadeIn && !state.awaitsStart || state.isCancelling { state.isDone = true }
      state.begun = nil
    }
  }

  /// Returns the levels of the frames of a buffer; nil if the buffer remains unchanged.
  private func level(of sound: AudioBuffer, from begin: Double?) -> ((Int) -> Double)? {
    state.withLock { state in
      guard !state.isDone, sound.frames > 0 else { return nil }
      let (first, step) = (Double(sound.runningTime), Double(sound.duration.wholeNanoseconds) / Double(sound.frames))
      let begun = begin ?? state.begun ?? first
      state.begun = begun
      let (direction, shape) = (state.direction, state.shape)
      let length = max(1, Double(shape.length.wholeNanoseconds))
      let full = { (time: Double) in shape.curve.level((time - begun) / length, direction) }
      if state.isCancelling, state.cancelled == nil { state.cancelled = (first, full(first)) }
      if let (time, level) = state.cancelled {
        let gone = (first - time) / Double(Self.returnTime.wholeNanoseconds)
        if gone >= 1 || level >= 1 { state.isDone = true }
        guard !state.isDone else { return nil }
        let slope = 1 / Double(Self.returnTime.wholeNanoseconds)
        return { min(1, level + (first + Double($0) * step - time) * slope) }
      }
      let last = first + Double(sound.frames) * step
      switch direction {
      case .fadeOut: if last <= begun { return nil }
      case .fadeIn:
        if first >= begun + length { state.isDone = true }
        guard !state.isDone else { return nil }
      }
      return { full(first + Double($0) * step) }
    }
  }
}

/// Returns the running time of a media time in the present segment of a pad, in nanoseconds; nil outside of it.
private func runningTime(of time: Duration, at pad: UnsafeMutablePointer<GstPad>) -> Double? {
  unsafe GstSegment.present(at: pad)?.runningTime(of: time).map { Double($0.wholeNanoseconds) }
}

extension GstSegment {
  /// Returns the running time of a media time, which may lie outside of the segment; nil if it has none.
  func runningTime(of time: Duration) -> Duration? {
    var (segment, position, running) = (self, guint64(0), guint64(0))
    guard time >= .zero,
      unsafe gst_segment_position_from_stream_time_full(
        &segment, GST_FORMAT_TIME, guint64(clamping: time.wholeNanoseconds), &position) > 0
    else { return nil }
    let sign = unsafe gst_segment_to_running_time_full(&segment, GST_FORMAT_TIME, position, &running)
    guard sign != 0, let running = Duration(gst: running) else { return nil }
    return sign > 0 ? running : .zero - running
  }
}
