import Foundation
import GstPlayer
import Synchronization

/// Publishes changed properties on the main queue.
extension AVPlayer {
  /// Publishes the effect of a command: at once on the main queue, and otherwise as soon as that is free.
  nonisolated func changed() {
    if MainQueue.isCurrent { publish() } else { schedulePublication() }
  }

  nonisolated func schedulePublication() {
    let isFirst = state.withLock { state in
      defer { state.isOutdated = true }
      return !state.isOutdated && !state.isPublishing
    }
    if isFirst { MainQueue.async { [self] in publish() } }
  }

  /// Reports all changes since the last publication; called on the main queue.
  ///
  /// A change that an observer makes is reported to all observers after the present one.
  nonisolated func publish() {
    let begins = state.withLock { state in
      defer { (state.isOutdated, state.isPublishing) = (true, true) }
      return !state.isPublishing
    }
    guard begins else { return }
    while state.withLock({ $0.beginsReport() }) { report() }
  }

  nonisolated private func report() {
    let (items, looper, isRateChanged, reason) = state.withLock { state in
      let items = state.departed + state.entries.map(\.item)
      state.departed = []
      // A reason without a change, such as after playing twice, must not reach a later change.
      let (rate, reason) = (currentRate(state), state.rateReason.take())
      guard rate != state.publishedRate else { return (items, state.looper, false, RateDidChangeReason?.none) }
      state.publishedRate = rate
      return (items, state.looper, true, reason)
    }
    recordActivity()
    for item in items { item.keyValueObservers.notify(item) }
    keyValueObservers.notify(self)
    if let looper { looper.keyValueObservers.notify(looper) }
    guard isRateChanged else { return }
    // Later, because the caller may be inside a command. Apple does not define a reason for the end of an item or a stall.
    MainQueue.async { [self] in
      let userInfo = reason.map { [Self.rateDidChangeReasonKey: $0] }
      NotificationCenter.default.post(name: Self.rateDidChangeNotification, object: self, userInfo: userInfo)
    }
  }

  /// Records whether the player plays, for the audio session and the now playing info.
  ///
  /// The rate alone does not show it: at the end of the queue it stays, and it starts the next item that is inserted.
  nonisolated private func recordActivity() {
    let (old, new) = state.withLock { state in
      let plays = !state.entries.isEmpty && player.snapshot.timeControlStatus != .paused
      let new = currentRate(state) == 0 ? nil : plays
      defer { state.publishedActivity = new }
      return (state.publishedActivity, new)
    }
    guard new != old else { return }
    guard let new else { return activity.remove(ObjectIdentifier(self)) }
    activity.add(ObjectIdentifier(self), plays: new) { [weak self] in self?.pause(because: .audioSessionInterrupted) }
  }
}
