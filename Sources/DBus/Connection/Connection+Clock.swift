public import EventLoop

extension Connection {
  /// Where tasks run that are to reach this connection without a hop; they must not block.
  public nonisolated var taskExecutor: LoopTaskExecutor { LoopTaskExecutor(loop) }

  /// The time as the connection's loop keeps it.
  public nonisolated var clock: LoopClock { LoopClock(loop) }
}
