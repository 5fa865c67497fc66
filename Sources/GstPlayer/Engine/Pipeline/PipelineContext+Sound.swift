import CGst

/// Plays the audio before another format to its end, and restores the volume, mute and title of an output that reopens.
extension PipelineContext {
  /// Handles caps at the output's pad; a change of caps makes the output reopen.
  ///
  /// - Returns: Whether the caps pass; false if their stream was withdrawn while the audio before it was played.
  func capsAtSink(_ event: UnsafeMutablePointer<GstEvent>, _ pad: UnsafeMutablePointer<GstPad>) -> Bool {
    guard let before = unsafe gst_pad_get_current_caps(pad) else { return true }
    defer { unsafe cgst_mini_object_unref(before) }
    guard let caps = unsafe GLib.caps(of: event), unsafe gst_caps_is_equal(before, caps) == 0 else { return true }
    if let end = gate.lastEnd {
      unsafe formatChange.drain(pad, until: end)
      if gate.isWithdrawnAtExit { return false }
    }
    guard volumeRestorer.expect() else { return true }
    // The first buffer of the other format.
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER]) { [output, volumeRestorer, streamTitle] _, _ in
      _ = unsafe output.with {
        unsafe volumeRestorer.apply(to: $0)
        unsafe streamTitle?.show(on: $0, isNewStream: true)
      }
      return GST_PAD_PROBE_REMOVE
    }
    return true
  }
}
