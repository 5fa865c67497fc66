import Glibc

/// Reads the state of a process.
package enum ProcessState {
  /// The program that a process runs.
  package enum Program {
    /// The program of this process, or an unknown program.
    case same
    case other
    /// Its file was removed or replaced, as an upgrade does.
    case replaced
  }

  /// Compares the program of a process of the user with this process's program.
  ///
  /// <https://man7.org/linux/man-pages/man5/proc_pid_exe.5.html>
  package static func program(of processID: Int32) -> Program {
    let files = LocalFileSystem()
    let path = "/proc/\(processID)/exe"
    guard case .success((_, let id)) = files.identify(Array(path.utf8)),
      case .success((_, let own)) = files.identify(Array("/proc/self/exe".utf8)), id != own
    else { return .same }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    let target = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    return target.suffix(replacedEnding.count).elementsEqual(replacedEnding) ? .replaced : .other
  }

  private static let replacedEnding = Array(" (deleted)".utf8)

  /// Whether a signal has stopped a process, as SIGSTOP does; false for a process that does not exist.
  ///
  /// <https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html>
  package static func isStopped(_ processID: Int32) -> Bool {
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
