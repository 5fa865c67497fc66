import CLinux
package import EngineProcess
import Glibc

/// The restrictions of a process that decodes media, which may be hostile.
///
/// `docs/SANDBOX.md` lists the acts that they prevent, and those that they cannot prevent.
package enum Sandbox {
  /// Restricts this process for ever, as far as the kernel supports it.
  ///
  /// Landlock applies to the calling thread and to those that it starts: it is not in force if another one exists.
  ///
  /// - Returns: The parts that are in force, and a descriptor that passes the connections of this process to another one; -1 for
  ///   none.
  package static func enter(_ policy: SandboxPolicy) -> (state: SandboxState, connections: CInt) {
    for file in policy.outputs { makeFile(file, 0o666) }
    limitFiles(policy)
    _ = clinux_no_new_privileges()
    let isOnlyThread = threadCount == 1
    let landlock = restrictFiles(policy)
    let filter = SystemCallFilter.enforce(policy)
    // With a descriptor for connections, the filter applies to the calling thread and to those that it starts.
    let isComplete = isOnlyThread || !policy.hasLocalSockets
    return (
      SandboxState(landlock: isOnlyThread ? landlock : nil, hasSeccomp: filter != nil && isComplete), filter ?? -1
    )
  }

  /// The largest file of a process that writes none for the user: libpulse shares 64 MiB with the sound server.
  private static let fileLimit: UInt = 128 << 20

  private static func limitFiles(_ policy: SandboxPolicy) {
    guard policy.outputs.isEmpty else { return }
    clinux_limit(CInt(RLIMIT_FSIZE.rawValue), policy.playsSound ? fileLimit : 0)
  }

  /// The number of threads of this process, from the links of a folder: two, and one for each subfolder.
  private static var threadCount: Int {
    var info = stat()
    return unsafe stat("/proc/self/task", &info) == 0 ? Int(info.st_nlink) - 2 : 0
  }

  private static func restrictFiles(_ policy: SandboxPolicy) -> Int? {
    let paths = SandboxPaths(policy)
    guard let ruleset = LandlockRuleset(hasNetwork: policy.hasNetwork) else { return nil }
    for path in paths.readable { ruleset.allow(path, .read) }
    for path in paths.listed { ruleset.allow(path, .readFolder) }
    for path in paths.devices { ruleset.allow(path, [.read, .write, .controlDevice]) }
    // When memory is scarce, procfs removes this folder and creates another one, without the rule.
    ruleset.allow("/proc/self", .read, isPinned: true)
    for path in policy.outputs { ruleset.allow(path, [.readFile, .write, .truncate]) }
    if policy.servesMixer { ruleset.allow("/tmp", .makeSocket) }
    return ruleset.enforce()
  }

  private static func makeFile(_ path: String, _ mode: mode_t) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, mode)
    if file >= 0 { close(file) }
  }
}
