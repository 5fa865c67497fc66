import EventLoop
package import Playback
import Synchronization

/// An engine in another process: the process is started with the first stream or before it, and again after it has ended.
///
/// Commands are passed to the socket in order and without waiting. All answers come from the last reports of the process.
///
/// Invariants: at most one process exists: another one is started when the one before it was reaped. The end of a process
/// is reported after its last event.
package final class ProcessEngine: PlaybackEngine, EngineChildOwner {
  struct State: EngineChildState {
    var client: EngineClient?
    /// The configuration of the player; nil before it is known.
    var configuration: Player.Configuration?
    var child: EngineChild?
    /// Whether the child has its configuration: commands wait until then.
    var hasBegun = false
    /// Whether the child is to end: commands wait for the next one.
    var isEnding = false
    /// Whether a start was requested from the loop.
    var isStarting = false
    /// The last commands that apply to no stream, for the next process.
    var retained = Retained()
    var mediaSettings = MediaSettings()
    /// The commands for the next process, from the opening of a stream on.
    var waiting: [EngineCommand] = []
    /// The reads for the next process.
    var reads: [OpenRequest] = []
    /// The streams that are open, or are to be in the next process.
    var streams: Set<StreamToken> = []
    /// The newest stream that the process knows.
    var newest = StreamToken(number: 0)
    /// The progress of the last streams.
    var progress: [(stream: StreamToken, progress: StreamProgress)] = []
    /// Whether commands wait, from the opening of a stream on, until the paths of the process are examined.
    var isExamining = false
    /// Whether a stream waits for the start of the process, and this was reported.
    var isStartAwaited = false
    /// Whether a sandbox that is not complete was reported.
    var hasWarned = false
    /// The timer of the idle time.
    var timer: EventSources.ID?
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The state of an engine beside its streams, as the commands that set it.
  struct Retained {
    var settings: EngineSettings?
    var fade: FadeDirection?
    var isPlaying = false

    var commands: [EngineCommand] {
      [settings.map { .settings($0) }, fade.map { .fade($0) }, isPlaying ? .setPlaying(true) : nil].compactMap(\.self)
    }

    /// Notes a command; one for a stream is ignored.
    mutating func note(_ command: EngineCommand) {
      switch command {
      case .settings(let new): settings = new
      case .fade(let direction): fade = direction
      case .setPlaying(let plays): isPlaying = plays
      case .open, .close, .seek, .plan, .start, .selectAudioTrack, .reopenOutput, .samplePosition: break
      }
    }

    /// Notes what another program has set: another process must not be louder.
    mutating func note(volume: Double, isMuted: Bool, of configuration: Player.Configuration?) {
      settings = settings ?? configuration.map { EngineSettings($0) }
      settings?.volume = volume
      settings?.isMuted = isMuted
    }

    /// Forgets what an engine that was replaced has lost.
    mutating func engineReplaced() { (fade, isPlaying) = (nil, false) }
  }

  private let program: Player.Configuration.Engine
  private let policy: SandboxPolicy
  let log: EngineLog
  let loop: PollLoop
  let state = Mutex(State())
  /// The number of streams whose progress is kept: the current one and its successors.
  private static let progressLimit = 8

  /// Creates an engine for a configuration with the path of the program.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the player.
  ///   - log: Receives the messages of libraries in the process.
  package convenience init(
    configuration: Player.Configuration,
    log: @escaping EngineLog = { text, _ in EngineService.report(text) }
  ) {
    self.init(configuration.engine, SandboxPolicy(configuration), log: log)
    configure(configuration)
  }

  /// Creates an engine that needs a configuration before it carries out commands.
  ///
  /// - Parameters:
  ///   - program: The path of the program, and its limits.
  ///   - policy: The restrictions of the process.
  ///   - log: Receives the messages of libraries in the process.
  package init(_ program: Player.Configuration.Engine, _ policy: SandboxPolicy, log: @escaping EngineLog) {
    self.program = program
    self.policy = policy
    self.log = log
    loop = PollLoop(name: "engine")
  }

  /// Starts the process before the first stream, so that it initializes its libraries meanwhile.
  ///
  /// Without a stream, it ends after the idle time. If it cannot be started, the first stream reports that.
  package func prepare() { state.withLock { if !$0.isClosed { startSoon(&$0) } } }

  /// Sets the configuration of the player; called once, before the engine is opened.
  package func configure(_ configuration: Player.Configuration) {
    state.withLock { state in
      state.configuration = configuration
      // Encoding the configuration takes time that the daemon's start does not have.
      if state.child != nil { loop.submit { self.state.withLock { self.begin(&$0) } } }
    }
  }

  package func open(_ client: EngineClient) { state.withLock { $0.client = client } }

  /// The ID of the process; nil while there is none.
  package var processID: Int32? { state.withLock { $0.child?.processID } }

  package var restrictions: String? { state.withLock { $0.child?.restrictions } }

  package func progress(of stream: StreamToken) -> StreamProgress? {
    state.withLock { $0.progress.last { $0.stream == stream }?.progress }
  }

  // MARK: Commands

  package func perform(_ command: EngineCommand) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.retained.note(command)
      follow(command, &state)
      // A process that may play another stream is not replaced.
      if command.openedStream != nil, state.streams.count == 1, state.commanded != nil { examineSoon(&state) }
      if let child = state.commanded, !state.isExamining {
        child.perform(command)
        child.ping()
      } else if command.openedStream != nil || !state.waiting.isEmpty || state.isExamining {
        state.waiting.append(command)
        startSoon(&state)
      }
      let hasStarted = !state.isEnding && state.child?.hasStarted == true
      guard command.openedStream != nil, !state.isStartAwaited, !hasStarted else { return }
      state.isStartAwaited = true
      // The player, which has given the command, receives no event before it returns.
      loop.submit { self.reportAwaitedStart() }
    }
  }

  /// Reports that a stream waits for the start of the process, unless it has started since; on the loop.
  func reportAwaitedStart() {
    let client = state.withLock { !$0.isClosed && $0.isStartAwaited ? $0.client : nil }
    client?.report(.starting(true))
  }

  /// Notes which streams are open; without one, the process ends after the idle time.
  private func follow(_ command: EngineCommand, _ state: inout State) {
    switch command {
    case .open(let request):
      state.streams.insert(request.stream)
      guard state.commanded != nil else { return }
      state.newest = request.stream
      state.setTimer(nil, on: loop)
    case .close(let stream):
      state.streams.remove(stream)
      if state.streams.isEmpty, state.commanded != nil { endWhenIdle(&state) }
    default: break
    }
  }

  func startSoon(_ state: inout State) {
    guard state.child == nil, !state.isStarting else { return }
    state.isStarting = true
    // The thread of the loop exists as long as the process, which the kernel kills when its starter ends.
    loop.submit { self.start() }
  }

  /// Starts a process, to which the settings and the commands that wait are sent when the configuration is known.
  private func start() {
    let isWanted = state.withLock { state in
      if state.isClosed { state.isStarting = false }
      return !state.isClosed
    }
    guard isWanted else { return released() }
    let result = Result<EngineChild, WireError> { () throws(WireError) in
      try EngineChild(program, policy, on: loop, owner: self)
    }
    var failedReads: [OpenRequest] = []
    let failed: (client: EngineClient, isAwaited: Bool, streams: [StreamToken])? = state.withLock { state in
      state.isStarting = false
      switch result {
      case .success(let child):
        state.child = child
        begin(&state)
        if state.isClosed { state.endOrderly(on: loop) } else if state.streams.isEmpty { endWhenIdle(&state) }
        return nil
      case .failure:
        let streams = state.waiting.compactMap(\.openedStream)
        let isAwaited = state.isStartAwaited
        failedReads = state.reads
        (state.waiting, state.reads, state.isStartAwaited, state.streams) = ([], [], false, [])
        return state.isClosed ? nil : state.client.map { ($0, isAwaited, streams) }
      }
    }
    guard case .failure(let reason) = result else { return }
    released()
    for read in failedReads { read.settle(.failure(.cannotStart(reason))) }
    guard let failed else { return }
    if failed.isAwaited { failed.client.report(.starting(false)) }
    var error = PlayerError.cannotStart(reason)
    error.isUnusableOutput = true
    for stream in failed.streams { failed.client.report(.stream(stream, .failed(error))) }
  }

  /// Sends the configuration once it is known, the settings, and the commands and reads that wait.
  private func begin(_ state: inout State) {
    guard let child = state.child, let configuration = state.configuration, !state.hasBegun, !state.isEnding else {
      return
    }
    state.hasBegun = true
    if !state.streams.isEmpty { state.setTimer(nil, on: loop) }
    let (commands, reads) = (state.waiting, state.reads)
    (state.waiting, state.reads) = ([], [])
    child.send(.start(configuration))
    child.send(.settings(state.mediaSettings))
    for command in state.retained.commands + commands { child.perform(command) }
    for stream in commands.compactMap(\.openedStream) { state.newest = stream }
    child.ping()
    for read in reads where !read.isSettled { child.perform(read) }
  }

  // MARK: Reports

  var isBusy: Bool { state.withLock { $0.retained.isPlaying && !$0.streams.isEmpty } }

  /// Each event is published.
  ///
  /// The most frequent ones are the fill levels of a buffer, and answers to the user's seeks.
  var messagesPerSecond: Int { 100 }

  func receive(_ event: EngineEvent, from child: EngineChild) {
    // Threads that hang in a file may hold what another process has.
    if case .stream(_, .failed(let error)) = event, error.code == .outOfResources {
      return child.end(because: error.message)
    }
    if case .replaced = event { discard(child) }
    let client = state.withLock { state in
      if let (stream, progress) = event.progress { state.note(progress, of: stream, limit: Self.progressLimit) }
      if case .output(.volumeChanged(let volume, let isMuted)) = event {
        state.retained.note(volume: volume, isMuted: isMuted, of: state.configuration)
      }
      return state.isClosed ? nil : state.client
    }
    client?.report(event)
  }

  /// Reports the start to a stream that has waited for it, and once that the kernel does not support the sandbox.
  func started(_ child: EngineChild) {
    let missing = child.sandbox?.missing
    let (client, isAwaited, warns) = state.withLock { state in
      // Commands for a process that is to end wait for the next one.
      let isAwaited = state.isStartAwaited && !state.isEnding
      let result = (state.isClosed ? nil : state.client, isAwaited, missing != nil && !state.hasWarned)
      if isAwaited { state.isStartAwaited = false }
      if missing != nil { state.hasWarned = true }
      return result
    }
    if isAwaited { client?.report(.starting(false)) }
    if let missing, warns { client?.report(.warning("the engine process is not restricted completely: \(missing)")) }
  }

  // MARK: The end

  /// Ends a process that has abandoned an output, whose thread may run without end; the next commands start another one.
  private func discard(_ child: EngineChild) {
    state.withLock { state in
      state.isEnding = true
      state.streams = []
      state.retained.engineReplaced()
      state.setTimer(nil, on: loop)
    }
    child.discard()
  }

  /// Handles that a process has ended, after its last report; on the loop.
  func ended(_ child: EngineChild, _ reason: String?) {
    let reads = child.openRequests
    let again = reads.filter { $0.retries() }
    let report: (client: EngineClient, end: EngineEnd)? = state.withLock { state in
      let end = EngineEnd(reason: reason ?? "", newestStream: state.newest, silence: child.silence)
      state.setTimer(nil, on: loop)
      (state.child, state.hasBegun, state.isEnding, state.progress) = (nil, false, false, [])
      if reason != nil {
        // Only the streams that wait are opened in the next one.
        state.streams.formIntersection(state.waiting.compactMap(\.openedStream))
        state.retained.engineReplaced()
        for command in state.waiting { state.retained.note(command) }
      }
      if !state.isClosed { state.reads += again }
      if !state.waiting.isEmpty || !state.reads.isEmpty, !state.isClosed { startSoon(&state) }
      if reason != nil, !state.waiting.contains(where: { $0.openedStream != nil }) { state.isStartAwaited = false }
      guard reason != nil, !state.isClosed, let client = state.client else { return nil }
      return (client, end)
    }
    released()
    let isClosed = state.withLock { $0.isClosed }
    for read in reads where isClosed || !again.contains(where: { $0 === read }) {
      read.settle(.failure(reason.map { .ended($0) } ?? .closed()))
    }
    guard let report else { return }
    report.client.report(.replaced(after: .process(report.end)))
    reportAwaitedStart()
  }

  /// Ends the process when no stream was open for the idle time.
  private func endWhenIdle(_ state: inout State) {
    state.setTimer(
      loop.timer(after: program.idleTime) { [self] in
        self.state.withLock { state in
          guard state.streams.isEmpty, state.waiting.isEmpty, !state.isEnding, let child = state.child else { return }
          if child.openRequests.isEmpty { state.endOrderly(on: loop) } else { endWhenIdle(&state) }
        }
      }, on: loop)
  }

  package func close() {
    let reads: [OpenRequest] = state.withLock { state in
      guard !state.isClosed else { return [] }
      defer { state.reads = [] }
      (state.isClosed, state.waiting) = (true, [])
      if state.isEnding { return state.reads }
      if state.child != nil { state.endOrderly(on: loop) } else if !state.isStarting { loop.stop() }
      return state.reads
    }
    for read in reads { read.settle(.failure(.closed())) }
  }

  package func closed() async {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { $0.add(continuation) }
      if !waits { continuation.resume() }
    }
  }

  /// Resumes the callers that wait for the end of a closed client, and ends its thread.
  private func released() {
    guard let waiters = state.withLock({ $0.takeWaiters() }) else { return }
    loop.stop()
    for waiter in waiters { waiter.resume() }
  }
}

extension ProcessEngine.State {
  /// The process that carries out commands; nil while they wait for one.
  var commanded: EngineChild? { hasBegun && !isEnding ? child : nil }

  /// Notes the progress of a stream.
  fileprivate mutating func note(_ new: StreamProgress, of stream: StreamToken, limit: Int) {
    progress.removeAll { $0.stream == stream }
    progress.append((stream, new))
    if progress.count > limit { progress.removeFirst() }
  }
}

extension EngineChild {
  /// Sends a command, whose files the process may then request.
  func perform(_ command: EngineCommand) {
    if case .open(let request) = command {
      files.name(request.uri)
      give(request.stream)
    }
    send(.command(command))
  }
}

extension EngineEvent {
  /// The progress of a stream that an event reports.
  fileprivate var progress: (StreamToken, StreamProgress)? {
    guard case .stream(let stream, let event) = self else { return nil }
    switch event {
    case .settled(let facts): return (stream, facts.progress)
    case .sampled(_, let progress), .progressed(let progress), .ranOut(let progress), .buffering(_, let progress):
      return (stream, progress)
    default: return nil
    }
  }
}
