package import EventLoop
import Glibc
import TextCoding

/// The file system of this machine.
package struct LocalFileSystem: FileSystem {
  package init() {}

  package func bytes(of path: [UInt8], limit: Int) -> Result<[UInt8], FileFailure> {
    let file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return .failure(FileFailure(number: errno)) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { return .failure(FileFailure(number: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .failure(FileFailure("not a regular file")) }
    guard status.st_size <= limit else { return .failure(FileFailure("larger than \(limit) bytes")) }
    var bytes: [UInt8] = []
    // Growing by doubling would need the memory twice.
    bytes.reserveCapacity(Int(status.st_size) + 1)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return .failure(FileFailure(number: errno)) }
      guard count > 0 else { return .success(bytes) }
      bytes += chunk[..<count]
    }
    return .failure(FileFailure("larger than \(limit) bytes"))
  }

  package func start(of path: [UInt8], count: Int) -> [UInt8] {
    let file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return [] }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let received = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(0, received)))
  }

  package func readable(_ path: [UInt8]) -> (any ReadableFile)? { LocalFile(path) }

  package func create(
    _ path: [UInt8], with bytes: [UInt8], permissions: FilePermissions, like model: [UInt8]?, isSynchronized: Bool
  ) -> Outcome {
    let attributes = model.flatMap { FileAttributes(of: $0) }
    // Opening another program's pipe would wait for its reader, and a link would be followed.
    let file = unsafe path.withCString {
      _ = unsafe unlink($0) == 0 || errno == EISDIR && rmdir($0) == 0
      // Until it has the attributes of the other one, the user alone may read the file.
      let mode = attributes == nil ? permissions.new : 0o600
      return unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    }
    guard file >= 0 else { return .failure(FileFailure(number: errno)) }
    let isWritten = writeAll(bytes, to: file)
    if isWritten { attributes?.apply(to: file, keeping: permissions.kept) }
    let isDone = isWritten && (!isSynchronized || fsync(file) == 0)
    let fault = errno
    close(file)
    if isDone { return .success(()) }
    remove(path)
    return .failure(FileFailure(number: fault))
  }

  package func rename(_ path: [UInt8], to other: [UInt8], replaces: Bool) -> Outcome {
    let isRenamed = unsafe path.withCString { path in
      unsafe other.withCString { other in
        unsafe replaces ? Glibc.rename(path, other) == 0 : Self.name(path, other)
      }
    }
    return isRenamed ? .success(()) : .failure(FileFailure(number: errno))
  }

  package func synchronize(folder: [UInt8]) -> Outcome {
    let file = unsafe folder.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard file >= 0 else { return .failure(FileFailure(number: errno)) }
    defer { close(file) }
    return fsync(file) == 0 || errno == EINVAL ? .success(()) : .failure(FileFailure(number: errno))
  }

  @discardableResult
  package func remove(_ path: [UInt8]) -> Outcome {
    let isGone = unsafe path.withCString { unsafe unlink($0) == 0 || errno == ENOENT }
    return isGone ? .success(()) : .failure(FileFailure(number: errno))
  }

  package func makeFolder(_ path: [UInt8]) -> Outcome {
    let isThere = unsafe path.withCString { unsafe mkdir($0, 0o700) == 0 || errno == EEXIST }
    return isThere ? .success(()) : .failure(FileFailure(number: errno))
  }

  package func identify(_ path: [UInt8]) -> Result<(kind: FileKind, id: FileID), FileFailure> {
    var info = stat()
    guard unsafe path.withCString({ unsafe stat($0, &info) }) == 0 else { return .failure(FileFailure(number: errno)) }
    let kind: FileKind =
      switch info.st_mode & S_IFMT {
      case S_IFDIR: .folder
      case S_IFREG: .file
      default: .other
      }
    return .success((kind, FileID(device: UInt64(info.st_dev), inode: UInt64(info.st_ino))))
  }

  /// Whether the user may not read an existing path.
  package func isDenied(_ path: [UInt8]) -> Bool {
    unsafe path.withCString { unsafe access($0, R_OK) } != 0 && errno == EACCES
  }

  package func list(_ folder: [UInt8]) -> Result<[FolderEntry], FileFailure> { list(folder, limit: .max) }

  /// Returns the first entries of a folder in any order.
  package func list(_ folder: [UInt8], limit: Int) -> Result<[FolderEntry], FileFailure> {
    guard let stream = unsafe folder.withCString({ unsafe opendir($0) }) else {
      return .failure(FileFailure(number: errno))
    }
    defer { unsafe closedir(stream) }
    var entries: [FolderEntry] = []
    while entries.count < limit, let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in unsafe Array(bytes.prefix { $0 != 0 }) }
      // Calling stat for each of ten thousand files would delay the first of them.
      let kind: FileKind? =
        switch unsafe Int(entry.pointee.d_type) {
        case DT_DIR: .folder
        case DT_REG: .file
        case DT_LNK, DT_UNKNOWN: nil
        default: .other
        }
      entries.append(FolderEntry(name: name, kind: kind))
    }
    return .success(entries)
  }

  package func destination(of path: [UInt8]) -> [UInt8] {
    var path = path
    // The limit of the kernel.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe path.withCString { unsafe readlink($0, &buffer, buffer.count) }
      guard count > 0 else { return path }
      let link = buffer.prefix(count).map { UInt8(bitPattern: $0) }
      let slash = UInt8(ascii: "/")
      let isInFolder = link.first != slash && path.contains(slash)
      path = (isInFolder ? path.folder + [slash] : []) + link
    }
    return path
  }

  package func resolved(_ path: [UInt8]) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard unsafe path.withCString({ unsafe realpath($0, &buffer) }) != nil else { return nil }
    return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  }

  package var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Duration(time)
  }

  package func modified(_ path: [UInt8]) -> Duration? {
    var info = stat()
    guard unsafe path.withCString({ unsafe stat($0, &info) }) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    return Duration(info.st_mtim)
  }

  package func watch(
    _ folder: [UInt8], on loop: PollLoop, _ changed: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? { FolderWatch(folder, on: loop, changed) }

  /// Renames a file unless the new name exists.
  private static func name(_ draft: UnsafePointer<CChar>, _ path: UnsafePointer<CChar>) -> Bool {
    if unsafe link(draft, path) == 0 {
      unsafe unlink(draft)
      return true
    }
    // Not every file system supports hard links.
    guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
    var status = stat()
    guard unsafe lstat(path, &status) != 0 else {
      errno = EEXIST
      return false
    }
    return unsafe Glibc.rename(draft, path) == 0
  }
}

extension Duration {
  fileprivate init(_ time: timespec) { self = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)) }
}
