/// Reads the state of a process.
enum ProcessState {
  /// Whether a signal has stopped a process, as SIGSTOP does; false for a process that does not exist.
  ///
  /// <https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html>
  static func isStopped(_ processID: Int32) -> Bool {
    guard case .success(let text) = LocalFileSystem().text(of: "/proc/\(processID)/stat", limit: 4096) else {
      return false
    }
    return isStopped(stat: text)
  }

  /// Reads the state after the name of the program, which may contain brackets and spaces.
  static func isStopped(stat: String) -> Bool {
    guard let end = stat.lastIndex(of: ")") else { return false }
    return stat[end...].dropFirst().first { $0 != " " } == "T"
  }
}
