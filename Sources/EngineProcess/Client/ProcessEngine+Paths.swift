import EventLoop
import Playback
import Synchronization

/// The paths that the process of a player may open, which are fixed when it starts.
extension ProcessEngine {
  /// Whether the process may open the files that it needs for a server or an output; reads the file system.
  package var reachesAllPaths: Bool { state.withLock { $0.child }?.reachesAllPaths ?? true }

  /// Lets the commands from the opening of a stream on wait until the paths are examined.
  ///
  /// The loop reads the file system, which may not answer, and the caller must not wait for that.
  func examineSoon(_ state: inout State) {
    state.isExamining = true
    loop.submit { self.examine() }
  }

  /// Passes the commands that wait to the process, or to another one if a file that this one needs was replaced; on the loop.
  private func examine() {
    let isCurrent = reachesAllPaths
    let isReplaced = state.withLock { state in
      state.isExamining = false
      // Another process sends them when it begins.
      guard !state.isClosed, let child = state.commanded else { return false }
      guard isCurrent else {
        state.isStartAwaited = true
        state.endOrderly(on: loop)
        return true
      }
      for command in state.waiting { child.perform(command) }
      state.waiting = []
      child.ping()
      return false
    }
    if isReplaced { reportAwaitedStart() }
  }
}
