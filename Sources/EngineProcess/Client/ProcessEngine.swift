import EventLoop
import Joining
package import Playback
import PlayerClock
import Synchronization

/// An engine in other processes: one has the output, and others the decks of local files, of discs and of servers.
///
/// The playout runs here; no call waits for a process. A process gets its state when it begins, whether it is the first one or
/// a replacement. Commands that were sent before are part of this state.
package final class ProcessEngine: PlaybackEngine, SupervisorClient {
  private struct State {
    var client: EngineClient?
    /// The configuration of the player, and its playout; nil before it is known.
    var configuration: Player.Configuration?
    var playout: Playout?
    var mediaSettings = MediaSettings()
    var resolver: (any MediaResolver)?
    /// The open streams.
    var streams: [StreamToken: Stream] = [:]
    /// The progress of the last streams.
    var progress: [(stream: StreamToken, progress: StreamProgress)] = []
    /// The events that were not reported, in order.
    var events: [EngineEvent] = []
    /// Whether a stream waits for the start of its process or for its address, as it was reported.
    var isAwaited = false
    /// Whether a sandbox that is not complete was reported.
    var hasWarned = false
    var isPlaying = false
    var isClosed = false
    /// The processes that have ended since the engine was closed.
    var released = 0

    /// Notes an event for the player.
    mutating func report(_ event: EngineEvent) {
      events.append(event)
      guard case .stream(let stream, let event) = event, let new = event.progress else { return }
      progress.removeAll { $0.stream == stream }
      progress.append((stream, new))
      if progress.count > Self.progressLimit { progress.removeFirst() }
    }

    /// The number of streams whose progress is kept: the current one and its successors.
    private static let progressLimit = 8
  }

  /// An open stream: its decks, and the ring of its present one.
  private struct Stream {
    let uri: String
    let decks: Supervisor
    var ring: SharedRing
    /// The media behind its address.
    var source = Source.named
    /// How often its address was resolved again because the server has refused the media.
    var renewals = 0
    /// Whether its reports come from a deck that is being closed for a renewal.
    var isWithdrawn = false
    /// The timer of the judgement of a deck whose samples are missing.
    var judgement: EventSources.ID?
  }

  /// The media of a stream.
  private enum Source {
    /// The URI of the item is opened.
    case named
    /// The address of the item is being resolved; no deck has the stream.
    case awaited(Task<Void, Never>)
    case resolved(ResolvedMedia)

    var isAwaited: Bool { if case .awaited = self { true } else { false } }
  }

  let loop: PollLoop
  private let output: Supervisor
  private let localDecks: Supervisor
  private let discDecks: Supervisor
  private let streamDecks: Supervisor
  private let state = Mutex(State())

  /// Creates an engine for a configuration with the path of the program.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the player.
  ///   - log: Receives the messages of libraries in the processes.
  package convenience init(
    configuration: Player.Configuration,
    log: @escaping EngineLog = { text, _ in EngineService.report(text) }
  ) {
    self.init(configuration.engine, SandboxPolicy(output: configuration), log: log)
    configure(configuration)
  }

  /// Creates an engine that needs a configuration before it carries out commands.
  ///
  /// - Parameters:
  ///   - program: The path of the program, and its limits.
  ///   - policy: The restrictions of the output.
  ///   - log: Receives the messages of libraries in the processes.
  package init(_ program: Player.Configuration.Engine, _ policy: SandboxPolicy, log: @escaping EngineLog) {
    loop = PollLoop(name: "engine")
    let loop = loop
    // The most frequent messages are the fill levels of a buffer, and answers to the user's seeks.
    func supervisor(_ name: String, _ policy: SandboxPolicy) -> Supervisor {
      Supervisor(name, program, policy, on: loop, messagesPerSecond: 100, log: log)
    }
    output = supervisor("output", policy)
    localDecks = supervisor("decoding", .files)
    discDecks = supervisor("disc", .discs)
    streamDecks = supervisor("streaming", .streams)
    for supervisor in supervisors { supervisor.open(self) }
  }

  private var supervisors: [Supervisor] { [output] + decks }
  private var decks: [Supervisor] { [localDecks, discDecks, streamDecks] }

  /// The process with the decks of a URI.
  private func decks(of uri: String) -> Supervisor {
    if Player.Item.isLocal(uri) { return localDecks }
    return Self.discSchemes.contains(uri.prefix { $0 != ":" }.lowercased()) ? discDecks : streamDecks
  }

  /// The schemes of GStreamer's sources for discs.
  private static let discSchemes: Set = ["cdda", "dvd", "dvdnav", "vcd"]

  /// Starts the processes before the first stream, so that they initialize their libraries early.
  ///
  /// Without a stream, they end after the idle time. If one cannot be started, the first stream reports that.
  package func prepare() { for supervisor in [output, localDecks] { supervisor.start() } }

  /// Sets the configuration of the player; called once, before the engine is opened.
  package func configure(_ configuration: Player.Configuration) {
    state.withLock { state in
      state.configuration = configuration
      state.playout = Playout(configuration, EngineSettings(configuration))
    }
    // Encoding the configuration takes time that the daemon's start does not have.
    loop.submit { [self] in for supervisor in supervisors { supervisor.begin() } }
  }

  package func open(_ client: EngineClient) { state.withLock { $0.client = client } }

  /// The ID of the output's process; nil while there is none.
  package var processID: Int32? { output.child?.processID }

  /// The IDs of the processes with decks.
  package var deckProcessIDs: [Int32] { decks.compactMap { $0.child?.processID } }

  /// What restricts the process of the output.
  package var restrictions: String? { output.child?.restrictions }

  /// Whether the output's process may open the files that it needs; reads the file system.
  package var reachesAllPaths: Bool { output.child?.reachesAllPaths ?? true }

  package func progress(of stream: StreamToken) -> StreamProgress? {
    state.withLock { $0.progress.last { $0.stream == stream }?.progress }
  }

  // MARK: Commands

  package func perform(_ command: EngineCommand) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if case .setPlaying(let isPlaying) = command { state.isPlaying = isPlaying }
      change(&state) { $0.perform(command) }
      // The player, which has given the command, receives no event before it returns.
      if !state.events.isEmpty { loop.submit { self.reportEvents() } }
    }
  }

  /// Changes the playout, and carries out its effects; the events wait until ``reportEvents()``.
  private func change(_ state: inout State, _ body: (inout Playout) -> Void) {
    guard var playout = state.playout.take() else { return }
    playout.now = .now
    body(&playout)
    let effects = playout.takeEffects()
    state.playout = playout
    for effect in effects {
      switch effect {
      case .deck(let stream, .open(let request)): open(request, of: stream, &state)
      case .deck(let stream, .close): close(stream, &state)
      case .deck(let stream, let command):
        // The request has the state of a stream that is opened later.
        guard let open = state.streams[stream], !open.source.isAwaited else { continue }
        open.decks.send(.deck(stream, command))
      case .output(let command): output.send(.output(command))
      case .report(let event): state.report(event)
      case .judge(let stream, let time, let isDecoding): judge(stream, after: time, isDecoding: isDecoding, &state)
      }
    }
  }

  /// Reports the events that wait; on the loop.
  private func reportEvents() {
    while true {
      let (client, events) = state.withLock { state in
        defer { state.events = [] }
        return (state.client, state.isClosed ? [] : state.events)
      }
      if events.isEmpty { return }
      for event in events { client?.report(event) }
    }
  }

  /// Handles a message on the loop.
  private func handle(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    reportEvents()
  }

  // MARK: Streams

  private func open(_ request: DeckRequest, of stream: StreamToken, _ state: inout State) {
    let decks = decks(of: request.uri)
    guard let ring = SharedRing() else {
      let error = PlayerError(code: .outOfResources, message: "no memory or file descriptor is left for the samples")
      return state.report(.stream(stream, .failed(error)))
    }
    // A stream begins again after the end of its process, or after a renewal.
    let (renewals, isWithdrawn) = state.streams[stream].map { ($0.renewals, $0.isWithdrawn) } ?? (0, false)
    let source = makeSource(of: request.uri, stream, isRenewed: renewals > 0, state.resolver)
    state.streams[stream] = Stream(
      uri: request.uri, decks: decks, ring: ring, source: source, renewals: renewals, isWithdrawn: isWithdrawn)
    // A process that may play another stream is not replaced.
    if state.streams.values.count(where: { $0.decks === decks }) == 1 { decks.examine() }
    if state.streams.count == 1 { output.examine() }
    for supervisor in [output, decks] { supervisor.setNeeded(true) }
    if let child = output.child, output.isActive { ring.send(stream, toOutput: child) }
    if let child = decks.child, decks.isActive { open(request, of: stream, in: child, &state) }
    updateAwaited(&state)
  }

  /// Returns the media of a stream that is opened, or starts to resolve its address.
  private func makeSource(
    of uri: String, _ stream: StreamToken, isRenewed: Bool, _ resolver: (any MediaResolver)?
  ) -> Source {
    guard let resolver, resolver.resolves(uri) else { return .named }
    return .awaited(
      Task(executorPreference: LoopTaskExecutor(loop)) { [self] in
        let result: Result<ResolvedMedia, PlayerError>
        do throws(PlayerError) {
          result = .success(try await resolver.resolve(uri, isRenewed: isRenewed))
        } catch {
          result = .failure(error)
        }
        // A stream that was closed, or opened again, has cancelled this task.
        if !Task.isCancelled { handle { resolved(stream, result, &$0) } }
      })
  }

  /// Opens a stream whose address has been resolved.
  private func resolved(_ token: StreamToken, _ result: Result<ResolvedMedia, PlayerError>, _ state: inout State) {
    guard let stream = state.streams[token], stream.source.isAwaited else { return }
    switch result {
    case .failure(let error): change(&state) { $0.take(.event(.failed(error)), of: token) }
    case .success(let media):
      state.streams[token]?.source = .resolved(media)
      if let child = stream.decks.child, stream.decks.isActive, let request = state.playout?.openRequest(of: token) {
        open(request, of: token, in: child, &state)
        for _ in 0..<(state.playout?.measurementCount(of: token) ?? 0) { child.send(.deck(token, .measure)) }
      }
    }
    updateAwaited(&state)
  }

  /// Resolves the address of a stream again if its server refuses the earlier result; returns whether it does.
  private func renews(_ token: StreamToken, after error: PlayerError, _ state: inout State) -> Bool {
    guard let stream = state.streams[token], case .resolved(let media) = stream.source, error.isRefusal,
      stream.renewals < Self.renewalLimit, state.playout?.canRenew(token, isUntried: !media.isKept) == true
    else { return false }
    state.streams[token]?.renewals += 1
    state.streams[token]?.isWithdrawn = true
    stream.decks.send(.withdraw(token))
    change(&state) { $0.renew(token, because: "\(error.message); resolving the address again") }
    return true
  }

  /// The limit of renewals of a stream: a server may refuse each result after a while.
  private static let renewalLimit = 3

  /// Reports whether a stream waits for the start of its process, or for its address.
  private func updateAwaited(_ state: inout State) {
    let isAwaited = state.streams.values.contains { $0.decks.awaitsStart || $0.source.isAwaited }
    guard isAwaited != state.isAwaited else { return }
    state.isAwaited = isAwaited
    state.events.append(.starting(isAwaited))
  }

  /// Opens a stream in a process, unless its address is not resolved yet.
  private func open(_ request: DeckRequest, of token: StreamToken, in child: EngineChild, _ state: inout State) {
    guard let stream = state.streams[token], !stream.source.isAwaited else { return }
    var request = request
    if case .resolved(let media) = stream.source {
      (request.uri, request.headers) = (media.uri, media.headers)
      request.isRenewable = stream.renewals < Self.renewalLimit
    }
    child.files.name(request.uri)
    child.give(token)
    stream.ring.send(token, toDecks: child)
    child.send(.deck(token, .open(request)))
    child.ping()
  }

  /// Checks the process of a local file after a time without needed samples, and kills it if it hangs or loops.
  ///
  /// If possible, this happens before the ring is empty. A process that waits, as for a slow disk, is not killed. A process that
  /// starts has another time limit. A deck that is not `isDecoding` may use the processor to find a position. Processes that
  /// stream from servers are not checked, because a server may send nothing for long.
  private func judge(_ stream: StreamToken, after time: Duration?, isDecoding: Bool = true, _ state: inout State) {
    if let timer = state.streams[stream]?.judgement.take() { loop.cancelTimer(timer) }
    guard let time, state.streams[stream]?.decks === localDecks, let child = localDecks.child, child.hasStarted else {
      return
    }
    child.ping()
    let before = child.usedTime
    state.streams[stream]?.judgement = loop.timer(after: time) { [self] in
      guard self.state.withLock({ $0.streams[stream]?.judgement.take() }) != nil, localDecks.child === child else {
        return
      }
      if child.awaitsAnswer {
        child.end(because: "no samples and no answer for \(time)")
      } else if isDecoding, child.usedTime - before > time * 0.8 {
        child.end(because: "no samples for \(time), in which it has used the processor")
      }
    }
  }

  /// Ends a process if the thread of an abandoned deck continues to use the processor.
  ///
  /// The other decks begin again in another process, without an audible gap. A thread that waits, as for a disk, costs nothing.
  ///
  /// - Parameters:
  ///   - child: The process.
  ///   - supervisor: Its supervisor.
  ///   - used: The time of the processor that was used since the deck was given up.
  private func judgeLoop(in child: EngineChild, of supervisor: Supervisor, used: Duration = .zero) {
    let before = child.usedTime
    _ = loop.timer(after: Self.loopTime) { [self] in
      guard supervisor.child === child else { return }
      let now = child.usedTime - before
      if used + now > Self.loopTime * 0.8 {
        child.end(because: "a part of it that was given up uses the processor")
      } else if now > Self.loopTime * 0.2 {
        // A busy machine leaves less of the processor.
        judgeLoop(in: child, of: supervisor, used: used + now)
      }
    }
  }

  private static let loopTime = Duration.seconds(5)

  private func close(_ stream: StreamToken, _ state: inout State) {
    judge(stream, after: nil, &state)
    guard let closed = state.streams.removeValue(forKey: stream) else { return }
    let decks = closed.decks
    if case .awaited(let task) = closed.source { task.cancel() } else { decks.send(.deck(stream, .close)) }
    output.send(.detach(stream))
    if !state.streams.values.contains(where: { $0.decks === decks }) { decks.setNeeded(false) }
    if state.streams.isEmpty { output.setNeeded(false) }
    updateAwaited(&state)
  }

  // MARK: Processes

  func begin(_ child: EngineChild, of supervisor: Supervisor) {
    handle { state in
      guard let configuration = state.configuration, let playout = state.playout else { return }
      let isOutput = supervisor === output
      if !child.isInitialized {
        child.isInitialized = true
        child.send(isOutput ? .startOutput(configuration, playout.settings) : .startDecks(configuration))
        child.send(.settings(state.mediaSettings))
      } else if isOutput {
        child.send(.output(.settings(playout.settings)))
      }
      supervisor.hasBegun()
      for (token, stream) in state.streams where isOutput { stream.ring.send(token, toOutput: child) }
      if isOutput { return change(&state) { $0.outputBegan() } }
      for (token, stream) in state.streams where stream.decks === supervisor {
        state.streams[token]?.isWithdrawn = false
        guard let request = playout.openRequest(of: token) else { continue }
        guard !stream.source.isAwaited else { continue }
        open(request, of: token, in: child, &state)
        for _ in 0..<playout.measurementCount(of: token) { child.send(.deck(token, .measure)) }
      }
    }
  }

  func started(_ child: EngineChild, of supervisor: Supervisor) {
    handle { state in
      if let missing = child.missing, !state.hasWarned {
        state.hasWarned = true
        state.events.append(.warning("the engine process is not restricted completely: \(missing)"))
      }
      updateAwaited(&state)
    }
  }

  func isBusy(_ supervisor: Supervisor) -> Bool {
    state.withLock { state in
      guard supervisor !== output else { return state.isPlaying && !state.streams.isEmpty }
      return state.streams.contains { $0.value.decks === supervisor && state.playout?.isDecoding($0.key) == true }
    }
  }

  func receive(_ report: EngineReport, from supervisor: Supervisor) throws {
    switch report {
    case .output, .outputHangs, .ringFault:
      guard supervisor === output else { throw WireError("a message of the output") }
    default: break
    }
    switch report {
    case .output(let report): handle { change(&$0) { $0.take(report) } }
    case .deck(_, .event(.failed(let error))) where error.code == .outOfResources:
      // Threads that hang in a file may hold what another process has.
      supervisor.kill(because: error.message)
    case .deck(let stream, let report):
      if case .abandoned = report, let child = supervisor.child { judgeLoop(in: child, of: supervisor) }
      handle { state in
        guard state.streams[stream].map({ $0.decks === supervisor }) ?? true else { return }
        if state.streams[stream]?.isWithdrawn == true { return }
        if case .event(.failed(let error)) = report, renews(stream, after: error, &state) { return }
        change(&state) { $0.take(report, of: stream) }
      }
    case .withdrawn(let stream): state.withLock { $0.streams[stream]?.isWithdrawn = false }
    case .ringFault(let stream, let reason):
      // The process that has written them may have ended, and another one may be about to begin.
      let decks = state.withLock { state in
        state.playout?.openRequest(of: stream) == nil ? nil : state.streams[stream]?.decks
      }
      decks?.kill(because: "it wrote samples that are none: \(reason)")
    case .outputHangs: abandonOutput()
    case .warning(let text): handle { $0.events.append(.warning(text)) }
    case .started, .openFile, .answer, .log, .crashed, .media: break
    }
  }

  /// Ends an output whose device does not respond; another one begins without a stream.
  private func abandonOutput() {
    output.discard()
    handle { state in
      guard let configuration = state.configuration, let settings = state.playout?.settings else { return }
      for stream in Array(state.streams.keys) { close(stream, &state) }
      state.playout = Playout(configuration, settings)
      state.events.append(.replaced)
    }
  }

  func answered(_ request: PendingRequest, _ answer: MediaAnswer, of supervisor: Supervisor) {}

  func ended(_ child: EngineChild, _ reason: String?, of supervisor: Supervisor) {
    for request in child.openRequests {
      guard !request.retries() else {
        supervisor.perform(request)
        continue
      }
      request.settle(.failure(reason.map { .ended($0, process: supervisor.name) } ?? .closed(process: supervisor.name)))
    }
    guard let reason else { return }
    handle { state in
      guard supervisor !== output else {
        state.events.append(.warning("the output process ended: \(reason)"))
        change(&state) { $0.outputEnded(because: reason, after: child.silence) }
        if state.playout?.needsOutput == false { output.setNeeded(false) }
        return
      }
      // A process that has not started has played none of them: it counts as a failed start, and the next one opens them all.
      guard child.hasStarted else {
        return state.events.append(.warning("the \(supervisor.name) process ended: \(reason)"))
      }
      let streams = state.streams.filter { $0.value.decks === supervisor && !$0.value.source.isAwaited }.map(\.key)
      change(&state) { $0.decksEnded(streams, of: supervisor.name, because: reason) }
    }
  }

  func failed(_ reason: WireError, of supervisor: Supervisor) {
    handle { state in
      updateAwaited(&state)
      var error = PlayerError.cannotStart(reason, process: supervisor.name)
      error.isUnusableOutput = true
      for (token, stream) in state.streams where supervisor === output || stream.decks === supervisor {
        state.events.append(.stream(token, .failed(error)))
      }
    }
  }

  // MARK: Requests

  /// Replaces the settings of all processes, now and after each start.
  package func apply(_ settings: MediaSettings) {
    state.withLock { state in
      guard settings != state.mediaSettings else { return }
      state.mediaSettings = settings
      for supervisor in supervisors { supervisor.send(.settings(settings)) }
    }
  }

  /// Sets what resolves the addresses of items that are opened from now on.
  package func use(_ resolver: any MediaResolver) { state.withLock { $0.resolver = resolver } }

  /// Reads the bytes behind a URI in the process that plays it next; starts the process if necessary.
  ///
  /// See ``InspectionService/read(_:headers:byteLimit:timeout:forPlayback:isWanted:)``. A read during which the process
  /// ended is repeated once; then it fails with the code `engine-ended`.
  package func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) async throws(PlayerError) -> MediaContent? {
    let request = PendingRequest.read(
      uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: forPlayback, isWanted: isWanted)
    let decks = decks(of: uri)
    return try await request.answer {
      decks.perform($0)
    } cancel: {
      decks.cancel($0)
    }.content
  }

  /// Checks in the process of the output that a description names an audio output that can be created.
  package func checkAudioSink(_ description: String) async throws(PlayerError) {
    _ = try await PendingRequest(.checkAudioSink(description)).answer { [output] in
      output.perform($0)
    } cancel: { [output] in
      output.cancel($0)
    }
  }

  // MARK: End

  package func close() {
    let isFirst = state.withLock { state in
      for case .awaited(let task) in state.streams.values.map(\.source) { task.cancel() }
      (state.streams, state.events) = ([:], [])
      return !exchange(&state.isClosed, with: true)
    }
    if isFirst { for supervisor in supervisors { supervisor.close() } }
  }

  package func closed() async { for supervisor in supervisors { await supervisor.closed() } }

  func released(_ supervisor: Supervisor) {
    let isLast = state.withLock { state in
      state.released += 1
      return state.released == supervisors.count
    }
    if isLast { loop.stop() }
  }
}

extension StreamEvent {
  /// The progress that an event reports.
  fileprivate var progress: StreamProgress? {
    switch self {
    case .settled(let facts): facts.progress
    case .sampled(_, let progress), .progressed(let progress), .ranOut(let progress), .buffering(_, let progress):
      progress
    default: nil
    }
  }
}
