import CGst
import Playback

/// The audio filter before the output: tempo with or without pitch, the gain from the tags, and the volume.
///
/// The elements belong to the playbin, which has taken ``bin``.
@safe struct SoundFilter {
  let bin: UnsafeMutablePointer<GstElement>
  /// The volume element, for an output without a volume.
  ///
  /// playbin would add one, but with `soft-volume` GStreamer 1.22 leaks a volume element at each release of the output.
  let volume: UnsafeMutablePointer<GstElement>?

  /// Makes a filter, with a volume if the output has none; the bin's reference is floating.
  init(_ configuration: Player.Configuration, outputHasVolume: Bool) throws(PlayerError) {
    let hasVarispeed = configuration.timePitchAlgorithm == .varispeed
    var elements = [hasVarispeed ? "identity silent=true" : "scaletempo name=\(Self.tempoName)"]
    if let gain = configuration.replayGain { elements.append(gain.description) }
    if !outputHasVolume { elements.append("volume name=\(Self.volumeName)") }
    var error: UnsafeMutablePointer<GError>?
    let made = unsafe gst_parse_bin_from_description(elements.joined(separator: " ! "), 1, &error)
    let text = unsafe GLib.take(error)
    guard let bin = unsafe cgst_bin(made) else {
      throw PlayerError(code: .unknown, message: "cannot create the audio filter: \(text?.message ?? "unknown reason")")
    }
    unsafe self.bin = UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self)
    unsafe volume = Self.element(Self.volumeName, in: bin)
    if hasVarispeed, let pad = unsafe gst_element_get_static_pad(self.bin, "sink") {
      unsafe Varispeed().attach(to: pad)
      unsafe gst_object_unref(pad)
    }
  }

  /// Replaces a used scaletempo by a new one, in a stopped bin.
  ///
  /// When scaletempo of GStreamer 1.22 stops, it frees its queued audio but keeps the size of the queue. When it starts
  /// again with smaller samples, it moves freed memory, and the process crashes.
  static func renewTempo(in filter: UnsafeMutablePointer<GstElement>) {
    guard let bin = unsafe cgst_bin(UnsafeMutableRawPointer(filter)), let old = unsafe element(tempoName, in: bin),
      let fresh = unsafe gst_element_factory_make("scaletempo", nil)
    else { return }
    let next = unsafe neighbour(of: old)
    unsafe gst_element_set_state(old, GST_STATE_NULL)
    unsafe gst_bin_remove(bin, old)
    unsafe gst_object_set_name(UnsafeMutableRawPointer(fresh).assumingMemoryBound(to: GstObject.self), tempoName)
    unsafe gst_bin_add(bin, fresh)
    unsafe target(of: filter, "sink", is: fresh)
    if let next = unsafe next {
      unsafe gst_element_link(fresh, next)
    } else {
      unsafe target(of: filter, "src", is: fresh)
    }
    unsafe gst_element_sync_state_with_parent(fresh)
  }

  /// Returns the element downstream of `element` without a reference for the caller; nil at the end of the bin.
  private static func neighbour(of element: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstElement>? {
    guard let pad = unsafe gst_element_get_static_pad(element, "src") else { return nil }
    defer { unsafe gst_object_unref(pad) }
    guard let peer = unsafe gst_pad_get_peer(pad) else { return nil }
    defer { unsafe gst_object_unref(peer) }
    // The peer of the last element is the bin's own pad, which belongs to no element.
    guard let next = unsafe gst_pad_get_parent_element(peer) else { return nil }
    unsafe gst_object_unref(next)
    return unsafe next
  }

  /// Makes an element's pad the target of the bin's ghost pad of the same name.
  private static func target(
    of bin: UnsafeMutablePointer<GstElement>, _ name: String, is element: UnsafeMutablePointer<GstElement>
  ) {
    guard let ghost = unsafe gst_element_get_static_pad(bin, name) else { return }
    defer { unsafe gst_object_unref(ghost) }
    guard let pad = unsafe gst_element_get_static_pad(element, name) else { return }
    defer { unsafe gst_object_unref(pad) }
    unsafe gst_ghost_pad_set_target(UnsafeMutableRawPointer(ghost).assumingMemoryBound(to: GstGhostPad.self), pad)
  }

  private static let tempoName = "playerd-tempo"
  private static let volumeName = "playerd-volume"

  /// Returns an element of the bin without a reference for the caller.
  private static func element(
    _ name: String, in bin: UnsafeMutablePointer<GstBin>
  ) -> UnsafeMutablePointer<GstElement>? {
    guard let element = unsafe gst_bin_get_by_name(bin, name) else { return nil }
    defer { unsafe gst_object_unref(element) }
    return unsafe element
  }
}
