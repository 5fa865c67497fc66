import CLinux
import Glibc

/// The memory and the threads of a process: their amount, and the limits that the kernel enforces.
enum ProcessResources {
  /// The writable memory that threads reserve for their stacks without using it: 32 stacks of 8 MiB.
  private static let stacks = 256 << 20
  /// The number of open files: the media, the sound server, and the connections and caches of an adaptive stream.
  private static let openFiles: UInt = 512

  /// Returns the bytes that a process uses, read by the player, which does not trust the process; nil if it has ended.
  ///
  /// Memory that the process shares counts, and memory descriptors that it has not mapped. Files that it has mapped, such as
  /// the code of libraries, do not.
  static func used(by process: pid_t) -> Int? {
    size("RssAnon:", of: process).map { $0 + shared(by: process) }
  }

  /// The bytes that a process shares.
  static func shared(by process: pid_t) -> Int {
    // A descriptor that is mapped is in both.
    max(size("RssShmem:", of: process) ?? 0, descriptors(of: process))
  }

  private static func size(_ name: String, of process: pid_t) -> Int? { value(name, of: process).map { $0 << 10 } }

  /// The number of threads of a process; nil if it has ended.
  ///
  /// The kernel limits the threads of a user, not of a process.
  static func threadCount(of process: pid_t) -> Int? { value("Threads:", of: process) }

  /// Returns a number of the kernel about a process. <https://man7.org/linux/man-pages/man5/proc_pid_status.5.html>
  private static func value(_ name: String, of process: pid_t) -> Int? {
    let line = text("/proc/\(process)/status")?.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }

  /// Limits the memory that this process can allocate in addition to that at the start, and the number of its open files.
  ///
  /// An allocation beyond the limit fails, and ends the process. <https://man7.org/linux/man-pages/man2/getrlimit.2.html>
  static func limit(to bytes: Int) {
    // https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
    guard let pages = text("/proc/self/statm")?.split(whereSeparator: \.isWhitespace), pages.count >= 6,
      let data = Int(pages[5])
    else { return }
    clinux_limit(
      CInt(RLIMIT_DATA.rawValue), CUnsignedLong(data * sysconf(CInt(_SC_PAGESIZE)) + bytes + stacks))
    clinux_limit(CInt(RLIMIT_NOFILE.rawValue), CUnsignedLong(openFiles))
  }

  /// Returns the bytes in the memory descriptors of a process.
  private static func descriptors(of process: pid_t) -> Int {
    let folder = "/proc/\(process)/fd"
    var sizes: [ino_t: Int] = [:]
    for (name, _) in FolderEntries.read(folder) {
      let path = "\(folder)/\(name)"
      var info = stat()
      guard FolderEntries.target(ofLink: path)?.starts(with: "/memfd:".utf8) == true, unsafe stat(path, &info) == 0
      else { continue }
      sizes[info.st_ino] = Int(info.st_blocks) << 9
    }
    return sizes.values.reduce(0, +)
  }

  private static func text(_ path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe read(file, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
