import CGst
import Playback
import Synchronization

/// Requests a byte range for a seek in a stream of frames from a server, such as MP3, FLAC or AAC without a container.
///
/// The parser of such a stream (`GstBaseParse`) has an index of the frames that it has parsed. GStreamer 1.22 requests the
/// data for an accurate seek from the last frame in the index that precedes the target: 48 MB for minute 50 of an MP3.
/// For a seek that is not accurate, it converts the time to an offset, by a table in the header or by the average bit rate. In a FLAC
/// file, that was 500 s off.
///
/// - Frames with times, as in FLAC: the seek stays accurate. If the index lacks a frame shortly before the target, an estimated
///   offset is requested. The time of the first frame there shows the error, and the seek is repeated.
/// - Frames without times: the seek is not accurate, unless the index reaches to 20 s before the target. The position is an
///   estimate, by a constant bit rate, a table of a Xing or VBRI header, or the average bit rate. The data before the
///   target that a decoder needs is requested as well, and cut off by the segment.
///
/// The parser counts from the offset that it has requested. If another offset is requested, it is hidden from the parser: in the
/// seek that the parser sends, and in the segment that answers the seek. The stop of the seek is removed, because it is estimated
/// as well.
///
/// It can go when `GstBaseParse` seeks accurately in a stream from a server without requesting all data before the target.
///
/// <https://gstreamer.freedesktop.org/documentation/base/gstbaseparse.html>
final class ByteSeek: Sendable {
  /// The search for the offset of a target among frames with times.
  private enum Landing {
    case done
    /// The first frames after the seek are awaited.
    case awaited
    /// They were too early or too late; data is dropped until the seek is repeated.
    case missed
  }

  private struct State {
    /// Whether the data arrives in bytes, and not in the segments of a demuxer.
    var isBytes = false
    /// The offset of the next byte for the parser.
    var next: Int64 = 0
    /// The offset of the next byte as the parser counts it, and the greatest one so far.
    var shown: Int64 = 0
    var indexed: Int64 = 0
    /// The end of the bytes that were parsed without a gap from the start, where positions are exact.
    var exactEnd: Int64 = 0
    /// Whether the present data continues these bytes.
    var isExact = true
    /// The last parsed frame: its end, and the offset of the data after it.
    var front: ByteMap.Point?
    var target = Duration.zero
    /// The time before the target of the last seek that the parser passes on; zero when its segment has passed.
    var leadIn = Duration.zero
    /// The offset of the first byte since the last seek.
    var start: Int64 = 0
    /// The offset that the parser has requested, and the one that was requested instead.
    var request: (parser: Int64, server: Int64)?
    var landing = Landing.done
    /// The number of times that the seek was repeated.
    var repetitions = 0
    /// The number of seeks.
    var number: UInt64 = 0
    var map = ByteMap()
    var rate = ConstantRate()
  }

  /// The bytes before the target that are received and not used, at most: a quarter of a second at 2 MB/s.
  private static let window: Int64 = 512 << 10
  /// The distance of a requested offset from the estimate, so that most seeks land before the target.
  private static let lead: Int64 = 192 << 10
  /// The time before the target that a decoder needs: a frame of MPEG-1 layer 3 has data in nine frames before it.
  private static let leadIn = Duration.milliseconds(300)
  /// The number of repetitions after which the data is read from the last known point.
  private static let limit = 8

  private let hasTimes: Bool
  private let state = Mutex(State())
  private let missed: @Sendable (UInt64) -> Void

  /// Observes a parser that was just added to its bin; nil for another element.
  ///
  /// `missed` receives the number of a seek that must be repeated.
  init?(of parser: UnsafeMutablePointer<GstElement>, missed: @escaping @Sendable (UInt64) -> Void) {
    guard unsafe Parser.isParser(parser) else { return nil }
    hasTimes = unsafe Parser.hasTimes(parser)
    self.missed = missed
    unsafe PadProbe.add(to: "src", of: parser, [GST_PAD_PROBE_TYPE_EVENT_UPSTREAM]) { _, info in
      if let seek = unsafe SeekEvent(info) { unsafe self.begin(seek, in: info) }
      return GST_PAD_PROBE_OK
    }
    unsafe PadProbe.add(to: "sink", of: parser, [GST_PAD_PROBE_TYPE_EVENT_UPSTREAM]) { pad, info in
      if let seek = unsafe SeekEvent(info) { unsafe self.request(seek, at: pad, in: info) }
      return GST_PAD_PROBE_OK
    }
    unsafe PadProbe.add(to: "sink", of: parser, PadProbe.data) { pad, info in
      if let buffer = unsafe cgst_probe_buffer(info) { return unsafe self.parse(buffer, at: pad) }
      if let segment = unsafe GstSegment.passing(info) { unsafe self.answer(segment, in: info) }
      return GST_PAD_PROBE_OK
    }
    unsafe PadProbe.add(to: "src", of: parser, PadProbe.data) { _, info in
      if let buffer = unsafe cgst_probe_buffer(info) { return unsafe self.pass(buffer) }
      if let segment = unsafe GstSegment.passing(info) { unsafe self.cutLeadIn(segment, in: info) }
      return GST_PAD_PROBE_OK
    }
  }

  /// Whether the positions since the last seek are estimates.
  var isEstimated: Bool { !hasTimes && state.withLock { $0.isBytes && !$0.isExact } }

  /// Whether a seek also requests the data that a decoder needs before the target.
  var hasLeadIn: Bool { !hasTimes && state.withLock { $0.isBytes } }

  /// Whether a seek is the last one, and missed its target.
  func isMissed(_ number: UInt64) -> Bool { state.withLock { $0.number == number && $0.landing == .missed } }

  // MARK: On the thread of a seek

  /// Records a seek on its way to the parser, and makes it inaccurate for frames without times.
  private func begin(_ seek: SeekEvent, in info: UnsafeMutablePointer<GstPadProbeInfo>) {
    guard seek.format == GST_FORMAT_TIME, seek.rate > 0 else { return }
    let target = Duration.nanoseconds(max(0, Int64(seek.start)))
    let leadIn = hasTimes ? .zero : min(target, Self.leadIn)
    let isBytes = state.withLock { state in
      state.repetitions = state.landing == .missed && state.target == target ? state.repetitions + 1 : 0
      (state.target, state.landing, state.request) = (target - leadIn, .done, nil)
      state.leadIn = state.isBytes ? leadIn : .zero
      state.number &+= 1
      return state.isBytes
    }
    guard isBytes, !hasTimes else { return }
    var seek = seek
    seek.start = gint64((target - leadIn).wholeNanoseconds)
    seek.flags = GstSeekFlags(seek.flags.rawValue & ~GST_SEEK_FLAG_ACCURATE.rawValue)
    unsafe PadProbe.replace(in: info, with: seek.event)
  }

  /// Replaces the offset that the parser requests for the last seek.
  private func request(
    _ seek: SeekEvent, at pad: UnsafeMutablePointer<GstPad>, in info: UnsafeMutablePointer<GstPadProbeInfo>
  ) {
    guard seek.format == GST_FORMAT_BYTES else { return }
    let end = unsafe Parser.end(at: pad)
    let offset = state.withLock { state in
      let requested = Int64(seek.start)
      if let front = state.front.take() { state.map.note(front) }
      let offset = end.map { choose(requested, end: $0, &state) } ?? requested
      state.request = (requested, offset)
      return offset
    }
    var seek = seek
    seek.start = Int(offset)
    seek.stop = -1
    unsafe PadProbe.replace(in: info, with: seek.event)
  }

  /// Returns the offset to request instead of the one that the parser requests.
  private func choose(_ requested: Int64, end: ByteMap.Point, _ state: inout State) -> Int64 {
    guard hasTimes else {
      return requested <= state.exactEnd ? requested : state.rate.offset(of: state.target, end: end) ?? requested
    }
    let known = state.map.last(upTo: state.target).offset
    guard state.repetitions < Self.limit else { return known }
    let estimate = state.map.offset(of: state.target, end: end, bisects: state.repetitions > 3)
    // The parser requests a frame before the target: a near one, or one of the table in the header.
    if requested >= estimate - Self.window || requested > state.indexed { return requested }
    state.landing = .awaited
    return max(known, estimate - Self.lead)
  }

  // MARK: On the streaming thread

  /// Shows the parser the offset that it has requested.
  private func answer(_ segment: GstSegment, in info: UnsafeMutablePointer<GstPadProbeInfo>) {
    let isBytes = segment.format == GST_FORMAT_BYTES
    let start = Int64(clamping: segment.start)
    let shown = state.withLock { state -> Int64? in
      state.isBytes = isBytes
      guard isBytes else { return nil }
      (state.start, state.next) = (start, start)
      let request = state.request.take()
      state.isExact = start <= state.exactEnd && (request.map { $0.parser == $0.server } ?? true)
      let hidden = request.flatMap { $0.server == start && $0.parser != start ? $0.parser : nil }
      state.shown = hidden ?? start
      return hidden
    }
    guard let shown else { return }
    var segment = segment
    let offset = guint64(clamping: shown)
    (segment.start, segment.time, segment.position) = (offset, offset, offset)
    unsafe PadProbe.replace(in: info, with: segment)
  }

  /// Counts data for the parser, and compares the time of the frames before it with the target of a seek.
  private func parse(
    _ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>
  ) -> GstPadProbeReturn {
    let size = unsafe Int64(clamping: gst_buffer_get_size(buffer))
    let parsed = hasTimes ? unsafe Parser.parsed(at: pad) : nil
    let end = state.withLock { $0.landing == .awaited } && parsed != nil ? unsafe Parser.end(at: pad) : nil
    return step { state in
      if let parsed, state.landing != .missed { state.front = ByteMap.Point(offset: state.next, time: parsed) }
      if state.landing == .awaited, let front = state.front, let end {
        state.map.note(front)
        let isEarly = state.map.offset(of: state.target, end: end) - state.next > Self.window
        state.landing = isEarly && state.repetitions < Self.limit ? .missed : .done
      }
      state.next = state.next.addingReportingOverflow(size).partialValue
      state.shown = state.shown.addingReportingOverflow(size).partialValue
      state.indexed = max(state.indexed, state.shown)
      if state.isExact { state.exactEnd = max(state.exactEnd, state.next) }
    }
  }

  /// Begins the segment behind the parser at the target.
  private func cutLeadIn(_ segment: GstSegment, in info: UnsafeMutablePointer<GstPadProbeInfo>) {
    let leadIn = state.withLock { state in
      defer { state.leadIn = .zero }
      return state.leadIn
    }
    guard leadIn > .zero, segment.format == GST_FORMAT_TIME else { return }
    var segment = segment
    let length = guint64(leadIn.wholeNanoseconds)
    segment.start = segment.start.addingReportingOverflow(length).partialValue
    segment.time = segment.time.addingReportingOverflow(length).partialValue
    segment.position = segment.start
    unsafe PadProbe.replace(in: info, with: segment)
  }

  /// Handles a parsed frame.
  private func pass(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstPadProbeReturn {
    let (size, offset) = unsafe (Int(gst_buffer_get_size(buffer)), Int64(clamping: buffer.pointee.offset))
    let (time, duration) = unsafe (Duration(gst: buffer.pointee.pts), Duration(gst: buffer.pointee.duration))
    return step { state in
      guard hasTimes else {
        if state.isExact, state.isBytes { state.rate.note(offset: offset, size: size, duration: duration ?? .zero) }
        return
      }
      guard state.landing == .awaited, let time else { return }
      if time > state.target { state.map.note(ByteMap.Point(offset: state.start, time: time)) }
      state.landing = time > state.target ? .missed : .done
    }
  }

  /// Changes the state with the passing data; the data is dropped after a miss.
  private func step(_ change: (inout State) -> Void) -> GstPadProbeReturn {
    let (isMissed, number) = state.withLock { state in
      let wasMissed = state.landing == .missed
      change(&state)
      return (state.landing == .missed, wasMissed || state.landing != .missed ? nil : state.number)
    }
    if let number { missed(number) }
    return isMissed ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
  }
}
