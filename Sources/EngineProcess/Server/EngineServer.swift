import EventLoop
import Glibc
import Playback
import Synchronization

/// Serves an engine, inspections or both to the program at the other end of a socket, until the socket is closed.
final class EngineServer: Sendable {
  private struct State {
    var engine: (any PlaybackEngine)?
    var isStarted = false
    var inspection: InspectionServer?
    var channel: EngineChannel?
    var logLimit = LogLimit()
    var timeLimit = Duration.zero
    /// The instant until which an event does not show that time passes without a ping.
    var nextCheck: SuspendingClock.Instant?
    /// The first stream of the plan, or the one that was audible last, and the end of its audio at the output when time was
    /// allowed.
    var progress: (stream: StreamToken, delivered: Duration?)?
    /// The timer from the last command until memory is released.
    var quiet: EventSources.ID?

    /// Notes the stream whose audio shows progress.
    mutating func follow(_ stream: StreamToken?) {
      if stream != progress?.stream { progress = stream.map { ($0, nil) } }
    }
  }

  private let loop: PollLoop
  private let makeEngine: @Sendable (Player.Configuration) -> any PlaybackEngine
  private let service: any InspectionService
  private let limit: @Sendable (_ memory: Int) -> Void
  private let allowTime: @Sendable (_ time: Duration) -> Void
  private let ended: @Sendable (_ reason: String?) -> Void
  private let sandbox: SandboxState?
  private let files = FileRequests()
  private let state = Mutex(State())

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - loop: The loop that receives the messages.
  ///   - sandbox: The sandbox that is in force; nil for none.
  ///   - makeEngine: Creates the engine for the configuration of the player.
  ///   - service: The functions for media that is not played.
  ///   - limit: Limits the memory of this process to these bytes in addition to those at its start; called once, before
  ///     media are opened.
  ///   - allowTime: Lets this process use the CPU for this time more; called with each command, and with progress.
  ///   - ended: Called when the player has gone, or has requested the end; with the reason if a message was invalid.
  init(
    on loop: PollLoop, sandbox: SandboxState? = nil,
    makeEngine: @escaping @Sendable (Player.Configuration) -> any PlaybackEngine, service: any InspectionService,
    limit: @escaping @Sendable (_ memory: Int) -> Void,
    allowTime: @escaping @Sendable (_ time: Duration) -> Void = { _ in },
    ended: @escaping @Sendable (_ reason: String?) -> Void
  ) {
    self.loop = loop
    self.sandbox = sandbox
    self.makeEngine = makeEngine
    self.service = service
    self.limit = limit
    self.allowTime = allowTime
    self.ended = ended
  }

  /// Begins to serve the socket.
  func serve(_ socket: CInt) {
    let channel = EngineChannel(
      socket, on: loop,
      receive: { [self] bytes in try receive(EngineProtocol.decode(EngineRequest.self, from: bytes)) },
      receiveFile: { [files] bytes, file in
        guard case .file(nil, let number) = try EngineProtocol.decode(EngineRequest.self, from: bytes) else {
          throw WireError("it has a descriptor")
        }
        files.answer(number, .success(file))
      },
      ended: { [self] reason in ended(reason) })
    let inspection = InspectionServer(on: loop, service) { [self] reply in send(reply) }
    state.withLock { ($0.channel, $0.inspection) = (channel, inspection) }
    channel.open()
    send(.started(sandbox: sandbox))
  }

  // MARK: Requests

  private func receive(_ request: EngineRequest) throws {
    switch request {
    case .start(let configuration):
      try noteStart()
      let engine = makeEngine(configuration)
      state.withLock { state in
        (state.engine, state.timeLimit) = (engine, configuration.engine.timeLimit)
      }
      limit(configuration.engine.memoryLimit)
      engine.open(EngineClient { [self] event in report(event) })
    case .startInspection(let memoryLimit):
      try noteStart()
      limit(memoryLimit)
    case .settings(let settings): service.apply(settings)
    case .media(let call):
      let (isStarted, inspection) = state.withLock { ($0.isStarted, $0.inspection) }
      guard isStarted else { throw WireError("a request before the start") }
      try inspection?.receive(call)
    case .command(let command):
      if let fault = command.fault { throw WireError(fault) }
      guard let engine = state.withLock({ $0.engine }) else { throw WireError("a command before the start") }
      noteCommand(command)
      engine.perform(command)
    case .file(let error, let number):
      // A descriptor that this process has no place for is dropped.
      files.answer(number, .failure(FileRequests.Failure(number: CInt(clamping: error ?? Int(EMFILE)))))
    case .ping(let number):
      noteProgress()
      send(.answer(ping: number))
    case .close: close()
    }
  }

  /// The time after a command in which its memory is still in use.
  private static let quietTime = Duration.seconds(3)
  /// The time between checks of the progress after events.
  private static let checkInterval = Duration.seconds(10)

  /// Allows CPU time for a command, and releases the memory that was needed for it alone.
  private func noteCommand(_ command: EngineCommand) {
    // The player measures the position as long as an item should play.
    if case .samplePosition = command { return }
    let limit = state.withLock { state in
      if case .plan(let plan) = command { state.follow(plan.first?.stream) }
      if let timer = state.quiet { loop.cancelTimer(timer) }
      state.quiet = loop.timer(after: Self.quietTime) {
        Heap.trim()
        ProgramCode.release()
      }
      return state.timeLimit
    }
    allowTime(limit)
  }

  /// Allows CPU time if more audio has reached the output.
  private func noteProgress() {
    let limit: Duration? = state.withLock { state in
      guard let progress = state.progress,
        let delivered = state.engine?.progress(of: progress.stream)?.delivered, delivered != progress.delivered
      else { return nil }
      state.progress?.delivered = delivered
      return state.timeLimit
    }
    if let limit { allowTime(limit) }
  }

  private func noteStart() throws(WireError) {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    guard isFirst else { throw WireError("a second start") }
  }

  /// Closes the engine, and ends when its output was released.
  private func close() {
    guard let engine = state.withLock({ $0.engine }) else { return ended(nil) }
    engine.close()
    Task(executorPreference: LoopTaskExecutor(loop)) { [self] in
      await engine.closed()
      ended(nil)
    }
  }

  /// Requests a local file from the player, and waits for it; on any thread but that of the loop.
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
      let warning = EngineReport.event(.warning("metadata is left out: \(EngineProtocol.reason(error))"))
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

  private func report(_ event: EngineEvent) {
    send(.event(event))
    let isDue = state.withLock { state in
      if case .audible(let stream, _) = event { state.follow(stream) }
      guard state.nextCheck.map({ $0 <= loop.now }) ?? true else { return false }
      state.nextCheck = loop.now.advanced(by: Self.checkInterval)
      return true
    }
    // Events postpone the pings. The engine may hold a lock now, that its progress needs.
    if isDue { loop.submit { [self] in noteProgress() } }
  }
}

extension EngineCommand {
  /// The parts of a plan at most: the audible one, those that fade out, and those that follow.
  static let partLimit = 16

  /// The reason why the command has values that no player sends; nil if it has none.
  fileprivate var fault: String? {
    switch self {
    case .open(let request): request.start < .zero ? "a negative time" : nil
    case .seek(_, let target, _): target < .zero ? "a negative time" : nil
    case .plan(let parts):
      parts.count > Self.partLimit ? "a plan that is too long" : parts.lazy.compactMap(\.fault).first
    case .settings(let settings): settings.fault
    case .close, .setPlaying, .start, .selectAudioTrack, .fade, .reopenOutput, .samplePosition: nil
    }
  }
}

extension PlannedPart {
  fileprivate var fault: String? {
    if (end ?? .zero) < .zero { return "a negative time" }
    guard [join.shape, fadeOut].allSatisfy({ $0?.isValid ?? true }) else { return "a fade beyond the limits" }
    guard measured?.isValid ?? true else { return TrackLoudness.fault }
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
  fileprivate var isValid: Bool { (.zero ... .seconds(60)).contains(length) }
}
