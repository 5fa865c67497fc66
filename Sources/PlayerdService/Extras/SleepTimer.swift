import EventLoop
import MPRISService
import Synchronization

/// Fires once after a delay, and causes no wake-ups before.
///
/// Time during which the machine is suspended does not count.
final class SleepTimer: Sendable {
  /// A setting of the timer.
  struct Setting: Equatable {
    /// Microseconds of `CLOCK_MONOTONIC`.
    var deadline: Int64
    var isAfterTrack: Bool
  }

  private let state = Mutex<(setting: Setting, timer: EventSources.ID)?>(nil)
  private let loop: PollLoop
  private let monotonic: @Sendable () -> Int64
  private let fired: @Sendable (Setting) -> Void

  /// Creates a timer that is off; `monotonic` returns the present microseconds of `CLOCK_MONOTONIC`.
  ///
  /// `fired` is called on the loop, and must not block.
  init(
    on loop: PollLoop, monotonic: @escaping @Sendable () -> Int64, fired: @escaping @Sendable (Setting) -> Void
  ) {
    self.loop = loop
    self.monotonic = monotonic
    self.fired = fired
  }

  deinit { state.withLock { $0.map { loop.cancelTimer($0.timer) } } }

  var setting: Setting? { state.withLock { $0?.setting } }

  /// Sets the timer again; nil turns it off.
  func set(_ delay: Duration?, afterTrack: Bool) {
    state.withLock { state in
      if let timer = state?.timer { loop.cancelTimer(timer) }
      state = delay.map { delay in
        let setting = Setting(deadline: monotonic() + delay.microseconds, isAfterTrack: afterTrack)
        return (setting, loop.timer(after: delay) { [weak self] in self?.fire(setting) })
      }
    }
  }

  /// Fires unless the timer has been set again since.
  private func fire(_ setting: Setting) {
    let isDue = state.withLock { state in
      guard state?.setting == setting else { return false }
      state = nil
      return true
    }
    if isDue { fired(setting) }
  }
}
