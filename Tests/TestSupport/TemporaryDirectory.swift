import FoundationEssentials
import Glibc
import Synchronization

/// A private directory with a path short enough for a socket name; ``remove()`` deletes it with its contents.
public struct TemporaryDirectory: Sendable {
  /// The absolute path, without a trailing slash.
  public let path: String

  /// A path that does not exist, inside the folder of this test process; the machine's own folders are not used for that.
  public static let missing = ((try? ProcessDirectory.path.get()) ?? "/proc") + "/missing"

  /// Creates an empty directory that only the current user can read.
  public init() throws {
    path = try ProcessDirectory.path.get() + "/\(ProcessDirectory.count.add(1, ordering: .relaxed).newValue)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// Returns the path of `name` in the directory.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes `text` to `name` in the directory and returns the path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes `bytes` to `name` in the directory and returns the path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// Renames a file to a name that need not be UTF-8, and returns the path.
  @discardableResult
  public func rename(_ name: String, to other: [UInt8]) throws -> [UInt8] {
    let target = Array("\(path)/".utf8) + other
    let text = target.map { CChar(bitPattern: $0) } + [0]
    try systemCall("rename") { unsafe Glibc.rename(file(name), text) }
    return target
  }

  /// Creates the directory `name` with its parents in the directory and returns the path.
  @discardableResult
  public func makeDirectory(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    return file(name)
  }

  /// Deletes the directory with its contents.
  public func remove() {
    // Best effort: a leftover file is not a failure of the code under test.
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// Runs `body` with a private directory that is deleted when it returns or throws.
@discardableResult
public func withTemporaryDirectory<T>(_ body: (TemporaryDirectory) async throws -> T) async throws -> T {
  let directory = try TemporaryDirectory()
  defer { directory.remove() }
  return try await body(directory)
}

/// The parent of all temporary directories of this process, deleted at its exit.
///
/// The directory is locked while the process lives, so that the next process recognises the leftovers of a killed one.
private enum ProcessDirectory {
  static let count = Atomic<Int>(0)

  static let path = Result<String, any Error> {
    removeLeftovers()
    while true {
      var template = Array("/tmp/mpt.XXXXXX".utf8CString)
      guard let made = unsafe mkdtemp(&template) else { throw SystemCallError(call: "mkdtemp", code: errno) }
      let path = unsafe String(cString: made)
      // The lock fails if another process is deleting the directory as a leftover.
      guard lock(path) != nil else { continue }
      atexit(removeProcessDirectory)
      return path
    }
  }

  static func remove() {
    if case .success(let path) = path { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func removeLeftovers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? [] where name.hasPrefix("mpt.") {
      guard let descriptor = lock("/tmp/\(name)") else { continue }
      try? FileManager.default.removeItem(atPath: "/tmp/\(name)")
      _ = close(descriptor)
    }
  }

  /// Locks an existing directory that no other process has locked; returns the descriptor that holds the lock.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe access(path, F_OK) == 0 { return descriptor }
    _ = close(descriptor)
    return nil
  }
}

private func removeProcessDirectory() {
  ProcessDirectory.remove()
}
