import CGst
import Joining
import Playback
import Synchronization

/// Observes the elements and the messages of a deck's playbin, on GStreamer's threads.
final class StreamReader: Sendable {
  /// A message for the queue of the deck.
  enum Message: Sendable {
    case failed(PlayerError)
    case warned(String)
    case durationChanged
    case durationIsUnreliable
    /// The data that a seek has requested is too far from its target.
    case seekMissed(number: UInt64)
  }

  private struct State {
    /// The names of the missing plug-ins.
    var missing: [String] = []
    var budget: LoadBudget?
    var headers: RequestHeaders?
    var measurement: DurationMeasurement?
    var byteSeek: ByteSeek?
    /// The address of the decoder.
    var decoder: UInt = 0
    var hasFailed = false
  }

  /// The received frames of a stream, which the closures of its reader share.
  private final class TimeShiftSlot: Sendable {
    private let state = Mutex<TimeShift?>(nil)

    var value: TimeShift? { state.withLock { $0 } }
    func set(_ shift: TimeShift) { state.withLock { $0 = shift } }
    func take() -> TimeShift? { state.withLock { $0.take() } }
  }

  /// The size of the forward buffer if none is set, as `queue2` has it.
  private static let usualForwardBuffer = Duration.seconds(2)

  let stream: StreamToken
  private let uri: String
  private let requestHeaders: HTTPRequestHeaders?
  private let isRenewable: Bool
  let audioTracks: AudioTrackSelector
  let title = TitleChange()
  private let tags: TagReader
  let meter: StreamMeter
  /// The encoder's padding, once the first data has arrived.
  let padding = PaddingProbe()
  /// The received frames of a station; nil until its parser is there.
  private let shift: TimeShiftSlot
  private let shiftTime: Duration
  private let decoder = AtomicReference<ObjectReference>()
  private let state = Mutex(State())
  private let forwardBuffer: Duration?
  private let report: @Sendable (Deck.Delivery) -> Void
  private let pass: @Sendable (Message) -> Void

  /// Makes a reader; it reports events and missing plug-ins, and passes messages to the queue of its deck.
  init(
    _ request: DeckRequest, _ configuration: Player.Configuration, report: @escaping @Sendable (Deck.Delivery) -> Void,
    pass: @escaping @Sendable (Message) -> Void
  ) {
    let stream = request.passage.stream
    (self.stream, uri, requestHeaders, isRenewable) = (stream, request.uri, request.headers, request.isRenewable)
    (self.report, self.pass) = (report, pass)
    forwardBuffer = configuration.preferredForwardBufferDuration
    shiftTime = configuration.timeShift
    audioTracks = AudioTrackSelector(preferring: configuration.preferredAudioLanguages) {
      report(.event(.audioTracks($1, current: $2)))
    }
    tags = TagReader { report(.event($0)) }
    let (shift, goal) = (TimeShiftSlot(), configuration.preferredForwardBufferDuration ?? Self.usualForwardBuffer)
    self.shift = shift
    let progressed: @Sendable (StreamProgress) -> Void = { progress in
      // The queue after the source is always empty then, so the fill level is the one of the kept frames.
      let percent = progress.kept == nil ? nil : shift.value?.fill(of: goal)
      report(.event(percent.map { .buffering(percent: $0, progress) } ?? .progressed(progress)))
    }
    meter = StreamMeter(report: Player.Item.isLocal(request.uri) ? nil : progressed)
    if let track = request.audioTrack { audioTracks.select(track, of: stream) }
  }

  // MARK: On the queue of the deck

  /// Prepares a playbin.
  func watch(_ playbin: UnsafeMutablePointer<GstElement>) {
    // GstPlayFlags is private to the playback plug-in. Without converters: the sink takes every format.
    let object = unsafe UnsafeMutableRawPointer(playbin).assumingMemoryBound(to: GObject.self)
    unsafe gst_util_set_object_arg(object, "flags", "audio+native-audio")
    unsafe AdaptiveStream.fixVariant(of: playbin)
    unsafe ForwardBuffer.set(forwardBuffer, of: playbin)
    unsafe GLib.set(playbin, "uri", to: uri)
    unsafe GLib.with(taking: gst_element_get_bus(playbin)) { bus in
      unsafe BusHandler.install(on: bus) { [weak self] message in
        unsafe self?.handle(message)
        return nil
      }
    }
    unsafe Signal.deepElement("deep-element-added", of: playbin) { [weak self] element, bin in
      unsafe self?.elementAdded(element, to: bin)
    }
  }

  /// Begins the stream, before its playbin is started.
  func begin() {
    if let headers = RequestHeaders(uri, requestHeaders) {
      // The response of a reader was requested without them.
      BegunResponse.withdraw(for: uri)
      state.withLock { $0.headers = headers }
    }
    audioTracks.open()
    tags.readFiles(of: uri)
  }

  /// The received frames of a station, once they are kept.
  var timeShift: TimeShift? { shift.value.flatMap { $0.isActive ? $0 : nil } }

  /// Lets no thread wait for the received frames.
  func closeTimeShift() { shift.value?.close() }

  /// Releases the memory of the stream; if its headers used much, or frames were kept, free memory is given back to the system.
  func end() {
    decoder.set(nil)
    let shift = shift.take()
    shift?.close()
    let isHeavy = state.withLock { $0.budget }?.isHeavy == true || shift?.isActive == true
    state.withLock { ($0.budget, $0.byteSeek) = (nil, nil) }
    if isHeavy { cgst_trim_memory() }
  }

  func setMeasurement(_ measurement: DurationMeasurement?) { state.withLock { $0.measurement = measurement } }

  func isMissed(_ number: UInt64) -> Bool { state.withLock { $0.byteSeek }?.isMissed(number) ?? false }

  /// Whether the data that a decoder needs before the target of a seek is requested for it.
  var hasLeadIn: Bool { state.withLock { $0.byteSeek }?.hasLeadIn ?? false }

  /// Returns the properties of the stream; a measured duration takes precedence over the answer of the playbin.
  ///
  /// - Parameters:
  ///   - queried: The answers of the playbin.
  ///   - trim: The frames to leave out of the duration; nil to keep all.
  ///   - isLive: Whether the source is live.
  ///   - position: The media time at which the present passage begins; nil if unknown.
  /// - Returns: The properties.
  func facts(_ queried: QueriedFacts, _ trim: SampleTrim?, isLive: Bool, position: Duration?) -> StreamFacts {
    let (measurement, byteSeek) = state.withLock { ($0.measurement, $0.byteSeek) }
    let duration =
      switch measurement {
      case .awaited: Duration?.none
      case .done(let measured): measured ?? queried.duration
      case nil: queried.duration
      }
    meter.offer(queried.window)
    var facts = StreamFacts(
      duration: isLive ? nil : duration.map { trim?.mediaTime($0) ?? $0 },
      isSeekable: !isLive && queried.isSeekable && queried.window == nil, isLive: isLive, position: position,
      progress: progress)
    facts.isEstimated = byteSeek?.isEstimated ?? false
    return facts
  }

  // MARK: On any thread

  var progress: StreamProgress { meter.progress }

  /// Whether an error was posted after which the data is incomplete.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Notes that the tags of another part of the stream follow.
  func beginAgain() {
    tags.forgetTags()
    title.restart()
  }

  /// Fails the stream; its end is not reported any more, except after an early end of a source that is not renewed.
  func fail(_ error: PlayerError) {
    if !error.isFromSource || isRenewable && error.isRefusal { state.withLock { $0.hasFailed = true } }
    pass(.failed(error))
  }

  // MARK: Elements

  private func elementAdded(_ element: UnsafeMutablePointer<GstElement>, to bin: UnsafeMutablePointer<GstBin>) {
    switch unsafe GLib.borrow(cgst_factory_name(element)) {
    case "uridecodebin": unsafe decoderAppeared(element)
    case "souphttpsrc":
      unsafe state.withLock({ $0.headers })?.follow(element)
      // The sources of an adaptive demuxer are left out: the demuxer handles their errors, and downloads again.
      guard unsafe ResponseElement.isParent(bin) else { return }
      unsafe SourceBus.insert(at: element, in: bin) { [weak self] in unsafe self?.handle($0) }
      unsafe earlyTags.watch(source: element)
      unsafe ByteRanges().watch(element) { [report] uri in report(.event(.redirected(to: uri))) }
    case "queue2": unsafe meter.watch(queue: element)
    case "icydemux": unsafe earlyTags.watch(station: element)
    case "id3demux", "apedemux": unsafe earlyTags.watch(wrapper: element)
    case "oggdemux": unsafe LengthSearch.protect(element)
    case "tsdemux": unsafe timedTags.watch(transportStream: element)
    case "hlsdemux": unsafe timedTags.watch(segments: element)
    default:
      unsafe padding.follow(element)
      unsafe watchParser(element)
    }
  }

  private func decoderAppeared(_ element: UnsafeMutablePointer<GstElement>) {
    let budget = LoadBudget { [weak self] error in
      self?.fail(error)
    } readsOn: { [report] in
      report(.event(.readingOn))
    }
    unsafe budget.begin(element)
    unsafe decoder.set(ObjectReference(element))
    let address = UInt(bitPattern: element)
    state.withLock { ($0.budget, $0.decoder) = (budget, address) }
    // playbin connects its own handlers later, so these are called first.
    unsafe DecodingFaults.correct(in: element)
    unsafe AudioOnlyDecoding.hidePads(of: element)
    let pads = unsafe AudioTrackPads(audioTracks: audioTracks, stream: stream) { [meter] pad in
      unsafe meter.watch(decoded: pad)
    } foundNone: { [weak self] isWebPage in
      guard let self else { return }
      fail(isWebPage ? .webPage : PlayerError(missing: state.withLock { $0.missing }))
    }
    unsafe pads.watch(element)
  }

  private var timedTags: TimedTagReader { TimedTagReader { [report] in report(.event($0)) } }

  /// A reader for the tags that are sent before the decoder has an output; later ones reach the sink, those of kept frames with them.
  private var earlyTags: EarlyTags {
    EarlyTags { [weak self] list, scope in
      guard let self, timeShift == nil, unsafe decoder.with({ unsafe AudioOnlyDecoding.hasPad($0) }) == false else {
        return
      }
      tags.read(list, of: stream, about: scope)
    }
  }

  /// Observes the parser of a stream that is not in a container.
  private func watchParser(_ element: UnsafeMutablePointer<GstElement>) {
    guard unsafe Parser.isParser(element) else { return }
    if Player.Item.isLocal(uri) {
      unsafe ClaimedDuration.check(element) { [weak self] in
        self?.setMeasurement(.awaited)
      } checked: { [weak self] isReliable in
        if isReliable { self?.setMeasurement(nil) } else { self?.pass(.durationIsUnreliable) }
      }
      return
    }
    if shiftTime > .zero, uri.hasPrefix("http:") || uri.hasPrefix("https:"), shift.value == nil {
      shift.set(unsafe TimeShift(of: element, keeping: shiftTime) { [meter] in meter.keep($0, isHeldUp: $1) })
    }
    if let seek = unsafe ByteSeek(of: element, missed: { [pass] in pass(.seekMissed(number: $0)) }) {
      state.withLock { $0.byteSeek = seek }
    }
  }

  // MARK: Messages

  /// Reads a `GstMessage` on the thread that posts it.
  private func handle(_ message: UnsafeMutablePointer<GstMessage>) {
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ERROR:
      guard let failure = unsafe Failure(message) else { return }
      fail(failure.playerError(missing: state.withLock { $0.missing }, of: uri))
    case GST_MESSAGE_WARNING:
      var error: UnsafeMutablePointer<GError>?
      var debug: UnsafeMutablePointer<CChar>?
      unsafe gst_message_parse_warning(message, &error, &debug)
      let warning = unsafe Failure(taking: error, debug, message.pointee.src)
      // playsink warns that the sink has no volume.
      guard !warning.debug.hasSuffix("Volume/mute is not available") else { return }
      // The message about the missing decoder was posted before.
      if !warning.isDecoderMissing { pass(.warned(warning.summary)) }
    case GST_MESSAGE_ELEMENT:
      if let time = unsafe StreamMeter.segmentTime(message) {
        // The demuxer posts this while it holds the lock that its answer needs.
        let demuxer = unsafe UnsafeMutableRawPointer(message.pointee.src).assumingMemoryBound(to: GstElement.self)
        meter.offer(unsafe QueriedFacts(of: demuxer).window)
        meter.count(segmentIn: time)
      } else if let plugin = unsafe MissingPlugin(message) {
        state.withLock { if !$0.missing.contains(plugin.name) { $0.missing.append(plugin.name) } }
        if plugin.isDecoder { report(.warning("not installed: \(plugin.name)")) }
      }
    case GST_MESSAGE_TAG:
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_message_parse_tag(message, &list)
      guard let list = unsafe list else { return }
      defer { unsafe cgst_mini_object_unref(list) }
      tags.read(unsafe TagList(list), of: stream)
    case GST_MESSAGE_TOC: unsafe tags.readTableOfContents(message, of: stream)
    case GST_MESSAGE_DURATION_CHANGED: pass(.durationChanged)
    case GST_MESSAGE_BUFFERING:
      var percent: gint = 100
      unsafe gst_message_parse_buffering(message, &percent)
      let goal = forwardBuffer ?? Self.usualForwardBuffer
      report(.event(.buffering(percent: timeShift?.fill(of: goal) ?? Int(percent), progress)))
    default: break
    }
  }
}
