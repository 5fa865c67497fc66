import CLinux
import Glibc
import TextCoding

/// The state of a local file, by which a changed or replaced file is noticed.
struct FileIdentity: Hashable {
  private var device: UInt64
  private var inode: UInt64
  private var size: Int64
  private var modified: Int64
  private var nanoseconds: Int64

  /// Reads the state of the file at a `file:` URI; nil for any other URI, and if the file does not exist.
  ///
  /// A disk may not answer.
  init?(_ uri: String) {
    guard let path = FileReference(uri)?.path, !path.contains(0) else { return nil }
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the state of an open file.
  init?(of file: OwnedDescriptor) {
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    (size, modified) = (Int64(status.st_size), Int64(status.st_mtim.tv_sec))
    nanoseconds = Int64(status.st_mtim.tv_nsec)
  }
}
