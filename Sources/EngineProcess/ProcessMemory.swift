import CLinux
import Glibc

/// The memory of this process: the measurement, and the limit that the kernel enforces.
struct ProcessMemory {
  /// The bytes that were used when the value was created.
  let atStart: Int
  /// The writable memory that threads reserve for their stacks without using it: 32 stacks of 8 MiB.
  private static let stacks = 256 << 20
  /// The number of open files: the media, the sound server, and the connections and caches of an adaptive stream.
  private static let openFiles: UInt = 512

  init() { atStart = Self.sizes.map { $0.resident - $0.shared } ?? 0 }

  /// The bytes that are used in addition to those at the start; memory that is shared with other processes is not counted.
  var sinceStart: Int { max(0, (Self.sizes.map { $0.resident - $0.shared } ?? 0) - atStart) }

  /// Limits the memory that can be allocated in addition to that at the start, and the number of open files.
  ///
  /// An allocation beyond the limit fails, and ends the process. <https://man7.org/linux/man-pages/man2/getrlimit.2.html>
  static func limit(to bytes: Int) {
    guard let data = sizes?.data else { return }
    clinux_limit(CInt(RLIMIT_DATA.rawValue), CUnsignedLong(data + bytes + stacks))
    clinux_limit(CInt(RLIMIT_NOFILE.rawValue), CUnsignedLong(openFiles))
  }

  /// The sizes in `/proc/self/statm` in bytes.
  ///
  /// <https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html>
  private static var sizes: (resident: Int, shared: Int, data: Int)? {
    let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(file, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let fields = String(decoding: buffer[..<count], as: UTF8.self).split { $0 == " " || $0 == "\n" }.compactMap {
      Int($0)
    }
    guard fields.count >= 6 else { return nil }
    let page = sysconf(CInt(_SC_PAGESIZE))
    return (fields[1] * page, fields[2] * page, fields[5] * page)
  }
}
