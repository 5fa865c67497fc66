import CGst
import EngineProcess
import Playback

/// A start at an instant, before which the output plays silence.
extension Pipeline {
  /// Holds the first sample after the following seek until an instant; nil to hold none.
  ///
  /// The seek flushes a sample that is held at present.
  func hold(until instant: MonotonicTime?) {
    instantTimer.set(nil) {}
    entrance?.cancel()
    (startInstant, entrance) = (instant, nil)
    guard let instant, instant > .now else { return }
    let entrance = StreamEntrance(HostInstant(instant: instant))
    self.entrance = entrance
    unsafe context.output.with {
      unsafe GLib.withPad("sink", of: $0) { unsafe entrance.attach(to: $0, context) { _ in } }
    }
  }

  /// Reports that the stream plays, at its instant if that is in the future.
  func reportRunning(_ stream: StreamToken) {
    if let startInstant, startInstant > .now {
      return instantTimer.set(startInstant) { [weak self] in
        self?.assumeIsolated { if $0.isPlaying { $0.reportRunning(stream) } }
      }
    }
    report(.running(stream, position: position))
  }
}
