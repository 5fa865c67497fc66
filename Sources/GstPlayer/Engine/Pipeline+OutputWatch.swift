import CGst
import Dispatch
import Playback

/// The detection that the device in use is removed.
extension Pipeline {
  /// Records the device in use, and starts to observe the devices.
  func followOutput() {
    guard let output = unsafe output, let device = unsafe deviceInUse(of: output) else { return }
    // An output reports no device while it is connecting or after it has disconnected.
    if !device.isEmpty {
      outputInUse.recordDevice(on: device, now: .now)
      report(.outputInUse(stream, device))
    }
    guard outputWatch == nil else { return }
    outputWatch = AudioOutputWatch(
      listed: { [weak self] ids in self?.enqueue { $0.outputsListed(ids) } },
      removed: { [weak self] id in self?.enqueue { $0.outputRemoved(id) } })
  }

  /// Ends the observation, because a lost server reports nothing; the next playback starts another one.
  func outputWasLost() {
    outputWatch = nil
    isOutputLost = replaceableOutput != nil
  }

  private func outputsListed(_ ids: [AudioOutput.ID]) {
    if let id = outputInUse.missing(among: ids, now: .now) { report(.outputRemoved(id)) }
  }

  private func outputRemoved(_ id: AudioOutput.ID) {
    if outputInUse.isInUse(id, now: .now) { report(.outputRemoved(id)) }
  }

  /// Returns the device that PulseAudio's sink reports; other outputs do not change their device automatically.
  private func deviceInUse(of output: UnsafeMutablePointer<GstElement>) -> String? {
    guard let sink = unsafe pulseSink(of: output) else { return nil }
    defer { unsafe gst_object_unref(sink) }
    return unsafe GLib.text(sink, "current-device")
  }

  /// Returns the sink of an output, with a reference, if it is PulseAudio's.
  func pulseSink(of output: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstElement>? {
    guard let sink = unsafe AudioSink.volumeOwner(of: output) else { return nil }
    if unsafe cgst_has_property(sink, "current-device") != 0 { return unsafe sink }
    unsafe gst_object_unref(sink)
    return nil
  }
}
