import CGst
import Playback

/// Sets the gains of the streams at the entry of the audio filter.
extension PipelineContext {
  /// Reads the loudness tags at the sink pad of the filter, and sends the tags of each stream before its first sample.
  ///
  /// An earlier probe at the pad tracks the streams.
  func sendGains(to pad: UnsafeMutablePointer<GstPad>) {
    guard let gains else { return }
    unsafe PadProbe.add(to: pad, PadProbe.data) { [gate] pad, info in
      if unsafe cgst_probe_buffer(info) != nil {
        if let tags = unsafe gains.takeTags(of: gate.streamAtEntry)?.event { unsafe gst_pad_send_event(pad, tags) }
        return GST_PAD_PROBE_OK
      }
      guard let event = unsafe cgst_probe_event(info) else { return GST_PAD_PROBE_OK }
      switch unsafe event.pointee.type {
      case GST_EVENT_STREAM_START: gains.streamStarted()
      case GST_EVENT_EOS: gains.streamEnded()
      case GST_EVENT_TAG: if let tags = unsafe TagList(event) { gains.note(GainTags(tags)) }
      default: break
      }
      return GST_PAD_PROBE_OK
    }
  }
}
