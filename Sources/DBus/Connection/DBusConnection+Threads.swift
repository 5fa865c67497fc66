public import EventLoop

extension DBusConnection {
  /// An executor for tasks that call this connection without a thread hop; such tasks must not block.
  public nonisolated var taskExecutor: LoopTaskExecutor { LoopTaskExecutor(loop) }

  /// The clock of the connection's event loop.
  public nonisolated var clock: LoopClock { LoopClock(loop) }

  /// Runs a closure on the connection's thread, after the work that is queued there; for callers outside a task.
  ///
  /// Closures from one thread run in the order in which they were enqueued.
  public nonisolated func enqueue(_ work: @escaping @Sendable (isolated DBusConnection) -> Void) {
    loop.submit { self.assumeIsolated(work) }
  }

  /// Runs a closure at once on the connection's thread; called on another thread, it enqueues the closure.
  ///
  /// The caller must hold no lock that the closure takes.
  package nonisolated func runOrEnqueue(_ work: @escaping @Sendable (isolated DBusConnection) -> Void) {
    if loop.isIsolatingCurrentContext() == true { assumeIsolated(work) } else { enqueue(work) }
  }
}
