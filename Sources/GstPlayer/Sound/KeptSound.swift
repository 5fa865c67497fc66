import CGst
import Playback
import Synchronization

/// The volume of an output that is opened anew in the midst of play.
///
/// For another format PulseAudio's sink lets its stream go and makes another, at full volume or at one that the server
/// remembers: a successor of other samples would be heard so. It is set again before the first of them.
final class KeptSound: Sendable {
  private struct State {
    var volume = 1.0
    var isMuted = false
    var isReopening = false
  }

  private let state = Mutex(State())

  /// Takes note of what was asked for, or set by somebody else.
  func note(volume: Double, isMuted: Bool) {
    state.withLock { ($0.volume, $0.isMuted) = (volume, isMuted) }
  }

  /// What the output says of its sound now is not what anybody wants.
  var isReopening: Bool { state.withLock { $0.isReopening } }

  /// Nothing is left of what came before.
  func begin() { state.withLock { $0.isReopening = false } }

  /// Another format is about to reach the output; whether that is news.
  func expect() -> Bool {
    state.withLock { state in
      defer { state.isReopening = true }
      return !state.isReopening
    }
  }

  /// The output has taken the format, and sounds next.
  func apply(to output: UnsafeMutablePointer<GstElement>) {
    let (volume, isMuted) = state.withLock { ($0.volume, $0.isMuted) }
    if let bin = unsafe cgst_bin(output) {
      if let owner = unsafe gst_bin_get_by_interface(bin, gst_stream_volume_get_type()) {
        unsafe Self.set(volume, isMuted, of: owner)
        unsafe gst_object_unref(owner)
      }
    } else if unsafe cgst_has_stream_volume(output) != 0 {
      unsafe Self.set(volume, isMuted, of: output)
    }
    state.withLock { $0.isReopening = false }
  }

  private static func set(_ volume: Double, _ isMuted: Bool, of owner: UnsafeMutablePointer<GstElement>) {
    // A volume element in a bin is not the output's own.
    guard unsafe cgst_is_sink(UnsafeMutableRawPointer(owner).assumingMemoryBound(to: GstObject.self)) != 0 else {
      return
    }
    unsafe GLib.set(owner, "volume", to: volume)
    unsafe GLib.set(owner, "mute", to: isMuted)
  }
}
