import CLinux
import EventLoop
import Glibc
import Joining
import Playback
import Synchronization

/// A function that receives a message of a library in a process, on any thread; a fatal one ends the process.
package typealias EngineLog = @Sendable (_ text: String, _ isFatal: Bool) -> Void

/// The part of a program that has started a process; it is called on the thread of the loop.
protocol EngineChildOwner: AnyObject, Sendable {
  /// Handles that the process has reported its start.
  func started(_ child: EngineChild)
  /// Receives a message of an engine; an error ends the process.
  func receive(_ report: EngineReport, from child: EngineChild) throws
  /// Receives that a request has its answer.
  func answered(_ request: PendingRequest, _ answer: MediaAnswer, by child: EngineChild)
  /// Handles that the process has ended, after its last message; the reason is nil if the end was requested.
  func ended(_ child: EngineChild, _ reason: String?)
  /// Receives the messages of libraries in the process.
  var log: EngineLog { get }
  /// Whether the process has to show that it runs although no command is sent.
  var isBusy: Bool { get }
  /// The messages that a process may send in a second; it waits with more.
  var messagesPerSecond: Int { get }
}

/// A running process: its socket, its open requests, and its end.
final class EngineChild: Sendable {
  /// A request that a process has not answered.
  private struct SentRequest {
    let request: PendingRequest
    /// Whether the process has asked its question.
    var hasAsked = false
    /// The timer of its time limit.
    var timer: EventSources.ID?
  }

  private struct State {
    /// The reason for which the process was killed, and whether its end was requested.
    var cause: String?
    var isExpected = false
    var source: EventSources.ID?
    /// The timer of an orderly end.
    var closing: EventSources.ID?
    /// The timer of the time that a killed process has to end.
    var dying: EventSources.ID?
    /// Whether the end was reported; a process that SIGKILL has not ended still exists.
    var hasLeft = false
    var watch = PingWatch()
    /// The bytes of memory that the process used at its start; nil until it has reported that.
    var startMemory: Int?
    /// What makes the connections of the process; nil if they are denied, or not restricted.
    var broker: ConnectionBroker?
    /// The sandbox that the process has reported at its start; nil for none.
    var sandbox: SandboxState?
    /// The thread in which a signal ended the process; nil if none did, or the process could not report it.
    var crashedThread: String?
    var logLimit = LogLimit()
    var warningLimit = LogLimit()
    /// The last streams that the process was given.
    var streams: [StreamToken] = []
    var hasFatalMessage = false
    /// Whether it was sent the first messages.
    var isInitialized = false
    var lastRequest = 0
    var requests: [Int: SentRequest] = [:]
  }

  /// The time that a process has to release its output and to end.
  private static let closeTime = Duration.seconds(3)
  /// The time that a killed process has to end: a thread that waits for a disk which does not answer keeps it alive.
  private static let dyingTime = Duration.seconds(5)

  let processID: pid_t
  let limits: Player.Configuration.Engine
  /// The files that the process may request.
  let files = NamedFiles()
  let loop: PollLoop
  /// The process retains it until it has ended.
  let owner: any EngineChildOwner
  /// The paths that the process may open; nil without a sandbox or without sockets.
  private let paths: (all: SandboxPaths, places: Set<FilePlace>)?
  private let state = Mutex(State())
  /// A descriptor that is readable when the process has ended.
  private let pidfd: CInt
  private let policy: SandboxPolicy
  private let channel: EngineChannel
  private let errors: ErrorOutput
  /// The peak size of the player's memory at the start, in KiB: Linux counts it as the peak of the process too.
  private let inheritedPeak: CLong

  /// Starts a process on the thread of the loop, which must outlive it.
  ///
  /// - Parameters:
  ///   - limits: The path of the program, its limits, and whether it is restricted.
  ///   - policy: The restrictions.
  ///   - loop: The loop that calls the owner.
  ///   - owner: The owner.
  /// - Throws: ``WireError`` with the reason if the program cannot be started.
  init(
    _ limits: Player.Configuration.Engine, _ policy: SandboxPolicy, on loop: PollLoop, owner: any EngineChildOwner
  ) throws(WireError) {
    let path = limits.path ?? ""
    if let failure = loop.failure { throw WireError(failure) }
    guard let pipe = ErrorOutput.makePipe(), let (ours, theirs) = EngineChannel.makeSockets() else {
      throw WireError("no file descriptor is left")
    }
    let sandbox = limits.sandbox == .on ? policy : nil
    // Before the process reads them, so that no change is missed.
    paths = sandbox.flatMap { $0.hasSockets ? SandboxPaths($0) : nil }.map { ($0, $0.changing) }
    let (processID, error) = EngineProgram.start(
      path, socket: theirs, errors: pipe.writing.number, sandbox: sandbox)
    // The process has left the player's memory by now, so this is not less than the peak that it has inherited.
    inheritedPeak = clinux_peak_memory()
    close(theirs)
    guard error == 0 else {
      close(ours)
      throw WireError("\(path): \(unsafe String(cString: strerror(error)))")
    }
    let pidfd = clinux_open_process(processID)
    guard pidfd >= 0 else {
      close(ours)
      kill(processID, SIGKILL)
      var (status, memory): (CInt, CLong) = (0, 0)
      _ = unsafe clinux_reap(processID, &status, &memory)
      throw WireError("\(path): its process cannot be observed: \(unsafe String(cString: strerror(errno)))")
    }
    (self.processID, self.limits, self.policy, self.loop, self.owner, self.pidfd) = (
      processID, limits, policy, loop, owner, pidfd
    )
    let log = owner.log
    errors = ErrorOutput(pipe.reading, on: loop) { line in log(line, false) }
    let holder = Holder()
    channel = EngineChannel(
      ours, on: loop, limit: ReceptionLimit(messagesPerSecond: owner.messagesPerSecond),
      receive: { bytes in
        let report = try EngineProtocol.decode(EngineReport.self, from: bytes)
        if let fault = report.fault { throw WireError(fault) }
        try holder.child?.receive(report)
      },
      receiveFile: { bytes, file in
        guard case .started(let sandbox) = try EngineProtocol.decode(EngineReport.self, from: bytes) else {
          throw WireError("it has a descriptor")
        }
        try holder.child?.started(sandbox, connections: file)
      }, ended: { reason in holder.child?.end(because: reason) })
    holder.set(self)
    channel.open()
    errors.open()
    // The closure retains the child until it has ended.
    let source = loop.watch(pidfd, for: .readable) { readiness in
      self.reap(isStopped: readiness.contains(.stopped))
    }
    state.withLock { $0.source = source }
  }

  deinit { close(pidfd) }

  /// Sends a message, on any thread; never blocks.
  ///
  /// - Returns: Whether the message is within the limits: it is too large only with URIs of many megabytes.
  @discardableResult
  func send(_ request: EngineRequest, with file: OwnedDescriptor? = nil) -> Bool {
    guard let bytes = try? EngineProtocol.encode(request) else { return false }
    channel.send(bytes, with: file)
    return true
  }

  /// Receives the messages that have arrived; on the thread of the loop.
  private func receiveAvailable() { channel.receiveAvailable() }

  private func receive(_ report: EngineReport) throws {
    state.withLock { $0.watch.noteMessage(on: loop) }
    switch report {
    case .started(let sandbox): started(sandbox)
    case .openFile(let path, let request): open(path, request)
    case .answer(let ping): answered(ping)
    case .media(let reply): try received(reply)
    case .log(let text, let isFatal): log(text, isFatal)
    case .crashed(let thread): state.withLock { $0.crashedThread = String(thread.prefix { $0 != " " }) }
    case .warning(let text), .output(.warning(let text)): try warn(text) { .warning($0) }
    case .deck(let stream, .warning(let text)): try warn(text) { .deck(stream, .warning($0)) }
    case .deck(let stream, .abandoned(let text)): try warn(text) { .deck(stream, .abandoned($0)) }
    case .deck(let stream, .event(.leftOut(let text))):
      guard has(stream) else { return }
      try warn(text) { .deck(stream, .event(.leftOut($0))) }
    case .deck(let stream, let report):
      // A stream of another process, or one that was released long ago.
      guard has(stream) else { return }
      try owner.receive(.deck(stream, report.limited), from: self)
    case .output(let report): try owner.receive(.output(report.limited), from: self)
    case .ringFault(let stream, let text):
      try owner.receive(.ringFault(stream, text.limited(to: EngineProtocol.logLimit)), from: self)
    case .outputHangs, .withdrawn: try owner.receive(report, from: self)
    }
  }

  /// Passes a warning on, and those that the limit has held back.
  private func warn(_ text: String, _ report: (String) -> EngineReport) throws {
    for text in state.withLock({ $0.warningLimit.pass(text.limited(to: EngineProtocol.logLimit), at: loop.now) }) {
      try owner.receive(report(text), from: self)
    }
  }

  /// The number of streams about which a process may report events: the current stream, earlier ones and its successors.
  private static let streamLimit = 64

  /// Notes that the process is given a stream.
  func give(_ stream: StreamToken) {
    state.withLock { state in
      if state.streams.count >= Self.streamLimit { state.streams.removeFirst() }
      state.streams.append(stream)
    }
  }

  /// Whether the process was given a stream.
  func has(_ stream: StreamToken) -> Bool { state.withLock { $0.streams.contains(stream) } }

  /// Passes a message to the log; a message that ends the process is the last message, so it passes beyond the limit.
  private func log(_ text: String, _ isFatal: Bool) {
    let messages = state.withLock { state in
      guard isFatal, !state.hasFatalMessage else { return state.logLimit.pass(text, at: loop.now) }
      state.hasFatalMessage = true
      return [text]
    }
    for message in messages { owner.log(message, isFatal) }
  }

  /// Makes the connections of the process from now on.
  private func started(_ sandbox: SandboxState?, connections: OwnedDescriptor) throws {
    let broker = ConnectionBroker(connections, of: processID, pidfd, policy, on: loop)
    let isFirst = state.withLock { state in
      guard state.startMemory == nil, state.broker == nil else { return false }
      state.broker = broker
      return true
    }
    guard isFirst else { throw WireError("a second start") }
    broker.open()
    started(sandbox)
  }

  private func started(_ sandbox: SandboxState?) {
    let memory = ProcessResources.used(by: processID) ?? 0
    let isFirst = state.withLock { state in
      guard state.startMemory == nil else { return false }
      (state.startMemory, state.sandbox) = (memory, sandbox)
      return true
    }
    guard isFirst else { return }
    limitsApply()
    owner.started(self)
  }

  /// Opens a file for the process, and sends the descriptor.
  private func open(_ path: [UInt8], _ request: Int) {
    let requests = openRequests
    files.open(path, requested: requests.compactMap(\.request.source)) { [channel] file, error in
      if let file {
        let identity = FileIdentity(of: file)
        for request in requests where request.request.uri.map({ NamedFiles.isFile(path, at: $0) }) == true {
          request.file = identity
        }
      }
      let answer = EngineRequest.file(error: error.map { Int($0) }, request: request)
      if let bytes = try? EngineProtocol.encode(answer) { channel.send(bytes, with: file) }
    }
  }

  // MARK: The end

  /// Requests the end of the process, which is not unexpected then, and kills it if it takes too long.
  func endOrderly() {
    let isFirst = state.withLock { state in
      guard !state.isExpected else { return false }
      state.isExpected = true
      state.watch.stop(loop)
      state.closing = loop.timer(after: Self.closeTime) { self.end(because: nil) }
      return true
    }
    if isFirst { send(.close) }
  }

  /// Kills the process, whose end is not unexpected then.
  func discard() {
    state.withLock { $0.isExpected = true }
    end(because: nil)
  }

  /// Kills the process; the first reason is reported, or else the signal or status of the process.
  func end(because reason: String?) {
    state.withLock { state in
      // The process exists until it is reaped.
      guard state.source != nil else { return }
      state.cause = state.cause ?? reason
      kill(processID, SIGKILL)
      guard state.dying == nil, !state.hasLeft else { return }
      state.dying = loop.timer(after: Self.dyingTime) { self.leave(.immortal) }
    }
    // The caller may be on another thread.
    loop.submit {}
  }

  /// Whether the files of servers and outputs are those that the process may open; reads the file system.
  var reachesAllPaths: Bool { paths.map { $0.all.changing.isSubset(of: $0.places) } ?? true }

  /// Whether the process has reported its start.
  var hasStarted: Bool { state.withLock { $0.startMemory != nil } }

  /// Whether the process was sent the first messages.
  var isInitialized: Bool {
    get { state.withLock { $0.isInitialized } }
    set { state.withLock { $0.isInitialized = newValue } }
  }

  /// The missing parts of the sandbox; nil if it is complete or turned off.
  var missing: String? { state.withLock { $0.sandbox?.missing ?? $0.broker?.missing } }

  /// The sandbox in force; nil for none, and until the process has reported its start.
  var sandbox: SandboxState? { state.withLock { $0.sandbox } }

  private func reap(isStopped: Bool) {
    if isStopped { kill(processID, SIGKILL) }
    guard let source = state.withLock({ $0.source.take() }) else { return }
    loop.remove(source)
    let hasLeft = state.withLock { $0.hasLeft }
    // The loop stops, and a disk still keeps the process.
    guard !isStopped || !hasLeft else { return }
    // The messages from before the end.
    if !hasLeft { channel.receiveAvailable(all: true) }
    var (status, memory): (CInt, CLong) = (0, 0)
    // Another part of the program may have waited for all children.
    let isKnown = unsafe clinux_reap(processID, &status, &memory) == 0
    leave(isKnown ? .reaped(status, peak: memory > inheritedPeak ? Int(memory) << 10 : 0) : .unknown)
    // The loop may still poll the descriptor.
    loop.submit { withExtendedLifetime(self) {} }
  }

  /// How a process has ended.
  private enum Ending {
    case reaped(_ status: CInt, peak: Int)
    case unknown
    /// It was killed, and exists until a disk answers.
    case immortal
  }

  /// Ends the connection, and reports the end, once; on the loop.
  private func leave(_ ending: Ending) {
    guard state.withLock({ !exchange(&$0.hasLeft, with: true) }) else { return }
    state.withLock { $0.broker.take() }?.close()
    channel.close()
    errors.close()
    let (cause, isExpected, startMemory, thread) = state.withLock { state in
      state.watch.stop(loop)
      for timer in [state.closing.take(), state.dying.take()] { if let timer { loop.cancelTimer(timer) } }
      for request in state.requests.values { if let timer = request.timer { loop.cancelTimer(timer) } }
      return (state.cause, state.isExpected, state.startMemory ?? 0, state.crashedThread)
    }
    var (end, limit) = ("it ended", "")
    switch ending {
    case .reaped(let status, let peak):
      // An upgrade has replaced the program of the engine.
      let isOtherVersion = startMemory == 0 && status & 0x7F == 0 && (status >> 8) & 0xFF == EngineService.usage
      end =
        status & 0x7F == SIGXCPU
        ? "more than \(limits.timeLimit) of CPU time without progress"
        : isOtherVersion ? "the engine program is another version; restart the player" : Self.reason(status)
      let isMemory = peak - startMemory > limits.memoryLimit / 4 * 3 && cause != Self.memoryReason(limits)
      if isMemory { limit = Self.memoryReason(limits) + ", " }
    case .unknown: break
    case .immortal: end = "a disk does not answer"
    }
    let place = thread.map { " in the thread \($0)" } ?? ""
    owner.ended(self, isExpected ? nil : limit + (cause ?? end) + place)
  }

  private static func memoryReason(_ limits: Player.Configuration.Engine) -> String {
    "more than \(limits.memoryLimit >> 20) MiB of memory"
  }

  /// Returns the signal or the status of a process, from the status that `waitpid` reports.
  static func reason(_ status: CInt) -> String {
    let signal = status & 0x7F
    guard signal != 0 else { return "exit status \((status >> 8) & 0xFF)" }
    return "signal \(signal)" + (names[signal].map { " (\($0))" } ?? "")
  }

  private static let names: [CInt: String] = [
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
    SIGSYS: "SIGSYS", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU",
  ]
}

// MARK: - Pings

/// The detection of a process that does not answer, or uses too much memory or too many threads.
///
/// A ping follows each message, and two seconds of work without a message from the process. This detects a process that is
/// completely stopped or blocked. Neither process is woken by pings while it is idle, or while events arrive. With each
/// answer, the player measures the memory and counts the threads of the process.
extension EngineChild {
  /// The time without a message after which a busy process gets a ping.
  private static let interval = Duration.seconds(2)
  /// The least time for the start of a program that may have to scan all plug-ins on a slow disk.
  private static let startTime = Duration.seconds(60)
  /// A process that plays a file has up to nine.
  private static let threadLimit = 512
  /// The delay of a timer after which this process did not run either.
  private static let lateness = Duration.seconds(1)

  /// Sends a ping after the messages before it, unless another ping is not answered yet.
  func ping() { state.withLock { ping(&$0) } }

  private func ping(_ state: inout State) {
    guard !state.isExpected else { return }
    guard let number = state.watch.next() else { return }
    send(.ping(number))
    expectAnswer(to: number, &state)
  }

  private func expectAnswer(to ping: Int, _ state: inout State) {
    let limit = state.startMemory == nil ? max(limits.answerTime, Self.startTime) : limits.answerTime
    state.watch.expectAnswer(to: ping, within: limit, on: loop) { [self] in overdue(ping, limit) }
  }

  /// Begins the time limits of the messages that were sent before the process reported its start; on the loop.
  private func limitsApply() {
    state.withLock { state in
      if let ping = state.watch.pending?.ping { expectAnswer(to: ping, &state) }
      for (number, sent) in state.requests { limit(sent.request, number, &state) }
    }
  }

  /// Handles the answer to a ping; on the loop.
  private func answered(_ ping: Int) {
    let (isPending, startMemory) = state.withLock { state in
      (!state.isExpected && state.watch.pending?.ping == ping, state.startMemory ?? 0)
    }
    guard isPending else { return }
    let memory = (ProcessResources.used(by: processID) ?? 0) - startMemory
    if memory > limits.memoryLimit { return end(because: Self.memoryReason(limits)) }
    if ProcessResources.threadCount(of: processID) ?? 0 > Self.threadLimit {
      return end(because: "more than \(Self.threadLimit) threads")
    }
    let isBusy = owner.isBusy
    state.withLock { state in
      guard !state.isExpected, state.watch.pending?.ping == ping else { return }
      state.watch.stop(loop)
      if state.watch.wantsPing {
        self.ping(&state)
      } else if isBusy {
        state.watch.awaitSilence(of: Self.interval, on: loop) { [self] in silent() }
      }
    }
  }

  /// Sends a ping to a process that still works and has sent no message for some time; on the loop.
  private func silent() { if owner.isBusy { ping() } }

  /// Kills a process that has not answered in time; on the loop.
  private func overdue(_ ping: Int, _ limit: Duration) {
    // The answer may be in the socket.
    receiveAvailable()
    let isOverdue = state.withLock { state in
      guard !state.isExpected, let pending = state.watch.pending, pending.ping == ping else { return false }
      guard pending.deadline.duration(to: loop.now) < Self.lateness else {
        expectAnswer(to: ping, &state)
        return false
      }
      state.watch.noteOverdue()
      return true
    }
    if isOverdue { end(because: "no answer for \(limit)") }
  }

  /// The time since the last message of a process that did not answer; zero for any other.
  var silence: Duration { state.withLock { $0.watch.silence(at: loop.now) } }

  /// Whether a ping is not answered; on the loop.
  var awaitsAnswer: Bool {
    // The answer may be in the socket.
    receiveAvailable()
    return state.withLock { $0.watch.pending != nil }
  }

  /// The time of a processor that the process has used; zero if it has ended.
  var usedTime: Duration {
    var (clock, time) = (clockid_t(0), timespec())
    guard unsafe clock_getcpuclockid(processID, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
      return .zero
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

// MARK: - Requests

/// The requests to a process, which it answers in any order.
extension EngineChild {
  /// The requests that are not answered, in the order in which they were sent.
  var openRequests: [PendingRequest] {
    state.withLock { state in state.requests.sorted { $0.key < $1.key }.map(\.value.request) }
  }

  /// Sends a request; on any thread.
  func perform(_ request: PendingRequest) {
    let isSent = state.withLock { state in
      let number = state.lastRequest + 1
      guard send(.media(.request(request.request, number: number))) else { return false }
      state.lastRequest = number
      state.requests[number] = SentRequest(request: request)
      if state.startMemory != nil { limit(request, number, &state) }
      return true
    }
    guard isSent else {
      return request.settle(.failure(PlayerError(code: .invalidArgument, message: "the request is too large")))
    }
    ping()
  }

  /// Withdraws a request, which is settled; it remains open until the process answers it.
  func cancel(_ request: PendingRequest) {
    let number = state.withLock { $0.requests.first { $0.value.request === request }?.key }
    if let number { send(.media(.cancel(number: number))) }
  }

  /// Sets the time after which a process that has not answered is taken for hung: it enforces the time limit itself.
  private func limit(_ request: PendingRequest, _ number: Int, _ state: inout State) {
    if let limit = request.request.timeout { setTimer(limit + limits.answerTime, number, &state) }
  }

  private func setTimer(_ limit: Duration, _ number: Int, _ state: inout State) {
    let deadline = loop.now.advanced(by: limit)
    state.requests[number]?.timer = loop.timer(after: limit) { [self] in overdue(number, limit, deadline) }
  }

  /// Kills a process that has not answered a request in time; on the loop.
  private func overdue(_ number: Int, _ limit: Duration, _ deadline: SuspendingClock.Instant) {
    // The answer may be in the socket.
    receiveAvailable()
    let isOverdue = state.withLock { state in
      guard state.requests[number] != nil else { return false }
      let isLate = deadline.duration(to: loop.now) >= Self.lateness
      if isLate { setTimer(limits.answerTime, number, &state) }
      return !isLate
    }
    if isOverdue { end(because: "no answer for \(limit)") }
  }

  /// Handles a message about a request; on the loop.
  private func received(_ reply: MediaReply) throws(WireError) {
    switch reply {
    case .question(let question, let number):
      let sent: SentRequest? = state.withLock { state in
        defer { state.requests[number]?.hasAsked = true }
        return state.requests[number]
      }
      guard let sent, !sent.hasAsked, sent.request.request.allows(question) else {
        throw WireError("a question without its request")
      }
      sent.request.ask(question) { [self] decision in send(.media(.decision(decision, number: number))) }
    case .answer(let answer, let number):
      guard let sent = state.withLock({ $0.requests[number] }) else { throw WireError("an answer without its request") }
      if let fault = sent.request.request.fault(of: answer) { throw WireError(fault) }
      state.withLock { $0.requests[number] = nil }
      if let timer = sent.timer { loop.cancelTimer(timer) }
      let answer = answer.limited
      sent.request.settle(.success(answer))
      owner.answered(sent.request, answer, by: self)
    }
  }
}

/// A reference to a child that is set after its channel was created.
private final class Holder: Sendable {
  private struct Reference: Sendable { weak var child: EngineChild? }

  private let reference = Mutex(Reference())

  var child: EngineChild? { reference.withLock { $0.child } }

  func set(_ child: EngineChild) { reference.withLock { $0.child = child } }
}
