import Glibc

/// The limits of the system under which the daemon can run.
///
/// GLib and the Swift runtime end the process without a message if they get no memory.
package enum ProcessLimits {
  /// The minimum of open files, and of the address space in bytes; stacks and heaps of threads take most of this space.
  private static let (addressSpace, openFiles) = (UInt(3_000_000_000), UInt(64))

  /// The reason why the daemon cannot run; nil if it can.
  package static var failure: String? {
    if let limit = value(RLIMIT_AS), limit < addressSpace {
      return "the limit of the address space, \(limit / 1_000_000) MB, is too low; "
        + "at least \(addressSpace / 1_000_000) MB are needed (ulimit -v \(addressSpace / 1000))"
    }
    if let limit = value(RLIMIT_NOFILE), limit < openFiles {
      return "the limit of open files, \(limit), is too low; at least \(openFiles) are needed (ulimit -n \(openFiles))"
    }
    return nil
  }

  private static func value(_ resource: __rlimit_resource) -> UInt? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return nil }
    return UInt(limit.rlim_cur)
  }
}
