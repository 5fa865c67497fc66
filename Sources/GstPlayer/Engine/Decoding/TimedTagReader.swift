import CGst
import Playback
import Synchronization

/// Reads timed ID3 metadata where a demuxer passes it on.
///
/// A transport stream has packets with times; ``ProgramMap`` makes `tsdemux` create a pad for them, and `tsdemux` of GStreamer 1.28
/// also creates one itself. A segment of packed audio begins with a tag that contains its time: `hlsdemux` sends the tag as an
/// event before the audio.
///
/// <https://www.rfc-editor.org/rfc/rfc8216#section-3.4>
final class TimedTagReader: Sendable {
  /// The maximum size of a tag in bytes.
  private static let sizeLimit: gsize = 512 << 10
  /// The time stamps of MPEG-2 have 33 bits.
  private static let cycle: UInt64 = 1 << 33

  private struct Segments {
    /// The tag of the segment that follows, and its time stamp.
    var next: (content: ID3Metadata, stamp: UInt64)?
    /// The time of a segment at the pad, in nanoseconds, and its time stamp; `hlsdemux` of GStreamer 1.22 sets a time only on the
    /// first segment after a start or a seek.
    var known: (time: UInt64, stamp: UInt64)?
  }

  private let report: @Sendable (StreamEvent) -> Void
  private let segments = Mutex(Segments())

  init(report: @escaping @Sendable (StreamEvent) -> Void) { self.report = report }

  /// Reads the pads with metadata of a `tsdemux`, and hides them from the decoder, which does not need them.
  ///
  /// Call it before the decoder observes the pads.
  func watch(transportStream demuxer: UnsafeMutablePointer<GstElement>) {
    unsafe ProgramMapProbe.install(on: demuxer)
    unsafe Signal.padAdded(to: demuxer) { demuxer, pad in
      let type = unsafe GLib.with(takingMini: gst_pad_get_current_caps(pad)) { unsafe GLib.mediaType(of: $0) }
      guard type == "meta/x-klv" || type == "meta/x-id3" else { return }
      let reader = self.another
      unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_BUFFER, GST_PAD_PROBE_TYPE_EVENT_FLUSH]) { pad, info in
        guard let buffer = unsafe cgst_probe_buffer(info) else {
          if unsafe cgst_probe_event_of(info, GST_EVENT_FLUSH_STOP) != nil { reader.flush() }
          return GST_PAD_PROBE_OK
        }
        unsafe reader.read(packet: buffer, at: pad)
        // Dropped, because the pad is not linked.
        return GST_PAD_PROBE_DROP
      }
      unsafe g_signal_stop_emission_by_name(demuxer, "pad-added")
    }
  }

  /// Reads the tags of the segments at the pads of an `hlsdemux`.
  func watch(segments demuxer: UnsafeMutablePointer<GstElement>) {
    unsafe Signal.padAdded(to: demuxer) { _, pad in
      let reader = self.another
      unsafe PadProbe.add(to: pad, PadProbe.dataAndFlushes) { pad, info in
        if let buffer = unsafe cgst_probe_buffer(info) {
          unsafe reader.begin(segment: buffer, at: pad)
        } else if unsafe cgst_probe_event_of(info, GST_EVENT_FLUSH_STOP) != nil {
          reader.flush()
        } else if let event = unsafe cgst_probe_event(info) {
          unsafe reader.read(event: event)
        }
        return GST_PAD_PROBE_OK
      }
    }
  }

  /// Returns a reader for one pad.
  private var another: TimedTagReader { TimedTagReader(report: report) }

  // MARK: On streaming threads

  private func flush() {
    segments.withLock { $0 = Segments() }
    report(.timedTagsFlushed)
  }

  /// Delivers the tag in a packet of a transport stream.
  private func read(packet buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
    guard unsafe gst_buffer_get_size(buffer) <= Self.sizeLimit, let list = unsafe gst_tag_list_from_id3v2_tag(buffer)
    else { return }
    defer { unsafe cgst_mini_object_unref(list) }
    unsafe report(TagList(list).timedID3.content, at: buffer.pointee.pts, on: pad)
  }

  /// Keeps the tag of a segment of packed audio until its first buffer.
  private func read(event: UnsafeMutablePointer<GstEvent>) {
    guard unsafe event.pointee.type == GST_EVENT_TAG, let tag = unsafe TagList(event)?.timedID3,
      let stamp = tag.stamp, tag.content.size <= Self.sizeLimit
    else { return }
    segments.withLock { $0.next = (tag.content, stamp) }
  }

  /// Delivers the tag of a segment with the time of its first buffer.
  private func begin(segment buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>) {
    let time = unsafe buffer.pointee.pts
    let isBroken = unsafe gst_buffer_get_flags(buffer).rawValue & GST_BUFFER_FLAG_DISCONT.rawValue != 0
    let found = segments.withLock { segments -> (content: ID3Metadata, time: UInt64)? in
      guard let next = segments.next.take() else { return nil }
      if time != GstClockTime.max {
        segments.known = (UInt64(time), next.stamp)
      } else if isBroken {
        segments.known = nil
      }
      guard let known = segments.known else { return nil }
      // At most 26 hours, 8.6 s in 10 ^ 13 ns.
      let passed = (next.stamp &- known.stamp) % Self.cycle * 100_000 / 9
      let (time, overflows) = known.time.addingReportingOverflow(passed)
      return overflows ? nil : (next.content, time)
    }
    if let found { unsafe report(found.content, at: GstClockTime(found.time), on: pad) }
  }

  /// Delivers a tag with the time of a pad.
  private func report(_ content: ID3Metadata, at time: GstClockTime, on pad: UnsafeMutablePointer<GstPad>) {
    var streamTime: guint64 = 0
    // A tag before the target of a seek applies at the target.
    guard !content.isEmpty, var segment = unsafe GstSegment.present(at: pad), time != GstClockTime.max,
      segment.format == GST_FORMAT_TIME,
      unsafe gst_segment_to_stream_time_full(&segment, GST_FORMAT_TIME, time, &streamTime) > 0,
      let start = Duration(gst: streamTime)
    else { return }
    report(.timedTag(content, at: start))
  }
}
