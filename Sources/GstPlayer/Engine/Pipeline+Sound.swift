import CGst
import Playback

/// Volume and mute: those of the output where it has them, else those of an element before it.
extension Pipeline {
  /// The element whose `volume` and `mute` are set.
  private var volumeOwner: UnsafeMutablePointer<GstElement>? { unsafe ownVolume ?? playbin }

  func setVolume(_ value: Double) {
    volume = value
    context.keptSound.note(volume: volume, isMuted: isMuted)
    if let owner = unsafe volumeOwner { unsafe GLib.set(owner, "volume", to: value) }
  }

  func setMuted(_ muted: Bool) {
    isMuted = muted
    context.keptSound.note(volume: volume, isMuted: isMuted)
    if let owner = unsafe volumeOwner { unsafe GLib.set(owner, "mute", to: muted) }
  }

  /// A change that is not the echo of our own setting is somebody else's, in a mixer for instance.
  func readSound(_ playbin: UnsafeMutablePointer<GstElement>) {
    guard unsafe ownVolume == nil, !context.keptSound.isReopening else { return }
    let (nowVolume, nowMuted) = unsafe (GLib.double(playbin, "volume"), GLib.bool(playbin, "mute"))
    guard abs(nowVolume - volume) > 0.005 * max(volume, 0.01) || nowMuted != isMuted else { return }
    volume = nowVolume
    isMuted = nowMuted
    context.keptSound.note(volume: volume, isMuted: isMuted)
    report(.soundChanged(volume: nowVolume, isMuted: nowMuted))
  }
}
