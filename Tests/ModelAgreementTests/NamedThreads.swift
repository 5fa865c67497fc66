import Glibc

/// The threads of this process with a name of their own: those of GStreamer, and those of a test's servers.
///
/// A run in logical time needs to know when GStreamer has nothing left to do. GStreamer does not report it, but then all
/// of these threads sleep.
enum NamedThreads {
  /// Returns the time that each thread has run, by its number; nil if one of them runs.
  ///
  /// Two equal results mean that no thread has run in between.
  static func runTimes() -> [Int32: String]? {
    let own = text("/proc/self/comm")
    guard let folder = unsafe opendir("/proc/self/task") else { return nil }
    defer { unsafe closedir(folder) }
    var times: [Int32: String] = [:]
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
      }
      guard let number = Int32(name) else { continue }
      let path = "/proc/self/task/\(number)/"
      let title = text(path + "comm")
      // The state follows the name, which is in parentheses. An empty text is that of a thread that has ended.
      let stat = text(path + "stat")
      guard let end = stat.lastIndex(of: ")") else { continue }
      let isAsleep = stat[end...].dropFirst(2).first == "S"
      let time = text(path + "schedstat")
      // The workers of Dispatch are named after their quality of service. A thread gets its name when it first runs.
      if title == own || title.contains("qos") {
        if !isAsleep, time.split(whereSeparator: \.isWhitespace).last.map({ $0.count == 1 }) ?? false { return nil }
        continue
      }
      guard isAsleep else { return nil }
      times[number] = time
    }
    return times
  }

  /// Returns the first bytes of a file of the kernel; empty if there is none.
  private static func text(_ path: String) -> String {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { _ = close(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
