import FoundationEssentials
import Glibc

/// A private directory with a path short enough for a socket name, removed with all it holds by ``remove()``.
public struct TemporaryDirectory: Sendable {
  /// The absolute path, without a slash at its end.
  public let path: String

  /// Makes an empty directory that only this user can read.
  public init() throws {
    var template = Array("/tmp/mpd.XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw SystemCallError(call: "mkdtemp", code: errno) }
    path = unsafe String(cString: made)
  }

  /// The path of `name` inside.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes `text` to `name` inside and returns the path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes `bytes` to `name` inside and returns the path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// Makes the directory `name` inside, and those above it, and returns the path.
  @discardableResult
  public func makeDirectory(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
    return file(name)
  }

  /// Removes the directory and all it holds.
  public func remove() {
    // Best effort: what cannot be removed is the tests' own litter, not a failure of what they test.
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// Runs `body` with a private directory that is removed when it returns or throws.
@discardableResult
public func withTemporaryDirectory<T>(_ body: (TemporaryDirectory) async throws -> T) async throws -> T {
  let directory = try TemporaryDirectory()
  defer { directory.remove() }
  return try await body(directory)
}
