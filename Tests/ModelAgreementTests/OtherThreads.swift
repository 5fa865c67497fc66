import Glibc

/// The threads of this process beside the calling one.
///
/// A run in logical time needs to know when GStreamer has nothing left to do. Nothing reports that, but then all of these threads
/// sleep, and none has run in between.
enum OtherThreads {
  /// Whether all of them sleep, and none of them has run since the call began.
  static var areAtRest: Bool {
    let before = switches
    return areAsleep && before == switches
  }

  /// The number of times that they have given up the processor.
  private static var switches: Int {
    // `RUSAGE_THREAD`, which Glibc's module lacks.
    let thread: __rusage_who_t = 1
    while true {
      let before = switches(of: thread)
      let all = switches(of: __rusage_who_t(RUSAGE_SELF.rawValue))
      // This thread may have been suspended in between.
      if switches(of: thread) == before { return all - before }
    }
  }

  private static func switches(of who: __rusage_who_t) -> Int {
    var usage = rusage()
    unsafe getrusage(who, &usage)
    return usage.ru_nvcsw + usage.ru_nivcsw
  }

  /// Whether each of them waits in a call of the kernel; a thread that was woken and waits for a processor runs.
  ///
  /// <https://docs.kernel.org/filesystems/proc.html>
  private static var areAsleep: Bool {
    guard let folder = unsafe opendir("/proc/self/task") else { return false }
    defer { unsafe closedir(folder) }
    // The number before the name.
    let own = String(decoding: text("/proc/thread-self/stat").prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      }
      guard name != own, Int32(name) != nil else { continue }
      // A thread that is about to sleep may still run. The kernel waits until it does not, or answers that it runs; an empty text is
      // that of a thread that has ended.
      if text("/proc/self/task/\(name)/syscall").starts(with: "running".utf8) { return false }
      // It may also wait for a disk. The state follows the name, which is in parentheses.
      let stat = text("/proc/self/task/\(name)/stat")
      guard let end = stat.lastIndex(of: UInt8(ascii: ")")), end + 2 < stat.endIndex else { continue }
      guard stat[end + 2] == UInt8(ascii: "S") else { return false }
    }
    return true
  }

  /// Returns the first bytes of a file of the kernel; empty if there is none.
  private static func text(_ path: String) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { _ = close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = unsafe read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}
