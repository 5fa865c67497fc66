import Dispatch
import EventLoop
import Glibc
import Joining
import Playback
import Synchronization

/// Serves a part of an engine, or inspections, to the program at the other end of a socket, until the socket is closed.
final class EngineServer: Sendable {
  private struct State {
    var output: (any OutputService)?
    var decks: (any DeckService)?
    /// The rings of the open streams.
    var rings: [StreamToken: Ring] = [:]
    var isStarted = false
    var inspection: InspectionServer?
    var channel: EngineChannel?
    var logLimit = LogLimit()
    var timeLimit = Duration.zero
    /// The instant until which further samples do not allow more time.
    var nextAllowance: SuspendingClock.Instant?
    /// The timer from the last command until memory is released.
    var quiet: EventSources.ID?
  }

  /// The ring of a stream.
  private struct Ring {
    var descriptors = RingDescriptors()
    /// The event that wakes this process.
    var source: EventSources.ID?
    /// What writes into it.
    var feed: RingFeed?
  }

  private let loop: PollLoop
  private let parts: EngineParts
  private let service: any InspectionService
  private let limit: @Sendable (_ memory: Int) -> Void
  private let allowTime: @Sendable (_ time: Duration) -> Void
  private let ended: @Sendable (_ reason: String?) -> Void
  private let sandbox: SandboxState?
  private let files = FileRequests()
  private let preparation = DispatchQueue(label: "org.playerd.preparation", qos: .userInitiated)
  private let state = Mutex(State())

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - loop: The loop that receives the messages.
  ///   - sandbox: The sandbox that is in force; nil for none.
  ///   - parts: Makes the part of an engine that is served.
  ///   - service: The functions for media that is not played.
  ///   - limit: Limits the memory of this process to these bytes in addition to those at its start; called once, before
  ///     media are opened.
  ///   - allowTime: Lets this process use the CPU for this time more; called with each command, and with samples.
  ///   - ended: Called when the player has gone, or has requested the end; with the reason if a message was invalid.
  init(
    on loop: PollLoop, sandbox: SandboxState? = nil, parts: EngineParts, service: any InspectionService,
    limit: @escaping @Sendable (_ memory: Int) -> Void,
    allowTime: @escaping @Sendable (_ time: Duration) -> Void = { _ in },
    ended: @escaping @Sendable (_ reason: String?) -> Void
  ) {
    self.loop = loop
    self.sandbox = sandbox
    self.parts = parts
    self.service = service
    self.limit = limit
    self.allowTime = allowTime
    self.ended = ended
  }

  /// Begins to serve the socket, and gives away a descriptor that passes the connections of this process; -1 for none.
  func serve(_ socket: CInt, connections: CInt = -1) {
    let channel = EngineChannel(
      socket, on: loop,
      receive: { [self] bytes in try receive(EngineProtocol.decode(EngineRequest.self, from: bytes)) },
      receiveFile: { [self] bytes, file in
        try receive(EngineProtocol.decode(EngineRequest.self, from: bytes), with: file)
      },
      ended: { [self] reason in ended(reason) })
    let inspection = InspectionServer(on: loop, service) { [self] reply in send(reply) }
    state.withLock { ($0.channel, $0.inspection) = (channel, inspection) }
    channel.open()
    // This process keeps none: it would answer its own calls.
    let file = connections >= 0 ? OwnedDescriptor(connections) : nil
    if let bytes = try? EngineProtocol.encode(EngineReport.started(sandbox: sandbox)) {
      channel.send(bytes, with: file)
    }
  }

  // MARK: Requests

  private func receive(_ request: EngineRequest) throws {
    switch request {
    case .startOutput(let configuration, let settings):
      try noteStart(configuration)
      let output = parts.makeOutput(configuration, settings) { [self] report in
        send(.output(report))
      } _: { [self] in
        send(.outputHangs)
      }
      state.withLock { $0.output = output }
    case .startDecks(let configuration):
      try noteStart(configuration)
      let decks = parts.makeDecks(configuration) { [self] stream, report in send(.deck(stream, report)) }
      state.withLock { $0.decks = decks }
      prepareDecoding()
    case .startInspection(let memoryLimit):
      try noteStart(nil)
      limit(memoryLimit)
      prepareDecoding()
    case .settings(let settings): service.apply(settings)
    case .media(let call):
      let (isStarted, inspection) = state.withLock { ($0.isStarted, $0.inspection) }
      guard isStarted else { throw WireError("a request before the start") }
      try inspection?.receive(call)
    case .output(let command):
      if let fault = command.fault { throw WireError(fault) }
      guard let output = state.withLock({ $0.output }) else { throw WireError("a command before the start") }
      noteCommand()
      output.perform(command)
    case .deck(let stream, let command):
      if let fault = command.fault { throw WireError(fault) }
      guard let decks = state.withLock({ $0.decks }) else { throw WireError("a command before the start") }
      noteCommand()
      // Its progress includes the used samples.
      if command == .measure { state.withLock { $0.rings[stream]?.feed }?.readerHasMoved() }
      decks.perform(command, of: stream)
      if command == .close { release(stream) }
    case .withdraw(let stream):
      guard let decks = state.withLock({ $0.decks }) else { throw WireError("a command before the start") }
      noteCommand()
      decks.perform(.close, of: stream)
      release(stream)
      send(.withdrawn(stream))
    case .detach(let stream):
      state.withLock { $0.output }?.detach(stream)
      release(stream)
    case .file(let error, let number):
      // A descriptor beyond this process's limit is dropped.
      files.answer(number, .failure(FileRequests.Failure(number: CInt(clamping: error ?? Int(EMFILE)))))
    // The kernel has dropped the descriptor, because this process has too many.
    case .ring: throw WireError("no file descriptor is left")
    case .ping(let number): send(.answer(ping: number))
    case .close: close()
    }
  }

  private func receive(_ request: EngineRequest, with file: OwnedDescriptor) throws {
    switch request {
    case .file(nil, let number): files.answer(number, .success(file))
    case .ring(let part, let stream):
      let isAdded = state.withLock { $0.rings[stream, default: Ring()].descriptors.add(file, part) }
      guard isAdded else { throw WireError("a ring is given twice") }
      try connect(stream)
    default: throw WireError("it has a descriptor")
    }
  }

  // MARK: Rings

  /// Connects the ring of a stream once all of its parts are there.
  private func connect(_ stream: StreamToken) throws(WireError) {
    let (output, decks, descriptors) = state.withLock { ($0.output, $0.decks, $0.rings[stream]?.descriptors) }
    guard let (memory, own, other) = try descriptors?.ring() else { return }
    // Another process of its deck may give another one.
    state.withLock { $0.rings[stream]?.descriptors = RingDescriptors() }
    if let output {
      let samples = RingReader(memory, stream: stream) {
        other.signal()
      } refused: { [self] reason in
        send(.ringFault(stream, reason))
      }
      watch(own, of: stream) { output.samplesArrived(of: stream) }
      output.attach(stream, samples)
    } else if let decks {
      let samples = RingWriter(memory, stream: stream, limit: decks.sampleLimit) { other.signal() }
      let feed = RingFeed(samples, reserve: decks.sampleLimit / 2) { passage, frame in
        decks.use(passage, before: frame)
      } isExact: {
        decks.awaitsFrame(of: stream)
      }
      state.withLock { $0.rings[stream]?.feed = feed }
      watch(own, of: stream) { feed.readerHasMoved() }
      decks.attach(stream, feed)
    } else {
      throw WireError("a ring before the start")
    }
  }

  private func watch(_ signal: RingSignal, of stream: StreamToken, _ body: @escaping @Sendable () -> Void) {
    let source = loop.watch(signal.descriptor, for: .readable) { [self] _ in
      guard signal.drain() else { return }
      noteSamples()
      body()
    }
    let old = state.withLock { exchange(&$0.rings[stream, default: Ring()].source, with: source) }
    if let old { loop.remove(old) }
  }

  /// Releases the ring of a stream.
  private func release(_ stream: StreamToken) {
    if let source = state.withLock({ $0.rings.removeValue(forKey: stream)?.source }) { loop.remove(source) }
  }

  // MARK: Limits

  /// The time after a command in which its memory is still in use.
  private static let quietTime = Duration.seconds(3)
  /// The time between allowances for samples.
  private static let allowanceInterval = Duration.seconds(10)

  /// Allows CPU time for a command, and releases the memory that was needed for it alone.
  private func noteCommand() {
    let limit = state.withLock { state in
      if let timer = state.quiet { loop.cancelTimer(timer) }
      state.quiet = loop.timer(after: Self.quietTime) {
        AllocatedMemory.trim()
        ProgramCode.release()
      }
      return state.timeLimit
    }
    allowTime(limit)
  }

  /// Allows CPU time because samples have been decoded or played.
  private func noteSamples() {
    let limit: Duration? = state.withLock { state in
      guard state.nextAllowance.map({ $0 <= loop.now }) ?? true else { return nil }
      state.nextAllowance = loop.now.advanced(by: Self.allowanceInterval)
      return state.timeLimit
    }
    if let limit { allowTime(limit) }
  }

  /// Notes the first message, with the limits of an engine.
  private func noteStart(_ configuration: Player.Configuration?) throws(WireError) {
    let isFirst = state.withLock { state in
      if let configuration { state.timeLimit = configuration.engine.timeLimit }
      defer { state.isStarted = true }
      return !state.isStarted
    }
    guard isFirst else { throw WireError("a second start") }
    if let configuration { limit(configuration.engine.memoryLimit) }
  }

  private func prepareDecoding() {
    preparation.async { [parts] in parts.prepareDecoding() }
  }

  /// Closes the part of the engine, and ends when it has released everything.
  private func close() {
    let (output, decks) = state.withLock { ($0.output, $0.decks) }
    Task(executorPreference: LoopTaskExecutor(loop)) { [self] in
      await output?.close()
      await decks?.close()
      ended(nil)
    }
  }

  /// Requests a local file from the player, and waits for it; on any thread except the loop's.
  ///
  /// - Returns: A descriptor, or the negative of an error number.
  func openFile(_ path: [UInt8]) -> CInt {
    // The thread of the loop would wait for an answer that it receives itself.
    guard loop.isIsolatingCurrentContext() != true else { return -EDEADLK }
    return files.open(path) { send(.openFile(path, request: $0)) }
  }

  // MARK: Reports

  private func send(_ report: EngineReport) {
    guard let channel = state.withLock({ $0.channel }) else { return }
    do {
      channel.send(try EngineProtocol.encode(report))
    } catch {
      // Only the contents of media can be so large; without them, playback continues.
      let text = "metadata is left out: \(EngineProtocol.reason(error))"
      let warning = EngineReport.warning(text)
      if let bytes = try? EngineProtocol.encode(warning) { channel.send(bytes) }
    }
  }

  /// Reports a message of a library; on any thread.
  func log(_ text: String, isFatal: Bool) {
    let text = text.limited(to: EngineProtocol.logLimit)
    let messages = isFatal ? [text] : state.withLock { $0.logLimit.pass(text, at: loop.now) }
    for message in messages { send(.log(message, isFatal: isFatal)) }
  }

  /// Sends a message about a request; an answer that is too large is replaced by an error.
  private func send(_ reply: MediaReply) {
    guard let channel = state.withLock({ $0.channel }) else { return }
    if let bytes = try? EngineProtocol.encode(EngineReport.media(reply)) { return channel.send(bytes) }
    guard case .answer(_, let number) = reply else { return }
    let error = PlayerError(code: .limitExceeded, message: "the content is too large")
    let failure = EngineReport.media(.answer(.failed(error), number: number))
    if let bytes = try? EngineProtocol.encode(failure) { channel.send(bytes) }
  }
}

extension OutputCommand {
  /// The reason why the command has values that no player sends; nil for a valid command.
  fileprivate var fault: String? {
    switch self {
    case .plan(let parts, _), .start(_, let parts):
      parts.count > Self.partLimit ? "a plan that is too long" : parts.lazy.compactMap(\.fault).first
    case .settings(let settings): settings.fault
    case .fade(let start, let level, let time):
      [start ?? 0, level].allSatisfy((0...1).contains) && (.zero ... .seconds(60)).contains(time)
        ? nil : "a fade beyond the limits"
    case .discard, .setPlaying, .reopen, .end, .sample, .tail: nil
    }
  }
}

extension DeckCommand {
  /// The reason why the command has values that no player sends; nil for a valid command.
  fileprivate var fault: String? {
    switch self {
    case .open(let request): (request.start ?? .zero) < .zero ? "a negative time" : request.settings.fault
    case .seek(_, let target, _, _): target < .zero ? "a negative time" : nil
    case .selectAudioTrack, .measure, .close: nil
    }
  }
}

extension Part {
  fileprivate var fault: String? {
    if min(start, end ?? .zero) < .zero { return "a negative time" }
    guard [join.shape, fadeOut].allSatisfy({ $0?.isValid ?? true }) else { return "a fade beyond the limits" }
    guard gain.isFinite, gain >= 0, peak.isFinite, peak > 0 else { return "a gain beyond the limits" }
    return curve?.isValid ?? true ? nil : "a volume beyond the range"
  }
}

extension PartJoin {
  fileprivate var shape: CrossfadeShape? {
    switch self {
    case .gapless: nil
    case .overlap(let shape), .fadeIn(let shape): shape
    }
  }
}

extension EngineSettings {
  fileprivate var fault: String? {
    guard Player.volumeRange.contains(volume) else { return "a volume beyond the range" }
    guard Player.rateRange.contains(rate) else { return "a rate beyond the range" }
    return (forwardBuffer ?? .zero) < .zero ? "a negative time" : nil
  }
}

extension VolumeCurve {
  /// Whether a player may send the curve.
  fileprivate var isValid: Bool {
    let starts = ramps.map(\.start)
    return zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
      && ramps.allSatisfy { ramp in
        [ramp.from, ramp.to].allSatisfy(Player.volumeRange.contains) && ramp.end >= ramp.start
      }
  }
}

extension CrossfadeShape {
  /// Whether a player may send the shape.
  ///
  /// The length is a time of the media at a speed of up to 4.
  fileprivate var isValid: Bool { (.zero ... .seconds(240)).contains(length) }
}
