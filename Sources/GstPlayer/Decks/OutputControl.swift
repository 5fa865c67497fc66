import CGst
import Glibc
import Playback
import Synchronization

/// The volume, the mute setting, the device and the title of an output, as other programs see and change them.
///
/// A reading waits for the sound server.
struct OutputControl: Sendable {
  /// The output, a sink or a bin with one.
  let sink: ObjectReference
  /// The volume element before an output that cannot set its volume itself; nil for other outputs.
  private let volume: ObjectReference?
  private let limit: CallLimit
  let choice: (isSilent: Bool, isServed: Bool, factory: String)
  private let level: Level

  /// The volume, linear, and the mute setting that were set last.
  private final class Level: Sendable {
    struct Value {
      var volume: Double
      var isMuted: Bool
      /// Whether the output has another format, for which it opens a stream.
      var isRestoring = false
    }

    let value: Mutex<Value>

    init(_ volume: Double, _ isMuted: Bool) { value = Mutex(Value(volume: volume, isMuted: isMuted)) }

    /// Sets the volume of an output.
    func apply(to output: UnsafeMutablePointer<GstElement>) {
      let value = value.withLock(\.self)
      unsafe GLib.with(taking: AudioSink.volumeOwner(of: output)) { owner in
        unsafe GLib.set(owner, "volume", to: value.volume)
        unsafe GLib.set(owner, "mute", to: value.isMuted)
      }
    }
  }

  /// Reads the volume of an output; `opened` is called on a streaming thread when the output has opened a stream.
  init(
    _ choice: AudioSink.Choice, _ filter: SoundFilter, _ limit: CallLimit, volume level: Double, isMuted: Bool,
    opened: @escaping @Sendable () -> Void
  ) {
    self.limit = limit
    unsafe sink = ObjectReference(choice.element)
    volume = unsafe filter.volume.map { unsafe ObjectReference($0) }
    self.choice = (choice.isSilent, choice.isServed, choice.factory)
    self.level = Level(level, isMuted)
    unsafe GLib.withPad("sink", of: choice.element) { unsafe observe($0, opened) }
  }

  /// Sets the volume again before the first sample of another format.
  ///
  /// For it, PulseAudio's sink opens another stream, at full volume or at a volume that the server remembers.
  private func observe(_ pad: UnsafeMutablePointer<GstPad>, _ opened: @escaping @Sendable () -> Void) {
    unsafe PadProbe.add(to: pad, PadProbe.data) { [level, hasVolume = volume == nil] pad, info in
      if let event = unsafe cgst_probe_event(info) {
        if unsafe event.pointee.type == GST_EVENT_CAPS { level.value.withLock { $0.isRestoring = true } }
      } else if level.value.withLock(\.isRestoring) {
        if hasVolume { unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { unsafe level.apply(to: $0) } }
        level.value.withLock { $0.isRestoring = false }
        opened()
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// Notes the values that another program has set, for the next stream.
  func note(volume: Double, isMuted: Bool) { level.value.withLock { ($0.volume, $0.isMuted) = (volume, isMuted) } }

  /// Sets the volume, linear, and the mute setting.
  func set(volume: Double, isMuted: Bool) {
    note(volume: volume, isMuted: isMuted)
    if let element = self.volume {
      unsafe GLib.set(element.object, "volume", to: volume)
      unsafe GLib.set(element.object, "mute", to: isMuted)
    } else {
      limit.run { unsafe level.apply(to: sink.pointer()) }
    }
  }

  /// Shows a title for the present stream of the output, or for another one that it has opened.
  func show(_ title: StreamTitle, isNewStream: Bool) {
    limit.run { unsafe title.show(on: sink.pointer(), isNewStream: isNewStream) }
  }

  /// The volume and the mute setting of the output, which another program may have changed; nil for an output without a volume,
  /// and until the volume of a new stream is set.
  ///
  /// The steps of PulseAudio are 1/65536 on the cubic scale: 30 % of a mixer is 0.300003 there, and 0.3 here.
  var sound: (volume: Double, isMuted: Bool)? {
    guard volume == nil, !level.value.withLock(\.isRestoring) else { return nil }
    return limit.run {
      unsafe GLib.with(taking: AudioSink.volumeOwner(of: sink.pointer())) { owner in
        unsafe (
          Self.rounded(GLib.get(owner, "volume") { unsafe g_value_get_double($0) }),
          GLib.get(owner, "mute") { unsafe g_value_get_boolean($0) != 0 }
        )
      }
    }
  }

  /// Rounds a volume to 0.01 percent on the cubic scale.
  private static func rounded(_ volume: Double) -> Double {
    let level = (cbrt(max(0, volume)) * 10_000).rounded() / 10_000
    return level * level * level
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

/// The verifier and the mix, which compare or change the samples of a player at its output.
struct OutputSound: Sendable {
  var verifier: SampleVerifier?
  var mix: SoundMix?

  /// Attaches both to an output that has not been opened.
  func attach(to choice: AudioSink.Choice) {
    unsafe GLib.withPad("sink", of: choice.element) { unsafe mix?.attach(to: $0) }
    unsafe verifier?.attachExit(choice.element, isSilent: choice.isSilent)
  }
}
