import CGst
import Dispatch
import EngineProcess
import Joining
import Playback
import PlayerClock
import Synchronization

/// One stream: a playbin whose audio ends in a ``SampleSink``, which delivers blocks of samples at speed 1.
///
/// Its calls return at once. Work that may block inside GStreamer runs on the deck's queue, in order: `oggdemux` pushes
/// the flush of a seek with a mutex locked that it also locks for a query, so a query on another thread may deadlock with
/// it. If a GStreamer call does not return, it is abandoned with its thread and its playbin: the deck then counts as
/// closed, and other decks are not affected.
///
/// <https://gstreamer.freedesktop.org/documentation/playback/playbin.html>
final class Deck: Sendable {
  /// A delivery of a deck: samples on its streaming thread, and reports on any thread.
  enum Delivery: Sendable {
    case block(Block)
    /// Every sample of a passage was delivered.
    case ended(Passage)
    /// The seek to a passage was refused, and the previous passage continues; delivered before the event.
    case refused(Passage)
    /// Loudness tags; delivered before the first block that they are about.
    case loudness(GainTags)
    case event(StreamEvent)
    /// A condition that is worth a line in the log.
    case warning(String)
    /// A call into the media did not return; also of a closed deck.
    case abandoned(String)
  }

  private struct State {
    var isOpened = false
    var playbin: ObjectReference?
    var sink: SampleSink?
    var seeks: DeckSeeks
    var isLive = false
    /// Whether the first data has arrived.
    var hasSettled = false
    /// The warnings about media that is not open yet; if it fails, the failure says enough.
    var earlyWarnings: [String] = []
    var hasFailed = false
    var diagnosis: FailureDiagnosis?
    var durationScan: DurationScan?
    /// Whether the playbin is released or abandoned.
    var isReleased = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The time before the target of an exact seek from which samples are decoded and dropped: a decoder needs earlier samples, in
  /// AAC two frames, in Opus 80 ms.
  private static let lead = Duration.milliseconds(120)

  /// The number of decks whose calls do not return, and the maximum with which other decks still open: their threads cost memory.
  private static let abandoned = Atomic<Int>(0)
  private static let maxAbandoned = 16
  /// The maximum of the warnings that are kept until media is open.
  private static let maxEarlyWarnings = 8
  /// The sentences for users about a deck that does not respond, and about one that was closed before.
  private static let hang = "the media does not respond"
  private static let closedHang = "the previously loaded media does not respond"

  private let request: DeckRequest
  private let configuration: Player.Configuration
  /// The factory of the playbin.
  private let factory: String
  private let limit: SampleSink.Limit
  private let reader: StreamReader
  private let isClosed: Latch
  private let queue = DispatchQueue(label: "org.playerd.deck")
  private let watchdog = PipelineWatchdog(queue: DispatchClock.queue)
  private let state: Mutex<State>
  /// The deliveries about the next song.
  private let next = Mutex(NextSong())
  private let deliver: @Sendable (Delivery) -> Void
  /// The same, also of a closed deck.
  private let giveUp: @Sendable (String) -> Void
  private let verifier: SampleVerifier?

  /// Creates a deck, which does nothing before ``open()``.
  ///
  /// - Parameters:
  ///   - request: The stream, and how it begins.
  ///   - configuration: The configuration; the settings of the request override a part of it.
  ///   - factory: The element that opens and decodes the stream.
  ///   - limit: The amount of unused samples in the driver at which decoding starts to wait.
  ///   - verifier: Reads the decoded samples; nil for none.
  ///   - deliver: Receives the deliveries. It must not wait for anything that waits for the deck.
  init(
    _ request: DeckRequest, configuration: Player.Configuration, factory: String = "playbin",
    limit: SampleSink.Limit = SampleSink.Limit(), verifier: SampleVerifier? = nil,
    deliver: @escaping @Sendable (Delivery) -> Void
  ) {
    let configuration = configuration.with(request.settings)
    (self.request, self.configuration, self.factory, self.limit) = (request, configuration, factory, limit)
    self.verifier = verifier
    let start = request.start.map { start in
      DeckSeeks.Seek(passage: request.passage, target: start, exactly: true, format: request.format)
    }
    state = Mutex(State(seeks: DeckSeeks(start)))
    let isClosed = Latch()
    let ifOpen: @Sendable (Delivery) -> Void = { if !isClosed.isSet { deliver($0) } }
    (self.isClosed, self.deliver) = (isClosed, ifOpen)
    giveUp = { deliver(.abandoned($0)) }
    let link = Link<Deck>()
    reader = StreamReader(request, configuration) {
      link.object?.deliverInOrder($0)
    } pass: { message in
      link.object?.take(message)
    }
    link.object = self
  }

  deinit {
    let (playbin, sink) = state.withLock { ($0.playbin.take(), $0.sink) }
    guard let playbin else { return }
    sink?.close()
    reader.closeTimeShift()
    queue.async { GStreamer.dismantle(playbin) }
  }

  // MARK: Calls, on any thread

  /// Opens the stream.
  func open() {
    let isFirst = state.withLock { state in
      defer { state.isOpened = true }
      return !state.isOpened
    }
    guard isFirst else { return }
    // The first start of GStreamer may scan all plug-ins.
    let hold = watchdog.hold()
    enqueue { deck in
      deck.makePlaybin()
      deck.watchdog.release(hold)
      deck.start()
    }
  }

  /// Seeks.
  ///
  /// The passage begins at the target. A format converts it to another one than the decoder's.
  ///
  /// After its first block, no block of an earlier passage is delivered. Before the first data has arrived, GStreamer refuses
  /// a seek, which therefore waits for it; of several seeks that wait, only the newest one is sent.
  func seek(_ passage: Passage, to target: Duration, exactly: Bool, as format: PCMFormat? = nil) {
    let seek = DeckSeeks.Seek(passage: passage, target: target, exactly: exactly, format: format)
    state.withLock { $0.seeks.request(seek) }
    // A source may have to be read up to the target.
    enqueue(within: configuration.loadTimeout) { $0.sendSeek() }
  }

  /// Selects an audio track: before the tracks are known, from the start; later, from the next seek on.
  func selectAudioTrack(_ index: Int) { reader.audioTracks.select(index, of: request.passage.stream) }

  /// Notes that the samples of a passage before a frame are not needed any more.
  func advance(_ passage: Passage, to frame: Int64) {
    guard let time = sink?.advance(passage, to: frame) else { return }
    next.withLock { next in for delivery in next.take(passage, before: frame) { deliver(delivery) } }
    reachedOutput(until: time)
  }

  /// Whether something is to be delivered when a frame has been used.
  var awaitsFrame: Bool { next.withLock { !$0.isEmpty } }

  /// Closes the stream; nothing is delivered afterwards, apart from a delivery in progress and ``Delivery/abandoned(_:)``.
  ///
  /// It is released on a separate thread, or on the given queue, which then waits for a deck that hangs.
  func close(on thread: DispatchQueue? = nil) {
    guard !isClosed.isSet else { return }
    isClosed.set()
    // The streaming threads must not wait for anything but GStreamer.
    reader.audioTracks.close()
    sink?.close()
    reader.closeTimeShift()
    enqueue(within: configuration.pipelineTimeout, on: thread) { $0.tearDown() }
  }

  /// Whether the closed deck has released everything, or is abandoned.
  var isReleased: Bool { state.withLock { $0.isReleased } }

  /// Waits until the closed deck has released everything, or is abandoned.
  func closed() async {
    await withCheckedContinuation { continuation in
      let isReleased = state.withLock { state in
        if !state.isReleased { state.waiters.append(continuation) }
        return state.isReleased
      }
      if isReleased { continuation.resume() }
    }
  }

  /// The progress of a network stream.
  var progress: StreamProgress { reader.progress }

  /// Returns the progress with a measurement; a later end of the data is reported again.
  func takeProgress() -> StreamProgress { reader.meter.takeProgress() }

  /// Notes that the output has the samples before a media time; an event reports it if no further sample is there, or if a gap
  /// precedes this one.
  private func reachedOutput(until time: Duration, after gap: StreamProgress.Gap? = nil) {
    if let progress = reader.meter.deliver(until: time, after: gap) {
      deliver(.event(.ranOut(progress)))
    }
  }

  /// The number of times that the streaming thread has waited for the driver.
  var waits: Int { sink?.waits ?? 0 }

  private var sink: SampleSink? { state.withLock { $0.sink } }

  // MARK: On the queue

  /// Queues work; if it does not return within a limit, the deck is abandoned.
  ///
  /// `thread` may be another queue; the work is still done in the order of this queue.
  private func enqueue(
    within limit: Duration? = nil, on thread: DispatchQueue? = nil, _ work: @escaping @Sendable (Deck) -> Void
  ) {
    let ticket = limit.map { limit in
      watchdog.expect(within: limit) { [weak self] in
        self?.abandon()
        return true
      }
    }
    let body: @Sendable () -> Void = { [self] in
      work(self)
      if let ticket { watchdog.done(ticket) }
    }
    guard let thread else { return queue.async(execute: body) }
    thread.async { [queue] in queue.sync(execute: body) }
  }

  /// Gives up a deck with a call that does not return; it is released if the call returns later.
  private func abandon() {
    Self.abandoned.add(1, ordering: .relaxed)
    giveUp("\(isClosed.isSet ? Self.closedHang : Self.hang); its pipeline is abandoned")
    deliver(.event(.failed(PlayerError(code: .loadTimeout, message: Self.hang))))
    isClosed.set()
    reader.audioTracks.close()
    sink?.close()
    reader.closeTimeShift()
    watchdog.reset()
    enqueue { deck in
      deck.tearDown()
      Self.abandoned.subtract(1, ordering: .relaxed)
    }
    released()
  }

  private func makePlaybin() {
    guard !isClosed.isSet else { return }
    do throws(PlayerError) {
      if let shortage = Shortage.failure { throw shortage }
      guard Self.abandoned.load(ordering: .relaxed) < Self.maxAbandoned else {
        throw PlayerError(code: .loadTimeout, message: Self.closedHang)
      }
      try GStreamer.initialize()
      GStreamer.preferLightDecoders()
      if let error = MediaURI.failure(of: request.uri) { throw error }
      let sink = SampleSink(
        request.passage, as: request.format, isHeld: request.start != nil, limit: limit,
        longestGap: max(StreamProgress.leastGap, configuration.loadTimeout), padding: reader.padding, verifier: verifier
      ) { [weak self] output in
        self?.take(output)
      }
      guard let sink, let playbin = unsafe ObjectReference(taking: gst_element_factory_make(factory, nil)) else {
        throw PlayerError(code: .unknown, message: "GStreamer's playback plug-in is not installed")
      }
      unsafe gst_object_ref_sink(playbin.object)
      unsafe GLib.set(playbin.object, "audio-sink", toObject: sink.element.object)
      unsafe sink.watch(playbin.pointer())
      unsafe reader.watch(playbin.pointer())
      state.withLock { ($0.playbin, $0.sink) = (playbin, sink) }
      // It may have been closed since.
      if isClosed.isSet { sink.close() }
    } catch {
      failed(error)
    }
  }

  private func start() {
    guard let playbin = state.withLock({ $0.playbin }), !isClosed.isSet else { return }
    reader.begin()
    switch unsafe gst_element_set_state(playbin.pointer(), GST_STATE_PAUSED) {
    case GST_STATE_CHANGE_FAILURE:
      // The failed element has posted its own error before.
      enqueue { $0.failed(PlayerError(code: .unknown, message: "the item cannot be opened")) }
    case GST_STATE_CHANGE_NO_PREROLL:
      // The first data does not wait: it cannot be sought.
      state.withLock { $0.isLive = true }
      if let seek = state.withLock({ $0.seeks.refuse() }) { refuse(seek) }
      // A live source sends data only while it plays.
      unsafe gst_element_set_state(playbin.pointer(), GST_STATE_PLAYING)
    default: break
    }
  }

  /// Sends the newest seek, once the first data has arrived; false if none was sent, or if it was refused.
  @discardableResult
  private func sendSeek() -> Bool {
    guard let sink, sink.hasArrived, !isClosed.isSet else { return false }
    guard let seek = state.withLock({ $0.seeks.send() }) else { return false }
    // The player seeks only in media that allows it.
    guard seek.passage != request.passage || facts(position: nil).isSeekable else {
      refuse(seek)
      return false
    }
    return send(seek, sink)
  }

  @discardableResult
  private func send(_ seek: DeckSeeks.Seek, _ sink: SampleSink) -> Bool {
    guard let playbin = state.withLock({ $0.playbin }) else { return false }
    if let shift = reader.timeShift { return send(seek, sink, to: shift) }
    var flags = GST_SEEK_FLAG_FLUSH.rawValue
    var target = max(.zero, seek.target)
    if seek.exactly {
      flags |= GST_SEEK_FLAG_ACCURATE.rawValue
      if !reader.hasLeadIn { target = max(.zero, target - Self.lead) }
    } else {
      flags |= GST_SEEK_FLAG_KEY_UNIT.rawValue
    }
    target = sink.trim?.seekTime(target) ?? target
    let event = unsafe gst_event_new_seek(
      1, GST_FORMAT_TIME, GstSeekFlags(flags), GST_SEEK_TYPE_SET, gint64(target.wholeNanoseconds), GST_SEEK_TYPE_SET, -1
    )
    let number = unsafe gst_event_get_seqnum(event)
    sink.expect(seek.passage, at: (max(.zero, seek.target), seek.exactly), as: seek.format, number)
    let isAccepted = unsafe gst_element_send_event(playbin.pointer(), event) != 0
    guard !isAccepted else { return true }
    sink.refuse(number)
    refuse(seek)
    return false
  }

  /// Continues with the received frames of a station at a target.
  private func send(_ seek: DeckSeeks.Seek, _ sink: SampleSink, to shift: TimeShift) -> Bool {
    let (target, number) = (max(.zero, seek.target), gst_util_seqnum_next())
    sink.expect(seek.passage, at: (target, seek.exactly), as: seek.format, number)
    if shift.seek(to: sink.trim?.seekTime(target) ?? target, number: number) { return true }
    sink.refuse(number)
    refuse(seek)
    return false
  }

  private func refuse(_ seek: DeckSeeks.Seek) {
    deliver(.refused(seek.passage))
    deliver(.event(.seekRefused(position: nil)))
    sink?.release()
  }

  private func tearDown() {
    dismantle()
    // No reference to GStreamer is left: the program may end it now.
    released()
  }

  private func dismantle() {
    let (playbin, scan) = state.withLock { ($0.playbin.take(), $0.durationScan.take()) }
    scan?.cancel()
    if let playbin { GStreamer.dismantle(playbin) }
    state.withLock { $0.sink = nil }
    reader.end()
  }

  private func released() {
    let waiters = state.withLock { state in
      state.isReleased = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Takes a message on any thread; the message of a missed seek arrives on the streaming thread.
  private func take(_ message: StreamReader.Message) {
    if case .seekMissed(let number) = message { state.withLock { $0.seeks.noteMissed(number) } }
    enqueue { $0.handle(message) }
  }

  private func handle(_ message: StreamReader.Message) {
    guard !isClosed.isSet else { return }
    switch message {
    case .failed(let error): failed(error)
    case .warned(let text):
      let isOpen = state.withLock { state in
        if !state.hasSettled, state.earlyWarnings.count < Self.maxEarlyWarnings { state.earlyWarnings.append(text) }
        return state.hasSettled
      }
      if isOpen { deliver(.warning(text)) }
    case .durationChanged:
      deliver(.event(.durationChanged(facts(position: nil).duration)))
    case .durationIsUnreliable: measureDuration()
    case .seekMissed(let number):
      if reader.isMissed(number), let sink, let seek = state.withLock({ $0.seeks.sent }), send(seek, sink) { return }
      // The seek is not repeated, so no flush follows, and the present data is used.
      let ended = state.withLock { $0.seeks.giveUpRepetition(of: number) }
      if let ended, !reader.hasFailed { deliver(.ended(ended)) }
    }
  }

  /// Reports the first failure, and also the one before it if the source has ended and its data may be played.
  private func failed(_ error: PlayerError) {
    let stream = request.passage.stream
    let hasNoData = (reader.progress.received ?? 0) <= 0
    let (isReported, isUnexplained) = state.withLock { state in
      if state.hasFailed || state.diagnosis?.takes(error) == true { return (false, false) }
      if !state.hasSettled, error.code == .networkCut, hasNoData, state.diagnosis == nil {
        state.diagnosis = FailureDiagnosis(of: stream, error)
        return (false, true)
      }
      state.hasFailed = !error.isFromSource || !state.hasSettled && error.code != .networkCut
      return (true, false)
    }
    if isReported { deliver(.event(.failed(error))) }
    guard isUnexplained else { return }
    FailureDiagnosis.run(request.uri) { [weak self] reason in
      self?.enqueue { deck in
        guard let error = deck.state.withLock({ $0.diagnosis?.end(with: reason) }) else { return }
        deck.state.withLock { $0.hasFailed = $0.hasFailed || !error.isFromSource }
        deck.deliver(.event(.failed(error)))
      }
    }
  }

  private func facts(position: Duration?) -> StreamFacts {
    let (playbin, isLive) = state.withLock { ($0.playbin, $0.isLive) }
    let queried = playbin.map { unsafe QueriedFacts(of: $0.pointer()) } ?? QueriedFacts()
    return reader.facts(queried, sink?.trim, isLive: isLive, position: position)
  }

  private func measureDuration() {
    guard !configuration.isLowPowerModeEnabled else { return reader.setMeasurement(nil) }
    let scan = DurationScan()
    state.withLock { $0.durationScan = scan }
    scan.begin(request.uri) { [weak self] duration in
      self?.enqueue { deck in
        guard !deck.isClosed.isSet else { return }
        deck.reader.setMeasurement(.done(duration))
        deck.deliver(.event(.durationChanged(deck.facts(position: nil).duration)))
      }
    }
  }

  /// Decides what follows a jump of the times: if they lead beyond the duration, they are wrong, and the data is played.
  private func jumped(over gap: StreamProgress.Gap) {
    // The data may have been flushed since.
    guard !isClosed.isSet, let sink, sink.hasJumped else { return }
    if let duration = facts(position: nil).duration, gap.end > duration, gap.start <= duration {
      return sink.passJump(beyond: duration)
    }
    reachedOutput(until: gap.start, after: gap)
  }

  // MARK: On the streaming thread

  private func take(_ output: SampleSink.Output) {
    switch output {
    case .block(let block):
      if let title = reader.title.take() {
        deliver(.event(.titleStarts(title, at: block.format.time(at: block.first))))
      }
      deliver(.block(block))
    case .ended(let passage):
      let isWithheld = state.withLock { $0.seeks.withholdsEnd(of: passage) }
      if !isWithheld, !reader.hasFailed { deliver(.ended(passage)) }
    case .arrived(let passage, let time): enqueue { $0.arrived(passage, at: time) }
    case .restarted(let passage, let frame):
      reader.beginAgain()
      if let frame { next.withLock { $0.begin(passage, at: frame) } }
      deliverInOrder(.event(.songEnded))
    case .jumped(let gap): enqueue { $0.jumped(over: gap) }
    case .flushed:
      state.withLock { $0.seeks.flushed() }
      reader.title.restart()
      let held = next.withLock { $0.takeAll() }
      // A station repeats the tags at the target.
      if reader.timeShift == nil { for delivery in held { deliver(delivery) } }
    case .loudness(let tags): if !tags.isEmpty { deliverInOrder(.loudness(tags)) }
    case .titled(let title, let passage, let frame):
      // The tags of the first title may be about the samples before them as well.
      if reader.title.note(title), let frame { next.withLock { $0.begin(passage, at: frame) } }
    case .unreadable(let caps):
      reader.fail(PlayerError(code: .codecMissing, message: "the audio has an unknown format", detail: caps))
    }
  }

  /// Holds a delivery about the next song until that song is at the output; delivers everything else at once.
  private func deliverInOrder(_ delivery: Delivery) {
    next.withLock { if !$0.hold(delivery) { deliver(delivery) } }
  }

  private func arrived(_ passage: Passage, at time: Duration?) {
    // The data may have been flushed since; other data arrives then.
    guard !isClosed.isSet, sink?.hasArrived == true else { return }
    // The data of the seek is reported when it arrives; it may have arrived already.
    if sendSeek() { return }
    let warnings = state.withLock { state in
      state.hasSettled = true
      return exchange(&state.earlyWarnings, with: [])
    }
    deliver(.event(.settled(facts(position: time))))
    for text in warnings { deliver(.warning(text)) }
  }
}
