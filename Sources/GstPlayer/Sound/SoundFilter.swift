import CGst
import Playback

/// The filter between the source and the sink of an output: tempo with or without pitch, and the volume.
@safe struct SoundFilter {
  let bin: UnsafeMutablePointer<GstElement>
  /// The volume element, for a sink without a volume.
  let volume: UnsafeMutablePointer<GstElement>?

  /// Makes a filter, with a volume element for a sink without a volume; the bin's reference is floating.
  ///
  /// With `isStereo`, mono becomes stereo, so that it has a balance.
  init(_ configuration: Player.Configuration, sinkHasVolume: Bool, isStereo: Bool = false) throws(PlayerError) {
    let hasVarispeed = configuration.timePitchAlgorithm == .varispeed
    var elements = [hasVarispeed ? "identity silent=true" : Tempo.description]
    if isStereo { elements.append("audioconvert ! capsfilter caps=audio/x-raw,channels=[2,64]") }
    if !sinkHasVolume { elements.append("volume name=\(Self.volumeName)") }
    var error: UnsafeMutablePointer<GError>?
    let made = unsafe gst_parse_bin_from_description(elements.joined(separator: " ! "), 1, &error)
    let text = unsafe GLib.take(error)
    guard let bin = unsafe cgst_bin(made) else {
      throw PlayerError(code: .unknown, message: "cannot create the audio filter: \(text?.message ?? "unknown reason")")
    }
    unsafe self.bin = UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self)
    unsafe volume = GLib.element(Self.volumeName, in: bin)
    unsafe PadProbe.add(to: "sink", of: self.bin, [GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM], refuseAllocation)
    if hasVarispeed { unsafe Varispeed().attach(to: self.bin) } else { unsafe Tempo.attach(to: bin) }
  }

  private static let volumeName = "playerd-volume"
}

/// Refuses allocation queries: the source would activate a pool of the sink, but not use its buffers.
private func refuseAllocation(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) -> GstPadProbeReturn {
  guard let query = unsafe cgst_probe_query(info) else { return GST_PAD_PROBE_OK }
  return unsafe query.pointee.type == GST_QUERY_ALLOCATION ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
}
