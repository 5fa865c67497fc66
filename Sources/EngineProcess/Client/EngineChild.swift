import CLinux
import EventLoop
import Glibc
import Synchronization

/// A running engine process: its socket, and its end.
final class EngineChild: Sendable {
  /// The reason for which the process was killed, and whether its end was requested.
  private struct State {
    var cause: String?
    var isExpected = false
    var source: EventSources.ID?
  }

  let processID: pid_t
  private let loop: PollLoop
  /// A descriptor that is readable when the process has ended.
  private let pidfd: CInt
  private let channel: EngineChannel
  private let state = Mutex(State())
  /// The largest size of the player's memory at the start, in KiB: Linux counts it as that of the process too.
  private let inheritedPeak: CLong

  /// Starts a process on the thread of the loop, which must outlive it.
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - loop: The loop that calls the closures.
  ///   - receive: Called with each message of the process; an error ends the process.
  ///   - ended: Called once, after the last message, when the process has ended. The reason is nil if its end was requested,
  ///     and the peak of its memory is 0 if it is not known.
  /// - Throws: ``WireError`` with the reason if the program cannot be started.
  init(
    _ path: String, on loop: PollLoop, receive: @escaping @Sendable (EngineChild, EngineReport) -> Void,
    ended: @escaping @Sendable (EngineChild, _ reason: String?, _ peakMemory: Int) -> Void
  ) throws(WireError) {
    guard let (ours, theirs) = EngineChannel.makeSockets() else { throw WireError("no file descriptor is left") }
    inheritedPeak = clinux_peak_memory()
    let (processID, error) = EngineProgram.start(path, socket: theirs)
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
    (self.processID, self.loop, self.pidfd) = (processID, loop, pidfd)
    let holder = Holder()
    channel = EngineChannel(
      ours, on: loop,
      receive: { bytes in
        let report = try EngineProtocol.decode(EngineReport.self, from: bytes)
        if let fault = report.fault { throw WireError(fault) }
        if let child = holder.child { receive(child, report) }
      }, ended: { reason in holder.child?.end(because: reason) })
    holder.set(self)
    channel.open()
    // The closure retains the child until it has ended.
    let source = loop.watch(pidfd, for: .readable) { readiness in
      self.reap(ended, isStopped: readiness.contains(.stopped))
    }
    state.withLock { $0.source = source }
  }

  deinit { close(pidfd) }

  /// Sends a message, on any thread; never blocks.
  func send(_ request: EngineRequest) {
    // A request is too large only with URIs of many megabytes.
    guard let bytes = try? EngineProtocol.encode(request) else { return }
    channel.send(bytes)
  }

  /// Receives the messages that have arrived; on the thread of the loop.
  func receiveAvailable() { channel.receiveAvailable() }

  /// Marks the end of the process as requested by the player.
  func expectEnd() { state.withLock { $0.isExpected = true } }

  /// Kills the process; the first reason is the one that is reported, or else the signal or status of the process.
  func end(because reason: String?) {
    state.withLock { $0.cause = $0.cause ?? reason }
    // The process exists until it is reaped.
    if state.withLock({ $0.source != nil }) { kill(processID, SIGKILL) }
  }

  private func reap(
    _ ended: @Sendable (EngineChild, _ reason: String?, _ peakMemory: Int) -> Void, isStopped: Bool
  ) {
    if isStopped { kill(processID, SIGKILL) }
    guard let source = state.withLock({ $0.source.take() }) else { return }
    loop.remove(source)
    // The messages from before the end.
    channel.receiveAvailable(all: true)
    channel.close()
    var (status, memory): (CInt, CLong) = (0, 0)
    // Another part of the program may have waited for all children.
    let isKnown = unsafe clinux_reap(processID, &status, &memory) == 0
    let (cause, isExpected) = state.withLock { ($0.cause, $0.isExpected) }
    let reason = cause ?? (isKnown ? Self.reason(status) : "it ended")
    ended(self, isExpected ? nil : reason, memory > inheritedPeak ? Int(memory) << 10 : 0)
    // The loop may still poll the descriptor.
    loop.submit { withExtendedLifetime(self) {} }
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

/// A reference to a child that is set after its channel was created.
private final class Holder: Sendable {
  private struct Reference: Sendable { weak var child: EngineChild? }

  private let reference = Mutex(Reference())

  var child: EngineChild? { reference.withLock { $0.child } }

  func set(_ child: EngineChild) { reference.withLock { $0.child = child } }
}
