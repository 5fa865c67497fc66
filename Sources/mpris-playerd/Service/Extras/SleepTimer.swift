import Dispatch
import MPRISService
import PlayerdInterfaces
import Synchronization

/// Calls once when a time has passed; until then nothing wakes.
///
/// Time that the machine is suspended does not count.
final class SleepTimer: Sendable {
  /// What was set.
  struct Setting: Equatable {
    /// Microseconds of `CLOCK_MONOTONIC`.
    var deadline: Int64
    var isAfterTrack: Bool
  }

  private struct State {
    var setting: Setting?
    var timer: (any DispatchSourceTimer)?
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "org.playerd.sleep")
  private let fired: @Sendable (Setting) -> Void

  /// Makes a timer that is not set; `fired` is called on a queue of its own.
  init(fired: @escaping @Sendable (Setting) -> Void) { self.fired = fired }

  deinit { state.withLock { $0.timer?.cancel() } }

  var setting: Setting? { state.withLock { $0.setting } }

  /// Sets the timer anew, or for nil off.
  func set(_ delay: Duration?, afterTrack: Bool) {
    state.withLock { state in
      state.timer?.cancel()
      (state.timer, state.setting) = (nil, nil)
      guard let delay else { return }
      let setting = Setting(deadline: monotonicMicroseconds() + delay.microseconds, isAfterTrack: afterTrack)
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + .microseconds(Int(delay.microseconds)), leeway: .milliseconds(50))
      timer.setEventHandler { [weak self] in self?.fire(setting) }
      timer.activate()
      (state.timer, state.setting) = (timer, setting)
    }
  }

  /// One that was set anew meanwhile is not this one.
  private func fire(_ setting: Setting) {
    let isDue = state.withLock { state in
      guard state.setting == setting else { return false }
      state.timer?.cancel()
      (state.timer, state.setting) = (nil, nil)
      return true
    }
    if isDue { fired(setting) }
  }
}
