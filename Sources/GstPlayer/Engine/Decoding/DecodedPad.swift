import CGst
import Playback

/// An audio pad of a decoder and the input-selector pad that it is linked to, with references to both.
///
/// <https://gstreamer.freedesktop.org/documentation/coreelements/input-selector.html>
struct DecodedPad {
  private let source: ObjectReference
  let target: ObjectReference
  let selector: ObjectReference
  private let format: AudioTrack
  /// Whether the media marks the track as selected by default (`isMarked`), or as not selected (`isUnwanted`).
  let isMarked: Bool
  let isUnwanted: Bool

  /// The maximum number of tracks that are read.
  private static let limit = 64

  /// Returns the audio pads of a decoder in the order of the media; all belong to one selector.
  static func all(of decoder: UnsafeMutablePointer<GstElement>) -> [DecodedPad] {
    var pads: [DecodedPad] = []
    unsafe AudioOnlyDecoding.forEachPad(of: decoder) { source in
      if pads.count < limit, let pad = unsafe DecodedPad(source) { pads.append(pad) }
    }
    return pads.filter { pad in unsafe pad.selector.object == pads[0].selector.object }
  }

  /// Retains a pad; nil if it is not an audio pad at a selector.
  init?(_ source: UnsafeMutablePointer<GstPad>) {
    guard let format = unsafe AudioTrack(decodedAt: source),
      let target = unsafe ObjectReference(taking: gst_pad_get_peer(source)),
      let selector = unsafe ObjectReference(taking: gst_pad_get_parent_element(target.pointer())),
      unsafe GLib.borrow(cgst_factory_name(selector.pointer())) == "input-selector"
    else { return nil }
    self.source = unsafe ObjectReference(source)
    (self.target, self.selector) = (target, selector)
    let flags = unsafe Self.flags(of: source)
    isMarked = flags & GST_STREAM_FLAG_SELECT.rawValue != 0
    isUnwanted = flags & GST_STREAM_FLAG_UNSELECT.rawValue != 0
    self.format = format
  }

  /// The selector's pad with the known properties of its track; most of its tags arrive after the pad.
  var entry: AudioTrackSelector.Pad {
    var track = format
    for index in 0..<16 {
      guard let event = unsafe gst_pad_get_sticky_event(source.pointer(), GST_EVENT_TAG, guint(index)) else { break }
      track = unsafe track.adding(event)
      unsafe cgst_mini_object_unref(event)
    }
    return unsafe AudioTrackSelector.Pad(
      address: UInt(bitPattern: target.object), name: GLib.name(of: target.object) ?? "", track: track)
  }

  private static let holdKey = "playerd-hold"

  /// Blocks the output of the selector, unless it is already linked and in use, for example by the next stream of a
  /// chain.
  func hold() {
    unsafe GLib.withPad("src", of: selector.pointer()) { pad in
      guard unsafe gst_pad_is_linked(pad) == 0 else { return }
      let object = unsafe UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GObject.self)
      guard unsafe g_object_get_data(object, Self.holdKey) == nil else { return }
      // Blocks buffers and serialized events, and passes other events.
      let number = unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM]) { _, info in
        guard let event = unsafe cgst_probe_event(info), unsafe cgst_event_is_serialized(event) == 0 else {
          return GST_PAD_PROBE_OK
        }
        return GST_PAD_PROBE_PASS
      }
      unsafe g_object_set_data(object, Self.holdKey, UnsafeMutableRawPointer(bitPattern: UInt(number)))
    }
  }

  /// Unblocks the output of the selector.
  func unblockOutput() {
    unsafe GLib.withPad("src", of: selector.pointer()) { pad in
      let object = unsafe UnsafeMutableRawPointer(pad).assumingMemoryBound(to: GObject.self)
      guard let number = unsafe g_object_steal_data(object, Self.holdKey) else { return }
      unsafe gst_pad_remove_probe(pad, gulong(UInt(bitPattern: number)))
    }
  }

  /// Disconnects playbin from the notification that the selector's active pad has changed.
  ///
  /// playbin's handler takes its lock, which playbin also holds while it releases the pads of a stream that has ended.
  /// The selector of GStreamer 1.28 then selects another pad on the thread that the release waits for.
  func disconnectSelection() {
    unsafe GLib.with(taking: GLib.parent(of: selector.object)) { playbin in
      unsafe cgst_disconnect_notify(selector.object, "active-pad", playbin)
    }
  }

  private static func flags(of pad: UnsafeMutablePointer<GstPad>) -> UInt32 {
    guard let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_STREAM_START, 0) else { return 0 }
    defer { unsafe cgst_mini_object_unref(event) }
    var flags = GST_STREAM_FLAG_NONE
    unsafe gst_event_parse_stream_flags(event, &flags)
    return flags.rawValue
  }
}

extension AudioTrack {
  /// Reads the format of decoded audio at a pad; nil if its caps are not audio.
  fileprivate init?(decodedAt pad: UnsafeMutablePointer<GstPad>) {
    guard let caps = unsafe gst_pad_get_current_caps(pad) else { return nil }
    defer { unsafe cgst_mini_object_unref(caps) }
    guard unsafe GLib.mediaType(of: caps)?.hasPrefix("audio/") == true else { return nil }
    self.init()
    channels = unsafe GLib.number("channels", in: caps).map { Int($0) }
    sampleRate = unsafe GLib.number("rate", in: caps).map { Int($0) }
  }

  /// Returns the track with the values of a tag event; tags with global scope are ignored.
  func adding(_ event: UnsafeMutablePointer<GstEvent>) -> Self {
    guard let tags = unsafe TagList(event), unsafe gst_tag_list_get_scope(tags.list) == GST_TAG_SCOPE_STREAM else {
      return self
    }
    var track = self
    if let language = tags.string(GST_TAG_LANGUAGE_CODE), LanguageTag(language) != nil { track.language = language }
    track.title = tags.string(GST_TAG_TITLE) ?? title
    track.codec = tags.string(GST_TAG_AUDIO_CODEC) ?? codec
    return track
  }

  /// Returns the track with missing values filled from `older`.
  func adding(_ older: Self) -> Self {
    var track = self
    track.language = language ?? older.language
    track.title = title ?? older.title
    track.codec = codec ?? older.codec
    return track
  }
}
