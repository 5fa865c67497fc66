import Dispatch
public import Playback
import Synchronization

/// Searches devices in the background; calls during a search share its result.
///
/// A sound server that hangs blocks one thread only, regardless of the number of calls.
final class AudioDeviceEnumerator: Sendable {
  static let shared = AudioDeviceEnumerator { AudioOutputProbe.outputs() }

  private struct State {
    var isSearching = false
    var lastWaiter = 0
    var waiters: [Int: CheckedContinuation<[AudioOutput], Never>] = [:]
  }

  private let state = Mutex(State())
  private let watchdogs = DispatchQueue(label: "org.playerd.outputs.watchdogs")
  private let search: @Sendable () -> [AudioOutput]

  /// Makes an enumerator that uses `search`, which may block.
  init(search: @escaping @Sendable () -> [AudioOutput]) { self.search = search }

  /// Returns the devices; an empty list if the search takes longer than `limit`.
  func outputs(within limit: Duration) async -> [AudioOutput] {
    await withCheckedContinuation { continuation in
      let (number, isFirst) = state.withLock { state in
        defer { state.isSearching = true }
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = continuation
        return (state.lastWaiter, !state.isSearching)
      }
      // It is not cancelled: after the answer, it finds no waiter.
      watchdogs.asyncAfter(deadline: .now() + .nanoseconds(Int(max(0, limit.wholeNanoseconds)))) {
        self.state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: [])
      }
      // A private queue has its own thread, which may block.
      if isFirst { DispatchQueue(label: "GstPlayer.AudioOutput").async { self.answer(self.search()) } }
    }
  }

  private func answer(_ outputs: [AudioOutput]) {
    let waiters = state.withLock { state in
      defer { (state.isSearching, state.waiters) = (false, [:]) }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume(returning: outputs) }
  }
}

extension AudioOutput {
  /// Lists the available devices.
  ///
  /// The search runs on its own thread and takes at most 3 s. A sound server that does not answer counts as a server
  /// without devices.
  ///
  /// - Returns: The devices without duplicates, in the order of the sound systems; empty if there are none.
  public static func all() async -> [AudioOutput] { await AudioDeviceEnumerator.shared.outputs(within: .seconds(3)) }
}
