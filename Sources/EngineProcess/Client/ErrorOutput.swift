import CLinux
import EventLoop
import Glibc
import Synchronization

/// The standard error of a process, to which libraries write: a pipe whose lines are reported.
///
/// After the lines of a ``LogLimit``, nothing is read until its period ends. Then the pipe is full, and the kernel refuses
/// further writes, so neither process waits, and a flood costs the player nothing.
final class ErrorOutput: Sendable {
  private struct State {
    var line: [UInt8] = []
    var limit = LogLimit()
    var source: EventSources.ID?
    var timer: EventSources.ID?
  }

  private let end: OwnedDescriptor
  private let loop: PollLoop
  private let report: @Sendable (_ line: String) -> Void
  private let state = Mutex(State())

  /// Creates the output from the end of the pipe for reading, which never blocks.
  init(_ end: OwnedDescriptor, on loop: PollLoop, report: @escaping @Sendable (_ line: String) -> Void) {
    self.end = end
    self.loop = loop
    self.report = report
  }

  /// Creates a pipe; nil if no descriptor is left.
  static func makePipe() -> (reading: OwnedDescriptor, writing: OwnedDescriptor)? {
    var ends: [CInt] = [-1, -1]
    return unsafe clinux_pipe(&ends) == 0 ? (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1])) : nil
  }

  /// Begins to report lines.
  func open() {
    // The loop retains the output until it is closed.
    let source = loop.watch(end.number, for: .readable) { readiness in self.ready(readiness) }
    state.withLock { $0.source = source }
    loop.submit {}
  }

  /// Reports the last text of the process, within the limit; on the loop.
  func close() {
    read()
    flush()
    let (source, timer) = state.withLock { ($0.source.take(), $0.timer.take()) }
    if let timer { loop.cancelTimer(timer) }
    guard let source else { return }
    loop.remove(source)
    // The loop may still poll the descriptor.
    loop.submit { withExtendedLifetime(self) {} }
  }

  private func ready(_ readiness: Readiness) { if readiness.contains(.stopped) || !read() { close() } }

  /// Reads until the pipe is empty or the limit is reached; returns whether the process may write more.
  @discardableResult
  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: EngineProtocol.logLimit)
    while !pausesAtLimit() {
      let count = unsafe Glibc.read(end.number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else { return false }
      var parts = buffer[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let rest = parts.popLast()
      for part in parts {
        append(part)
        flush()
      }
      if let rest { append(rest) }
    }
    return true
  }

  /// Stops reading until the end of the period if the limit is reached; returns whether it is.
  private func pausesAtLimit() -> Bool {
    state.withLock { state in
      guard let end = state.limit.end(at: loop.now) else { return false }
      guard state.timer == nil, let source = state.source else { return true }
      loop.setInterest([], of: source)
      state.timer = loop.timer(after: loop.now.duration(to: end)) { [self] in resume() }
      return true
    }
  }

  private func resume() {
    state.withLock { state in
      state.timer = nil
      if let source = state.source { loop.setInterest(.readable, of: source) }
    }
  }

  /// Adds to the line; the end of a line that is too long is left out.
  private func append(_ part: ArraySlice<UInt8>) {
    state.withLock { $0.line += part.prefix(EngineProtocol.logLimit - $0.line.count) }
  }

  /// Reports the line that was read.
  private func flush() {
    let lines = state.withLock { state in
      defer { state.line = [] }
      return state.line.isEmpty ? [] : state.limit.pass(String(decoding: state.line, as: UTF8.self), at: loop.now)
    }
    lines.forEach(report)
  }
}
