import CGst

/// What the sound goes through on its way to the output: the tempo without the pitch, the gain of its tags, the volume.
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
    var elements = ["scaletempo"]
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
  }

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
