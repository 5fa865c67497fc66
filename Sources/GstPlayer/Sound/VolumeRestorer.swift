import CGst
import Synchronization

/// Restores the volume when an output is reopened during playback.
///
/// For another format, PulseAudio's sink closes its stream and opens another one, at full volume or at a volume that
/// the server remembers. A gapless successor with another format would play at that volume. The volume is therefore set
/// again before the first sample.
final class VolumeRestorer: Sendable {
  private struct State {
    var volume = 1.0
    var isMuted = false
    var isReopening = false
  }

  private let state = Mutex(State())

  /// Stores a volume that was set by a command or by another client of the sound server.
  func note(volume: Double, isMuted: Bool) {
    state.withLock { ($0.volume, $0.isMuted) = (volume, isMuted) }
  }

  /// Whether the output is being reopened, so that the volume that it reports must be ignored.
  var isReopening: Bool { state.withLock { $0.isReopening } }

  /// Clears the state of the previous stream.
  func begin() { state.withLock { $0.isReopening = false } }

  /// Records that another format is about to reach the output; returns false if this was recorded before.
  func expect() -> Bool {
    state.withLock { state in
      defer { state.isReopening = true }
      return !state.isReopening
    }
  }

  /// Sets the volume of the output after it has accepted the new format and before it plays.
  func apply(to output: UnsafeMutablePointer<GstElement>) {
    let (volume, isMuted) = state.withLock { ($0.volume, $0.isMuted) }
    unsafe GLib.with(taking: AudioSink.volumeOwner(of: output)) { owner in
      unsafe GLib.set(owner, "volume", to: volume)
      unsafe GLib.set(owner, "mute", to: isMuted)
    }
    state.withLock { $0.isReopening = false }
  }
}
