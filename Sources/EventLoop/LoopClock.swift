/// The clock of an event loop: a task that sleeps on it uses a timer of the loop and blocks no thread.
///
/// Time during which the machine is suspended does not count.
public struct LoopClock: Clock {
  /// An instant of the suspending clock.
  public typealias Instant = SuspendingClock.Instant

  private let loop: PollLoop

  /// Creates the clock of a loop.
  public init(_ loop: PollLoop) { self.loop = loop }

  /// The current instant.
  public var now: Instant { loop.now }

  /// The unit to which the loop rounds up a wait.
  public var minimumResolution: Duration { .milliseconds(1) }

  /// Returns at the deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, or the loop stops, before the deadline.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let isDue = AwaitedValue<Bool>()
    let timer = loop.timer(after: now.duration(to: deadline), stopped: { isDue.set(false) }) { isDue.set(true) }
    let wasDue = await isDue.value { false }
    loop.cancelTimer(timer)
    try Task.checkCancellation()
    guard wasDue else { throw CancellationError() }
  }
}
