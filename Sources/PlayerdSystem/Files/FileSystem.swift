package import EventLoop
import Glibc
package import Logging
import TextCoding

/// The reason why a file could not be read or written.
package struct FileFailure: Error, Equatable {
  /// A value of `errno`; 0 if the file itself is unsuitable.
  package var number: CInt
  package var message: String

  /// Whether the file does not exist.
  package var isAbsence: Bool { number == ENOENT }

  /// Whether the user may not read the file, or not search a folder of its path.
  package var isDenial: Bool { number == EACCES || number == EPERM }

  /// The reason in the words of the player's errors.
  package var reason: String {
    if isDenial { return "permission denied" }
    return isAbsence || number == ENOTDIR ? "not found" : message
  }

  package init(number: CInt) {
    self.number = number
    message = unsafe String(cString: strerror(number))
  }

  package init(_ message: String) {
    number = 0
    self.message = message
  }
}

/// Logs failed writes: a failure is logged once until a write succeeds.
package struct WriteLog: Sendable {
  private let log: Logger
  private var reported: FileFailure?

  package init(_ log: Logger) { self.log = log }

  /// Records the outcome of a write; returns whether it has succeeded.
  package mutating func note(_ outcome: FileSystem.Outcome, of path: String) -> Bool {
    switch outcome {
    case .success:
      reported = nil
      return true
    case .failure(let failure):
      if failure != reported { log.warning("\(path): \(failure.message)") }
      reported = failure
      return false
    }
  }
}

/// The file system that the daemon keeps its state in, and opens folders and playlists from.
///
/// Paths are bytes, which need not be UTF-8. After a loss of power, only synchronized data and names are certain.
package protocol FileSystem: Sendable {
  typealias Outcome = Result<Void, FileFailure>

  /// Reads a file; fails if it is larger than the limit or not a regular file.
  func bytes(of path: [UInt8], limit: Int) -> Result<[UInt8], FileFailure>

  /// Returns the first bytes of a regular file; empty for anything else.
  func start(of path: [UInt8], count: Int) -> [UInt8]

  /// Opens a regular file for reading at any offset; nil for anything else.
  func readable(_ path: [UInt8]) -> (any ReadableFile)?

  /// Creates a file, and replaces a file, a link, a pipe or an empty folder with its name; after a failure, none is left.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - bytes: The content.
  ///   - permissions: The permissions of the file.
  ///   - model: The file that this file is to replace, and whose attributes it gets; nil if it replaces nothing.
  ///   - isSynchronized: Whether the content is on the disk when this returns.
  /// - Returns: Success, or the failure of the first operation that has failed.
  func create(
    _ path: [UInt8], with bytes: [UInt8], permissions: FilePermissions, like model: [UInt8]?, isSynchronized: Bool
  ) -> Outcome

  /// Renames a file; if `replaces` is false and the new name exists, the failure is `EEXIST`.
  func rename(_ path: [UInt8], to other: [UInt8], replaces: Bool) -> Outcome

  /// Returns when the names in a folder are on the disk; a success on file systems without such a call.
  func synchronize(folder: [UInt8]) -> Outcome

  /// Removes a file; a missing file is a success.
  @discardableResult
  func remove(_ path: [UInt8]) -> Outcome

  /// Creates a folder that only the user can read; an existing folder is a success.
  func makeFolder(_ path: [UInt8]) -> Outcome

  /// Returns the kind and the identity of the target of a path, with links resolved.
  func identify(_ path: [UInt8]) -> Result<(kind: FileKind, id: FileID), FileFailure>

  /// Returns the entries of a folder in any order.
  func list(_ folder: [UInt8]) -> Result<[FolderEntry], FileFailure>

  /// Returns the path that a path leads to if it is a symbolic link, also if nothing is there; else the path itself.
  func destination(of path: [UInt8]) -> [UInt8]

  /// Resolves symbolic links; nil if the path does not exist.
  func resolved(_ path: [UInt8]) -> [UInt8]?

  /// The present time since 1970, on the clock of the files' dates.
  var now: Duration { get }

  /// Returns the time of the last change of a regular file, since 1970; nil for anything else.
  func modified(_ path: [UInt8]) -> Duration?

  /// Watches the entries of a folder until the result is released; nil if the folder cannot be watched.
  ///
  /// `changed` is called on the loop, once for changes that arrive together; it must not block.
  func watch(
    _ folder: [UInt8], on loop: PollLoop, _ changed: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)?
}

package enum FileKind { case folder, file, other }

/// The identity of a file or folder, independent of links to it.
package struct FileID: Hashable {
  var device: UInt64
  var inode: UInt64
}

/// An entry of a folder.
package struct FolderEntry {
  package var name: [UInt8]
  /// Nil if the folder does not report the kind: for links, and on file systems without it.
  package var kind: FileKind?
}

/// The permissions of a file that is written.
package struct FilePermissions: Equatable, Sendable {
  /// The permissions of a new file, which the umask restricts.
  var new: mode_t
  /// The permissions that an existing file keeps, if it has them.
  var kept: mode_t = 0o7777

  /// A file like those that other programs create.
  package static let usual = FilePermissions(new: 0o666)
  /// A new file is for the user alone; the user may share it.
  static let personal = FilePermissions(new: 0o600)
  /// A file with secrets is for the user alone, also if it exists.
  package static let secret = FilePermissions(new: 0o600, kept: 0o700)
}

extension FileSystem {
  package func destination(of path: [UInt8]) -> [UInt8] { path }

  /// Returns the kind of the target of a path, with links resolved; nil if it does not exist, or cannot be reached.
  package func kind(of path: [UInt8]) -> FileKind? { try? identify(path).get().kind }

  /// Returns the entries of a folder in any order; empty if it cannot be read.
  package func entries(of folder: [UInt8]) -> [FolderEntry] { (try? list(folder).get()) ?? [] }

  /// Reads a file as UTF-8; invalid bytes are replaced.
  package func text(of path: String, limit: Int) -> Result<String, FileFailure> {
    bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads a file; fails if it is larger than the limit or not a regular file.
  package func bytes(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    bytes(of: Array(path.utf8), limit: limit)
  }

  /// Renames a file; returns whether that succeeded.
  package func rename(_ path: String, to other: String) -> Bool {
    if case .success = rename(Array(path.utf8), to: Array(other.utf8), replaces: true) { true } else { false }
  }

  /// Replaces or creates a file atomically; creates its folder if it is missing.
  ///
  /// An existing file keeps its owner, group, mode and extended attributes such as its access control list, and a link
  /// to it stays a link. If one of them cannot be kept, other users do not gain access.
  ///
  /// The bytes are first written to a draft beside the file. A crash may leave it. A fixed draft, with the ending `.new`,
  /// is replaced by the next call, and must not be used by two processes at once. If `isDurable`, the bytes are on the
  /// disk when this returns. If `mayExist` is false, an existing file is not replaced, and the failure is `EEXIST`.
  package func replace(
    _ path: [UInt8], with bytes: [UInt8], hasFixedDraft: Bool = false, isDurable: Bool = true,
    permissions: FilePermissions = .personal, mayExist: Bool = true
  ) -> Outcome {
    let target = mayExist ? destination(of: path) : path
    let kind = mayExist ? kind(of: target) : nil
    // A device or a pipe would be gone.
    guard kind != .other else { return .failure(FileFailure("not a regular file")) }
    let folder = Self.parent(of: target)
    let draft = target + (hasFixedDraft ? ".new" : ".\(UInt64.random(in: 0...UInt64.max))").utf8
    return (target == path ? makeFolders(folder) : .success(()))
      .flatMap {
        create(
          draft, with: bytes, permissions: permissions, like: kind == .file ? target : nil, isSynchronized: isDurable)
      }
      .flatMap {
        let outcome = rename(draft, to: target, replaces: mayExist)
        if case .failure = outcome { remove(draft) }
        return outcome
      }
      // Without it, a loss of power may undo the new name, however long ago the data was synchronized.
      .flatMap { isDurable ? synchronize(folder: folder) : .success(()) }
      .flatMapError { failure in
        // A folder that is not empty has the name of the draft.
        guard hasFixedDraft, mayExist, failure.number == EEXIST else { return .failure(failure) }
        return replace(path, with: bytes, isDurable: isDurable, permissions: permissions)
      }
  }

  /// Replaces or creates a file atomically.
  package func replace(
    _ path: String, with bytes: [UInt8], hasFixedDraft: Bool = false, isDurable: Bool = true,
    permissions: FilePermissions = .personal, mayExist: Bool = true
  ) -> Outcome {
    replace(
      Array(path.utf8), with: bytes, hasFixedDraft: hasFixedDraft, isDurable: isDurable, permissions: permissions,
      mayExist: mayExist)
  }

  /// Creates a folder and those that contain it, if they are missing.
  package func makeFolders(_ path: [UInt8]) -> Outcome {
    let outcome = makeFolder(path)
    guard case .failure(let failure) = outcome, failure.isAbsence, path.count > 1 else { return outcome }
    return makeFolders(Self.parent(of: path)).flatMap { makeFolder(path) }
  }

  private static func parent(of path: [UInt8]) -> [UInt8] { path.folder.isEmpty ? [UInt8(ascii: "/")] : path.folder }
}
