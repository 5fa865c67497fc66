import CGst

/// The audio before another format, and the volume and mute of the output after it reopens.
extension PipelineContext {
  /// Handles caps at the output's pad; a change of caps makes the output reopen.
  ///
  /// - Returns: Whether the caps pass; false if their stream was withdrawn while the audio before it was played.
  func capsAtSink(_ event: UnsafeMutablePointer<GstEvent>, _ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    guard let before = unsafe gst_pad_get_current_caps(pad) else { return true }
    defer { unsafe cgst_mini_object_unref(before) }
    var caps: UnsafeMutablePointer<GstCaps>?
    unsafe gst_event_parse_caps(event, &caps)
    guard let caps = unsafe caps, unsafe gst_caps_is_equal(before, caps) == 0 else { return true }
    if let end = gate.lastEnd {
      unsafe formatChange.drain(pad, until: end)
      if gate.isWithdrawnAtExit { return false }
    }
    guard volumeRestorer.expect() else { return true }
    let context = unsafe callbackData
    unsafe gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, firstBuffer, context, releaseCallbackData)
    return true
  }
}

/// Handles the first buffer of another format, once.
private func firstBuffer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
  if let context = unsafe PipelineContext.borrow(data) {
    _ = unsafe context.output.with { unsafe context.volumeRestorer.apply(to: $0) }
  }
  return GST_PAD_PROBE_REMOVE
}
