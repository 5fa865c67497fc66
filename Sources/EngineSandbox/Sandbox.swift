import CLinux
package import EngineProcess
import Glibc

/// The restrictions of a process that decodes media, which may be hostile.
///
/// `docs/ENGINE.md` lists the acts that they prevent, and those that they cannot prevent.
package enum Sandbox {
  /// Restricts this process for ever, as far as the kernel supports it.
  ///
  /// Landlock applies to the calling thread and to those that it starts: it is not in force if another one exists.
  ///
  /// - Returns: The parts that are in force.
  package static func enter(_ policy: SandboxPolicy) -> SandboxState {
    for folder in policy.caches { makeFolder(folder) }
    for file in policy.outputs { makeFile(file, 0o666) }
    // Only streams have a proxy, which the settings of GNOME name.
    if policy.hasNetwork, let flag = SandboxPaths.flag, let slash = flag.lastIndex(of: "/") {
      // The folder of the session must exist.
      _ = unsafe mkdir(String(flag[..<slash]), 0o700)
      makeFile(flag, 0o600)
    }
    _ = clinux_no_new_privileges()
    let isOnlyThread = threadCount == 1
    let landlock = restrictFiles(policy)
    return SandboxState(
      landlock: isOnlyThread ? landlock : nil,
      hasSeccomp: SystemCallFilter.enforce(hasNetwork: policy.hasNetwork, servesMixer: policy.servesMixer))
  }

  /// The number of threads of this process, from the links of a folder: two, and one for each subfolder.
  private static var threadCount: Int {
    var info = stat()
    return unsafe stat("/proc/self/task", &info) == 0 ? Int(info.st_nlink) - 2 : 0
  }

  private static func restrictFiles(_ policy: SandboxPolicy) -> Int? {
    guard let ruleset = LandlockRuleset(hasNetwork: policy.hasNetwork) else { return nil }
    for path in SandboxPaths.readable { ruleset.allow(path, .read) }
    for path in SandboxPaths.listed { ruleset.allow(path, .readFolder) }
    for path in SandboxPaths.devices { ruleset.allow(path, [.read, .write, .controlDevice]) }
    // When memory is scarce, procfs removes this folder and creates another one, without the rule.
    ruleset.allow("/proc/self", .read, isPinned: true)
    for path in policy.caches { ruleset.allow(path, .cache) }
    for path in policy.outputs { ruleset.allow(path, [.readFile, .write, .truncate]) }
    if policy.hasNetwork, let flag = SandboxPaths.flag { ruleset.allow(flag, [.readFile, .write]) }
    if policy.servesMixer { ruleset.allow("/tmp", .makeSocket) }
    return ruleset.enforce()
  }

  private static func makeFile(_ path: String, _ mode: mode_t) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, mode)
    if file >= 0 { close(file) }
  }

  private static func makeFolder(_ path: String) {
    var end = path.startIndex
    while let slash = path[end...].dropFirst().firstIndex(of: "/") {
      _ = unsafe mkdir(String(path[..<slash]), 0o700)
      end = slash
    }
    _ = unsafe mkdir(path, 0o700)
  }
}
