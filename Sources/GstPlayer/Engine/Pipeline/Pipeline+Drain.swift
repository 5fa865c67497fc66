import CGst
import EngineProcess
import Playback

/// Keeps the output open for some time after the end of a stream.
///
/// A sink posts EOS when its clock reaches the end of the last sample. The clock of a sound server is an estimate between two
/// reports of the server, and continues if the server is late. If the output is closed at that time, the server drops the
/// samples that it has not played.
///
/// <https://gstreamer.freedesktop.org/documentation/audio/gstaudiobasesink.html>
extension Pipeline {
  /// A time that is longer than a server on a busy machine is late; in `make test`, it was up to 15 ms.
  private static let drainTime = Duration.milliseconds(100)

  /// Records the end of a stream.
  ///
  /// An output that provides no clock renders all samples before EOS.
  func expectDrain() {
    drainEnd = nil
    guard let clock = unsafe context.output.with({ unsafe gst_element_provide_clock($0) }) ?? nil else { return }
    unsafe gst_object_unref(clock)
    drainEnd = .now + Self.drainTime
  }

  /// Calls `body` on the executor at the end of the drain time, or at once outside of it; a load before it cancels the
  /// call.
  func afterDrain(_ body: @escaping @Sendable (isolated Pipeline) -> Void) {
    let end = drainEnd
    // The timer calls the body with which it was made.
    cancelDrain()
    guard let end, end > .now else { return body(self) }
    drainEnd = end
    drainTimer.set(end) { [weak self] in
      self?.assumeIsolated {
        $0.cancelDrain()
        body($0)
      }
    }
  }

  /// Forgets the samples of the stream that has ended.
  func cancelDrain() {
    drainEnd = nil
    drainTimer.set(nil) {}
  }
}
