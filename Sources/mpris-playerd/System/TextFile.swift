import Glibc

/// Small files, read and written as a whole.
enum TextFile {
  /// Why a file could not be read or written.
  struct Failure: Error, Equatable {
    /// As `errno` has it; 0 when the file itself is unsuitable.
    var number: CInt
    var message: String

    /// Whether there is no such file.
    var isAbsence: Bool { number == ENOENT }

    init(number: CInt) {
      self.number = number
      message = unsafe String(cString: strerror(number))
    }

    init(_ message: String) {
      number = 0
      self.message = message
    }
  }

  /// The file's bytes as UTF-8, repaired where they are not.
  static func text(of path: String, limit: Int) -> Result<String, Failure> {
    bytes(of: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The file's bytes; a file beyond the limit, or one that is no regular file, is refused.
  static func bytes(of path: String, limit: Int) -> Result<[UInt8], Failure> {
    bytes(of: Array(path.utf8), limit: limit)
  }

  /// The same of a path that need not be UTF-8.
  static func bytes(of path: [UInt8], limit: Int) -> Result<[UInt8], Failure> {
    let file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return .failure(Failure(number: errno)) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { return .failure(Failure(number: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .failure(Failure("it is not a regular file")) }
    guard status.st_size <= limit else { return .failure(Failure("it is larger than \(limit) bytes")) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return .failure(Failure(number: errno)) }
      guard count > 0 else { return .success(bytes) }
      bytes += chunk[..<count]
    }
    return .failure(Failure("it is larger than \(limit) bytes"))
  }

  /// Puts a file with these bytes in the place of what is there, at one moment; its folder is made when it is missing.
  ///
  /// Only the user can read it, unless it is not private: then it is as the user's files are.
  ///
  /// It is written to `draft` first, beside it unless named. Unless it need not be durable, it is on the disk when this
  /// returns. What is there is not replaced when it may not be; the failure is `EEXIST` then.
  static func replace(
    _ path: String, with bytes: [UInt8], draft: String? = nil, isDurable: Bool = true, isPrivate: Bool = true,
    mayExist: Bool = true
  ) -> Result<Void, Failure> {
    guard makeFolder(parent(of: path)) else { return .failure(Failure(number: errno)) }
    let draft = draft ?? "\(path).new"
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, isPrivate ? 0o600 : 0o666)
    guard file >= 0 else { return .failure(Failure(number: errno)) }
    let isWritten = write(bytes, to: file) && (!isDurable || fsync(file) == 0)
    let fault = errno
    close(file)
    guard isWritten, mayExist ? rename(draft, to: path) : name(draft, path) else {
      let number = isWritten ? errno : fault
      unsafe unlink(draft)
      return .failure(Failure(number: number))
    }
    return .success(())
  }

  static func rename(_ path: String, to other: String) -> Bool { unsafe Glibc.rename(path, other) == 0 }

  /// Gives a draft its name unless there is something of that name.
  private static func name(_ draft: String, _ path: String) -> Bool {
    if unsafe link(draft, path) == 0 {
      unsafe unlink(draft)
      return true
    }
    // Not every file system has a file under two names.
    guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
    var status = stat()
    guard unsafe lstat(path, &status) != 0 else {
      errno = EEXIST
      return false
    }
    return rename(draft, to: path)
  }

  private static func write(_ bytes: [UInt8], to file: CInt) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = unsafe Glibc.write(file, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }

  private static func makeFolder(_ path: String) -> Bool {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, path.count > 1, makeFolder(parent(of: path)) else { return false }
    return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST
  }

  private static func parent(of path: String) -> String {
    let parts = path.split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/")
  }
}
