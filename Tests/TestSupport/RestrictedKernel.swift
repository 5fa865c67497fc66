/// Kernels that lack a part of the sandbox, as programs see them: the calls of that part fail.
public struct RestrictedKernel: Sendable {
  /// Whether the kernel has Landlock.
  public var hasLandlock: Bool
  /// Whether it has filters of system calls.
  public var hasSeccomp: Bool

  /// Creates a kernel with the parts that the real one has, or without them.
  public init(hasLandlock: Bool, hasSeccomp: Bool) {
    (self.hasLandlock, self.hasSeccomp) = (hasLandlock, hasSeccomp)
  }

  /// Whether programs can run on these kernels here; needs python3.
  public static var isAvailable: Bool { Tool.areAvailable("python3") }

  /// The beginning of the command line of a program that runs on the kernel.
  public var launcher: [String] {
    let missing = (hasLandlock ? [] : ["landlock"]) + (hasSeccomp ? [] : ["seccomp"])
    return ["python3", "-c", Self.script, missing.joined(separator: ",")]
  }

  /// Installs a filter, which its children inherit, and runs the rest of its arguments.
  private static let script = """
    import ctypes, errno, os, struct, sys
    library = ctypes.CDLL(None)
    # The numbers of seccomp and prctl.
    seccomp, prctl = {"x86_64": (317, 157), "aarch64": (277, 167)}[os.uname().machine]
    word = lambda offset: (0x20, 0, 0, offset)
    skip_unless = lambda value, count: (0x15, 0, count, value)
    fail = lambda error: (0x06, 0, 0, 0x50000 | error)
    rules, missing = [word(0)], sys.argv[1].split(",")
    if "landlock" in missing:
        for number in range(444, 447):
            rules += [skip_unless(number, 1), fail(errno.ENOSYS)]
    if "seccomp" in missing:
        # PR_SET_SECCOMP is the other way to install a filter.
        rules += [skip_unless(seccomp, 1), fail(errno.ENOSYS), skip_unless(prctl, 3), word(16), skip_unless(22, 1), fail(errno.EINVAL)]
    rules += [(0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
    program = struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code))
    if library.prctl(38, 1, 0, 0, 0) or library.prctl(22, 2, ctypes.c_char_p(program), 0, 0):
        sys.exit("the kernel has no filters of system calls")
    os.execvp(sys.argv[2], sys.argv[2:])
    """
}
