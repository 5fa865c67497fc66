import CGst

/// Changes the tempo without the pitch; part of the filter only at another rate than 1.
///
/// `scaletempo` accepts samples of 16 bits and floating-point samples. Integers of 32 bits would be converted for it, and
/// would lose their lowest bits, although it leaves the samples unchanged at rate 1: of 96,000 samples, 3,382 were equal.
/// A segment with another rate follows a flush, so the elements are added and removed when no audio passes.
///
/// <https://gstreamer.freedesktop.org/documentation/audiofx/scaletempo.html>
enum Tempo {
  /// The part of the filter's description between which the tempo is changed.
  static let description = "identity silent=true name=\(head) ! identity silent=true name=\(tail)"

  private static let head = "playerd-tempo-head"
  private static let tail = "playerd-tempo-tail"
  private static let name = "playerd-tempo"

  /// Changes the tempo of the segments that enter a filter.
  static func attach(to bin: UnsafeMutablePointer<GstBin>) {
    unsafe add(segmentProbe, to: head, in: bin)
    unsafe add(startProbe, to: tail, in: bin)
  }

  private static func add(
    _ probe: @escaping PadProbe.Body, to element: String, in bin: UnsafeMutablePointer<GstBin>
  ) {
    guard let element = unsafe GLib.element(element, in: bin) else { return }
    unsafe PadProbe.add(to: "sink", of: element, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM], probe)
  }

  /// Removes the elements from a filter, in a stopped pipeline or at a segment.
  ///
  /// They are never used again: when scaletempo of GStreamer 1.22 stops, it frees its queued audio but keeps the size of
  /// the queue. If it starts again with smaller samples, it moves freed memory, and the process crashes.
  static func remove(from filter: UnsafeMutablePointer<GstElement>) {
    guard let bin = unsafe cgst_bin(filter), let tempo = unsafe gst_bin_get_by_name(bin, name) else { return }
    unsafe gst_bin_remove(bin, tempo)
    unsafe gst_element_set_state(tempo, GST_STATE_NULL)
    unsafe gst_object_unref(tempo)
    unsafe link(head, tail, in: bin)
  }

  /// Adds the elements to a filter; its output keeps the format of its input.
  fileprivate static func add(to bin: UnsafeMutablePointer<GstBin>, format: String) {
    let elements = "audioconvert ! scaletempo ! audioconvert ! capsfilter caps=audio/x-raw,format=\(format)"
    guard let made = unsafe gst_parse_bin_from_description(elements, 1, nil) else { return }
    let tempo = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstElement.self)
    unsafe gst_object_set_name(UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstObject.self), name)
    if let head = unsafe GLib.element(head, in: bin), let tail = unsafe GLib.element(tail, in: bin) {
      unsafe gst_element_unlink(head, tail)
    }
    unsafe gst_bin_add(bin, tempo)
    unsafe link(head, name, in: bin)
    unsafe link(name, tail, in: bin)
    unsafe gst_element_sync_state_with_parent(tempo)
  }

  fileprivate static func isPart(of bin: UnsafeMutablePointer<GstBin>) -> Bool {
    unsafe GLib.element(name, in: bin) != nil
  }

  private static func link(_ first: String, _ second: String, in bin: UnsafeMutablePointer<GstBin>) {
    guard let first = unsafe GLib.element(first, in: bin), let second = unsafe GLib.element(second, in: bin) else {
      return
    }
    unsafe gst_element_link_pads(first, "src", second, "sink")
  }
}

// MARK: Probes, on the streaming thread

/// Adds or removes the elements before a segment passes.
private func segmentProbe(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) -> GstPadProbeReturn {
  guard let segment = unsafe GstSegment.passing(info), let head = unsafe GLib.parent(of: pad) else {
    return GST_PAD_PROBE_OK
  }
  defer { unsafe gst_object_unref(head) }
  guard let parent = unsafe gst_object_get_parent(head) else { return GST_PAD_PROBE_OK }
  defer { unsafe gst_object_unref(parent) }
  guard let bin = unsafe cgst_bin(parent) else { return GST_PAD_PROBE_OK }
  let isNeeded = segment.format == GST_FORMAT_TIME && segment.rate != 1
  switch (isNeeded, unsafe Tempo.isPart(of: bin)) {
  case (true, false): if let format = unsafe format(at: pad) { unsafe Tempo.add(to: bin, format: format) }
  case (false, true): unsafe Tempo.remove(from: UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstElement.self))
  default: break
  }
  return GST_PAD_PROBE_OK
}

/// Drops the start of the present stream when it is repeated, because the elements before have changed.
private func startProbe(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) -> GstPadProbeReturn {
  guard let event = unsafe cgst_probe_event_of(info, GST_EVENT_STREAM_START),
    let present = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_STREAM_START, 0)
  else { return GST_PAD_PROBE_OK }
  defer { unsafe cgst_mini_object_unref(present) }
  // Demuxers may use one sequence number for the starts of several streams, with other stream IDs.
  let isSame =
    unsafe gst_event_get_seqnum(event) == gst_event_get_seqnum(present)
    && gst_structure_is_equal(gst_event_get_structure(event), gst_event_get_structure(present)) != 0
  return isSame ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
}

/// Returns the sample format of the audio at a pad.
private func format(at pad: UnsafeMutablePointer<GstPad>) -> String? {
  guard let caps = unsafe gst_pad_get_current_caps(pad) else { return nil }
  defer { unsafe cgst_mini_object_unref(caps) }
  guard let structure = unsafe gst_caps_get_structure(caps, 0) else { return nil }
  return unsafe GLib.borrow(gst_structure_get_string(structure, "format"))
}
