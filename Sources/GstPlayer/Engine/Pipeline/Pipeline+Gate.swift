import CGst
import Playback
import Synchronization

extension Pipeline {
  /// Sends EOS at the entry for a stream whose data has passed the entry completely.
  func endAtEntry() {
    guard let filter else { return }
    unsafe GLib.withPad("sink", of: filter.bin) { unsafe gst_pad_send_event($0, gst_event_new_eos()) }
  }
}

/// Installs the probes at the pads of the output gate.
extension PipelineContext {
  /// Replaces the start of a withdrawn stream at the entry by EOS for the stream before it.
  func watchEntry(_ pad: UnsafeMutablePointer<GstPad>) {
    unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM]) { [gate] _, info in
      guard let event = unsafe cgst_probe_event_of(info, GST_EVENT_STREAM_START) else { return GST_PAD_PROBE_OK }
      if gate.startAtEntry(group: unsafe group(of: event)) == .withdrawn { unsafe endStream(in: info) }
      return GST_PAD_PROBE_OK
    }
  }

  /// Tracks the streams at the output, and ends them at the requested times.
  func watchExit(_ pad: UnsafeMutablePointer<GstPad>) {
    unsafe PadProbe.add(to: pad, PadProbe.dataAndFlushes) { pad, info in unsafe exitProbe(pad, info, self) }
  }
}

// MARK: Streaming threads

private func exitProbe(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ context: PipelineContext
) -> GstPadProbeReturn {
  if let buffer = unsafe cgst_probe_buffer(info) {
    if let title = context.title.take(), let start = unsafe mediaTimes(of: buffer, at: pad)?.start {
      context.deliver(.event(.titleStarts(context.streamAtSink, title, at: start)))
    }
    return unsafe pass(buffer, in: info, at: pad, context)
  }
  guard let event = unsafe cgst_probe_event(info) else { return GST_PAD_PROBE_OK }
  switch unsafe event.pointee.type {
  case GST_EVENT_STREAM_START:
    context.title.restart()
    if !context.streamStartedAtSink(group: unsafe group(of: event)) { unsafe endStream(in: info) }
  case GST_EVENT_TAG:
    guard let tags = unsafe TagList(event) else { break }
    context.title.note(tags)
    // Such a sink would show the title now, and not when it is audible.
    if let shown = context.streamTitle, unsafe context.output.with({ unsafe shown.isShown(by: $0) }) == true {
      context.tags.read(tags, of: context.streamAtSink)
      return GST_PAD_PROBE_DROP
    }
  case GST_EVENT_CAPS: if !(unsafe context.capsAtSink(event, pad)) { unsafe endStream(in: info) }
  case GST_EVENT_SEGMENT:
    let delayed = unsafe context.formatChange.segment(event, at: pad)
    if let segment = unsafe GstSegment.of(delayed ?? event) { context.segmentAtSink(runningTime: UInt64(segment.base)) }
    unsafe PadProbe.replace(in: info, with: delayed)
  case GST_EVENT_FLUSH_STOP:
    context.gate.flushed()
    context.title.restart()
    context.formatChange.begin()
  default: break
  }
  return GST_PAD_PROBE_OK
}

/// Returns the group ID of a STREAM_START event; nil if it has none.
private func group(of event: UnsafeMutablePointer<GstEvent>) -> UInt32? {
  var group: guint = 0
  return unsafe gst_event_parse_group_id(event, &group) != 0 ? group : nil
}

/// Replaces an event by the end of the stream.
private func endStream(in info: UnsafeMutablePointer<GstPadProbeInfo>) {
  unsafe PadProbe.replace(in: info, with: gst_event_new_eos())
}

/// Passes a buffer or its first part to the output; replaces a buffer behind the end by EOS.
private func pass(
  _ buffer: UnsafeMutablePointer<GstBuffer>, in info: UnsafeMutablePointer<GstPadProbeInfo>,
  at pad: UnsafeMutablePointer<GstPad>, _ context: PipelineContext
) -> GstPadProbeReturn {
  guard let times = unsafe mediaTimes(of: buffer, at: pad) else { return GST_PAD_PROBE_OK }
  let gap = times.running.flatMap { context.gate.gap(before: times.start, runningTime: $0) }
  let (whole, kept) = (times.end - times.start, context.gate.pass(from: times.start, to: times.end))
  context.delivered(until: times.end, after: gap)
  if kept == whole { return GST_PAD_PROBE_OK }
  if kept > .zero, unsafe shorten(buffer, to: kept / whole, in: info, at: pad) { return GST_PAD_PROBE_OK }
  // Blocks until the output has played its buffered audio, as upstream blocks for every buffer.
  unsafe gst_pad_send_event(pad, gst_event_new_eos())
  return GST_PAD_PROBE_DROP
}

/// Returns the media times of a buffer's start and end, and its running times if it lies within its segment; nil if it has
/// no time or no duration.
private func mediaTimes(
  of buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>
) -> (start: Duration, end: Duration, running: Range<Duration>?)? {
  let (start, duration) = unsafe (buffer.pointee.pts, buffer.pointee.duration)
  let (end, isOverflow) = start.addingReportingOverflow(duration)
  guard var segment = unsafe GstSegment.present(at: pad), !isOverflow, start < end, end < Int64.max else { return nil }
  var times: (start: guint64, end: guint64) = (0, 0)
  // Times beyond the segment are converted as well, because the last buffer may be longer than declared.
  guard unsafe gst_segment_to_stream_time_full(&segment, GST_FORMAT_TIME, start, &times.start) > 0,
    unsafe gst_segment_to_stream_time_full(&segment, GST_FORMAT_TIME, end, &times.end) > 0, times.start < times.end
  else { return nil }
  let running = unsafe Duration(gst: gst_segment_to_running_time(&segment, GST_FORMAT_TIME, start)).map { begin in
    unsafe begin..<max(begin, Duration(gst: gst_segment_to_running_time(&segment, GST_FORMAT_TIME, end)) ?? begin)
  }
  return (.nanoseconds(Int64(clamping: times.start)), .nanoseconds(Int64(clamping: times.end)), running)
}

/// Replaces a buffer by its first part, rounded to the nearest sample; returns false if no sample remains.
private func shorten(
  _ buffer: UnsafeMutablePointer<GstBuffer>, to fraction: Double, in info: UnsafeMutablePointer<GstPadProbeInfo>,
  at pad: UnsafeMutablePointer<GstPad>
) -> Bool {
  guard let caps = unsafe gst_pad_get_current_caps(pad) else { return false }
  defer { unsafe cgst_mini_object_unref(caps) }
  var format = unsafe GstAudioInfo()
  guard unsafe gst_audio_info_from_caps(&format, caps) != 0, unsafe format.bpf > 0 else { return false }
  let frames = unsafe Double(gst_buffer_get_size(buffer) / gsize(format.bpf))
  let kept = (frames * fraction).rounded()
  guard kept >= 1 else { return false }
  guard kept < frames else { return true }
  let duration = unsafe Double(buffer.pointee.duration) * (kept / frames)
  guard let head = unsafe gst_audio_buffer_truncate(buffer, format.bpf, 0, gsize(kept)) else { return false }
  unsafe head.pointee.duration = GstClockTime(duration)
  unsafe info.pointee.data = UnsafeMutableRawPointer(head)
  return true
}
