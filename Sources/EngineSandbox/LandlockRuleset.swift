import CLinux
import Glibc

/// The files, TCP ports, signals and sockets that a process can reach, as a ruleset of Landlock.
///
/// Opening, creating, renaming and removing files is restricted. Reading the attributes of a path, such as its size, is not.
///
/// <https://docs.kernel.org/userspace-api/landlock.html>
struct LandlockRuleset: ~Copyable {
  /// The rights of `LANDLOCK_ACCESS_FS_…`.
  struct Access: OptionSet {
    let rawValue: UInt64

    static let execute = Access(rawValue: 1 << 0)
    static let write = Access(rawValue: 1 << 1)
    static let readFile = Access(rawValue: 1 << 2)
    static let readFolder = Access(rawValue: 1 << 3)
    static let makeSocket = Access(rawValue: 1 << 9)
    static let truncate = Access(rawValue: 1 << 14)
    static let controlDevice = Access(rawValue: 1 << 15)

    static let read: Access = [.readFile, .readFolder]
    /// The rights that a rule for a file, rather than a folder, may have.
    static let ofFile: Access = [.execute, .write, .readFile, .truncate, .controlDevice]

    /// Returns the rights that a version of the interface knows.
    static func all(_ version: Int) -> Access {
      // REFER, TRUNCATE and IOCTL_DEV are later than version 1.
      let count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13
      return Access(rawValue: 1 << count - 1)
    }
  }

  /// The version of the kernel's interface; nil if the kernel lacks Landlock or has disabled it.
  static var kernelVersion: Int? {
    let version = clinux_landlock_version()
    return version > 0 ? Int(version) : nil
  }

  private let version: Int
  private let descriptor: CInt

  /// Creates a ruleset that denies everything; nil if the kernel does not support it.
  ///
  /// - Parameter hasNetwork: Whether TCP connections are allowed; serving a TCP port never is. Versions before 4 restrict
  ///   neither.
  init?(hasNetwork: Bool) {
    guard let version = Self.kernelVersion else { return nil }
    var ruleset = clinux_landlock_ruleset()
    ruleset.files = Access.all(version).rawValue
    // BIND_TCP, CONNECT_TCP.
    if version >= 4 { ruleset.network = hasNetwork ? 1 : 3 }
    // Abstract sockets and signals, to processes that are not in the sandbox.
    if version >= 6 { ruleset.scopes = 3 }
    let descriptor = unsafe clinux_landlock_create(&ruleset)
    guard descriptor >= 0 else { return nil }
    (self.version, self.descriptor) = (version, descriptor)
  }

  deinit { close(descriptor) }

  /// Allows access to a file, or to a folder and everything below it; a path that does not exist is ignored.
  ///
  /// - Parameters:
  ///   - path: An absolute path.
  ///   - access: The rights; those that do not apply to a file are left out for it.
  ///   - isPinned: Whether the kernel must keep the file for the life of the process, because a virtual file system would
  ///     otherwise make another one with the same path.
  func allow(_ path: String, _ access: Access, isPinned: Bool = false) {
    let file = unsafe clinux_open_place(path)
    guard file >= 0 else { return }
    defer { if !isPinned { close(file) } }
    var info = stat()
    guard unsafe fstat(file, &info) == 0 else { return }
    var allowed = access.intersection(.all(version))
    if info.st_mode & S_IFMT != S_IFDIR { allowed.formIntersection(.ofFile) }
    guard !allowed.isEmpty else { return }
    _ = clinux_landlock_allow(descriptor, file, allowed.rawValue)
  }

  /// Restricts the calling thread and those that it starts from now on, for ever.
  ///
  /// - Returns: The version that is in force; nil if the kernel refuses.
  func enforce() -> Int? {
    // From version 7 on, denied accesses are recorded in the audit log unless this flag is set. Each local item is one,
    // because a file is first opened directly.
    let isUnrecorded: CUnsignedInt = version >= 7 ? 1 : 0
    return clinux_landlock_restrict(descriptor, isUnrecorded) == 0 ? version : nil
  }
}
