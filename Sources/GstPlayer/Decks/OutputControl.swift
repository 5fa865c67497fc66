import CGst
import Playback

/// The volume, the mute setting, the device and the title of an output, as other programs see and change them.
///
/// A reading waits for the sound server.
struct OutputControl: Sendable {
  /// The output, a sink or a bin with one.
  let sink: ObjectReference
  /// The volume element before an output without a volume of its own; nil for other outputs.
  private let volume: ObjectReference?
  private let limit: CallLimit
  let choice: (isSilent: Bool, isServed: Bool, factory: String)

  init(_ choice: AudioSink.Choice, _ filter: SoundFilter, _ limit: CallLimit) {
    self.limit = limit
    unsafe sink = ObjectReference(choice.element)
    volume = unsafe filter.volume.map { unsafe ObjectReference($0) }
    self.choice = (choice.isSilent, choice.isServed, choice.factory)
  }

  /// Sets the volume, linear, and the mute setting.
  func set(volume: Double, isMuted: Bool) {
    if let element = self.volume {
      unsafe GLib.set(element.object, "volume", to: volume)
      unsafe GLib.set(element.object, "mute", to: isMuted)
    } else {
      limit.run {
        _ = unsafe GLib.with(taking: AudioSink.volumeOwner(of: sink.pointer())) { owner in
          unsafe GLib.set(owner, "volume", to: volume)
          unsafe GLib.set(owner, "mute", to: isMuted)
        }
      }
    }
  }

  /// Shows a title for the present stream of the output, or for another one that it has opened.
  func show(_ title: StreamTitle, isNewStream: Bool) {
    limit.run { unsafe title.show(on: sink.pointer(), isNewStream: isNewStream) }
  }

  /// The volume and the mute setting of the output, which another program may have changed; nil for an output without a volume.
  var sound: (volume: Double, isMuted: Bool)? {
    guard volume == nil else { return nil }
    return limit.run {
      unsafe GLib.with(taking: AudioSink.volumeOwner(of: sink.pointer())) { owner in
        unsafe (
          GLib.get(owner, "volume") { unsafe g_value_get_double($0) },
          GLib.get(owner, "mute") { unsafe g_value_get_boolean($0) != 0 }
        )
      }
    }
  }

  /// The device that PulseAudio's sink uses; empty while it is not connected, nil for another output.
  var device: AudioOutput.ID? {
    limit.run {
      unsafe GLib.with(taking: AudioSink.volumeOwner(of: sink.pointer())) { owner -> AudioOutput.ID? in
        unsafe cgst_has_property(owner, "current-device") != 0 ? GLib.text(owner, "current-device") : nil
      } ?? nil
    }
  }
}

/// What compares or changes the samples of a player at its output.
struct OutputSound: Sendable {
  var verifier: SampleVerifier?
  var mix: SoundMix?

  /// Attaches both to an output that has not been opened.
  func attach(to choice: AudioSink.Choice) {
    unsafe GLib.withPad("sink", of: choice.element) { unsafe mix?.attach(to: $0) }
    unsafe verifier?.attachExit(choice.element, isSilent: choice.isSilent)
  }
}
