import EventLoop
package import Playback
import Synchronization

/// The inspection of media in a separate process.
///
/// The process starts with the first request, and ends after the idle time without a request. If the process ends during an
/// inspection, the inspected media is marked: it fails with the code `engine-ended` and the reason. A local file is tried again
/// when it has changed.
///
/// If several requests were open at the end, each of them may be at fault. They are repeated one at a time, and only a request
/// that ends the process by itself is marked.
///
/// Invariant: a request is settled once.
package final class InspectionProcess: InspectionService, SupervisorClient {
  private struct State {
    var settings = MediaSettings()
    /// Whether the process has stopped a request early: its threads may still run, and end the process later.
    var hasRemains = false
    /// Whether a request of the process did not end by itself: its threads may run without end.
    var isHung = false
    /// The requests for the next process, or for the time after the suspects.
    var waiting: [PendingRequest] = []
    /// The requests that were open when the process ended; each is repeated alone, because one of them has ended it.
    var suspects: [PendingRequest] = []
    /// Whether the open request is a suspect.
    var isAlone = false
    var marks = UnreadableMedia()
    /// What restricts the last process.
    var restrictions: String?
    var isClosed = false

    /// Removes the requests that are not open.
    mutating func takeRequests() -> [PendingRequest] {
      defer { (waiting, suspects) = ([], []) }
      return suspects + waiting
    }
  }

  private let limits: Player.Configuration.Engine
  private let loop: PollLoop
  private let supervisor: Supervisor
  private let state = Mutex(State())
  private static let name = "inspection"

  /// Creates the client of a process, which starts with the first request.
  ///
  /// - Parameters:
  ///   - program: The path of the program and its limits. `answerTime` is also the time after its time limit for which a
  ///     request may stay without an answer.
  ///   - policy: The restrictions of the process, unless the sandbox of the program is off.
  ///   - log: Receives the messages of libraries in the process.
  package init(
    _ program: Player.Configuration.Engine, _ policy: SandboxPolicy,
    log: @escaping EngineLog = { text, _ in EngineService.report(text) }
  ) {
    limits = program
    loop = PollLoop(name: Self.name)
    // A file of an inspection takes about five messages: its own, the lyrics beside it, and the answer.
    supervisor = Supervisor(Self.name, program, policy, on: loop, messagesPerSecond: 2_000, log: log)
    supervisor.open(self)
  }

  deinit { loop.stop() }

  /// The ID of the process; nil while there is none.
  package var processID: Int32? { supervisor.child?.processID }

  /// What restricts the process that has started last, such as `Landlock 7, seccomp`; nil before.
  package var restrictions: String? { state.withLock { $0.restrictions } }

  package func apply(_ settings: MediaSettings) {
    state.withLock { state in
      guard settings != state.settings else { return }
      state.settings = settings
      supervisor.send(.settings(settings))
    }
  }

  // MARK: Requests

  /// Carries out a request.
  func perform(_ request: PendingRequest) async throws(PlayerError) -> MediaAnswer {
    try await request.answer {
      begin($0)
    } cancel: {
      cancel($0)
    }
  }

  private func begin(_ request: PendingRequest) {
    // A process that may lack a file is replaced, unless it has another request.
    if let child = supervisor.child, child.hasStarted, !child.reachesAllPaths, child.openRequests.isEmpty {
      supervisor.end()
    }
    guard state.withLock({ $0.marks.contains(request) }), let uri = request.request.uri else { return enqueue(request) }
    let runs = DiskThread.run { [self] in
      let file = FileIdentity(uri)
      guard let failure = state.withLock({ $0.marks.failure(of: request, file) }) else { return enqueue(request) }
      request.settle(.failure(failure))
    }
    // The process then opens the file, and its time limit ends the request.
    if !runs { enqueue(request) }
  }

  private func enqueue(_ request: PendingRequest) {
    let isClosed = state.withLock { state in
      guard !state.isClosed else { return true }
      guard !request.isSettled else { return false }
      state.waiting.append(request)
      advance(&state)
      return false
    }
    if isClosed { request.settle(.failure(.closed(process: Self.name))) }
  }

  private func cancel(_ request: PendingRequest) {
    state.withLock { state in
      state.waiting.removeAll { $0 === request }
      state.suspects.removeAll { $0 === request }
      supervisor.cancel(request)
    }
  }

  /// Sends the requests that may be sent, to the process that there is or to the next one.
  private func advance(_ state: inout State) {
    guard !state.waiting.isEmpty || !state.suspects.isEmpty else { return }
    supervisor.setNeeded(true)
    guard supervisor.isActive, let child = supervisor.child else { return }
    let isFree = child.openRequests.isEmpty
    if isFree { state.isAlone = !state.suspects.isEmpty }
    if state.isAlone {
      guard isFree else { return }
      child.perform(state.suspects.removeFirst())
    } else {
      // Suspects begin when the open requests are answered.
      guard state.suspects.isEmpty else { return }
      for request in state.waiting { child.perform(request) }
      state.waiting = []
    }
  }

  func answered(_ request: PendingRequest, _ answer: MediaAnswer, of supervisor: Supervisor) {
    state.withLock { state in
      if case .failed(let error) = answer {
        if [.loadTimeout, .outOfResources].contains(error.code) { state.isHung = true }
        if [.loadTimeout, .networkTimeout, .cancelled].contains(error.code) { state.hasRemains = true }
      }
      advance(&state)
      rest(state)
    }
  }

  /// Ends the process after the idle time if no request is open, or now if threads may run without end.
  private func rest(_ state: State) {
    guard supervisor.child?.openRequests.isEmpty == true else { return }
    supervisor.setNeeded(false)
    if state.isHung { supervisor.end() }
  }

  // MARK: The process

  func begin(_ child: EngineChild, of supervisor: Supervisor) {
    state.withLock { state in
      (state.isAlone, state.hasRemains, state.isHung) = (false, false, false)
      child.send(.startInspection(memoryLimit: limits.memoryLimit))
      child.send(.settings(state.settings))
      supervisor.hasBegun()
      advance(&state)
      rest(state)
    }
  }

  func started(_ child: EngineChild, of supervisor: Supervisor) {
    state.withLock { $0.restrictions = child.restrictions }
  }

  func isBusy(_ supervisor: Supervisor) -> Bool { supervisor.child?.openRequests.isEmpty == false }

  func receive(_ report: EngineReport, from supervisor: Supervisor) throws {
    throw WireError("a message of the engine of a player")
  }

  func ended(_ child: EngineChild, _ reason: String?, of supervisor: Supervisor) {
    let open = child.openRequests
    let failed: [PendingRequest] = state.withLock { state in
      // A program that does not start is not the fault of media.
      if !child.hasStarted { return open + state.takeRequests() }
      var failed: [PendingRequest] = []
      if open.count == 1, !state.hasRemains, let reason {
        state.marks.add(open[0], .ended(reason, process: Self.name))
        failed = open
      } else {
        state.suspects.insert(contentsOf: open.filter { !$0.isSettled }, at: 0)
      }
      if state.waiting.isEmpty, state.suspects.isEmpty { supervisor.setNeeded(false) } else { advance(&state) }
      return failed
    }
    if !child.hasStarted { supervisor.setNeeded(false) }
    for request in failed {
      request.settle(.failure(reason.map { .ended($0, process: Self.name) } ?? .closed(process: Self.name)))
    }
  }

  func failed(_ reason: WireError, of supervisor: Supervisor) {
    for request in state.withLock({ $0.takeRequests() }) {
      request.settle(.failure(.cannotStart(reason, process: Self.name)))
    }
  }

  // MARK: Close

  /// Ends the process; open and later requests fail with the code `cancelled`.
  package func close() {
    let requests: [PendingRequest] = state.withLock { state in
      guard !state.isClosed else { return [] }
      state.isClosed = true
      return state.takeRequests() + (supervisor.child?.openRequests ?? [])
    }
    supervisor.close()
    for request in requests { request.settle(.failure(.closed(process: Self.name))) }
  }

  /// Waits until the process of a closed client has ended.
  package func closed() async { await supervisor.closed() }

  func released(_ supervisor: Supervisor) { loop.stop() }
}

/// The media during whose inspection the process ended, with the errors.
struct UnreadableMedia {
  private struct Mark {
    var error: PlayerError
    var file: FileIdentity?
  }

  private struct Key: Hashable {
    var uri: String
    var decodes: Bool
  }

  /// The marks that are kept at most.
  private static let limit = 10_000

  private var marks: [Key: Mark] = [:]

  /// Marks the media of a request.
  mutating func add(_ request: PendingRequest, _ error: PlayerError) {
    guard let key = key(of: request) else { return }
    if marks.count >= Self.limit { marks = [:] }
    marks[key] = Mark(error: error, file: request.file)
  }

  /// Whether the media of a request is marked.
  func contains(_ request: PendingRequest) -> Bool { key(of: request).map { marks[$0] != nil } ?? false }

  /// Returns the error of media that is marked; a file that has changed since then is not marked any more.
  mutating func failure(of request: PendingRequest, _ file: FileIdentity?) -> PlayerError? {
    guard let key = key(of: request), let mark = marks[key] else { return nil }
    // The process had not opened the file, so the file as it is now is the one that counts.
    if mark.file == nil { marks[key]?.file = file }
    guard let marked = mark.file, marked != file else { return mark.error }
    marks[key] = nil
    return nil
  }

  private func key(of request: PendingRequest) -> Key? {
    request.request.uri.map { Key(uri: $0, decodes: request.request.decodes) }
  }
}

/// The functions of the process, each as a request.
extension InspectionProcess {
  package func inspect(_ uri: String, timeout: Duration) async throws(PlayerError) -> MediaDescription {
    let answer = try await perform(PendingRequest(.inspect(uri: uri, timeout: timeout)))
    // The kind of an answer is checked when it arrives.
    return if case .description(let description) = answer { description } else { MediaDescription() }
  }

  /// Returns a function that inspects media, at most `limit` at the same time; further calls wait in their order.
  package func makeInspector(
    limit: Int, timeout: Duration
  ) -> @Sendable (_ uri: String) async throws(PlayerError) -> MediaDescription {
    let turns = ConcurrencyLimit(limit)
    return { uri throws(PlayerError) in
      guard await turns.begin() else {
        throw PlayerError(code: .cancelled, message: "the inspection was cancelled")
      }
      defer { turns.end() }
      return try await self.inspect(uri, timeout: timeout)
    }
  }

  package func read(
    _ uri: String, headers: HTTPRequestHeaders?, byteLimit: Int, timeout: Duration, forPlayback: Bool,
    isWanted: @escaping @Sendable (_ mediaType: String?, _ beginning: [UInt8]) -> Bool
  ) async throws(PlayerError) -> MediaContent? {
    try await perform(
      .read(
        uri, headers: headers, byteLimit: byteLimit, timeout: timeout, forPlayback: forPlayback, isWanted: isWanted)
    ).content
  }

  package func measureLoudness(of uri: String, includingTagged: Bool) async throws(PlayerError) -> TrackLoudness? {
    let answer = try await perform(PendingRequest(.measureLoudness(uri: uri, includingTagged: includingTagged)))
    return if case .loudness(let loudness) = answer { loudness } else { nil }
  }

  /// Lists the output devices; empty if the process ends.
  package func audioOutputs() async -> [AudioOutput] {
    guard case .audioOutputs(let outputs) = try? await perform(PendingRequest(.audioOutputs)) else { return [] }
    return outputs
  }

  package func checkAudioSink(_ description: String) async throws(PlayerError) {
    _ = try await perform(PendingRequest(.checkAudioSink(description)))
  }

  package func compareSamples(
    of uri: String, _ configuration: Player.Configuration, rate: Double,
    whilePlaying: @escaping @Sendable () -> Void
  ) async throws(PlayerError) -> SampleComparison {
    let request = PendingRequest(.compareSamples(of: uri, configuration, rate: rate)) { _ in
      whilePlaying()
      return true
    }
    let answer = try await perform(request)
    return if case .comparison(let comparison) = answer { comparison } else { SampleComparison() }
  }

  /// Describes the installed framework; nil when it cannot be initialized, or the process ends.
  package func support() async -> FrameworkSupport? {
    guard case .support(let support) = try? await perform(PendingRequest(.support)) else { return nil }
    return support
  }
}
