import Glibc
import PlayerdSystem
import Synchronization
import TextCoding

/// Locks the folder of a session for one process at a time; the kernel releases the lock at the end of the process.
///
/// Daemons of two message buses, or without a bus, would overwrite the files of each other.
package final class SessionLock: Sendable {
  /// The open folder; nil after the release.
  private let descriptor: Mutex<Int32?>

  private init(_ descriptor: Int32?) { self.descriptor = Mutex(descriptor) }

  deinit { release() }

  /// Locks a folder, which is created if it is missing; nil if another process holds the lock.
  ///
  /// In a folder that cannot be created, or on a file system without locks, two processes may hold the lock.
  ///
  /// <https://man7.org/linux/man-pages/man2/flock.2.html>
  package static func take(_ folder: String) -> SessionLock? {
    let path = Array(folder.utf8)
    guard case .success = LocalFileSystem().makeFolders(path) else { return SessionLock(nil) }
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return SessionLock(nil) }
    let lock = SessionLock(descriptor)
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK ? lock : nil
  }

  /// Releases the lock, so that the next daemon has the session before this process has ended.
  package func release() {
    descriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }
}
