import EventLoop

extension DBusConnection {
  /// Runs a closure on the connection's thread, after the work that is queued there; for callers outside a task.
  ///
  /// Closures from one thread run in the order in which they were enqueued.
  public nonisolated func enqueue(_ work: @escaping @Sendable (isolated DBusConnection) -> Void) {
    loop.submit { self.assumeIsolated(work) }
  }
}
