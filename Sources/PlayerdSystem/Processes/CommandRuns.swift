import Glibc
package import Logging
import Synchronization

/// Runs commands of the user: one at a time, each with a time limit, and none is accepted after ``close()``.
///
/// Each run is a process group. Processes that it leaves in the background end with it. A run that outlasts the player is
/// not dropped or killed by ``close()``.
package final class CommandRuns: Sendable {
  /// The time limit of a run.
  static let deadline = Duration.seconds(30)
  /// The limit of runs that wait for the one before.
  static let limit = 100
  /// The time that ``close()`` waits for runs that outlast the player.
  static let grace = Duration.seconds(1)

  /// A command and the variables in its environment.
  private struct Run {
    /// The name of the option or the key, for messages.
    var name: String
    /// The program and its arguments; a program without a path is looked up in `PATH`.
    var arguments: [String]
    var variables: [String: String]
    var outlasts: Bool
  }

  private struct State {
    /// The group of the running command; its leader is reaped only while the lock is held.
    var group: pid_t?
    /// Whether the running command outlasts the player.
    var outlasts = false
    var waitingCount = 0
    /// Whether the last run was rejected, which has been logged.
    var isFull = false
    var isClosed = false
  }

  private let deadline: Duration
  private let grace: Duration
  private let reportsStatus: Bool
  private let log: Logger
  private let state = Mutex(State())
  /// The queue of the runs; each run blocks it until its end.
  private let runs = QueueExecutor(label: "org.playerd.commands")
  private let timer = QueueExecutor(label: "org.playerd.commands.deadline")
  private let closing = QueueExecutor(label: "org.playerd.commands.closing")

  /// Prepares to run commands; from now on, the children of this process are not reaped by the kernel.
  ///
  /// If `reportsStatus`, a run that fails is logged.
  package init(
    deadline: Duration = CommandRuns.deadline, grace: Duration = CommandRuns.grace, reportsStatus: Bool = false,
    log: Logger
  ) {
    _ = signal(SIGCHLD, SIG_DFL)
    (self.deadline, self.grace, self.reportsStatus, self.log) = (deadline, grace, reportsStatus, log)
  }

  /// Runs a command with these variables in its environment, after the earlier runs; never blocks.
  ///
  /// - Parameters:
  ///   - name: The name of the option or the key, for messages.
  ///   - arguments: The program and its arguments; a program without a path is looked up in `PATH`.
  ///   - variables: The variables, which end at their first NUL.
  ///   - outlasts: Whether the command also runs if the player ends, and may continue after the player.
  package func run(_ name: String, _ arguments: [String], _ variables: [String: String], outlasts: Bool = false) {
    let (isAccepted, isNews) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed else { return (false, false) }
      let isNews = !state.isFull
      state.isFull = state.waitingCount >= Self.limit
      if !state.isFull { state.waitingCount += 1 }
      return (!state.isFull, isNews)
    }
    guard isAccepted else {
      if isNews { log.error("the command of \(name) is not run: \(Self.limit) runs are waiting") }
      return
    }
    runs.run { [self] in
      perform(Run(name: name, arguments: arguments, variables: variables, outlasts: outlasts))
    }
  }

  /// Ends the running command, and drops those that wait, unless they outlast the player; returns when the processes are
  /// reaped, or after ``grace``.
  package func close() async {
    state.withLock { state in
      state.isClosed = true
      if let group = state.group, !state.outlasts { kill(-group, SIGKILL) }
    }
    let (stream, end) = AsyncStream.makeStream(of: Void.self)
    runs.run { end.finish() }
    closing.setTimer(at: closing.now.advanced(by: grace)) { end.finish() }
    for await _ in stream {}
    closing.setTimer(at: nil) {}
  }

  private func perform(_ run: Run) {
    guard let program = run.arguments.first, let path = CommandOutput.path(of: program) else {
      state.withLock { $0.waitingCount -= 1 }
      let program = run.arguments.first ?? ""
      return log.error("cannot run the command of \(run.name): “\(program)” is not a program in PATH")
    }
    let (group, error) = state.withLock { state -> (pid_t?, Int32) in
      state.waitingCount -= 1
      guard !state.isClosed || run.outlasts else { return (nil, 0) }
      let (processID, error) = ProcessStart(
        path: path, arguments: run.arguments, variables: run.variables, leadsGroup: true
      ).start()
      state.group = error == 0 ? processID : nil
      state.outlasts = run.outlasts
      return (state.group, error)
    }
    if error != 0 { log.error("cannot run the command of \(run.name): \(FileFailure(number: error).message)") }
    guard let group else { return }
    timer.setTimer(at: timer.now.advanced(by: deadline)) { [self] in expire(group, run.name) }
    while waitid(P_PID, id_t(group), nil, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    timer.setTimer(at: nil) {}
    let status = state.withLock { state in
      kill(-group, SIGKILL)
      state.group = nil
      return ProcessStart.waitForEnd(of: group)
    }
    // A signal comes from the time limit, a close, or the user.
    guard reportsStatus, status & 0x7f == 0, status != 0 else { return }
    log.error("the command of \(run.name) has failed with exit status \((status >> 8) & 0xff)")
  }

  private func expire(_ group: pid_t, _ name: String) {
    let isLate = state.withLock { state in state.group == group && kill(-group, SIGKILL) == 0 }
    if isLate { log.error("the command of \(name) has not ended within \(deadline / .seconds(1)) s and is killed") }
  }
}
