import CGst
import Playback

/// Finds the audio tracks of a stream at the pads of its decoder, and switches them on its streaming threads.
@safe struct AudioTrackPads: Sendable {
  let audioTracks: AudioTrackSelector
  let stream: StreamToken
  /// Receives each pad with decoded audio.
  let added: @Sendable (_ pad: UnsafeMutablePointer<GstPad>) -> Void
  /// Called if the stream does not contain audio.
  let foundNone: @Sendable (_ isWebPage: Bool) -> Void

  /// Observes a decoder before playbin connects its own handlers, for the lifetime of the decoder.
  func watch(_ decoder: UnsafeMutablePointer<GstElement>) {
    unsafe Signal.emitted("no-more-pads", by: decoder) { unsafe self.padsAreComplete(of: $0) }
    // These are called after playbin's own handler, which links the pads.
    unsafe Signal.padAdded(to: decoder, isLast: true) { unsafe self.padIsThere($1) }
    unsafe Signal.emitted("no-more-pads", by: decoder, isLast: true) { unsafe self.findAudioTracks(of: $0) }
  }

  /// Measures a track, and blocks the output of the selector until all pads are linked.
  ///
  /// playbin of GStreamer 1.22 unblocks it slightly too early. Data that reaches playsink before the request to
  /// reconfigure blocks there without limit. With several tracks, the thread of one track can be that fast while another
  /// thread still adds the pads.
  private func padIsThere(_ pad: UnsafeMutablePointer<GstPad>) {
    guard let decoded = unsafe DecodedPad(pad) else { return }
    decoded.disconnectSelection()
    unsafe added(pad)
    decoded.hold()
  }

  /// Fails an item without audio, and keeps playbin, whose handler is next, from starting it.
  private func padsAreComplete(of decoder: UnsafeMutablePointer<GstElement>) {
    guard unsafe AudioOnlyDecoding.isEverythingHidden(of: decoder) else { return }
    foundNone(unsafe AudioOnlyDecoding.isWebPage(decoder))
    unsafe g_signal_stop_emission_by_name(decoder, "no-more-pads")
  }

  /// Finds the tracks of a decoder when all are known, and before any of their audio has passed.
  private func findAudioTracks(of decoder: UnsafeMutablePointer<GstElement>) {
    let pads = unsafe DecodedPad.all(of: decoder)
    guard let selector = unsafe pads.first?.selector.object else { return }
    let standard = pads.firstIndex(where: \.isMarked) ?? pads.firstIndex { !$0.isUnwanted } ?? 0
    audioTracks.begin(stream, pads.map(\.entry), standard: standard, selector: UInt(bitPattern: selector))
    for pad in pads {
      unsafe follow(pad.target.pointer())
      // Merges the tags that arrived before the probe was installed.
      let entry = pad.entry
      audioTracks.learn(of: entry.address, at: UInt(bitPattern: selector)) { $0.adding(entry.track) }
    }
    pads[0].unblockOutput()
  }

  private func follow(_ pad: UnsafeMutablePointer<GstPad>) {
    guard unsafe cgst_mark(pad, "playerd-followed") != 0 else { return }
    unsafe PadProbe.add(to: pad, PadProbe.dataAndFlushes + [GST_PAD_PROBE_TYPE_BUFFER_LIST]) { pad, info in
      let event = unsafe cgst_probe_event(info)
      let isTag = unsafe event.map { unsafe $0.pointee.type == GST_EVENT_TAG } ?? false
      if isTag || self.audioTracks.isWatching { unsafe self.step(pad, event) }
      return GST_PAD_PROBE_OK
    }
  }

  /// Handles data at a pad of a selector, before it passes.
  private func step(_ pad: UnsafeMutablePointer<GstPad>, _ event: UnsafeMutablePointer<GstEvent>?) {
    guard let selector = unsafe gst_pad_get_parent_element(pad) else { return }
    defer { unsafe gst_object_unref(selector) }
    let addresses = (pad: UInt(bitPattern: pad), selector: UInt(bitPattern: selector))
    let type = unsafe event.map { unsafe $0.pointee.type }
    switch type {
    case GST_EVENT_FLUSH_START: return audioTracks.flushBegins()
    case GST_EVENT_FLUSH_STOP:
      let isSelected = unsafe GLib.get(selector, "active-pad") {
        unsafe g_value_get_object($0) == UnsafeMutableRawPointer(pad)
      }
      return audioTracks.flushEnds(at: addresses.selector, isSelected: isSelected)
    default: if let event = unsafe event, unsafe cgst_event_is_serialized(event) == 0 { return }
    }
    if let name = audioTracks.padToSelect(at: addresses.selector) {
      unsafe select(name, at: selector)
      audioTracks.done(name, at: addresses.selector)
    }
    switch type {
    case nil, GST_EVENT_GAP, GST_EVENT_EOS:
      audioTracks.pass(addresses.pad, at: addresses.selector) { unsafe select($0, at: selector) }
    case GST_EVENT_TAG:
      guard let event = unsafe event else { return }
      audioTracks.learn(of: addresses.pad, at: addresses.selector) { unsafe $0.adding(event) }
    default: break
    }
  }

  private func select(_ name: String, at selector: UnsafeMutablePointer<GstElement>) {
    unsafe GLib.withPad(name, of: selector) { unsafe GLib.set(selector, "active-pad", toObject: $0) }
  }
}
