import CSeccomp
import EngineProcess
import Glibc

/// The system calls that fail in the sandbox, as a filter of seccomp.
///
/// The filter lists denied calls, not allowed calls. Plug-ins of any kind are loaded, and a call that is missing in a list of
/// allowed calls would break the audio of a user. Landlock restricts files in addition.
///
/// <https://man7.org/linux/man-pages/man3/seccomp_rule_add.3.html>
enum SystemCallFilter {
  /// Calls that always fail with EPERM, and the reason.
  static let denied: [(reason: String, calls: [String])] = [
    ("programs and processes: nothing outlives the player, and no other program runs", ["execve", "execveat"]),
    (
      "the memory and the descriptors of other processes of the user",
      [
        "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "pidfd_open",
        "pidfd_getfd", "kcmp", "move_pages", "migrate_pages", "perf_event_open", "get_robust_list",
      ]
    ),
    ("signals by other ways than kill and tgkill", ["tkill", "pidfd_send_signal"]),
    ("the priorities of other processes", ["ioprio_set"]),
    (
      "another identity, with which the process would outlive the player",
      [
        "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid", "setgroups",
      ]
    ),
    ("memory that no limit counts", ["memfd_secret"]),
    (
      "attributes of files, which Landlock does not restrict",
      [
        "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchown", "fchownat", "utime", "utimes",
        "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr",
        "fremovexattr", "removexattrat", "truncate", "file_setattr",
      ]
    ),
    ("observing the files of the user", ["inotify_add_watch", "fanotify_init", "fanotify_mark"]),
    ("opening files without their path", ["open_by_handle_at", "name_to_handle_at"]),
    ("keys of the user", ["add_key", "request_key", "keyctl"]),
    ("messages between processes", ["msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink"]),
    (
      "name spaces and mounts",
      [
        "unshare", "setns", "mount", "umount", "umount2", "pivot_root", "chroot", "move_mount", "open_tree",
        "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
      ]
    ),
    (
      "parts of the kernel with many known faults, which no plug-in needs",
      [
        "bpf", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "vmsplice", "lookup_dcookie",
        "uselib", "remap_file_pages", "personality", "modify_ldt", "nfsservctl", "_sysctl",
      ]
    ),
    (
      "the administration of the system, for a player that runs as root",
      [
        "acct", "quotactl", "quotactl_fd", "swapon", "swapoff", "syslog", "reboot", "kexec_load", "kexec_file_load",
        "init_module", "finit_module", "delete_module", "sethostname", "setdomainname", "settimeofday", "stime",
        "clock_settime", "clock_adjtime", "adjtimex", "iopl", "ioperm", "vhangup", "mknod", "mknodat",
      ]
    ),
  ]
  /// Calls for forking, for serving sockets, and for memory that processes share; the mixer of ALSA needs them.
  private static let mixing = [
    "fork", "vfork", "listen", "accept", "accept4", "shmget", "shmat", "shmctl", "semget", "semop", "semtimedop",
    "semctl",
  ]
  /// Calls of a process without sockets: the inherited one sends and receives.
  private static let socketCalls = ["socket", "connect", "bind"]

  /// Installs the filter for all threads of this process, for ever.
  ///
  /// - Returns: A descriptor that passes each `connect` to another process, or -1 if the filter denies it; nil if no filter is in
  ///   force.
  static func enforce(_ policy: SandboxPolicy) -> CInt? {
    guard let filter = unsafe make(policy, for: seccomp_arch_native()) else { return nil }
    defer { unsafe seccomp_release(filter) }
    let isLoaded =
      unsafe seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, policy.hasLocalSockets ? 0 : 1) == 0
      && seccomp_load(filter) == 0
    guard isLoaded else { return nil }
    return policy.hasLocalSockets ? unsafe seccomp_notify_fd(filter) : -1
  }

  /// Returns the filter for processors of an architecture, such as `SCMP_ARCH_AARCH64`, which the caller releases; nil if
  /// libseccomp refuses a rule.
  static func make(_ policy: SandboxPolicy, for architecture: UInt32) -> scmp_filter_ctx? {
    guard let filter = unsafe seccomp_init(UInt32(SCMP_ACT_ALLOW)) else { return nil }
    var rules = unsafe Rules(filter)
    rules.select(architecture)
    for call in denied.flatMap(\.calls) { rules.fail(call) }
    if !policy.servesMixer {
      for call in mixing { rules.fail(call) }
      // A call without CLONE_THREAD makes a process.
      let thread: UInt64 = 0x10000
      rules.fail("clone", when: [.init(0, SCMP_CMP_MASKED_EQ, thread, 0)])
    }
    // The flags of clone3 are in memory, which a filter does not see. glibc makes threads with clone instead.
    rules.fail("clone3", with: ENOSYS)
    limitProcesses(&rules)
    if policy.hasLocalSockets || policy.hasNetwork { limitSockets(&rules, policy) } else { denySockets(&rules) }
    limitMemory(&rules)
    if !policy.playsSound {
      // Only a sound server shares memory with this process, and locks its cookie.
      rules.fail("memfd_create", with: EACCES)
      denyLocks(&rules)
    }
    // TIOCSTI and TIOCLINUX write to the input of the terminal in which the player may run.
    for request: UInt64 in [0x5412, 0x541C] {
      rules.fail("ioctl", when: [.init(1, SCMP_CMP_MASKED_EQ, 0xFFFF_FFFF, request)])
    }
    // Without local sockets, no connection needs a decision.
    if policy.hasLocalSockets { rules.pass("connect") }
    guard !rules.hasFailed else {
      unsafe seccomp_release(filter)
      return nil
    }
    return unsafe filter
  }

  /// Denies memory that is shared and anonymous: `RLIMIT_DATA` counts only private memory.
  private static func limitMemory(_ rules: inout Rules) {
    let flags = UInt64(MAP_SHARED | MAP_ANONYMOUS)
    for call in ["mmap", "mmap2"] { rules.fail(call, when: [.init(3, SCMP_CMP_MASKED_EQ, flags, flags)]) }
  }

  /// Limits signals, resource limits and priorities to this process, for kernels whose Landlock does not.
  private static func limitProcesses(_ rules: inout Rules) {
    let own = UInt64(getpid())
    for call in ["kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"] {
      rules.fail(call, when: [.init(0, SCMP_CMP_NE, own, 0)])
    }
    // 0 is the calling process or thread; the first argument of setpriority is PRIO_PROCESS.
    for call in ["prlimit64", "sched_setaffinity", "setpriority"] {
      rules.fail(call, when: [.init(0, SCMP_CMP_NE, 0, 0)])
    }
    rules.fail("setpriority", when: [.init(1, SCMP_CMP_NE, 0, 0)])
    // PR_SET_PDEATHSIG, the signal of the kernel at the end of the player, and PR_SET_DUMPABLE, which would hide the memory that
    // the player measures.
    for option: UInt64 in [1, 4] { rules.fail("prctl", when: [.init(0, SCMP_CMP_MASKED_EQ, 0xFFFF_FFFF, option)]) }
  }

  /// Denies locks and leases of files: another program would wait for the media file.
  private static func denyLocks(_ rules: inout Rules) {
    rules.fail("flock")
    // F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE, F_NOTIFY.
    for command: UInt64 in [6, 7, 37, 38, 1_024, 1_026] {
      rules.fail("fcntl", when: [.init(1, SCMP_CMP_MASKED_EQ, 0xFFFF_FFFF, command)])
    }
  }

  /// Denies sockets, apart from pairs of streams, which the bus of GStreamer needs: they are connected to each other for ever.
  private static func denySockets(_ rules: inout Rules) {
    for call in socketCalls { rules.fail(call, with: EACCES) }
    limitPairs(&rules)
  }

  private static func limitPairs(_ rules: inout Rules) {
    for type in UInt64(0)...0xF where type != UInt64(SOCK_STREAM.rawValue) {
      rules.fail("socketpair", with: EACCES, when: [.init(1, SCMP_CMP_MASKED_EQ, 0xF, type)])
    }
  }

  /// Limits the socket families to local, internet and netlink (which reports network interfaces).
  private static func limitSockets(_ rules: inout Rules, _ policy: SandboxPolicy) {
    let error = EAFNOSUPPORT
    limitPairs(&rules)
    func family(_ number: CInt) -> scmp_arg_cmp { .init(0, SCMP_CMP_EQ, UInt64(number), 0) }
    // glibc and GIO read the addresses of the interfaces from NETLINK_ROUTE, 0.
    rules.fail("socket", with: error, when: [family(AF_NETLINK), .init(2, SCMP_CMP_NE, 0, 0)])
    for type in [SOCK_RAW, SOCK_RDM, SOCK_PACKET] {
      let type = scmp_arg_cmp(1, SCMP_CMP_MASKED_EQ, 0xF, UInt64(type.rawValue))
      for number in [AF_INET, AF_INET6] { rules.fail("socket", with: error, when: [family(number), type]) }
    }
    // A socket of another kind would send to a path without a connection.
    for type in UInt64(0)...0xF where type != UInt64(SOCK_STREAM.rawValue) {
      rules.fail("socket", with: error, when: [family(AF_UNIX), .init(1, SCMP_CMP_MASKED_EQ, 0xF, type)])
    }
    let allowed =
      (policy.hasLocalSockets ? [AF_UNIX] : []) + (policy.hasNetwork ? [AF_INET, AF_INET6, AF_NETLINK] : [])
    let last = AF_NETLINK
    // The kernel ignores the upper half of the register; a number that uses it is a large one here.
    rules.fail("socket", with: error, when: [.init(0, SCMP_CMP_GT, UInt64(last), 0)])
    for number in 0...last where !allowed.contains(number) {
      rules.fail("socket", with: error, when: [family(number)])
    }
  }

  /// Adds rules to a filter, which outlives it, and notes whether one was refused.
  @safe private struct Rules {
    private let filter: scmp_filter_ctx
    var hasFailed = false

    init(_ filter: scmp_filter_ctx) { unsafe self.filter = filter }

    /// Makes the filter one for an architecture, which kills a process that makes calls of another.
    mutating func select(_ architecture: UInt32) {
      let native = seccomp_arch_native()
      if architecture != native {
        let isAdded = unsafe seccomp_arch_add(filter, architecture) == 0
        let isAlone = unsafe seccomp_arch_remove(filter, native) == 0
        if !isAdded || !isAlone { hasFailed = true }
      }
      let action = UInt32(SCMP_ACT_KILL_PROCESS)
      if unsafe seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, action) != 0 { hasFailed = true }
    }

    /// Passes a call to another process.
    mutating func pass(_ call: String) {
      let number = unsafe seccomp_syscall_resolve_name(call)
      if unsafe seccomp_rule_add_array(filter, UInt32(SCMP_ACT_NOTIFY), number, 0, nil) != 0 { hasFailed = true }
    }

    /// Makes a call fail, if its arguments match.
    mutating func fail(_ call: String, with error: CInt = EPERM, when arguments: [scmp_arg_cmp] = []) {
      let number = unsafe seccomp_syscall_resolve_name(call)
      // An older libseccomp does not know each call, and then neither do the programs that it was made for.
      guard number != CInt(__NR_SCMP_ERROR) else { return }
      let action = cseccomp_fail(UInt16(error))
      if unsafe seccomp_rule_add_array(filter, action, number, CUnsignedInt(arguments.count), arguments) != 0 {
        hasFailed = true
      }
    }
  }
}

extension scmp_arg_cmp {
  fileprivate init(_ index: CUnsignedInt, _ operation: scmp_compare, _ first: UInt64, _ second: UInt64) {
    self.init(arg: index, op: operation, datum_a: first, datum_b: second)
  }
}
