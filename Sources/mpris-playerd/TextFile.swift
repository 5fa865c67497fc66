import Glibc

/// Small files, read and written as a whole.
enum TextFile {
  /// Why a file could not be read or written.
  struct Failure: Error, Equatable {
    /// As `errno` has it; 0 when the file itself is unsuitable.
    var number: CInt
    var message: String

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
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
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
}
