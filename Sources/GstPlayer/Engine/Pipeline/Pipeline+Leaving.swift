import CGst
import EngineProcess
import Playback

/// The fade-out of a stream that is skipped or released, which is audible at once.
///
/// The samples of the next seconds are already in the buffer of the sound server, and only the server can change their
/// level. The volume of the stream is therefore lowered in short steps, and restored when the stream is silent and paused:
/// a server may store the volume for the streams of other programs. An output without a volume has a short buffer, so a
/// ramp of the following samples is audible soon.
extension Pipeline {
  /// The time between two steps of the volume.
  private static let step = Duration.milliseconds(8)
  /// The minimum number of steps.
  private static let stepCount = 12
  /// The duration of the audio in the buffer of an output without a volume.
  private static let bufferedTime = Duration.milliseconds(300)

  /// Fades the audible stream out from now on, and then calls `body`; at once without a shape, or if it is not playing.
  func leave(_ shape: CrossfadeShape?, _ body: @escaping @Sendable (isolated Pipeline) -> Void) {
    crossfade.role = .outgoing
    (crossfade.start, crossfade.firstSample) = (nil, nil)
    guard let shape, unsafe playbin != nil, isPlaying, shape.length > .zero else { return body(self) }
    let usesVolume = hasOutputVolume
    guard usesVolume || shape.length > Self.bufferedTime else { return body(self) }
    // The timer calls the body with which it was made.
    crossfadeTimer.set(nil) {}
    crossfade.leaving = .init(shape: shape, usesVolume: usesVolume, last: .now)
    crossfade.leavingEnd = body
    if usesVolume {
      // At each notification, playsink reads the volume, and waits for the server.
      unsafe withVolumeSink {
        unsafe g_object_freeze_notify(UnsafeMutableRawPointer($0).assumingMemoryBound(to: GObject.self))
      }
    } else {
      let ramp = CrossfadeRamp(.fadeOut, shape)
      unsafe context.output.with { unsafe GLib.withPad("sink", of: $0) { unsafe ramp.attach(to: $0) } }
    }
    stepLeaving()
  }

  /// Whether the audio that the output has buffered follows the volume.
  private var hasOutputVolume: Bool {
    unsafe filter?.volume == nil && withVolumeSink { _ in true } == true
  }

  /// Returns the result of `body` for the sink of the output that has a volume; nil if there is none.
  @discardableResult
  func withVolumeSink<Result>(_ body: (UnsafeMutablePointer<GstElement>) -> Result) -> Result? {
    unsafe context.output.with { unsafe GLib.with(taking: AudioSink.volumeOwner(of: $0), body) } ?? nil
  }

  /// Sets the present level, and the timer for the next step; a pause stops both.
  func stepLeaving() {
    guard var leaving = crossfade.leaving else { return }
    let now = MonotonicTime.now
    if let last = leaving.last { leaving.elapsed += now - last }
    leaving.last = requestedState == GST_STATE_PLAYING ? now : nil
    crossfade.leaving = leaving
    let length = leaving.shape.length + (leaving.usesVolume ? .zero : Self.bufferedTime)
    guard leaving.elapsed < length else { return endLeaving() }
    if leaving.usesVolume { applyVolume() }
    let wait = leaving.usesVolume ? min(Self.step, length / Self.stepCount) : length - leaving.elapsed
    crossfadeTimer.set(leaving.last.map { $0 + wait }) { [weak self] in self?.assumeIsolated { $0.stepLeaving() } }
  }

  /// Ends the fade-out, also before its time.
  func endLeaving() {
    crossfadeTimer.set(nil) {}
    guard let body = crossfade.leavingEnd else { return }
    if crossfade.leaving?.usesVolume == true {
      setState(GST_STATE_PAUSED)
      crossfade.leaving = nil
      unsafe withVolumeSink {
        unsafe GLib.set($0, "volume", to: configuration.volume)
        unsafe g_object_thaw_notify(UnsafeMutableRawPointer($0).assumingMemoryBound(to: GObject.self))
      }
    }
    (crossfade.leaving, crossfade.leavingEnd) = (nil, nil)
    body(self)
  }
}
