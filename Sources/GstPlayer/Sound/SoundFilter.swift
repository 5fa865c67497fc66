import CGst
import Playback

/// What the sound goes through on its way to the output: the tempo with or without the pitch, the gain of its
/// tags, the volume.
///
/// The elements belong to the playbin, which has taken ``bin``.
@safe struct SoundFilter {
  let bin: UnsafeMutablePointer<GstElement>
  /// The volume of an output that has none of its own.
  ///
  /// playbin would bring one, but with `soft-volume` GStreamer 1.22 loses a volume element at each release of the output.
  let volume: UnsafeMutablePointer<GstElement>?

  /// Makes a filter for an output with or without a volume of its own; the bin's reference is floating.
  init(_ configuration: PlayerConfiguration, outputHasVolume: Bool) throws(PlayerError) {
    let hasVarispeed = configuration.timePitchAlgorithm == .varispeed
    var elements = [hasVarispeed ? "identity silent=true" : "scaletempo name=\(Self.tempoName)"]
    if let gain = configuration.replayGain { elements.append(gain.description) }
    if !outputHasVolume { elements.append("volume name=\(Self.volumeName)") }
    var error: UnsafeMutablePointer<GError>?
    let made = unsafe gst_parse_bin_from_description(elements.joined(separator: " ! "), 1, &error)
    let text = unsafe GLib.take(error)
    guard let bin = unsafe cgst_bin(made) else {
      throw PlayerError(.unknown, "no sound filter can be made: \(text?.message ?? "unknown reason")")
    }
    unsafe self.bin = UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self)
    unsafe volume = Self.element(Self.volumeName, in: bin)
    if hasVarispeed, let pad = unsafe gst_element_get_static_pad(self.bin, "sink") {
      unsafe Varispeed().attach(to: pad)
      unsafe gst_object_unref(pad)
    }
  }

  /// Puts another scaletempo in the place of a used one, in a bin that is stopped.
  ///
  /// When it stops, GStreamer 1.22's frees the sound that it held and keeps the count of it; started again for smaller
  /// samples, it moves what is no longer there, and the process dies.
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

  /// The element that gets what `element` gives, which stays its bin's; nil at the end of the bin.
  private static func neighbour(of element: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstElement>? {
    guard let pad = unsafe gst_element_get_static_pad(element, "src") else { return nil }
    defer { unsafe gst_object_unref(pad) }
    guard let peer = unsafe gst_pad_get_peer(pad) else { return nil }
    defer { unsafe gst_object_unref(peer) }
    // Behind the last one is no element, but the bin's own pad.
    guard let next = unsafe gst_pad_get_parent_element(peer) else { return nil }
    unsafe gst_object_unref(next)
    return unsafe next
  }

  /// Makes an element's pad the one that the bin's pad of the same name stands for.
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

  /// An element of the bin, which keeps it.
  private static func element(
    _ name: String, in bin: UnsafeMutablePointer<GstBin>
  ) -> UnsafeMutablePointer<GstElement>? {
    guard let element = unsafe gst_bin_get_by_name(bin, name) else { return nil }
    defer { unsafe gst_object_unref(element) }
    return unsafe element
  }
}
