import Dispatch
import Foundation
import GstPlayer
import Synchronization

/// Adds and removes the time observers of a player.
extension AVPlayer {
  nonisolated func observePeriodically(
    _ interval: CMTime, _ queue: DispatchQueue, _ block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    let token = TimeObserverToken()
    // Playback never passes a multiple of an interval that is not numeric.
    let duration = max(.milliseconds(1), interval.duration ?? .seconds(Int64.max / 4))
    let observation = try? player.addPeriodicTimeObserver(forInterval: duration) { [weak self, weak token] position in
      guard let self, let token else { return }
      let start = self.player.snapshot.currentItem?.start ?? .zero
      queue.async { if !token.isCancelled { block(CMTime(start + position)) } }
    }
    token.retain(observation)
    return token
  }

  nonisolated func observeBoundaries(
    _ times: [NSValue], _ queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
  ) -> Any {
    let token = TimeObserverToken()
    let boundaries = times.compactMap(\.timeValue.duration).filter { $0 >= .zero }
    let observation = try? player.addBoundaryTimeObserver(forTimes: boundaries) { [weak token] _ in
      guard let token else { return }
      queue.async { if !token.isCancelled { block() } }
    }
    token.retain(observation)
    return token
  }

  nonisolated func endTimeObserver(_ observer: Any) { (observer as? TimeObserverToken)?.cancel() }
}

/// The object that identifies a time observer.
private final class TimeObserverToken: Sendable {
  private let state = Mutex<(observation: Player.Observer?, isCancelled: Bool)>((nil, false))

  func retain(_ observation: Player.Observer?) { state.withLock { $0.observation = observation } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    state.withLock { $0.observation }?.cancel()
  }

  deinit { cancel() }
}
