import Foundation
import GstPlayer
import Synchronization

/// Carries out the commands of a player.
extension AVPlayer {
  /// Starts the observation of the `Player`, and loads the first item.
  nonisolated func begin(with items: [AVPlayerItem]) {
    MainQueue.serveInGLib()
    player.actionAtItemEnd = Self.initialActionAtItemEnd.action
    announceProperties()
    // The player calls its observers on one queue, in order.
    let observation = player.addEventObserver { [weak self] in self?.receive($0, $1) }
    let logReader = logReader()
    state.withLock { ($0.observation, $0.logReader) = (observation, logReader) }
    if !items.isEmpty { replaceItems(with: items) }
  }

  /// Sets a setting of the `Player`, and publishes the change.
  nonisolated func update<Value>(_ setting: ReferenceWritableKeyPath<Player, Value>, to value: Value) {
    player[keyPath: setting] = value
    changed()
  }

  // MARK: Rate

  /// Pauses, with a reason for the change of the rate.
  nonisolated func pause(because reason: RateDidChangeReason) {
    state.withLock { state in
      state.rateReason = reason
      state.awaitedRate = 0
      player.pause()
    }
    changed()
  }

  nonisolated func setRate(_ rate: Float) {
    guard rate != 0 else { return pause(because: .setRateCalled) }
    play(at: rate) { rate in
      player.rate = rate
      player.play()
    }
  }

  nonisolated func setDefaultRate(_ rate: Float) {
    guard let rate = Self.clamped(rate) else { return }
    state.withLock { $0.defaultRate = rate }
    changed()
  }

  /// Calls `begin` with the clamped rate, or keeps the rate for the next item if there is none.
  ///
  /// A failed item stays failed, as Apple's does.
  nonisolated func play(at rate: Float, _ begin: (Double) -> Void) {
    guard let rate = Self.clamped(rate) else { return }
    let hasItem = state.withLock { state in
      state.rateReason = .setRateCalled
      guard !state.entries.isEmpty else {
        state.awaitedRate = rate
        return false
      }
      let snapshot = player.snapshot
      // A failure may not be reported yet, and a failed item is the first one until its successor has been reported.
      let isFailed =
        snapshot.itemStatus == .failed
        || state.entries.contains { $0.id == snapshot.currentItem?.id && $0.item.hasFailed }
      if !isFailed { begin(Double(rate)) }
      return true
    }
    if hasItem { activity.request() }
    changed()
  }

  /// Returns the requested rate, 0 while paused.
  nonisolated func currentRate(_ state: borrowing AVPlayerState) -> Float {
    if state.entries.isEmpty { return state.awaitedRate }
    let snapshot = player.snapshot
    return snapshot.transport == .playing ? Float(snapshot.rate) : 0
  }

  nonisolated private static func clamped(_ rate: Float) -> Float? {
    guard rate.isFinite, rate > 0 else { return nil }
    return min(max(Float(Player.rateRange.lowerBound), rate), Float(Player.rateRange.upperBound))
  }

  // MARK: Waiting

  nonisolated var currentTimeControlStatus: TimeControlStatus {
    if isAwaitingItem { return .waitingToPlayAtSpecifiedRate }
    let snapshot = player.snapshot
    return switch snapshot.timeControlStatus {
    // With `actionAtItemEnd` none, an item at its end keeps the rate, so Apple's player still plays.
    case .paused: snapshot.transport == .playing ? .playing : .paused
    case .waitingToPlay: .waitingToPlayAtSpecifiedRate
    case .playing: .playing
    }
  }

  nonisolated var currentWaitingReason: WaitingReason? {
    if isAwaitingItem { return .noItemToPlay }
    return switch player.snapshot.reasonForWaitingToPlay {
    case nil: nil
    case .toMinimizeStalls?: .toMinimizeStalls
    case .evaluatingBufferingRate?: .evaluatingBufferingRate
    case .noItemToPlay?: .noItemToPlay
    case .noOutput?: .noOutput
    }
  }

  nonisolated private var isAwaitingItem: Bool { state.withLock { $0.entries.isEmpty && $0.awaitedRate > 0 } }

  // MARK: Preroll

  nonisolated func preroll(_ completionHandler: (@Sendable (Bool) -> Void)?) {
    let snapshot = player.snapshot
    let result: Bool? = state.withLock { state in
      guard let entry = state.entries.first(where: { $0.id == snapshot.currentItem?.id }), !entry.item.hasFailed,
        snapshot.transport != .playing
      else { return false }
      // Read under the lock: an item that gets ready after this is reported to `receive`, which takes the lock.
      if player.snapshot.itemStatus == .readyToPlay { return true }
      if let completionHandler { state.prerolls.append((entry.id, completionHandler)) }
      return nil
    }
    if let result, let completionHandler { complete([completionHandler], with: result) }
  }

  nonisolated func cancelAllPrerolls() { complete(state.withLock { $0.takePrerolls { _ in true } }, with: false) }

  /// Calls completion handlers on the main queue.
  nonisolated func complete(_ handlers: [@Sendable (Bool) -> Void], with result: Bool) {
    guard !handlers.isEmpty else { return }
    MainQueue.async { for handler in handlers { handler(result) } }
  }
}
