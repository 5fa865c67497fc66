public import Dispatch
public import Foundation
import GstPlayer
import Synchronization

extension AVPlayer {
  /// Calls `block` on a serial queue whenever playback passes a multiple of `interval`, and whenever it starts, stops or
  /// jumps.
  ///
  /// - Parameters:
  ///   - interval: Time of the item; less than 1 ms counts as 1 ms.
  ///   - queue: The queue; nil is the main queue.
  ///   - block: Receives the time.
  /// - Returns: The observer, for ``removeTimeObserver(_:)``; releasing it ends the calls.
  @discardableResult
  @preconcurrency
  nonisolated public func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    let token = TimeObserverToken()
    // Playback never passes a multiple of an interval that is not numeric.
    let duration = max(.milliseconds(1), interval.duration ?? .seconds(Int64.max / 4))
    let observation = try? player.addPeriodicTimeObserver(forInterval: duration) { [weak self, weak token] position in
      guard let self, let token else { return }
      let start = self.player.snapshot.currentItem?.start ?? .zero
      (queue ?? .main).async { if !token.isCancelled { block(CMTime(start + position)) } }
    }
    token.retain(observation)
    return token
  }

  /// Calls `block` on a serial queue each time that playback crosses one of the times.
  ///
  /// - Parameters:
  ///   - times: Values of `CMTime`; those that are negative or not numeric are never crossed.
  ///   - queue: The queue; nil is the main queue.
  ///   - block: Called without the time.
  /// - Returns: The observer, for ``removeTimeObserver(_:)``; releasing it ends the calls.
  @discardableResult
  @preconcurrency
  nonisolated public func addBoundaryTimeObserver(
    forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
  ) -> Any {
    let token = TimeObserverToken()
    let boundaries = times.compactMap(\.timeValue.duration).filter { $0 >= .zero }
    let observation = try? player.addBoundaryTimeObserver(forTimes: boundaries) { [weak token] _ in
      guard let token else { return }
      (queue ?? .main).async { if !token.isCancelled { block() } }
    }
    token.retain(observation)
    return token
  }

  /// Ends the calls of an observer; on its queue, no call begins afterwards.
  ///
  /// An object that is not an observer is ignored.
  nonisolated public func removeTimeObserver(_ observer: Any) { (observer as? TimeObserverToken)?.cancel() }
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
