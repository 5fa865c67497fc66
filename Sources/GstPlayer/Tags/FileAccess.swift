import CGst
import Glibc
import Synchronization
import TextCoding

/// The opening of local files, for an engine that the kernel does not allow to open them.
///
/// The engine process in its sandbox gets the descriptors of media from the player.
enum FileAccess {
  /// Opens a file of a path, and returns a descriptor, or the negative of an error number.
  typealias Opener = @Sendable (_ path: [UInt8]) -> CInt

  private static let opener = Mutex<Opener?>(nil)

  /// Whether this process opens all files itself.
  static var isDirect: Bool { opener.withLock { $0 == nil } }

  /// Opens files that this process must not open by another way.
  static func use(_ opener: @escaping Opener) { Self.opener.withLock { $0 = opener } }

  /// Opens a file for reading; blocks on the disk.
  ///
  /// - Returns: A descriptor, or the negative of an error number.
  static func open(_ path: [UInt8]) -> CInt {
    // Without O_NONBLOCK, opening a FIFO would wait for its writer.
    let descriptor = unsafe path.withCString { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor < 0 else { return descriptor }
    let error = errno
    guard error == EACCES, let opener = opener.withLock(\.self) else { return -error }
    return opener(path)
  }
}
