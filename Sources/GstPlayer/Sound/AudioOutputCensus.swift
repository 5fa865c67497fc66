import Dispatch
import Playback
import Synchronization

/// Looks for devices where nothing waits, once for all who ask meanwhile.
///
/// A sound server that hangs keeps one thread, however often it is asked.
final class AudioOutputCensus: Sendable {
  static let shared = AudioOutputCensus { AudioOutputProbe.outputs() }

  private struct Waiter {
    let continuation: CheckedContinuation<[AudioOutput], Never>
    let watchdog: any DispatchSourceTimer
  }

  private struct State {
    var isLooking = false
    var lastWaiter = 0
    var waiters: [Int: Waiter] = [:]
  }

  private let state = Mutex(State())
  private let watchdogs = DispatchQueue(label: "org.playerd.outputs.watchdogs")
  private let look: @Sendable () -> [AudioOutput]

  /// Makes a census of what `look` finds; it may block.
  init(look: @escaping @Sendable () -> [AudioOutput]) { self.look = look }

  /// What there is; nothing when the answer does not come in time.
  func outputs(within limit: Duration) async -> [AudioOutput] {
    await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = Waiter(
          continuation: continuation, watchdog: makeWatchdog(for: state.lastWaiter, limit))
        defer { state.isLooking = true }
        return !state.isLooking
      }
      // A queue of its own has a thread of its own, which may block.
      if isFirst {
        DispatchQueue(label: "GstPlayer.AudioOutput").async { self.answer(self.look()) }
      }
    }
  }

  private func answer(_ outputs: [AudioOutput]) {
    let waiters = state.withLock { state in
      state.isLooking = false
      defer { state.waiters = [:] }
      return state.waiters.values.map { waiter in
        waiter.watchdog.cancel()
        return waiter.continuation
      }
    }
    for waiter in waiters { waiter.resume(returning: outputs) }
  }

  private func giveUp(_ number: Int) {
    let waiter = state.withLock { state in
      let waiter = state.waiters.removeValue(forKey: number)
      waiter?.watchdog.cancel()
      return waiter?.continuation
    }
    waiter?.resume(returning: [])
  }

  private func makeWatchdog(for number: Int, _ limit: Duration) -> any DispatchSourceTimer {
    let watchdog = DispatchSource.makeTimerSource(queue: watchdogs)
    watchdog.schedule(deadline: .now() + .nanoseconds(Int(max(0, limit.wholeNanoseconds))))
    watchdog.setEventHandler { self.giveUp(number) }
    watchdog.activate()
    return watchdog
  }
}
