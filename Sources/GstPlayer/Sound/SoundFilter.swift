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
  ///
  /// With `isStereo`, mono becomes stereo, so that it has a balance.
  init(_ configuration: Player.Configuration, outputHasVolume: Bool, isStereo: Bool = false) throws(PlayerError) {
    let hasVarispeed = configuration.timePitchAlgorithm == .varispeed
    var elements = [hasVarispeed ? "identity silent=true" : Tempo.description]
    if isStereo { elements.append("audioconvert ! capsfilter caps=audio/x-raw,channels=[2,64]") }
    if let gain = configuration.replayGain { elements.append(gain.description) }
    if !outputHasVolume { elements.append("volume name=\(Self.volumeName)") }
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

/// Refuses allocation queries; a decoder sends them again when it has been linked.
///
/// playbin's queue answers such a query when the output has taken all buffers before it. A paused pipeline would then not
/// read a short item to its end, and would not request its successor. The outputs have no allocator for audio.
private func refuseAllocation(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) -> GstPadProbeReturn {
  guard let query = unsafe cgst_probe_query(info) else { return GST_PAD_PROBE_OK }
  return unsafe query.pointee.type == GST_QUERY_ALLOCATION ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
}

extension Player.Configuration.ReplayGain {
  /// The bin description of the elements that apply the gain.
  var description: String {
    let gain = "audioconvert ! rgvolume album-mode=\(mode == .album) pre-amp=\(preAmp)"
    // The headroom, in dB, is the amount by which peaks may exceed full scale before the gain is reduced.
    return preventsClipping ? "\(gain) headroom=0 ! rglimiter" : "\(gain) headroom=60"
  }
}
