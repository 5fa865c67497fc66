import CGst
import Dispatch
import Playback

/// Whether the device that is heard goes away.
extension Pipeline {
  /// Takes note of the device that is heard, and begins to watch it.
  func followOutput() {
    guard let output = unsafe output, let device = unsafe deviceInUse(of: output) else { return }
    // An output that is just being connected, or no longer is, names none.
    if !device.isEmpty {
      outputInUse.heard(on: device, now: .now)
      report(.outputInUse(stream, device))
    }
    guard outputWatch == nil else { return }
    let executor = executor
    outputWatch = AudioOutputWatch(
      AudioOutputWatch.Reports(
        listed: { [weak self] ids in
          guard let self else { return }
          executor.queue.async { self.assumeIsolated { $0.outputsListed(ids) } }
        },
        removed: { [weak self] id in
          guard let self else { return }
          executor.queue.async { self.assumeIsolated { $0.outputRemoved(id) } }
        }))
  }

  /// A server that has gone tells nothing more; another watch begins when there is sound again.
  func outputWasLost() {
    outputWatch = nil
    isOutputLost = replaceableOutput != nil
  }

  private func outputsListed(_ ids: [AudioOutput.ID]) {
    if let id = outputInUse.missing(among: ids, now: .now) { report(.outputRemoved(id)) }
  }

  private func outputRemoved(_ id: AudioOutput.ID) {
    if outputInUse.concerns(id, now: .now) { report(.outputRemoved(id)) }
  }

  /// What PulseAudio's sink says; other outputs do not move to another device by themselves.
  private func deviceInUse(of output: UnsafeMutablePointer<GstElement>) -> String? {
    guard let sink = unsafe pulseSink(of: output) else { return nil }
    defer { unsafe gst_object_unref(sink) }
    return unsafe GLib.text(sink, "current-device")
  }

  /// The sink of an output, with a reference, if it is PulseAudio's; in a bin it is the element with a volume.
  func pulseSink(of output: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstElement>? {
    var sink: UnsafeMutablePointer<GstElement>? = unsafe output
    if let bin = unsafe cgst_bin(output) {
      unsafe sink = gst_bin_get_by_interface(bin, gst_stream_volume_get_type())
    } else {
      unsafe gst_object_ref(output)
    }
    guard let sink = unsafe sink, unsafe cgst_has_property(sink, "current-device") == 0 else { return unsafe sink }
    unsafe gst_object_unref(sink)
    return nil
  }
}
