import Glibc
import Synchronization

/// A call into the C library failed.
public struct SystemCallError: Error, CustomStringConvertible {
  /// The function that failed, and on what.
  public let call: String
  /// The value of `errno`.
  public let code: Int32

  /// One line for the failure report.
  public var description: String { "\(call): \(unsafe String(cString: strerror(code)))" }
}

/// The one reader of `errno`: retries `EINTR`, throws on −1.
@discardableResult
func systemCall<T: SignedInteger>(_ name: String, _ body: () throws -> T) throws -> T {
  while true {
    let result = try body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemCallError(call: name, code: code) }
  }
}

/// Held where a descriptor is made and marked close-on-exec in two steps, and where a child is spawned, so that no
/// child inherits what it would then hold open.
let descriptorsAndSpawns = Mutex(())

/// A pipe; children get its ends only as their own streams.
struct Pipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try descriptorsAndSpawns.withLock { _ in
      try systemCall("pipe") { unsafe pipe(&ends) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  func closeReadEnd() { _ = close(readEnd) }
  func closeWriteEnd() { _ = close(writeEnd) }
}

/// Runs `body` on a thread of its own, for work that blocks; the handle is to be joined.
@discardableResult
func startThread(_ body: @escaping @Sendable () -> Void) throws -> pthread_t {
  let context = unsafe Unmanaged.passRetained(ThreadBody(body)).toOpaque()
  var thread = pthread_t()
  let code = unsafe pthread_create(&thread, nil, threadMain, context)
  guard code == 0 else {
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).release()
    throw SystemCallError(call: "pthread_create", code: code)
  }
  return thread
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context = unsafe context {
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
  }
  return nil
}
