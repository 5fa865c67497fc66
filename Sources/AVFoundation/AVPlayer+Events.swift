import Foundation
import GstPlayer
import Synchronization

/// A notification that is to be posted on the main queue.
private struct PlayerNotice: Sendable {
  let name: Notification.Name
  let item: AVPlayerItem
  var error: (any Error)?
}

/// Handles the events of the `Player`.
extension AVPlayer {
  /// Handles an event; called on the queue of the player's observers, in order.
  ///
  /// The state follows at once, so it does not depend on the main queue. Notifications are posted there.
  nonisolated func receive(_ event: Player.Event, _ snapshot: Player.Snapshot) {
    let (notice, succeeded, failed) = state.withLock { state in
      let notice = apply(event, snapshot, to: &state)
      var succeeded: [@Sendable (Bool) -> Void] = []
      if let entry = state.entries.first(where: { $0.id == snapshot.currentItem?.id }),
        snapshot.itemStatus == .readyToPlay, snapshot.transport != .stopped
      {
        state.hasBeenReady = true
        entry.item.follow(snapshot, as: entry.playerItem)
        succeeded = state.takePrerolls { $0 == entry.id }
      }
      let waiting = Set(state.entries.lazy.filter { !$0.item.hasFailed }.map(\.id))
      return (notice, succeeded, state.takePrerolls { !waiting.contains($0) })
    }
    switch event {
    case .currentItemChanged: updateLoop()
    // Outside the lock, which the `deinit` of the looper takes.
    case .itemRepeated(let repeated, _): state.withLock { $0.looper }?.count(repeated.id)
    default: break
    }
    complete(succeeded, with: true)
    complete(failed, with: false)
    guard let notice else { return schedulePublication() }
    if notice.name == .AVPlayerItemTimeJumped { for output in notice.item.outputs { output.flush() } }
    MainQueue.async { [self] in
      let userInfo = notice.error.map { [AVPlayerItemFailedToPlayToEndTimeErrorKey: $0] }
      NotificationCenter.default.post(name: notice.name, object: notice.item, userInfo: userInfo)
      publish()
    }
  }

  nonisolated private func apply(
    _ event: Player.Event, _ snapshot: Player.Snapshot, to state: inout AVPlayerState
  ) -> PlayerNotice? {
    func item(_ playerItem: Player.Item) -> AVPlayerItem? {
      state.entries.first { $0.id == playerItem.id }?.item
        ?? state.outgoing.flatMap { $0.id == playerItem.id ? $0.item : nil }
    }
    func notice(_ name: Notification.Name, of playerItem: Player.Item) -> PlayerNotice? {
      item(playerItem).map { PlayerNotice(name: name, item: $0) }
    }
    switch event {
    case .currentItemChanged(_, let next):
      state.reportedItem = next
      // An item that fades out is played to its end.
      state.outgoing = snapshot.outgoingItem.flatMap { outgoing in state.entries.first { $0.id == outgoing.id } }
      if let next { removePlayed(before: next.id, &state) }
    case .itemDidPlayToEnd(let ended):
      item(ended)?.recordEnd()
      defer { if state.outgoing?.id == ended.id { state.outgoing = nil } }
      return notice(.AVPlayerItemDidPlayToEndTime, of: ended)
    case .itemFailed(let failed, let error):
      guard let item = item(failed) else { break }
      let failure = (item.asset.headersError ?? error).foundationError(about: item.asset.uri)
      state.rateReason = .setRateFailed
      let wasReady = item.status == .readyToPlay
      item.state.withLock { $0.failure = failure }
      return wasReady ? PlayerNotice(name: .AVPlayerItemFailedToPlayToEndTime, item: item, error: failure) : nil
    case .timeJumped: return state.reportedItem.flatMap { notice(.AVPlayerItemTimeJumped, of: $0) }
    // The one item of a looper goes back from its end.
    case .itemRepeated(let repeated, _): return notice(.AVPlayerItemTimeJumped, of: repeated)
    case .playbackStalled(let stalled): return notice(.AVPlayerItemPlaybackStalled, of: stalled)
    case .queueEnded: endQueue(&state)
    default: break
    }
    return nil
  }

  /// Removes the items before the one that has become current.
  nonisolated private func removePlayed(before id: Player.Item.ID, _ state: inout AVPlayerState) {
    guard let index = state.entries.firstIndex(where: { $0.id == id }), index > 0 else { return }
    let played = Array(state.entries[..<index])
    depart(played, &state)
    player.remove(contentsOf: Set(played.map(\.id)))
  }

  /// Removes the last item after it has played; the rate stays, so an item that is inserted later plays at once.
  ///
  /// A failed item stays current, and the rate becomes 0.
  nonisolated private func endQueue(_ state: inout AVPlayerState) {
    let snapshot = player.snapshot
    // A command may have been given since the event.
    guard snapshot.transport == .stopped, let ended = state.entries.first(where: { $0.id == snapshot.currentItem?.id }),
      !ended.item.hasFailed
    else { return }
    depart([ended], &state)
    player.replaceQueue(with: state.entries.map(\.playerItem))
    start(at: Float(snapshot.rate), &state)
  }
}
