import EventLoop
import Glibc
import Logging
import PlayerdSystem

/// The process of the daemon that a command has started, while the terminal of the command shows it.
///
/// It leads a new session, so that Ctrl-Z stops only the screen, and playback can continue when the user leaves. A fault of
/// the daemon leaves the terminal restored.
package struct ForegroundChild: Sendable {
  let processID: pid_t
  private let output: Int32
  private let errors: Int32

  /// The argument that makes this program the process of a daemon.
  private static let option = "--attached"

  /// Starts the daemon with the arguments of this process; nil if it cannot be started.
  init?() {
    guard let output = ProcessStart.makePipe(), let errors = ProcessStart.makePipe() else { return nil }
    // A stopped screen reads nothing; the daemon must not wait for it.
    for end in [output.input, output.outlet, errors.input, errors.outlet] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    var arguments = CommandLine.arguments.prefix(1) + ProgramArguments.all
    arguments.insert(Self.option, at: arguments.firstIndex(of: "--") ?? arguments.endIndex)
    let (processID, error) = ProcessStart(
      path: "/proc/self/exe", arguments: Array(arguments), output: output.input, errors: errors.input
    ).start()
    close(output.input)
    close(errors.input)
    guard error == 0 else {
      close(output.outlet)
      close(errors.outlet)
      return nil
    }
    (self.processID, self.output, self.errors) = (processID, output.outlet, errors.outlet)
  }

  /// Reports the lines of the process, and its end after them.
  func watch(on loop: PollLoop, _ report: AsyncStream<ScreenEvent>.Continuation) {
    let readers = [LineReader(output, isError: false, report), LineReader(errors, isError: true, report)]
    for reader in readers { reader.watch(on: loop) }
    loop.whenEnded(processID) {
      for reader in readers { reader.finish(on: loop) }
      report.yield(.ended)
    }
  }

  /// Ends the process as Ctrl-C does; it saves the session first.
  func terminate() { kill(processID, SIGTERM) }

  /// Returns the exit status of the process, which has ended.
  func exitStatus() -> ExitStatus {
    let status = ProcessStart.waitForEnd(of: processID)
    return status & 0x7F == 0 ? ExitStatus((status >> 8) & 0xFF) : ExitStatus.internalError
  }
}

/// Reports the whole lines of a stream.
private final class LineReader: @unchecked Sendable {  // used on the thread of the loop only
  private let descriptor: Int32
  private let isError: Bool
  private let report: AsyncStream<ScreenEvent>.Continuation
  private var source: EventSources.ID?
  private var partial: [UInt8] = []

  init(_ descriptor: Int32, isError: Bool, _ report: AsyncStream<ScreenEvent>.Continuation) {
    (self.descriptor, self.isError, self.report) = (descriptor, isError, report)
  }

  func watch(on loop: PollLoop) {
    source = loop.watch(descriptor, for: .readable) { [self] _ in if !read() { close(on: loop) } }
  }

  /// Reports the rest of the stream.
  func finish(on loop: PollLoop) {
    guard source != nil else { return }
    _ = read()
    if !partial.isEmpty { report.yield(.output(String(decoding: partial, as: UTF8.self) + "\n", isError: isError)) }
    close(on: loop)
  }

  private func close(on loop: PollLoop) {
    if let source { loop.remove(source) }
    source = nil
    Glibc.close(descriptor)
  }

  /// Reads all available bytes; returns false at the end of the stream.
  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 && errno == EAGAIN }
      partial += buffer[..<count]
      guard let end = partial.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      report.yield(.output(String(decoding: partial[...end], as: UTF8.self), isError: isError))
      partial.removeSubrange(...end)
    }
  }
}
