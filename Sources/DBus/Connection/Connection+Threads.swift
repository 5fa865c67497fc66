import EventLoop

extension Connection {
  /// Runs a closure on the connection's thread, after what waits there already; for callers that are no tasks.
  ///
  /// What one thread hands in is run in the order in which it was handed in.
  public nonisolated func enqueue(_ work: @escaping @Sendable (isolated Connection) -> Void) {
    loop.submit { self.assumeIsolated(work) }
  }
}
