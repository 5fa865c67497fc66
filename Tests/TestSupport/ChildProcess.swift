import Glibc
import Synchronization

/// A running program: its output is recorded line by line, it can be waited for and signalled, and it is always reaped.
///
/// Made by ``withChildProcess(_:environment:_:)``, which kills it, and what it started in its process group, when the
/// scope ends. Should the test process itself die, the kernel kills the child.
public final class ChildProcess: Sendable {
  /// The two streams a child writes to.
  public enum Stream: Sendable {
    /// Standard output.
    case output
    /// Standard error.
    case error
  }

  /// One line that the child wrote, without its line end.
  public struct Line: Sendable {
    /// Where it was written to.
    public let stream: Stream
    /// The text; what is not UTF-8 is repaired.
    public let text: String
  }

  /// How a child ended.
  public enum ExitStatus: Sendable, Equatable {
    /// By itself, with this status.
    case exited(Int32)
    /// By this signal.
    case signalled(Int32)

    init(waitStatus: Int32) {
      let signal = waitStatus & 0x7f
      self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
    }
  }

  /// A wait for the child failed; the description holds all that it wrote.
  public struct Failure: Error, CustomStringConvertible {
    /// What was waited for, what came instead, and the output.
    public let description: String
  }

  /// The program and its arguments.
  public let arguments: [String]
  /// The process id; stays the child's own until the scope ends.
  public let processID: Int32
  /// Every line written so far, on both streams, in the order of arrival.
  public let lines = EventLog<Line>()

  private let exit = EventLog<ExitStatus>()
  private let reaped = Mutex(false)

  init(arguments: [String], processID: Int32) {
    self.arguments = arguments
    self.processID = processID
  }

  /// The lines written to `stream`, from the first one on, ending when the child has ended.
  public func text(on stream: Stream) -> some AsyncSequence<String, Never> & Sendable {
    lines.entries().filter { $0.element.stream == stream }.map { $0.element.text }
  }

  /// All that was written to `stream` so far.
  public func captured(_ stream: Stream) -> String {
    lines.elements.filter { $0.stream == stream }.map { $0.text + "\n" }.joined()
  }

  /// Waits for a line that contains `text`, past lines included, and returns it with its place.
  ///
  /// It is looked for on `stream`, or on both, from place `start` on: an earlier answer's `index + 1` waits for the next.
  @discardableResult
  public func waitForLine(
    containing text: String, on stream: Stream? = nil, from start: Int = 0, within seconds: Double = 10
  ) async throws -> EventLog<Line>.Entry {
    try await explained {
      try await lines.first("a line with “\(text)”", from: start, within: seconds) { line in
        (stream == nil || line.stream == stream) && line.text.contains(text)
      }
    }
  }

  /// Waits until the child has ended and all it wrote is recorded.
  @discardableResult
  public func exitStatus(within seconds: Double = 10) async throws -> ExitStatus {
    try await explained { try await exit.first("the exit", within: seconds).element }
  }

  /// Whether the child has not been reaped yet.
  public var isRunning: Bool { reaped.withLock { !$0 } }

  /// Sends `signal`; does nothing once the child has ended.
  public func signal(_ signal: Int32) {
    // The lock keeps the process id the child's: it is not reaped in between.
    reaped.withLock { if !$0 { _ = kill(processID, signal) } }
  }

  /// Kills the child and its process group and waits until it is reaped.
  public func end() async {
    reaped.withLock { if !$0 { _ = kill(-processID, SIGKILL) } }
    for await _ in exit.entries() { return }
  }

  /// What the child is, how it ended and all that it wrote, for a failure report.
  public var diagnostics: String {
    let state = exit.elements.first.map { "\($0)" } ?? "running"
    let output = lines.elements.map { ($0.stream == .error ? "  2> " : "  1> ") + $0.text }
    return (["\(arguments.joined(separator: " ")): \(state)"] + output).joined(separator: "\n")
  }

  private func explained<T>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch let error where !(error is CancellationError) {
      throw Failure(description: "\(error)\n\(diagnostics)")
    }
  }

  /// Records what comes through `pipes`, waits for the end, reaps, publishes the status; runs on the child's own thread.
  func supervise(recordingFrom pipes: ChildPipes) {
    // Without a thread to read it the child runs on unheard; its waiters fail by their limits.
    let reader = try? startThread { [lines] in pipes.read(into: lines) }
    // WNOWAIT: the process id stays taken until nobody can signal it any more.
    _ = try? systemCall("waitid") { waitid(P_PID, id_t(processID), nil, WEXITED | WNOWAIT) }
    var status: Int32 = 0
    reaped.withLock { reaped in
      _ = kill(-processID, SIGKILL)  // whatever it left behind in its group
      _ = try? systemCall("waitpid") { unsafe waitpid(processID, &status, 0) }
      reaped = true
    }
    pipes.childHasEnded()
    if let reader { pthread_join(reader, nil) }
    lines.finish()
    exit.append(ExitStatus(waitStatus: status))
    exit.finish()
  }
}

/// Runs `body` with a started child; kills and reaps it when the body returns or throws.
///
/// The program is a path or a name looked up in `PATH`; `environment` is set above ``ChildEnvironment/base``.
@discardableResult
public func withChildProcess<T>(
  _ arguments: [String], environment: [String: String] = [:], _ body: (ChildProcess) async throws -> T
) async throws -> T {
  let child = try await ChildProcess.spawn(arguments, environment: environment)
  do {
    let result = try await body(child)
    await child.end()
    return result
  } catch {
    await child.end()
    throw error
  }
}

/// What a program that ran to its end left.
public struct Finished: Sendable {
  /// How it ended.
  public let status: ChildProcess.ExitStatus
  /// All of its standard output.
  public let output: String
  /// All of its standard error.
  public let error: String

  /// Whether it exited with 0.
  public var succeeded: Bool { status == .exited(0) }
}

/// Runs a program to its end: `playerctl`, `busctl` and the like.
@discardableResult
public func run(
  _ arguments: [String], environment: [String: String] = [:], within seconds: Double = 20
) async throws -> Finished {
  try await withChildProcess(arguments, environment: environment) { child in
    let status = try await child.exitStatus(within: seconds)
    return Finished(status: status, output: child.captured(.output), error: child.captured(.error))
  }
}
