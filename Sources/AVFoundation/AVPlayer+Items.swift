import GstPlayer
import Synchronization

/// The queue of the player, shared by ``AVPlayer`` and ``AVQueuePlayer``.
extension AVPlayer {
  /// The entry of the current item; nil for none.
  nonisolated var currentEntry: PlayerEntry? { currentEntries.first }

  /// The current entry and those after it.
  nonisolated var currentEntries: ArraySlice<PlayerEntry> {
    let id = player.snapshot.currentItem?.id
    return state.withLock { state in state.entries.drop { $0.id != id } }
  }

  /// Replaces all items; a playing player continues with the first one, and any other loads it.
  nonisolated func replaceItems(with items: [AVPlayerItem]) {
    let cancelled: [@Sendable (Bool) -> Void] = state.withLock { state in
      let rate = currentRate(state)
      let old = state.entries
      depart(old.filter { entry in !items.contains { item in item === entry.item } }, &state)
      // Added one by one: `newEntry` keeps the identities of the entries that are in the queue.
      state.entries = []
      for item in items {
        let isKept = old.contains { $0.item === item }
        if let entry = isKept ? newEntry(item, &state) : attach(item, &state) { state.entries.append(entry) }
      }
      player.replaceQueue(with: state.entries.map(\.playerItem))
      start(at: rate, &state)
      let first = state.entries.first?.id
      return state.takePrerolls { $0 != first }
    }
    complete(cancelled, with: false)
    changed()
  }

  /// Creates the entry of an item that is new to the player; nil if the item belongs to a player.
  nonisolated func attach(_ item: AVPlayerItem, _ state: inout AVPlayerState) -> PlayerEntry? {
    guard item.attach(to: self) else { return nil }
    if item.state.withLock({ $0.followsTimedMetadata }) { followTimedMetadata(&state) }
    return newEntry(item, &state)
  }

  /// Creates another entry of an item of the player.
  nonisolated private func newEntry(_ item: AVPlayerItem, _ state: inout AVPlayerState) -> PlayerEntry {
    let entry = PlayerEntry(item: item, playerItem: item.newPlayerItem())
    state.logItems.add(entry, of: player, queue: state.entries)
    if let curve = item.volumeCurve { player.setVolumeCurve(curve, of: entry.id) }
    return entry
  }

  /// Removes entries from the state, and detaches their items.
  nonisolated func depart(_ entries: [PlayerEntry], _ state: inout AVPlayerState) {
    let ids = Set(entries.map(\.id))
    state.entries.removeAll { ids.contains($0.id) }
    for entry in entries {
      entry.item.detach(from: self)
      state.departed.append(entry.item)
    }
  }

  /// Loads the first item, or plays it at a rate other than 0; without an item, the rate is kept for the next one.
  nonisolated func start(at rate: Float, _ state: inout AVPlayerState) {
    guard !state.entries.isEmpty else { return state.awaitedRate = rate }
    state.awaitedRate = 0
    if rate > 0 {
      player.rate = Double(rate)
      player.play()
    } else {
      player.load()
    }
  }

  /// Opens an item again with its present end, at the same position.
  nonisolated func reopen(_ item: AVPlayerItem) {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.item === item }) else { return }
      let old = state.entries[index]
      let new = newEntry(item, &state)
      state.entries[index] = new
      state.prerolls = state.prerolls.map { $0.item == old.id ? (item: new.id, completion: $0.completion) : $0 }
      let snapshot = player.snapshot
      player.insert(contentsOf: [new.playerItem], after: old.id)
      player.remove(old.id)
      if snapshot.currentItem?.id == old.id, snapshot.position > .zero { player.seek(to: snapshot.position) }
    }
    changed()
  }
}
