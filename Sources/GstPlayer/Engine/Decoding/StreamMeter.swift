import CGst
import EngineProcess
import Playback
import PlayerClock
import Synchronization

/// Measures the progress of one stream, on its streaming threads.
///
/// BUFFERING is the level of one queue of GStreamer, which becomes empty while parser, decoder and output hold seconds of
/// audio.
final class StreamMeter: Sendable {
  private struct State {
    var progress = StreamProgress()
    /// Whether it was reported that all decoded data has reached the output.
    var hasReportedEnd = false
    /// The end of the received data in the last report of growth, and its instant; nil before the first one.
    var reported: (end: Duration, instant: MonotonicTime)?
    /// Whether a report said that all of the media was received.
    var hasReportedWhole = false

    /// Returns the progress if it has grown enough for a report; at once, if nothing may arrive for a while.
    mutating func takeGrowth(atOnce isLast: Bool) -> StreamProgress? {
      guard let end = progress.loaded(ofDuration: nil) else { return nil }
      let isWhole = progress.isWhole && !hasReportedWhole
      let now = MonotonicTime.now
      // A station begins to play when its forward buffer is full, which only these reports show.
      let isOpening = progress.kept.map { end - $0.lowerBound < StreamMeter.opening } ?? false
      let growth = isOpening ? StreamMeter.interval : StreamMeter.leastGrowth
      if let reported, !isWhole {
        let isEnough = end >= reported.end + growth && now >= reported.instant + StreamMeter.interval
        guard isEnough || isLast && end > reported.end else { return nil }
      }
      reported = (end, now)
      hasReportedWhole = hasReportedWhole || isWhole
      return progress
    }
  }

  private let measured = Mutex(State())
  /// Reports the growth of a network stream; nil for a local one.
  private let report: (@Sendable (StreamProgress) -> Void)?

  /// The time by which the received data has grown since the last report, and the least interval of the reports.
  private static let (leastGrowth, interval) = (Duration.seconds(1), Duration.milliseconds(250))

  /// The media of a station whose growth is reported as often as possible.
  private static let opening = Duration.seconds(4)

  init(report: (@Sendable (StreamProgress) -> Void)? = nil) { self.report = report }

  var progress: StreamProgress { measured.withLock { $0.progress } }

  /// Counts the bytes that enter and leave the queue after the source.
  func watch(queue: UnsafeMutablePointer<GstElement>) {
    unsafe PadProbe.add(to: "sink", of: queue, PadProbe.data) { pad, info in
      if let buffer = unsafe cgst_probe_buffer(info) {
        let count = unsafe Int64(clamping: gst_buffer_get_size(buffer))
        let rate = unsafe arrivalRate(at: pad)
        self.note {
          $0.receive(bytes: count)
          if let rate { $0.bytesPerSecond = rate }
        }
      } else if let segment = unsafe GstSegment.passing(info), segment.format == GST_FORMAT_BYTES {
        var size: gint64 = -1
        let isKnown = unsafe gst_pad_peer_query_duration(pad, GST_FORMAT_BYTES, &size) != 0 && size > 0
        self.note {
          $0.receive(from: Int64(clamping: segment.start))
          $0.size = isKnown ? Int64(size) : nil
        }
      } else if unsafe cgst_probe_event_of(info, GST_EVENT_EOS) != nil {
        self.note { $0.receiveEnd() }
      }
      return GST_PAD_PROBE_OK
    }
    unsafe PadProbe.add(to: "src", of: queue, PadProbe.data) { _, info in
      if let buffer = unsafe cgst_probe_buffer(info) {
        let count = unsafe Int64(clamping: gst_buffer_get_size(buffer))
        self.note { $0.forward(bytes: count) }
      } else if let segment = unsafe GstSegment.passing(info), segment.format == GST_FORMAT_BYTES {
        self.note { $0.forward(from: Int64(clamping: segment.start)) }
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// Measures the media times of decoded audio.
  func watch(decoded pad: UnsafeMutablePointer<GstPad>) {
    unsafe PadProbe.add(to: pad, PadProbe.dataAndFlushes) { pad, info in
      if let buffer = unsafe cgst_probe_buffer(info) {
        if let end = unsafe streamTime(atEndOf: buffer, on: pad) { self.decode(until: end) }
      } else if var segment = unsafe GstSegment.passing(info) {
        let start = unsafe gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, segment.start)
        if let start = Duration(gst: start) { self.note { $0.decode(from: start) } }
      } else if unsafe cgst_probe_event_of(info, GST_EVENT_FLUSH_START) != nil {
        self.measured.withLock { state in
          state.progress.flush()
          state.hasReportedEnd = false
          (state.reported, state.hasReportedWhole) = (nil, false)
        }
      }
      return GST_PAD_PROBE_OK
    }
  }

  /// Records decoded audio.
  func decode(until time: Duration) { note { $0.decode(until: time) } }

  /// Records a sample at the output; returns the progress if the sample follows a gap, or if no decoded data is left before
  /// the output, and that has not been reported.
  func deliver(until time: Duration, after gap: StreamProgress.Gap? = nil) -> StreamProgress? {
    measured.withLock { state in
      state.progress.deliver(until: time, after: gap)
      guard gap != nil || !state.hasReportedEnd && state.progress.dataEnd != nil else { return nil }
      state.hasReportedEnd = true
      return state.progress
    }
  }

  /// Returns the progress with a measurement; a later end of the data is reported again.
  func takeProgress() -> StreamProgress {
    measured.withLock { state in
      state.hasReportedEnd = false
      return state.progress
    }
  }

  /// Records the times of the frames that are kept, see ``TimeShift``, and whether the server is held up now.
  func keep(_ range: Range<Duration>, isHeldUp: Bool) { note(atOnce: isHeldUp) { $0.kept = range } }

  /// Records the times that the server of a live stream offers; nil for another stream.
  func offer(_ window: Range<Duration>?) { measured.withLock { $0.progress.window = window } }

  /// Counts a segment of an adaptive stream.
  func count(segmentIn time: Duration) { note { $0.receive(segmentIn: time) } }

  /// Returns the time in which an adaptive demuxer has downloaded a segment; nil for another message.
  ///
  /// The demuxer posts such a message for each segment that is complete, and one without this time for a playlist.
  ///
  /// <https://gstreamer.freedesktop.org/documentation/adaptivedemux2/index.html>
  static func segmentTime(_ message: UnsafeMutablePointer<GstMessage>) -> Duration? {
    var time: GstClockTime = 0
    guard let structure = unsafe gst_message_get_structure(message),
      unsafe GLib.borrow(gst_structure_get_name(structure)) == "adaptive-streaming-statistics",
      unsafe gst_structure_get_clock_time(structure, "fragment-download-time", &time) != 0
    else { return nil }
    return Duration(gst: time)
  }

  private func note(atOnce isLast: Bool = false, _ change: (inout StreamProgress) -> Void) {
    let growth = measured.withLock { state in
      change(&state.progress)
      return report == nil ? nil : state.takeGrowth(atOnce: isLast)
    }
    if let growth { report?(growth) }
  }
}

/// Returns the bytes per second that have arrived at a `queue2` in the last seconds; nil if it has not measured them.
///
/// The queue does not count the time in which it is full, so the value is the speed of the network.
///
/// <https://gstreamer.freedesktop.org/documentation/coreelements/queue2.html#queue2:avg-in-rate>
private func arrivalRate(at pad: UnsafeMutablePointer<GstPad>) -> Int64? {
  let rate = unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) {
    unsafe GLib.get($0, "avg-in-rate") { unsafe Int64(g_value_get_int64($0)) }
  }
  return rate.flatMap { $0 > 0 ? $0 : nil }
}

/// Returns the media time at which a buffer ends; nil if its time is unknown or it lies outside its segment.
private func streamTime(
  atEndOf buffer: UnsafeMutablePointer<GstBuffer>, on pad: UnsafeMutablePointer<GstPad>
) -> Duration? {
  guard var segment = unsafe GstSegment.present(at: pad), segment.format == GST_FORMAT_TIME,
    let start = unsafe Duration(gst: buffer.pointee.pts)
  else { return nil }
  let length = unsafe Duration(gst: buffer.pointee.duration) ?? .zero
  let end = GstClockTime(clamping: (start + length).wholeNanoseconds)
  let stop = segment.stop
  return unsafe Duration(gst: gst_segment_to_stream_time(&segment, GST_FORMAT_TIME, min(end, stop)))
}
