import Dispatch
import Playback
import Synchronization

/// Calls once at an instant that may be set anew from any thread; unset, it costs nothing.
final class WakeTimer: Sendable {
  private let queue: DispatchQueue
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  /// Makes a timer that calls on `queue`.
  init(queue: DispatchQueue) { self.queue = queue }

  deinit { timer.withLock { $0?.cancel() } }

  /// Calls `body` at `instant` in place of what was set before; nil for never.
  func set(_ instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) {
    timer.withLock { timer in
      guard let instant else {
        timer?.cancel()
        timer = nil
        return
      }
      let source = timer ?? makeTimer(body)
      timer = source
      // A year is as good as never, and within what a timer can express.
      let delay = min(max(0, (instant - .now).wholeNanoseconds), 31_536_000_000_000_000)
      source.schedule(deadline: .now() + .nanoseconds(Int(delay)), leeway: .microseconds(200))
    }
  }

  private func makeTimer(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler { body() }
    source.activate()
    return source
  }
}
