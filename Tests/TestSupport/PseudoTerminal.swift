import EventLoop
import Glibc
import Synchronization

/// A pseudo-terminal with a program on it, whose screen is recorded after each output.
public final class PseudoTerminal: Sendable {
  /// The screen after an output.
  public struct Picture: Sendable {
    /// The lines without blanks at their ends.
    public let lines: [String]
    /// Whether the cursor is hidden.
    public let isCursorHidden: Bool
    /// The number of attributes, such as bold, that were set so far.
    public let attributeCount: Int

    /// The lines as one text.
    public var text: String { lines.joined(separator: "\n") }
  }

  /// All pictures so far; the log ends with the program.
  public let pictures = EventLog<Picture>()
  /// All bytes so far.
  public var output: [UInt8] { state.withLock { $0.output } }
  /// The process ID of the program.
  public let processID: Int32

  private struct State {
    var screen: TerminalScreen
    var output: [UInt8] = []
    var isReaped = false
  }
  private let state: Mutex<State>
  private let master: Mutex<Int32>
  private let exit = EventLog<ChildProcess.ExitStatus>()
  /// Ends the recording.
  private let closing: Pipe

  /// Starts a program as the leader of a session on a new terminal; ``start()`` begins to record it.
  init(_ arguments: [String], environment: [String: String], columns: Int, rows: Int) throws {
    guard let program = arguments.first.flatMap(Tool.path) else {
      throw SystemCallError(call: arguments.first ?? "no program", code: ENOENT)
    }
    let (master, name) = try Self.open()
    Self.setSize(of: master, columns: columns, rows: rows)
    let variables = ChildEnvironment.base.merging(["TERM": "xterm-256color"]) { $1 }.merging(environment) { $1 }
    let (processID, code) = descriptorsAndSpawns.withLock { _ in
      // POSIX_SPAWN_SETSID of glibc.
      unsafe SpawnedProcess.start(
        program, [program] + arguments.dropFirst(), environment: variables.map { "\($0)=\($1)" }, flags: 0x80
      ) { actions in
        // The first terminal that the leader of a session opens controls it.
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, name, O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
      }
    }
    guard code == 0 else {
      close(master)
      throw SystemCallError(call: "posix_spawn \(program)", code: code)
    }
    self.processID = processID
    closing = try Pipe()
    self.master = Mutex(master)
    state = Mutex(State(screen: TerminalScreen(columns: columns, rows: rows)))
  }

  /// Opens a new terminal; returns its other end, and its path.
  private static func open() throws -> (master: Int32, path: String) {
    let master = try systemCall("open /dev/ptmx") { unsafe Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC) }
    // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
    var (lock, number) = (Int32(0), UInt32(0))
    try systemCall("ioctl TIOCSPTLCK") { unsafe ioctl(master, 0x4004_5431, &lock) }
    try systemCall("ioctl TIOCGPTN") { unsafe ioctl(master, 0x8004_5430, &number) }
    return (master, "/dev/pts/\(number)")
  }

  private static func setSize(of master: Int32, columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    unsafe _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  // MARK: Input

  /// Types a text.
  public func type(_ text: String) {
    master.withLock { master in _ = unsafe write(master, text, text.utf8.count) }
  }

  /// Changes the size; the kernel sends SIGWINCH.
  public func resize(columns: Int, rows: Int) {
    state.withLock { $0.screen.resize(columns: columns, rows: rows) }
    master.withLock { Self.setSize(of: $0, columns: columns, rows: rows) }
  }

  /// Sends a signal to the program unless it has ended.
  public func signal(_ number: Int32) { state.withLock { if !$0.isReaped { kill(processID, number) } } }

  /// Closes the terminal: the kernel hangs up.
  public func hangUp() {
    var byte: UInt8 = 0
    unsafe _ = write(closing.writeEnd, &byte, 1)
  }

  /// Whether the terminal shows typed characters, as it does for a shell.
  public var hasEcho: Bool {
    master.withLock { master in
      var modes = termios()
      return unsafe tcgetattr(master, &modes) == 0 && modes.c_lflag & tcflag_t(ECHO) != 0
    }
  }

  // MARK: Output

  /// Waits for a screen that satisfies a condition, past ones from an index on included; returns its index.
  @discardableResult
  public func screen(
    _ expectation: String, from start: Int = 0, within seconds: Double = 20,
    where isWanted: @escaping @Sendable (Picture) -> Bool
  ) async throws -> EventLog<Picture>.Entry {
    do {
      return try await pictures.first(expectation, from: start, within: seconds, where: isWanted)
    } catch let error where !(error is CancellationError) {
      throw ChildProcess.Failure(description: "\(error)\n\(pictures.elements.last?.text ?? "no output")")
    }
  }

  /// Waits for a screen with a text; returns its index.
  @discardableResult
  public func shows(_ text: String, from start: Int = 0) async throws -> Int {
    try await screen("“\(text)” on the screen", from: start) { $0.text.contains(text) }.index
  }

  /// Waits until the program has ended.
  public func exitStatus(within seconds: Double = 20) async throws -> ChildProcess.ExitStatus {
    try await exit.first("the exit", within: seconds).element
  }

  /// Records the output until the program ends, and reaps it; runs on a separate thread.
  private func supervise(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var polled = [descriptor, closing.readEnd].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      _ = try? systemCall("poll") { unsafe poll(&polled, 2, -1) }
      if polled[1].revents != 0 { break }
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      // EIO: no process has the terminal open.
      guard count > 0 else { break }
      let picture = state.withLock { state in
        state.output += buffer[..<count]
        state.screen.write(buffer[..<count])
        return Picture(
          lines: state.screen.lines, isCursorHidden: state.screen.isCursorHidden,
          attributeCount: state.screen.attributeCount)
      }
      pictures.append(picture)
    }
    master.withLock { master in
      close(master)
      master = -1
    }
    _ = try? systemCall("waitid") { waitid(P_PID, id_t(processID), nil, WEXITED | WNOWAIT) }
    var status: Int32 = 0
    state.withLock { state in
      _ = try? systemCall("waitpid") { unsafe waitpid(processID, &status, 0) }
      state.isReaped = true
    }
    closing.closeReadEnd()
    closing.closeWriteEnd()
    pictures.finish()
    exit.append(ChildProcess.ExitStatus(waitStatus: status))
    exit.finish()
  }

  /// Starts the thread of ``supervise(_:)``.
  func start() throws {
    let descriptor = master.withLock { $0 }
    pthread_detach(try startThread { self.supervise(descriptor) })
  }

  /// Ends the program, and returns when it is reaped.
  func end() async {
    state.withLock { state in
      guard !state.isReaped else { return }
      kill(processID, SIGKILL)
      hangUp()
    }
    for await _ in exit.entries() { return }
  }
}

/// Runs `body` with a program on a new terminal; ends the program when the body returns or throws.
@discardableResult
public func withPseudoTerminal<T>(
  _ arguments: [String], environment: [String: String] = [:], columns: Int = 80, rows: Int = 24,
  _ body: (PseudoTerminal) async throws -> T
) async throws -> T {
  let terminal = try PseudoTerminal(arguments, environment: environment, columns: columns, rows: rows)
  try terminal.start()
  do {
    let result = try await body(terminal)
    await terminal.end()
    return result
  } catch {
    await terminal.end()
    throw error
  }
}
