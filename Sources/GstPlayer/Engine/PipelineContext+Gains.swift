import CGst
import Playback

/// The gains of the streams at the entry of the audio filter.
extension PipelineContext {
  /// Sends the gain of each stream to the filter with this sink pad, whose streams an earlier probe tracks.
  func sendGains(to pad: UnsafeMutablePointer<GstPad>) {
    guard gains != nil else { return }
    let kinds = GstPadProbeType(GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)
    unsafe add(gainProbe, kinds, to: pad)
  }
}

/// Reads the loudness tags at the entry, and sends the tags of a stream before its first sample.
private func gainProbe(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  guard let pad = unsafe pad, let info = unsafe info, let context = unsafe PipelineContext.borrow(data),
    let gains = context.gains
  else { return GST_PAD_PROBE_OK }
  if unsafe cgst_probe_buffer(info) != nil {
    if let tags = unsafe gains.takeTags(of: context.gate.streamAtEntry)?.event { unsafe gst_pad_send_event(pad, tags) }
    return GST_PAD_PROBE_OK
  }
  guard let event = unsafe cgst_probe_event(info) else { return GST_PAD_PROBE_OK }
  switch unsafe cgst_event_type(event) {
  case GST_EVENT_STREAM_START: gains.streamStarted()
  case GST_EVENT_EOS: gains.streamEnded()
  case GST_EVENT_TAG:
    var list: UnsafeMutablePointer<GstTagList>?
    unsafe gst_event_parse_tag(event, &list)
    if let list = unsafe list { gains.note(unsafe GainTags(list)) }
  default: break
  }
  return GST_PAD_PROBE_OK
}
