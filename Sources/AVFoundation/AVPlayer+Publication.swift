import Foundation
import GstPlayer
import Synchronization

/// The publication of changed properties on the main queue.
extension AVPlayer {
  /// Publishes the effect of a command: at once on the main queue, and otherwise as soon as that is free.
  nonisolated func changed() {
    if MainQueue.isCurrent { publish() } else { schedulePublication() }
  }

  nonisolated func schedulePublication() {
    let isFirst = state.withLock { state in
      guard state.publication == .none else {
        if state.publication == .running { state.publication = .outdated }
        return false
      }
      state.publication = .scheduled
      return true
    }
    if isFirst { MainQueue.async { [self] in publish() } }
  }

  /// Reports all changes since the last publication; called on the main queue.
  ///
  /// A change that an observer makes is reported to all observers after the present one.
  nonisolated func publish() {
    let begins = state.withLock { state in
      let begins = state.publication == .none || state.publication == .scheduled
      state.publication = begins ? .running : .outdated
      return begins
    }
    guard begins else { return }
    while true {
      report()
      let isDone = state.withLock { state in
        defer { state.publication = state.publication == .outdated ? .running : .none }
        return state.publication == .running
      }
      if isDone { return }
    }
  }

  nonisolated private func report() {
    let (items, looper, isRateChanged, reason) = state.withLock { state in
      let items = state.departed + state.entries.map(\.item)
      state.departed = []
      let rate = currentRate(state)
      guard rate != state.publishedRate else { return (items, state.looper, false, RateDidChangeReason?.none) }
      state.publishedRate = rate
      return (items, state.looper, true, state.rateReason.take())
    }
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
}
