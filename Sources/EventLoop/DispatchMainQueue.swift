import CLinux
import Dispatch
import Glibc

/// The main queue of libdispatch and the main actor, in a program whose main thread runs another event loop.
///
/// A loop that calls ``runPending()`` when ``fileDescriptor`` is readable serves `DispatchQueue.main`, `MainActor` and
/// `OperationQueue.main`. With GLib:
///
/// ```swift
/// g_unix_fd_add(DispatchMainQueue.fileDescriptor, G_IO_IN, { _, _, _ in
///   DispatchMainQueue.runPending()
///   return 1
/// }, nil)
/// ```
///
/// With Qt, a `QSocketNotifier` of the type `Read` does the same. The timers of a `RunLoop` are not served.
public enum DispatchMainQueue {
  /// The descriptor that is readable while the main queue has work; it belongs to libdispatch.
  ///
  /// Negative after `dispatchMain()` or an async `main`, which serve the queue on other threads.
  public static var fileDescriptor: Int32 { _dispatch_get_main_queue_handle_4CF() }

  /// Runs the work that waits in the main queue, and returns without waiting for more.
  ///
  /// - Returns: False on another thread than the main one; nothing is run then.
  @discardableResult
  public static func runPending() -> Bool {
    let descriptor = fileDescriptor
    guard clinux_is_main_thread(), descriptor >= 0 else { return false }
    // Read first: work that is added later makes the descriptor readable again.
    var count: UInt64 = 0
    _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
    _dispatch_main_queue_callback_4CF(nil)
    return true
  }
}
