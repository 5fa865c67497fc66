import CGst
import Playback

/// The volume and mute of the output, or of an element before an output without them.
extension Pipeline {
  /// The element whose `volume` and `mute` are set.
  private var volumeOwner: UnsafeMutablePointer<GstElement>? { unsafe ownVolume ?? playbin }

  func setVolume(_ value: Double) {
    volume = value
    context.volumeRestorer.note(volume: volume, isMuted: isMuted)
    if let owner = unsafe volumeOwner { unsafe GLib.set(owner, "volume", to: value) }
  }

  func setMuted(_ muted: Bool) {
    isMuted = muted
    context.volumeRestorer.note(volume: volume, isMuted: isMuted)
    if let owner = unsafe volumeOwner { unsafe GLib.set(owner, "mute", to: muted) }
  }

  /// Reports a change that another program made, such as a mixer; changes that this player made are ignored.
  func readSound(_ playbin: UnsafeMutablePointer<GstElement>) {
    guard unsafe ownVolume == nil, !context.volumeRestorer.isReopening else { return }
    let (nowVolume, nowMuted) = unsafe (GLib.double(playbin, "volume"), GLib.bool(playbin, "mute"))
    guard abs(nowVolume - volume) > 0.005 * max(volume, 0.01) || nowMuted != isMuted else { return }
    volume = nowVolume
    isMuted = nowMuted
    context.volumeRestorer.note(volume: volume, isMuted: isMuted)
    report(.outputVolumeChanged(volume: nowVolume, isMuted: nowMuted))
  }
}
