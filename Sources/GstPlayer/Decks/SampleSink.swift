import CGst
import Dispatch
import Joining
import Playback
import Synchronization

/// The end of a deck's pipeline: takes each decoded buffer on the streaming thread, and delivers it as a block.
///
/// Its element is a `fakesink` that gets no data: a probe takes the buffers, so nothing waits for a clock or a preroll. The probe
/// is before the queue that playbin puts in front of its sink, because that queue's thread would wake up for each buffer. While the
/// driver has more unused samples than a limit, the streaming thread waits. It continues when half as many are left, so decoding
/// runs in bursts, and the machine sleeps between them.
///
/// A flush ends the wait. A refused seek does not flush, so no sample is lost.
///
/// Short buffers are delivered together, see ``BlockCollector``.
///
/// <https://gstreamer.freedesktop.org/documentation/coreelements/fakesink.html>
final class SampleSink: Sendable {
  /// The output of the streaming thread.
  enum Output: Sendable {
    case block(Block)
    /// Every sample of a passage was delivered.
    case ended(Passage)
    /// The first data of a passage has arrived, or its end; the time is when its first sample is due.
    case arrived(Passage, at: Duration?)
    /// Another part of the stream begins at a frame of a passage, with other tags: the next stream of a chain. The
    /// frame is nil before the passage's first frame.
    case restarted(Passage, at: Int64?)
    /// The times of a passage jump ahead, and nothing of it follows, unless ``SampleSink/passJump(beyond:)`` is called.
    case jumped(StreamProgress.Gap)
    /// The data of another passage follows.
    case flushed
    /// The data of a passage cannot be read as samples.
    case unreadable(String)
    /// Loudness tags, before the samples that they are about.
    case loudness(GainTags)
    /// The title in the tags of a passage from a frame on, before these tags are posted; the frame is nil before the passage's first
    /// frame.
    case titled(String, Passage, at: Int64?)
  }

  /// The amount of unused samples at which the streaming thread starts to wait.
  struct Limit: Equatable, Sendable {
    var time = Duration.seconds(4)
    var bytes: Int64 = 8 << 20
  }

  /// A request for a passage.
  private struct Request {
    var passage: Passage
    /// The media time at which it begins, and whether it begins exactly there.
    var start = (time: Duration.zero, isExact: false)
    /// The format of its blocks; nil for the decoder's.
    var format: PCMFormat?
  }

  private struct State {
    /// The request for the data that arrives.
    var present: Request
    /// The requests of the last seeks, by the numbers of their events.
    var seeks: [UInt32: Request] = [:]
    var newest: Request
    /// The frame of the passage before which all are dropped.
    var cut = Int64.min
    var segment: SampleTrim.Segment?
    var converter: SampleConverter?
    /// Nil before the first data.
    var trim: SampleTrim?
    /// The format of the passage; nil before its first sample.
    var format: PCMFormat?
    var numbering = FrameNumbering()
    /// The end of the media, once times have jumped beyond it.
    var mediaEnd: Duration?
    /// The samples that are not delivered yet, because they are too short.
    var short = BlockCollector()
    var backlog = Backlog()
    /// The frame of the passage before which all samples have been used.
    var used = Int64.min
    var isFull = false
    var isFlushing = false
    var isClosed = false
    /// Whether the first data waits for the seek to the start.
    var isHeld = false
    var hasStarted = false
    var hasArrived = false
    var hasEnded = false
    /// Whether the times of the passage have jumped.
    var hasJumped = false
    /// The address of the pad at which the data is taken.
    var pad: UInt = 0
    /// The semaphore of the waiting streaming thread.
    var gate: DispatchSemaphore?
    var waits = 0

    /// Whether the streaming thread has to wait.
    var mustWait: Bool { !isFlushing && !isClosed && (isHeld || isFull || hasJumped) }

    mutating func measure(_ limit: Limit) {
      guard let format else { return isFull = false }
      let share: Int64 = isFull ? 2 : 1
      isFull =
        backlog.frames > format.frame(at: limit.time) / share
        || backlog.frames > limit.bytes / Int64(format.bytesPerFrame) / share
    }

    mutating func begin(_ request: Request) {
      present = request
      (numbering, backlog, short) = (FrameNumbering(), Backlog(), BlockCollector())
      (format, cut, used) = (nil, .min, .min)
      (isFull, isHeld, hasArrived, hasEnded, hasJumped) = (false, false, false, false, false)
    }

    /// Numbers samples, and returns what is delivered because of them; after a jump of the times, the samples are not part of it.
    mutating func add(
      _ bytes: [UInt8], _ format: PCMFormat, at stamp: Int64?, longestGap: Duration, limit: Limit
    ) -> [Output] {
      guard !isClosed, !isFlushing else { return [] }
      if self.format == nil {
        let start = format.frame(at: present.start.time)
        (self.format, numbering) = (format, FrameNumbering(from: start))
        numbering.end = mediaEnd.map { format.frame(at: $0) }
        if present.start.isExact { cut = start }
      }
      let frames = Int64(bytes.count / format.bytesPerFrame)
      let last = numbering.next
      var numbering = numbering
      let first = numbering.number(frames, stamp: stamp, tolerance: format.frame(at: FrameNumbering.tolerance))
      if let last, first - last > format.frame(at: longestGap) {
        hasJumped = true
        let gap = StreamProgress.Gap(start: format.time(at: last), end: format.time(at: first))
        return (short.take().map { [.block($0)] } ?? []) + [.jumped(gap)]
      }
      self.numbering = numbering
      let kept = min(max(first, cut), first + frames)
      guard kept < first + frames else { return [] }
      backlog.add(kept..<first + frames)
      backlog.advance(to: used)
      measure(limit)
      let rest = kept == first ? bytes : Array(bytes[(Int(kept - first) * format.bytesPerFrame)...])
      guard let block = Block(present.passage, format, first: kept, bytes: rest) else { return [] }
      return short.add(block).map { .block($0) }
    }
  }

  /// The `fakesink`.
  let element: ObjectReference
  private let limit: Limit
  private let longestGap: Duration
  private let padding: PaddingProbe
  private let verifier: SampleVerifier?
  private let state: Mutex<State>
  private let deliver: @Sendable (Output) -> Void

  /// Makes a sink for a stream; nil if GStreamer's core elements are not installed.
  ///
  /// - Parameters:
  ///   - passage: The passage that the first data belongs to.
  ///   - format: The format that it is converted to; nil for the decoder's.
  ///   - isHeld: Whether the first data waits for a seek, or for ``release()``.
  ///   - limit: The amount of unused samples at which the streaming thread starts to wait.
  ///   - longestGap: The longest time without samples after which the passage continues.
  ///   - padding: Reads the encoder's padding, which is left out.
  ///   - verifier: Reads the samples as they were decoded, without the samples that are left out; nil for none.
  ///   - deliver: Receives the output on the streaming thread.
  init?(
    _ passage: Passage, as format: PCMFormat? = nil, isHeld: Bool = false, limit: Limit = Limit(),
    longestGap: Duration = StreamProgress.leastGap, padding: PaddingProbe, verifier: SampleVerifier? = nil,
    deliver: @escaping @Sendable (Output) -> Void
  ) {
    guard let made = unsafe gst_element_factory_make("fakesink", nil) else { return nil }
    guard let element = unsafe ObjectReference(taking: gst_object_ref_sink(made)) else { return nil }
    self.element = element
    (self.limit, self.longestGap, self.padding) = (limit, longestGap, padding)
    (self.verifier, self.deliver) = (verifier, deliver)
    let request = Request(passage: passage, format: format)
    state = Mutex(State(present: request, newest: request, isHeld: isHeld))
    for property in ["sync", "async", "enable-last-sample"] { unsafe GLib.set(element.object, property, to: false) }
    unsafe GLib.withPad("sink", of: element.pointer()) { pad in
      unsafe PadProbe.add(to: pad, [GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM], answerQuery)
      unsafe takeData(at: pad)
    }
  }

  /// Takes the data in front of the queue that a playbin puts before its sink.
  func watch(_ playbin: UnsafeMutablePointer<GstElement>) {
    unsafe Signal.deepElement("deep-element-added", of: playbin) { [weak self] element, bin in
      let parent = unsafe UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstObject.self)
      guard let self, unsafe GLib.borrow(cgst_factory_name(element)) == "queue",
        unsafe gst_object_has_as_ancestor(self.element.pointer(), parent) != 0
      else { return }
      unsafe GLib.withPad("sink", of: element) { unsafe self.takeData(at: $0) }
    }
  }

  /// Takes the data at a pad, and no longer at the one before.
  private func takeData(at pad: UnsafeMutablePointer<GstPad>) {
    state.withLock { $0.pad = UInt(bitPattern: pad) }
    unsafe PadProbe.add(to: pad, PadProbe.dataAndFlushes) { [weak self] pad, info in
      guard let self else { return GST_PAD_PROBE_DROP }
      guard state.withLock({ $0.pad }) == UInt(bitPattern: pad) else { return GST_PAD_PROBE_OK }
      if let buffer = unsafe cgst_probe_buffer(info) {
        unsafe take(buffer)
        return GST_PAD_PROBE_DROP
      }
      unsafe verifier?.noteDecoderEvent(info, at: pad)
      return unsafe cgst_probe_event(info).map { unsafe handle($0) } ?? GST_PAD_PROBE_OK
    }
  }

  // MARK: On any thread

  /// Notes that the driver has used the samples of a passage before a frame; returns the media time of the frame if this
  /// is new.
  func advance(_ passage: Passage, to frame: Int64) -> Duration? {
    change { state in
      guard state.present.passage == passage, frame > state.used else { return nil }
      state.used = frame
      state.backlog.advance(to: frame)
      state.measure(limit)
      return state.format?.time(at: frame)
    }
  }

  /// Notes that a seek event is about to be sent; the data after its flush belongs to a passage.
  ///
  /// - Parameters:
  ///   - passage: The passage.
  ///   - start: The target; if it is exact, all samples before it are dropped.
  ///   - format: The format that the passage is converted to; nil for the decoder's.
  ///   - event: The number of the event.
  func expect(_ passage: Passage, at start: (time: Duration, isExact: Bool), as format: PCMFormat?, _ event: UInt32) {
    change { state in
      state.seeks = state.seeks.filter { $0.value.passage.seek + 4 > passage.seek }
      state.newest = Request(passage: passage, start: start, format: format)
      state.seeks[event] = state.newest
    }
  }

  /// Notes that the last seek was refused: the data belongs to the passage before it.
  func refuse(_ event: UInt32) {
    change { state in
      state.seeks[event] = nil
      state.newest = state.seeks.values.max { $0.passage.seek < $1.passage.seek } ?? state.present
    }
  }

  /// Lets the data after a jump of the times pass without a gap, because the times lead beyond the end of the media; later ones
  /// pass as well.
  func passJump(beyond end: Duration) {
    change { state in
      guard state.hasJumped else { return }
      state.hasJumped = false
      state.mediaEnd = end
      state.numbering.end = state.format?.frame(at: end)
    }
  }

  /// Lets the first data pass, if it waits for a seek.
  func release() { change { $0.isHeld = false } }

  /// Ends a wait; nothing is delivered afterwards.
  func close() { change { $0.isClosed = true } }

  /// Whether the streaming thread waits because the times of the present passage have jumped.
  var hasJumped: Bool { state.withLock { $0.hasJumped } }

  /// Whether the first data of the present passage has arrived.
  var hasArrived: Bool { state.withLock { $0.hasArrived } }

  /// The trim of the decoded frames; nil before the first data.
  var trim: SampleTrim? { state.withLock { $0.trim } }

  /// The number of times that the streaming thread has waited.
  var waits: Int { state.withLock { $0.waits } }

  /// Changes the state, and wakes the streaming thread if it need not wait any more.
  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, gate): (Result, DispatchSemaphore?) = state.withLock { state in
      let result = body(&state)
      return (result, state.mustWait ? nil : state.gate.take())
    }
    gate?.signal()
    return result
  }

  // MARK: On the streaming thread

  private func take(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    let size = unsafe Int(clamping: gst_buffer_get_size(buffer))
    let (stamp, duration) = unsafe (Int64(exactly: buffer.pointee.pts), Int64(exactly: buffer.pointee.duration))
    let (converter, pieces, hasTime) = state.withLock { state -> (SampleConverter?, [SampleTrim.Piece], Bool) in
      guard let converter = state.converter else { return (nil, [], false) }
      let rate = Int(converter.inputRate)
      var trim = state.trim.flatMap { $0.rate == rate ? $0 : nil } ?? padding.trim(rate: rate)
      let count = size / max(1, converter.bytesPerInputFrame)
      defer { state.trim = trim }
      let pieces = trim.pieces(count, stamp: stamp, duration: duration, in: state.segment)
      return (converter, pieces, stamp != nil && state.segment != nil)
    }
    guard let converter else { return }
    let format = converter.format
    for piece in pieces {
      let stamp = hasTime ? converter.number(of: piece.first) : nil
      guard mayDeliver(format, at: stamp) else { return }
      guard let bytes = unsafe converter.samples(piece.frames, of: buffer), !bytes.isEmpty else { continue }
      unsafe verifier?.addDecoded(buffer, piece.frames, bytesPerFrame: converter.bytesPerInputFrame)
      deliver(bytes, format, at: stamp)
    }
  }

  /// Waits until a block may be delivered; false if it is dropped instead, because of a flush or the end of the deck.
  private func mayDeliver(_ format: PCMFormat?, at stamp: Int64?) -> Bool {
    noteArrival(at: format.flatMap { format in stamp.map { format.time(at: $0) } })
    return waitUntilNeeded()
  }

  /// Waits while the driver has enough samples; returns false after a flush or the end of the deck.
  private func waitUntilNeeded() -> Bool {
    while true {
      let gate: DispatchSemaphore? = state.withLock { state in
        guard state.mustWait else { return nil }
        let gate = DispatchSemaphore(value: 0)
        state.gate = gate
        state.waits += 1
        return gate
      }
      guard let gate else { break }
      gate.wait()
    }
    return state.withLock { !$0.isFlushing && !$0.isClosed }
  }

  /// Reports the first data of a passage.
  private func noteArrival(at time: Duration?) {
    let arrival = state.withLock { state -> Output? in
      guard !state.hasArrived, !state.isFlushing, !state.isClosed else { return nil }
      state.hasArrived = true
      let (passage, start) = (state.present.passage, state.present.start)
      return .arrived(passage, at: time.map { start.isExact ? max($0, start.time) : $0 })
    }
    if let arrival { deliver(arrival) }
  }

  private func deliver(_ bytes: [UInt8], _ format: PCMFormat, at stamp: Int64?) {
    while true {
      let outputs = state.withLock { $0.add(bytes, format, at: stamp, longestGap: longestGap, limit: limit) }
      for output in outputs { deliver(output) }
      // Whether the samples pass is decided on another thread, because a query on this one might block.
      guard case .jumped? = outputs.last else { return }
      guard waitUntilNeeded() else { return }
    }
  }

  /// Delivers the samples that are too short, before something else.
  private func deliverShort() {
    let block = state.withLock { state in state.isClosed || state.isFlushing ? nil : state.short.take() }
    if let block { deliver(.block(block)) }
  }

  private func handle(_ event: UnsafeMutablePointer<GstEvent>) -> GstPadProbeReturn {
    let type = unsafe event.pointee.type
    if type != GST_EVENT_FLUSH_START, type != GST_EVENT_FLUSH_STOP { deliverShort() }
    switch type {
    case GST_EVENT_STREAM_START:
      let restart = state.withLock { state -> Output? in
        defer { state.hasStarted = true }
        return state.hasStarted ? .restarted(state.present.passage, at: state.numbering.next) : nil
      }
      if let restart { deliver(restart) }
    case GST_EVENT_TAG:
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &list)
      guard let list = unsafe list else { break }
      let tags = unsafe TagList(list)
      deliver(.loudness(GainTags(tags)))
      if let title = tags.string(GST_TAG_TITLE) {
        let (passage, next) = state.withLock { ($0.present.passage, $0.numbering.next) }
        deliver(.titled(title, passage, at: next))
      }
      // As the sink would do it, but before the next samples.
      unsafe gst_element_post_message(
        element.pointer(), gst_message_new_tag(element.pointer(), gst_tag_list_copy(list)))
      return GST_PAD_PROBE_DROP
    case GST_EVENT_CAPS: if let caps = unsafe GLib.caps(of: event) { unsafe use(caps) }
    case GST_EVENT_SEGMENT:
      let segment = unsafe GstSegment.of(event).flatMap { SampleTrim.Segment($0) }
      state.withLock { $0.segment = segment }
    case GST_EVENT_FLUSH_START: change { $0.isFlushing = true }
    case GST_EVENT_FLUSH_STOP: unsafe flushed(gst_event_get_seqnum(event))
    case GST_EVENT_EOS:
      end()
      return GST_PAD_PROBE_DROP
    // The sink would wait for its preroll.
    case GST_EVENT_GAP, GST_EVENT_SEGMENT_DONE: return GST_PAD_PROBE_DROP
    default: break
    }
    return GST_PAD_PROBE_OK
  }

  /// Converts the rest of the passage to its format.
  private func use(_ caps: UnsafeMutablePointer<GstCaps>) {
    let format = state.withLock { $0.format ?? $0.present.format }
    let rest = state.withLock { $0.converter }?.rest() ?? []
    if let format, !rest.isEmpty { deliver(rest, format, at: nil) }
    let converter = unsafe SampleConverter(caps, to: format)
    state.withLock { $0.converter = converter }
    if converter == nil { deliver(.unreadable(unsafe GLib.take(gst_caps_to_string(caps)) ?? "unknown")) }
  }

  /// Begins the passage of a seek; a flush that no seek has caused begins the newest one again.
  private func flushed(_ event: UInt32) {
    state.withLock { state in
      state.isFlushing = false
      state.segment = nil
      state.trim?.restart()
      // A demuxer has flushed the data that waits for the first seek.
      let isHeld = state.isHeld && state.seeks[event] == nil
      state.begin(state.seeks[event] ?? state.newest)
      state.isHeld = isHeld
    }
    deliver(.flushed)
    // The caps stay. The format may be another one, and a resampler begins again.
    unsafe GLib.withPad("sink", of: element.pointer()) { pad in
      unsafe GLib.with(takingMini: gst_pad_get_current_caps(pad)) { unsafe use($0) }
    }
  }

  private func end() {
    guard mayDeliver(nil, at: nil) else { return }
    if let (rest, format) = state.withLock({ state in state.converter.map { ($0.rest(), $0.format) } }), !rest.isEmpty {
      deliver(rest, format, at: nil)
    }
    deliverShort()
    let passage = state.withLock { state -> Passage? in
      guard !state.isClosed, !state.isFlushing, !state.hasEnded else { return nil }
      state.hasEnded = true
      return state.present.passage
    }
    if let passage { deliver(.ended(passage)) }
  }
}

/// Accepts raw audio in the memory of the system, of every format.
///
/// playbin would pass encoded data to a sink without such a limit.
private func answerQuery(
  _ pad: UnsafeMutablePointer<GstPad>, _ info: UnsafeMutablePointer<GstPadProbeInfo>
) -> GstPadProbeReturn {
  guard let query = unsafe cgst_probe_query(info) else { return GST_PAD_PROBE_OK }
  let type = unsafe query.pointee.type
  guard type == GST_QUERY_CAPS || type == GST_QUERY_ACCEPT_CAPS else { return GST_PAD_PROBE_OK }
  unsafe GLib.with(takingMini: gst_caps_from_string("audio/x-raw")) { raw in
    var caps: UnsafeMutablePointer<GstCaps>?
    if type == GST_QUERY_ACCEPT_CAPS {
      unsafe gst_query_parse_accept_caps(query, &caps)
      return unsafe gst_query_set_accept_caps_result(query, gst_caps_is_subset(caps, raw))
    }
    unsafe gst_query_parse_caps(query, &caps)
    guard let filter = unsafe caps else { return unsafe gst_query_set_caps_result(query, raw) }
    unsafe GLib.with(takingMini: gst_caps_intersect_full(filter, raw, GST_CAPS_INTERSECT_FIRST)) {
      unsafe gst_query_set_caps_result(query, $0)
    }
  }
  return GST_PAD_PROBE_HANDLED
}
