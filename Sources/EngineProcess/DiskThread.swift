import Glibc
import Synchronization

/// Runs calls that may wait for a disk without end, each on a thread of its own.
///
/// No call can stop one that waits for a disk or a file server that does not answer. libdispatch has at most 255 threads for all
/// queues of a process, so a queue of tracks on such a disk would use them up.
enum DiskThread {
  /// The threads that may wait at the same time.
  private static let limit = 1_000
  private static let count = Atomic<Int>(0)

  /// Calls `body` on a new thread; if too many wait, returns false without calling it.
  static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard count.add(1, ordering: .relaxed).newValue <= limit else {
      count.subtract(1, ordering: .relaxed)
      return false
    }
    let work = Body {
      body()
      count.subtract(1, ordering: .relaxed)
    }
    let context = unsafe Unmanaged.passRetained(work).toOpaque()
    var (thread, attributes) = (pthread_t(), pthread_attr_t())
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    guard unsafe pthread_create(&thread, &attributes, runBody, context) != 0 else { return true }
    unsafe Unmanaged<Body>.fromOpaque(context).release()
    count.subtract(1, ordering: .relaxed)
    return false
  }

  private static let stackSize = 256 << 10

  fileprivate final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

private func runBody(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let body = unsafe body else { return nil }
  unsafe Unmanaged<DiskThread.Body>.fromOpaque(body).takeRetainedValue().run()
  return nil
}
