import EventLoop
import Glibc
import Synchronization

/// One run of a command of the user, whose output is read.
///
/// It is a process group. Processes that it leaves in the background end with it.
package final class CommandRun: Sendable {
  /// The reason why a run has no output.
  package struct Failure: Error, Equatable {
    /// The reason, for users.
    package var reason: String
    /// Whether ``CommandRun/cancel()`` has ended it.
    package var isCancelled = false

    /// Describes a failure.
    package init(reason: String, isCancelled: Bool = false) { (self.reason, self.isCancelled) = (reason, isCancelled) }
  }

  private struct State {
    /// The group of the command; its leader is reaped only while the lock is held.
    var group: pid_t?
    var isCancelled = false
  }

  /// The bytes of standard error that are kept: those of its last lines.
  private static let errorLimit = 4096

  private let state = Mutex(State())

  /// Prepares a run.
  package init() {}

  /// Ends the run, now or as soon as it begins.
  package func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let group = state.group { kill(-group, SIGKILL) }
    }
  }

  /// Runs a command, and returns its standard output; blocks until it has ended.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments; a program without a path is looked up in `PATH`.
  ///   - time: The time limit, after which the command is killed.
  ///   - limit: More bytes than this are a failure.
  /// - Returns: The bytes of its standard output.
  /// - Throws: The reason; for a command that has failed, the last line of its standard error.
  package func output(
    of arguments: [String], within time: Duration, limit: Int
  ) throws(Failure) -> [UInt8] {
    guard let program = arguments.first, let path = CommandOutput.path(of: program) else {
      throw Failure(reason: "“\(arguments.first ?? "")” is not a program in PATH")
    }
    let (group, output, errors) = try start(path, arguments)
    defer {
      close(output)
      close(errors)
    }
    let descriptor = SpawnedProcess.descriptor(of: group)
    let reading = Result { () throws(Failure) in
      try read(output, errors, within: time, ended: descriptor, limit: limit)
    }
    if descriptor >= 0 { close(descriptor) }
    let (status, isCancelled) = state.withLock { state in
      kill(-group, SIGKILL)
      state.group = nil
      return (ProcessStart.waitForEnd(of: group), state.isCancelled)
    }
    if isCancelled { throw Failure(reason: "it was cancelled", isCancelled: true) }
    let (bytes, text) = try reading.get()
    if status == 0 { return bytes }
    let line = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).last { line in
      line.contains { !$0.isWhitespace }
    }
    if let line { throw Failure(reason: String(line).withoutStyles.withoutControls.excerpt) }
    throw Failure(
      reason: status & 0x7f == 0 ? "exit status \((status >> 8) & 0xff)" : "signal \(status & 0x7f)")
  }

  private func start(
    _ path: String, _ arguments: [String]
  ) throws(Failure) -> (group: pid_t, output: Int32, errors: Int32) {
    guard let output = ProcessStart.makePipe() else { throw Failure(reason: "no file descriptor is left") }
    guard let errors = ProcessStart.makePipe() else {
      close(output.outlet)
      close(output.input)
      throw Failure(reason: "no file descriptor is left")
    }
    let (group, error) = state.withLock { state -> (pid_t?, Int32) in
      guard !state.isCancelled else { return (nil, 0) }
      let (processID, error) = ProcessStart(
        path: path, arguments: arguments, output: output.input, errors: errors.input, leadsGroup: true
      ).start()
      state.group = error == 0 ? processID : nil
      return (state.group, error)
    }
    close(output.input)
    close(errors.input)
    if let group { return (group, output.outlet, errors.outlet) }
    close(output.outlet)
    close(errors.outlet)
    guard error != 0 else { throw Failure(reason: "it was cancelled", isCancelled: true) }
    throw Failure(reason: FileFailure(number: error).message)
  }

  /// Reads both outputs until their ends, or until the command has ended: a process that it leaves may keep them open.
  private func read(
    _ output: Int32, _ errors: Int32, within time: Duration, ended: Int32, limit: Int
  ) throws(Failure) -> (output: [UInt8], errors: [UInt8]) {
    let end = SuspendingClock.now + time
    var texts: [[UInt8]] = [[], []]
    var descriptors = [output, errors, ended].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while descriptors[0].fd >= 0 || descriptors[1].fd >= 0 {
      // After the end of the command, only the content of the pipes is read.
      let hasEnded = descriptors[2].revents != 0
      let rest = hasEnded ? 0 : max(0, SuspendingClock.now.duration(to: end) / .milliseconds(1)).rounded(.up)
      let ready = unsafe poll(&descriptors, nfds_t(descriptors.count), Int32(min(rest, 3_600_000)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 && SuspendingClock.now < end || hasEnded else {
        throw Failure(reason: "it has not ended within \(time / .seconds(1)) s and is killed")
      }
      var isRead = false
      for index in texts.indices where descriptors[index].revents != 0 {
        isRead = true
        let count = unsafe Glibc.read(descriptors[index].fd, &buffer, buffer.count)
        // A negative descriptor is ignored by poll.
        guard count > 0 else {
          descriptors[index].fd = -1
          continue
        }
        texts[index] += buffer[..<count]
      }
      guard texts[0].count <= limit else { throw Failure(reason: "its output is longer than \(limit >> 20) MiB") }
      texts[1] = Array(texts[1].suffix(Self.errorLimit))
      if hasEnded, !isRead { break }
    }
    return (texts[0], texts[1])
  }
}
