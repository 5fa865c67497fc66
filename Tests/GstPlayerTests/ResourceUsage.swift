import FoundationEssentials

/// The system resources in use by the process.
struct ResourceUsage {
  var threads: Int
  var descriptors: Int
  /// The resident memory, in kilobytes.
  var memory: Int

  /// The allowance for idle threads of the pools of Dispatch and GLib; a leak would be at least one thread per cycle.
  static let idleThreads = 40

  static var inUse: ResourceUsage {
    ResourceUsage(threads: count("/proc/self/task"), descriptors: count("/proc/self/fd"), memory: residentMemory)
  }

  /// Returns the lesser one of each number.
  func least(_ other: ResourceUsage) -> ResourceUsage {
    ResourceUsage(
      threads: min(threads, other.threads), descriptors: min(descriptors, other.descriptors),
      memory: min(memory, other.memory))
  }

  /// Returns the number of threads whose name contains `name`.
  static func threads(named name: String) -> Int {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.count {
      (try? String(contentsOf: URL(filePath: "/proc/self/task/\($0)/comm"), encoding: .utf8))?.contains(name) == true
    }
  }

  private static func count(_ directory: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
  }

  private static var residentMemory: Int {
    let status = (try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }
}
