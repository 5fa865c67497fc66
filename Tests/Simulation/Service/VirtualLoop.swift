import EventLoop
import Playback

/// The host of an event loop under the virtual clock: the run carries out the work on its own thread.
final class VirtualLoop: LoopHost {
  private let clock: VirtualClock
  private let base = SuspendingClock.now

  init(_ clock: VirtualClock) { self.clock = clock }

  /// An instant whose distance to another one is that of the virtual clock.
  var now: SuspendingClock.Instant { base.advanced(by: .nanoseconds(clock.now.nanoseconds - VirtualClock.start)) }

  var isCurrent: Bool { true }

  func start(_ loop: PollLoop) {}
  func wake() {}

  /// Returns the instant of the virtual clock at which the next timer of a loop is due.
  func nextTimer(of loop: PollLoop) -> Int64? {
    loop.nextDeadline.map { deadline in
      let (seconds, attoseconds) = base.duration(to: deadline).components
      return VirtualClock.start + seconds * 1_000_000_000 + (attoseconds + 999_999_999) / 1_000_000_000
    }
  }
}
