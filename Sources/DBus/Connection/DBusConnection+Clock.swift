public import EventLoop

extension DBusConnection {
  /// An executor for tasks that call this connection without a thread hop; such tasks must not block.
  public nonisolated var taskExecutor: LoopTaskExecutor { LoopTaskExecutor(loop) }

  /// The clock of the connection's event loop.
  public nonisolated var clock: LoopClock { LoopClock(loop) }
}
