import Glibc

/// Reads the standard output of another program.
package enum CommandOutput {
  /// Runs a program of `PATH` in the C locale, and returns its output.
  ///
  /// - Parameters:
  ///   - arguments: The name of the program and its arguments.
  ///   - limit: The time limit, after which the program is killed.
  /// - Returns: nil if the program cannot be started or exceeds the limit; its exit status is ignored.
  package static func read(_ arguments: [String], within limit: Duration = .seconds(5)) -> [UInt8]? {
    guard let name = arguments.first, let path = path(of: name), let pipe = ProcessStart.makePipe() else { return nil }
    defer { close(pipe.outlet) }
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    let (processID, error) = ProcessStart(
      path: path, arguments: arguments, variables: ["LC_ALL": "C"], output: pipe.input, errors: null < 0 ? nil : null
    ).start()
    close(pipe.input)
    if null >= 0 { close(null) }
    guard error == 0 else { return nil }
    let bytes = readToEnd(of: pipe.outlet, until: .now + limit)
    // A program that has closed its output may still hang.
    kill(processID, SIGKILL)
    _ = ProcessStart.waitForEnd(of: processID)
    return bytes
  }

  /// Returns the path of a program, which is an absolute path or in `PATH`; nil if it cannot be run.
  package static func path(of name: String) -> String? {
    let folders = (Environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    let paths = name.hasPrefix("/") ? [name] : folders.map { "\($0)/\(name)" }
    return paths.first { unsafe access($0, X_OK) == 0 }
  }

  /// Reads until the end; nil if that takes too long.
  private static func readToEnd(of descriptor: Int32, until end: SuspendingClock.Instant) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let rest = SuspendingClock.now.duration(to: end) / .milliseconds(1)
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      let ready = unsafe poll(&descriptors, 1, Int32(max(0, rest)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0, bytes.count < 16 << 20 else { return nil }
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += buffer[..<count]
    }
  }
}
