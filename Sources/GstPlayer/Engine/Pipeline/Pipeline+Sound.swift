import CGst
import Playback

/// The volume and mute of the output, or of an element before an output without them.
extension Pipeline {
  /// The element whose `volume` and `mute` are set.
  var volumeOwner: UnsafeMutablePointer<GstElement>? { unsafe filter?.volume ?? playbin }

  func setVolume(_ value: Double) {
    configuration.volume = value
    context.volumeRestorer.note(volume: value, isMuted: isMuted)
    applyVolume()
  }

  /// Sets the volume of the output, which is lower while the stream fades out for a skip.
  func applyVolume() {
    let value = configuration.volume * crossfade.leavingLevel
    if crossfade.leaving?.usesVolume == true {
      unsafe withVolumeSink { unsafe GLib.set($0, "volume", to: value) }
    } else if let owner = unsafe volumeOwner {
      unsafe GLib.set(owner, "volume", to: value)
    }
  }

  func setMuted(_ muted: Bool) {
    isMuted = muted
    context.volumeRestorer.note(volume: configuration.volume, isMuted: isMuted)
    if let owner = unsafe volumeOwner { unsafe GLib.set(owner, "mute", to: muted) }
  }

  /// Shows the title of the audible item in mixers.
  func showTitle(isNewStream: Bool = false) {
    guard let title = context.streamTitle else { return }
    _ = unsafe context.output.with { unsafe title.show(on: $0, isNewStream: isNewStream) }
  }

  /// Reports a change that another program made, such as a mixer; changes that this player made are ignored.
  func readSound(_ playbin: UnsafeMutablePointer<GstElement>) {
    // The volume of another stream that fades out, or has not begun, does not count.
    guard crossfade.isLoaded, unsafe filter?.volume == nil, !context.volumeRestorer.isReopening else { return }
    let volume = configuration.volume
    let nowVolume = unsafe GLib.get(playbin, "volume") { unsafe g_value_get_double($0) }
    let nowMuted = unsafe GLib.get(playbin, "mute") { unsafe g_value_get_boolean($0) != 0 }
    guard abs(nowVolume - volume) > 0.005 * max(volume, 0.01) || nowMuted != isMuted else { return }
    configuration.volume = nowVolume
    isMuted = nowMuted
    context.volumeRestorer.note(volume: nowVolume, isMuted: nowMuted)
    report(.outputVolumeChanged(volume: nowVolume, isMuted: nowMuted))
  }
}
