import Dispatch
public import Playback
import Synchronization

/// A device search in the background; calls during a search share its result.
///
/// A sound server that hangs blocks one thread only, regardless of the number of calls.
final class AudioDeviceEnumerator: Sendable {
  static let shared = AudioDeviceEnumerator { AudioOutputProbe.outputs() }

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

  /// Makes an enumerator that uses `look`, which may block.
  init(look: @escaping @Sendable () -> [AudioOutput]) { self.look = look }

  /// Returns the devices; an empty list if the search takes longer than `limit`.
  func outputs(within limit: Duration) async -> [AudioOutput] {
    await withCheckedContinuation { continuation in
      let isFirst = state.withLock { state in
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = Waiter(
          continuation: continuation, watchdog: makeWatchdog(for: state.lastWaiter, limit))
        defer { state.isLooking = true }
        return !state.isLooking
      }
      // A private queue has its own thread, which may block.
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

extension AudioOutput {
  /// Lists the available devices.
  ///
  /// The search runs on its own thread and takes at most 3 s. A sound server that does not answer counts as one without
  /// devices.
  ///
  /// - Returns: The devices without duplicates, in the order of the sound systems; empty if there are none.
  public static func all() async -> [AudioOutput] { await AudioDeviceEnumerator.shared.outputs(within: .seconds(3)) }
}
