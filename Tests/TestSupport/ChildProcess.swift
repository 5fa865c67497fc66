import Glibc
import Synchronization

/// A running program whose output is recorded line by line, and which is always reaped.
///
/// ``withChildProcess(_:environment:_:)`` creates it, and kills it with its process group at the end of the scope.
/// If the test process dies, the kernel kills the child.
public final class ChildProcess: Sendable {
  /// The two streams that a child writes to.
  public enum Stream: Sendable {
    /// Standard output.
    case output
    /// Standard error.
    case error
  }

  /// One line of the child's output, without its line end.
  public struct Line: Sendable {
    /// The stream of the line.
    public let stream: Stream
    /// The text; invalid UTF-8 is replaced.
    public let text: String
  }

  /// The result of a child that has ended.
  public enum ExitStatus: Sendable, Equatable {
    /// The child exited with this status.
    case exited(Int32)
    /// This signal ended the child.
    case signalled(Int32)

    init(waitStatus: Int32) {
      let signal = waitStatus & 0x7f
      self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
    }
  }

  /// A failed wait for the child, with all its output.
  public struct Failure: Error, CustomStringConvertible {
    /// The expectation, the result, and the output.
    public let description: String
  }

  /// The program and its arguments.
  public let arguments: [String]
  /// The process ID; it is not reused before the scope ends.
  public let processID: Int32
  /// All lines so far, of both streams, in the order of arrival.
  public let lines = EventLog<Line>()

  private let exit = EventLog<ExitStatus>()
  private let reaped = Mutex(false)

  init(arguments: [String], processID: Int32) {
    self.arguments = arguments
    self.processID = processID
  }

  /// Returns the lines of `stream`, from the first one on, until the child has ended.
  public func text(on stream: Stream) -> some AsyncSequence<String, Never> & Sendable {
    lines.entries().filter { $0.element.stream == stream }.map { $0.element.text }
  }

  /// Returns all output on `stream` so far.
  public func captured(_ stream: Stream) -> String {
    lines.elements.filter { $0.stream == stream }.map { $0.text + "\n" }.joined()
  }

  /// Waits for a line that contains `text`, past lines included, and returns it with its index.
  ///
  /// The search covers `stream`, or both streams, and starts at index `start`. To wait for the next line, pass the
  /// `index + 1` of an earlier result.
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

  /// Waits until the child has ended and all its output is recorded.
  @discardableResult
  public func exitStatus(within seconds: Double = 10) async throws -> ExitStatus {
    try await explained { try await exit.first("the exit", within: seconds).element }
  }

  /// Whether the child has not been reaped yet.
  public var isRunning: Bool { reaped.withLock { !$0 } }

  /// Sends `signal`; does nothing after the child has ended.
  public func signal(_ signal: Int32) {
    // The lock keeps the process ID valid: the child is not reaped before the lock is released.
    reaped.withLock { if !$0 { _ = kill(processID, signal) } }
  }

  /// Kills the child and its process group and waits until it is reaped.
  public func end() async {
    reaped.withLock { if !$0 { _ = kill(-processID, SIGKILL) } }
    for await _ in exit.entries() { return }
  }

  /// The command, the exit status and all output of the child, for a failure report.
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

  /// Records the output, waits for the end, reaps the child and publishes its status; runs on the child's thread.
  func supervise(recordingFrom pipes: ChildPipes) {
    // Without a reader thread the child runs unrecorded, and waits for its output time out.
    let reader = try? startThread { [lines] in pipes.read(into: lines) }
    // WNOWAIT: the process ID stays reserved until `reaped` is locked, so no signal reaches another process.
    _ = try? systemCall("waitid") { waitid(P_PID, id_t(processID), nil, WEXITED | WNOWAIT) }
    var status: Int32 = 0
    reaped.withLock { reaped in
      _ = kill(-processID, SIGKILL)  // the processes left in its group
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
/// The program is a path, or a name that is looked up in `PATH`; `environment` overrides ``ChildEnvironment/base``.
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

/// The result of a program that has ended.
public struct ProcessResult: Sendable {
  /// The exit status.
  public let status: ChildProcess.ExitStatus
  /// All of its standard output.
  public let output: String
  /// All of its standard error.
  public let error: String

  /// Whether it exited with 0.
  public var succeeded: Bool { status == .exited(0) }
}

/// Runs a program to its end, such as `playerctl` or `busctl`.
@discardableResult
public func run(
  _ arguments: [String], environment: [String: String] = [:], within seconds: Double = 20
) async throws -> ProcessResult {
  try await withChildProcess(arguments, environment: environment) { child in
    let status = try await child.exitStatus(within: seconds)
    return ProcessResult(status: status, output: child.captured(.output), error: child.captured(.error))
  }
}
