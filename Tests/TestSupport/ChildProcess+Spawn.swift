import EventLoop
import Glibc
import Synchronization

extension ChildProcess {
  /// Starts `arguments` on a separate thread; that thread spawns, waits and reaps.
  ///
  /// The thread matters: the kernel kills a child with `PDEATHSIG` when the *thread* that created it ends.
  static func spawn(_ arguments: [String], environment: [String: String]) async throws -> ChildProcess {
    guard let name = arguments.first, let program = Tool.path(name) else {
      throw SystemCallError(call: arguments.first ?? "no program", code: ENOENT)
    }
    let guardian = Tool.path("setpriv").map { [$0, "--pdeathsig", "KILL", "--"] } ?? []
    let command = guardian + [program] + arguments.dropFirst()
    let environment = ChildEnvironment.base.merging(environment) { $1 }.map { "\($0)=\($1)" }
    return try await withCheckedThrowingContinuation { continuation in
      do {
        let thread = try startThread {
          do {
            let pipes = try ChildPipes()
            let processID = try pipes.spawn(command, environment: environment)
            let child = ChildProcess(arguments: arguments, processID: processID)
            continuation.resume(returning: child)
            child.supervise(recordingFrom: pipes)
          } catch {
            continuation.resume(throwing: error)
          }
        }
        pthread_detach(thread)
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}

/// The two pipes that a child writes to, and a third one that stops their reader.
struct ChildPipes: Sendable {
  private let output: Pipe
  private let error: Pipe
  private let ended: Pipe

  init() throws {
    (output, error, ended) = (try Pipe(), try Pipe(), try Pipe())
  }

  /// Starts `command` in a separate process group, without input and with default signal handling.
  ///
  /// On failure it closes all pipes.
  func spawn(_ command: [String], environment: [String]) throws -> Int32 {
    let (processID, code) = descriptorsAndSpawns.withLock { _ in
      unsafe SpawnedProcess.start(command[0], command, environment: environment, flags: POSIX_SPAWN_SETPGROUP) {
        actions in
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.writeEnd, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, error.writeEnd, STDERR_FILENO)
      }
    }
    output.closeWriteEnd()
    error.closeWriteEnd()
    guard code == 0 else {
      output.closeReadEnd()
      error.closeReadEnd()
      ended.closeReadEnd()
      ended.closeWriteEnd()
      throw SystemCallError(call: "posix_spawn \(command[0])", code: code)
    }
    return processID
  }

  /// Reads both streams until they end, or until the child has ended and its output has been read.
  func read(into lines: EventLog<ChildProcess.Line>) {
    var splitters = [
      LineSplitter(descriptor: output.readEnd, stream: .output, lines: lines),
      LineSplitter(descriptor: error.readEnd, stream: .error, lines: lines),
    ]
    var polled = [output, error, ended].map { pollfd(fd: $0.readEnd, events: Int16(POLLIN), revents: 0) }
    while polled[0].fd >= 0 || polled[1].fd >= 0 {
      _ = try? systemCall("poll") { unsafe poll(&polled, 3, -1) }
      for index in splitters.indices where polled[index].fd >= 0 {
        let atEnd = splitters[index].readAvailable()
        if atEnd || polled[2].revents != 0 { polled[index].fd = -1 }
      }
    }
    for index in splitters.indices { splitters[index].flush() }
    output.closeReadEnd()
    error.closeReadEnd()
    ended.closeReadEnd()
  }

  /// Notifies the reader that the output has ended, although the child's own children may hold the pipes open.
  func childHasEnded() {
    ended.closeWriteEnd()
  }
}

/// Splits the bytes of one stream into lines.
private struct LineSplitter {
  private let descriptor: Int32
  private let stream: ChildProcess.Stream
  private let lines: EventLog<ChildProcess.Line>
  private var partial: [UInt8] = []

  init(descriptor: Int32, stream: ChildProcess.Stream, lines: EventLog<ChildProcess.Line>) {
    self.descriptor = descriptor
    self.stream = stream
    self.lines = lines
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  /// Reads all available bytes; returns true at the end of the stream.
  mutating func readAvailable() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let size = buffer.count
      let count = (try? systemCall("read") { unsafe Glibc.read(descriptor, &buffer, size) }) ?? -1
      guard count > 0 else { return count == 0 }
      partial += buffer[..<count]
      while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
        append(partial[..<end])
        partial.removeSubrange(...end)
      }
    }
  }

  /// Records a last line without a line end.
  mutating func flush() {
    if !partial.isEmpty { append(partial[...]) }
    partial = []
  }

  private func append(_ bytes: ArraySlice<UInt8>) {
    lines.append(ChildProcess.Line(stream: stream, text: String(decoding: bytes, as: UTF8.self)))
  }
}
