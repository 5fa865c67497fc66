package import Dispatch
package import Playback
import Synchronization

/// A one-shot timer that can be set again from any thread; it uses no resources while it is not set.
package final class WakeTimer: Sendable {
  private let queue: DispatchQueue
  private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

  /// Makes a timer that calls back on `queue`.
  package init(queue: DispatchQueue) { self.queue = queue }

  deinit { timer.withLock { $0?.cancel() } }

  /// Sets the time at which `body` is called and replaces the previous time; nil cancels the timer.
  package func set(_ instant: MonotonicTime?, _ body: @escaping @Sendable () -> Void) {
    timer.withLock { timer in
      guard let instant else {
        timer?.cancel()
        timer = nil
        return
      }
      let source = timer ?? DispatchSource.makeTimerSource(queue: queue)
      if timer == nil {
        source.setEventHandler { body() }
        source.activate()
        timer = source
      }
      // The delay is limited to a year, which a Dispatch timer can represent.
      let delay = min(max(0, (instant - .now).wholeNanoseconds), 31_536_000_000_000_000)
      source.schedule(deadline: .now() + .nanoseconds(Int(delay)), leeway: .microseconds(200))
    }
  }
}
