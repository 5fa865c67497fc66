import CGst
import Dispatch
import Playback
import PlayerClock
import Synchronization

/// Keeps the last received frames of a station in memory, so that playback can pause, go back, and return to the present.
///
/// A station sends in real time, and cannot be asked again. The frames are taken behind its parser as they arrive, and another thread
/// passes them on to the decoder, from any of them on. So a pause does not hold up the connection, and a seek begins again at an earlier
/// frame, without the server.
///
/// - Only a stream of frames without a container is kept, such as MP3, AAC or FLAC, from a server that supports no seek and states no length. A
///   container has its own times and headers.
/// - A server that sends faster than it is heard is held up, as without this: it is not live, and nothing of it is to be lost.
///
/// <https://gstreamer.freedesktop.org/documentation/additional/design/probes.html>
final class TimeShift: Sendable {
  private struct State {
    var frames: ReceivedFrames<MiniReference>
    /// The pad to which the frames are passed; nil until the first frame.
    var decoder: ObjectReference?
    /// Whether the stream is one that is not kept.
    var isRefused = false
    /// The instant of the first frame, later by the time for which the server was held up.
    var begin: MonotonicTime?
    var isFlushing = false
    /// The seek that is carried out next: its target, and the number of its events.
    var seek: (target: Duration, number: UInt32)?
    /// Whether nothing is passed on until the next seek: the end was, or the decoder refuses further frames.
    var isStopped = false
    var isClosed = false
    /// The semaphores of the thread that waits for frames, and of the streaming thread that waits for room.
    var gate: DispatchSemaphore?
    var room: DispatchSemaphore?
  }

  /// The time before a target from which frames are decoded and dropped: a frame of MPEG-1 layer 3 has data in nine frames before it.
  private static let leadIn = Duration.milliseconds(500)
  /// The time before a target at which its segment begins; the sink cuts off the samples before an exact target.
  private static let margin = Duration.milliseconds(120)
  /// The media by which a server may be ahead of real time, and the unread media with which it continues.
  private static let (burst, reserve) = (Duration.seconds(60), Duration.seconds(30))
  /// The bytes that are kept at most.
  static let sizeLimit = 16 << 20

  private let queue = DispatchQueue(label: "org.playerd.received")
  private let state: Mutex<State>
  private let kept: @Sendable (Range<Duration>, _ isHeldUp: Bool) -> Void

  /// Observes a parser that was just added to its bin.
  ///
  /// - Parameters:
  ///   - parser: The parser.
  ///   - time: The duration of the frames that are kept.
  ///   - kept: Receives the times of the kept frames with each frame, and whether the server is held up then, on the streaming thread.
  init(
    of parser: UnsafeMutablePointer<GstElement>, keeping time: Duration,
    kept: @escaping @Sendable (Range<Duration>, _ isHeldUp: Bool) -> Void
  ) {
    state = Mutex(State(frames: ReceivedFrames(time: time, bytes: Self.sizeLimit)))
    self.kept = kept
    unsafe PadProbe.add(to: "src", of: parser, PadProbe.data) { [weak self] pad, info in
      guard let self else { return GST_PAD_PROBE_OK }
      if let buffer = unsafe cgst_probe_buffer(info) { return unsafe take(buffer, at: pad) }
      return unsafe cgst_probe_event(info).map { unsafe take($0) } ?? GST_PAD_PROBE_OK
    }
  }

  // MARK: On any thread

  /// Whether frames are kept.
  var isActive: Bool { state.withLock { $0.decoder != nil } }

  /// Returns the share of a duration that is received and not passed to the decoder, in percent; 100 at the end of the stream.
  func fill(of goal: Duration) -> Int {
    state.withLock { state in
      if state.frames.hasEnded { return 100 }
      return Int(min(1, state.frames.unread / max(goal, .milliseconds(1))) * 100)
    }
  }

  /// Continues at a time, with a flush whose events have a number; false if nothing is kept.
  func seek(to target: Duration, number: UInt32) -> Bool {
    let decoder = state.withLock { state -> ObjectReference? in
      guard !state.isClosed, state.frames.range != nil else { return nil }
      state.isFlushing = true
      return state.decoder
    }
    guard let decoder else { return false }
    // The passing thread waits in a call downstream, which the flush ends. It ends the flush, so it must not begin before.
    if let flush = unsafe gst_event_new_flush_start() {
      unsafe gst_event_set_seqnum(flush, number)
      unsafe gst_pad_send_event(decoder.pointer(), flush)
    }
    change { $0.seek = (target, number) }
    return true
  }

  /// Ends both threads' waits, and forgets the frames; nothing is passed on afterwards.
  func close() { change { ($0.isClosed, $0.frames) = (true, ReceivedFrames(time: .zero, bytes: 0)) } }

  /// Changes the state, and wakes the threads that wait for a change.
  private func change(_ body: (inout State) -> Void) {
    let waiting = state.withLock { state in
      body(&state)
      return [state.gate.take(), state.room.take()]
    }
    for semaphore in waiting { semaphore?.signal() }
  }

  // MARK: On the streaming thread

  private func take(_ buffer: UnsafeMutablePointer<GstBuffer>, at pad: UnsafeMutablePointer<GstPad>)
    -> GstPadProbeReturn
  {
    let (isActive, isRefused) = state.withLock { ($0.decoder != nil, $0.isRefused) }
    guard unsafe !isRefused && (isActive || begin(at: pad)) else { return GST_PAD_PROBE_OK }
    let duration = unsafe Duration(gst: buffer.pointee.duration) ?? .zero
    let start = unsafe Duration(gst: buffer.pointee.pts)
    let count = unsafe gst_buffer_get_size(buffer)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(clamping: count)) { memory, length in
      unsafe length = Int(clamping: gst_buffer_extract(buffer, 0, memory.baseAddress, count))
    }
    let (range, gate) = state.withLock { state -> (Range<Duration>?, DispatchSemaphore?) in
      guard !state.isClosed else { return (nil, nil) }
      state.frames.add(bytes, at: start ?? state.frames.range?.upperBound ?? .zero, for: duration)
      return (state.frames.range, state.gate.take())
    }
    gate?.signal()
    if let range { kept(range, false) }
    waitForRoom()
    return GST_PAD_PROBE_DROP
  }

  /// Begins to keep the frames, if the stream is one that is kept.
  private func begin(at pad: UnsafeMutablePointer<GstPad>) -> Bool {
    let facts = unsafe QueriedFacts { unsafe gst_pad_query(pad, $0) != 0 }
    guard !facts.isSeekable, facts.duration == nil, unsafe isFedWithBytes(pad),
      let decoder = unsafe ObjectReference(taking: gst_pad_get_peer(pad))
    else {
      state.withLock { $0.isRefused = true }
      return false
    }
    state.withLock { ($0.decoder, $0.begin) = (decoder, .now) }
    queue.async { self.passFrames(to: decoder) }
    return true
  }

  private func take(_ event: UnsafeMutablePointer<GstEvent>) -> GstPadProbeReturn {
    guard unsafe cgst_event_is_serialized(event) != 0 else { return GST_PAD_PROBE_OK }
    let type = unsafe event.pointee.type
    // A pad has two lists of tags, which differ in their scope.
    let tags = unsafe type == GST_EVENT_TAG ? TagList(event) : nil
    let scope = tags.map { unsafe Int(gst_tag_list_get_scope($0.list).rawValue) } ?? 0
    let (kind, mark) = unsafe (Int(type.rawValue) + scope, MiniReference(event))
    let isActive = state.withLock { state in
      if state.isRefused { return false }
      if type == GST_EVENT_EOS {
        state.frames.end()
      } else if unsafe state.frames.lastMark(ofKind: kind)?.object != mark.object {
        // A pad sends an event again that was dropped before.
        state.frames.add(mark, kind: kind)
      }
      return state.decoder != nil
    }
    guard isActive else { return GST_PAD_PROBE_OK }
    change { _ in }
    return GST_PAD_PROBE_DROP
  }

  /// Holds up a server that is not live.
  private func waitForRoom() {
    while true {
      let held = state.withLock { state -> (room: DispatchSemaphore, range: Range<Duration>)? in
        guard !state.isClosed, !state.isFlushing, let begin = state.begin, let range = state.frames.range,
          range.upperBound > MonotonicTime.now - begin + Self.burst, state.frames.unread > Self.reserve
        else { return nil }
        let room = DispatchSemaphore(value: 0)
        state.room = room
        return (room, range)
      }
      guard let held else { return }
      kept(held.range, true)
      let since = MonotonicTime.now
      held.room.wait()
      // A server that is held up during a pause must not send as much at once afterwards.
      let waited = MonotonicTime.now - since
      state.withLock { $0.begin = $0.begin.map { $0 + waited } }
    }
  }

  // MARK: On the passing thread

  private enum Step {
    case item(ReceivedFrames<MiniReference>.Item)
    case seek(Duration, UInt32, [MiniReference])
    case end
    case wait(DispatchSemaphore)
    case close
  }

  private func passFrames(to decoder: ObjectReference) {
    var isDiscontinuous = false
    while true {
      let (step, room) = nextStep()
      room?.signal()
      switch step {
      case .close: return
      case .wait(let gate): gate.wait()
      case .end: if let end = unsafe gst_event_new_eos() { unsafe gst_pad_send_event(decoder.pointer(), end) }
      case .seek(let target, let number, let marks):
        endFlush(at: target, number, marks, decoder)
        isDiscontinuous = true
      case .item(.mark(let mark)):
        unsafe cgst_mini_object_ref(mark.object)
        unsafe gst_pad_send_event(decoder.pointer(), mark.object.assumingMemoryBound(to: GstEvent.self))
      case .item(.frame(let bytes, let start, let duration)):
        if let buffer = unsafe makeBuffer(bytes, at: start, for: duration) {
          if isDiscontinuous { unsafe gst_buffer_set_flags(buffer, GST_BUFFER_FLAG_DISCONT) }
          if unsafe gst_pad_chain(decoder.pointer(), buffer).rawValue < GST_FLOW_OK.rawValue { refused() }
        }
        isDiscontinuous = false
      }
    }
  }

  private func nextStep() -> (Step, room: DispatchSemaphore?) {
    state.withLock { state in
      if state.isClosed { return (.close, nil) }
      if let seek = state.seek.take() {
        (state.isFlushing, state.isStopped) = (false, false)
        let marks = state.frames.seek(to: seek.target - Self.leadIn) ?? []
        return (.seek(seek.target, seek.number, marks), state.room.take())
      }
      // A lost cursor waits for a seek as well.
      if !state.isFlushing, !state.isStopped, !state.frames.isLost {
        if let item = state.frames.next() {
          return (.item(item), state.frames.unread <= Self.reserve ? state.room.take() : nil)
        }
        if state.frames.hasEnded {
          state.isStopped = true
          return (.end, nil)
        }
      }
      let gate = DispatchSemaphore(value: 0)
      state.gate = gate
      return (.wait(gate), nil)
    }
  }

  /// Stops, unless a flush is the reason why a frame was refused.
  private func refused() { state.withLock { if !$0.isFlushing, $0.seek == nil { $0.isStopped = true } } }

  /// Ends the flush of a seek; the segment begins shortly before its target, so the decoder cuts off the frames before that.
  private func endFlush(
    at target: Duration, _ number: UInt32, _ marks: [MiniReference], _ decoder: ObjectReference
  ) {
    if let stop = unsafe gst_event_new_flush_stop(1) {
      unsafe gst_event_set_seqnum(stop, number)
      unsafe gst_pad_send_event(decoder.pointer(), stop)
    }
    for mark in marks {
      let event = unsafe mark.object.assumingMemoryBound(to: GstEvent.self)
      switch unsafe event.pointee.type {
      // The stream continues.
      case GST_EVENT_STREAM_START: break
      case GST_EVENT_SEGMENT:
        guard var segment = unsafe GstSegment.of(event) else { break }
        let start = guint64(max(0, (target - Self.margin).wholeNanoseconds))
        (segment.start, segment.time, segment.position) = (start, start, start)
        guard let moved = unsafe gst_event_new_segment(&segment) else { break }
        unsafe gst_event_set_seqnum(moved, number)
        unsafe gst_pad_send_event(decoder.pointer(), moved)
      default:
        unsafe cgst_mini_object_ref(event)
        unsafe gst_pad_send_event(decoder.pointer(), event)
      }
    }
  }
}

/// Whether the parser of a pad gets bytes of a server, and not the frames of a container.
private func isFedWithBytes(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
  let format = unsafe GLib.with(taking: gst_pad_get_parent_element(pad)) { parser in
    var format = GST_FORMAT_UNDEFINED
    unsafe GLib.withPad("sink", of: parser) { format = unsafe GstSegment.present(at: $0)?.format ?? format }
    return format
  }
  return format == GST_FORMAT_BYTES
}

/// Returns a buffer with a copy of a frame.
private func makeBuffer(
  _ bytes: [UInt8], at start: Duration, for duration: Duration
) -> UnsafeMutablePointer<GstBuffer>? {
  guard let buffer = unsafe bytes.withUnsafeBytes({ unsafe gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) })
  else { return nil }
  unsafe buffer.pointee.pts = GstClockTime(clamping: start.wholeNanoseconds)
  unsafe buffer.pointee.duration = GstClockTime(clamping: duration.wholeNanoseconds)
  return unsafe buffer
}
