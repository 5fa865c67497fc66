import Glibc
package import Logging

/// `--detach`: a daemon that continues in the background once playback has started.
///
/// The command starts this program again with its own arguments, `--detach` replaced by `--detached`. It forwards the output of that
/// process until the process ends or reports that playback has started.
package enum DetachedStart {
  /// The prefix of the line that reports the start; an exit status and a text for the user follow.
  private static let mark = "started "

  /// Starts the daemon; with other arguments than this process has, they begin with the name of the program.
  ///
  /// - Throws: The exit status of the other process if it ends before playback has started, else the one that it
  ///   reports.
  package static func run(arguments: [String] = ownArguments, isQuiet: Bool, _ log: Logger) throws {
    guard let output = ProcessStart.makePipe(), let errors = ProcessStart.makePipe() else {
      log.error("cannot create a pipe to the daemon: error \(errno)")
      throw ExitStatus.internalError
    }
    let (processID, error) = ProcessStart(
      path: "/proc/self/exe", arguments: arguments, output: output.input, errors: errors.input
    ).start()
    close(output.input)
    close(errors.input)
    guard error == 0 else {
      log.error("cannot start the daemon: error \(error)")
      throw ExitStatus.internalError
    }
    if let (status, line) = relay(output: output.outlet, errors: errors.outlet) {
      if !isQuiet { _ = StandardOutput.write(line + "\n") }
      guard status == ExitStatus.success else { throw status }
      return
    }
    let status = ProcessStart.waitForEnd(of: processID)
    let code = ExitStatus(status & 0x7f == 0 ? (status >> 8) & 0xff : ExitStatus.internalError.rawValue)
    if code != .success { throw code }
  }

  /// The arguments of this process, with `--detach` replaced by `--detached`.
  private static var ownArguments: [String] {
    var arguments = CommandLine.arguments.prefix(1) + ProgramArguments.all
    let options = arguments.prefix { $0 != "--" }
    if let index = options.firstIndex(of: "--detach") { arguments[index] = "--detached" }
    return Array(arguments)
  }

  /// Forwards both streams until the start is reported; returns nil if both end before.
  private static func relay(output: Int32, errors: Int32) -> (ExitStatus, String)? {
    var text: [UInt8] = []
    var open = [output, errors]
    while !open.isEmpty {
      var descriptors = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&descriptors, nfds_t(descriptors.count), -1) >= 0 || errno == EINTR else { return nil }
      for descriptor in descriptors where descriptor.revents != 0 {
        guard let bytes = read(descriptor.fd) else {
          open.removeAll { $0 == descriptor.fd }
          continue
        }
        if descriptor.fd == errors {
          _ = StandardError.write(String(decoding: bytes, as: UTF8.self))
        } else {
          text += bytes
        }
      }
      while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: text[..<end], as: UTF8.self)
        text.removeSubrange(...end)
        if let start = started(line) { return start }
        _ = StandardOutput.write(line + "\n")
      }
    }
    return nil
  }

  /// Reads the available bytes; nil at the end.
  private static func read(_ descriptor: Int32) -> ArraySlice<UInt8>? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? buffer[..<count] : nil
  }

  private static func started(_ line: String) -> (ExitStatus, String)? {
    guard line.hasPrefix(mark) else { return nil }
    let parts = line.dropFirst(mark.count).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let status = Int32(parts[0]) else { return nil }
    return (ExitStatus(status), String(parts[1]))
  }

  // MARK: In the daemon

  /// Leaves the session of the terminal, so that closing the terminal does not end the daemon.
  package static func begin() {
    setsid()
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Reports that playback has started, and closes the streams of the terminal.
  package static func report(_ line: String, status: ExitStatus) {
    StandardOutput.report("\(mark)\(status.rawValue) \(line)\n")
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return }
    dup2(null, STDOUT_FILENO)
    dup2(null, STDERR_FILENO)
    close(null)
  }
}
