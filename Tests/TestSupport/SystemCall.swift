import Glibc
import Synchronization

/// The error of a failed call into the C library.
public struct SystemCallError: Error, CustomStringConvertible {
  /// The function that failed, and its object.
  public let call: String
  /// The value of `errno`.
  public let code: Int32

  /// One line for the failure report.
  public var description: String { "\(call): \(unsafe String(cString: strerror(code)))" }
}

/// Performs a system call; retries after `EINTR`, and throws the value of `errno` on −1.
@discardableResult
func systemCall<T: SignedInteger>(_ name: String, _ body: () throws -> T) throws -> T {
  while true {
    let result = try body()
    if result != -1 { return result }
    let code = errno
    if code != EINTR { throw SystemCallError(call: name, code: code) }
  }
}

/// The lock for creating close-on-exec descriptors in two steps, and for spawning children.
///
/// Without it a child could inherit a descriptor and keep it open.
let descriptorsAndSpawns = Mutex(())

/// A pipe whose ends a child receives only as its standard streams.
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

/// Runs `body` on a separate thread, for blocking work; the caller joins the thread.
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

/// Gives the calling thread a name, by which a test knows the threads of its servers.
private func nameThread(_ name: String) {
  let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return }
  _ = unsafe write(file, name, name.utf8.count)
  _ = close(file)
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  nameThread("test-server")
  if let context = unsafe context {
    unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
  }
  return nil
}
