import Glibc
import Logging
import Synchronization

/// Runs a shell command: one run at a time, each with a time limit, and none after ``close()``.
///
/// Each run is a process group. Processes that it leaves in the background end with it.
final class ShellCommands: Sendable {
  /// The time limit of a run.
  static let deadline = Duration.seconds(30)
  /// The limit of runs that wait for the one before.
  static let limit = 100

  private struct State {
    /// The group of the running command; its leader is reaped only while the lock is held.
    var group: pid_t?
    var waitingCount = 0
    var isClosed = false
  }

  private let command: String
  private let deadline: Duration
  private let log: Logger
  private let state = Mutex(State())
  /// The queue of the runs; each run blocks it until its end.
  private let runs = QueueExecutor(label: "org.playerd.exec")
  private let timer = QueueExecutor(label: "org.playerd.exec.deadline")

  /// Prepares to run a command; from now on, the children of this process are not reaped by the kernel.
  init(_ command: String, deadline: Duration = ShellCommands.deadline, log: Logger) {
    _ = signal(SIGCHLD, SIG_DFL)
    (self.command, self.deadline, self.log) = (command, deadline, log)
  }

  /// Runs the command with these variables in its environment, after the earlier runs.
  func run(_ variables: [String: String]) {
    let isAccepted = state.withLock { state in
      guard state.waitingCount < Self.limit else { return false }
      state.waitingCount += 1
      return true
    }
    guard isAccepted else { return log.error("the command of --exec is not run: \(Self.limit) runs are waiting") }
    runs.run { [self] in perform(variables) }
  }

  /// Ends the running command, and drops those that wait; returns when its process is reaped.
  func close() async {
    state.withLock { state in
      state.isClosed = true
      if let group = state.group { kill(-group, SIGKILL) }
    }
    await withCheckedContinuation { continuation in runs.run { continuation.resume() } }
  }

  private func perform(_ variables: [String: String]) {
    let (group, error) = state.withLock { state -> (pid_t?, Int32) in
      state.waitingCount -= 1
      guard !state.isClosed else { return (nil, 0) }
      let (processID, error) = ProcessStart(
        path: "/bin/sh", arguments: ["sh", "-c", command], variables: variables, leadsGroup: true
      ).start()
      state.group = error == 0 ? processID : nil
      return (state.group, error)
    }
    if error != 0 { log.error("cannot run the command of --exec: error \(error)") }
    guard let group else { return }
    timer.setTimer(at: timer.now.advanced(by: deadline)) { [self] in expire(group) }
    while waitid(P_PID, id_t(group), nil, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    timer.setTimer(at: nil) {}
    state.withLock { state in
      kill(-group, SIGKILL)
      _ = ProcessStart.waitForEnd(of: group)
      state.group = nil
    }
  }

  private func expire(_ group: pid_t) {
    let isLate = state.withLock { state in state.group == group && kill(-group, SIGKILL) == 0 }
    if isLate { log.error("the command of --exec has not ended within \(deadline / .seconds(1)) s and is killed") }
  }
}
