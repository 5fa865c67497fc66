import Foundation
import GstPlayer
import Synchronization

extension AVPlayerItem {
  /// Returns the entries of a log of the last player that are about this item.
  nonisolated func logged<Entry: Sendable>(
    _ log: (Player) -> [Entry], item playerItem: (Entry) -> Player.Item?
  ) -> [Entry] {
    guard let player = state.withLock({ $0.logPlayer }) else { return [] }
    let entries = log(player.player).compactMap { entry in playerItem(entry).map { (entry: entry, id: $0.id) } }
    // If a reference to another item is the last one, it is released outside the lock.
    let items = player.state.withLock { state in entries.map { state.logItems[$0.id] } }
    return zip(entries, items).compactMap { $1 === self ? $0.entry : nil }
  }
}

/// The items whose playbacks and errors are logged, by their identities in a player's queue.
struct LogItems {
  private struct Reference {
    weak var item: AVPlayerItem?
  }

  private var references: [Player.Item.ID: Reference] = [:]
  /// The number of identities above which unused ones are removed.
  private var limit = 512

  /// The item of an identity; nil if it is unknown or was released.
  subscript(id: Player.Item.ID) -> AVPlayerItem? { references[id]?.item }

  /// Adds an identity of an item of a player; the caller has the lock of the player's state.
  mutating func add(_ entry: PlayerEntry, of player: Player, queue: [PlayerEntry]) {
    references[entry.id] = Reference(item: entry.item)
    guard references.count > limit else { return }
    let logged = player.accessLog.map(\.item.id) + player.errorLog.compactMap(\.item?.id)
    let used = Set(queue.map(\.id) + logged + [entry.id])
    references = references.filter { used.contains($0.key) }
    limit = max(512, references.count * 2)
  }
}

extension AVPlayer {
  /// Reads the log entries of the `Player` until it is closed, and posts their notifications on the main queue.
  ///
  /// The caller owns the task, which runs on the main actor.
  nonisolated func logReader() -> Task<Void, Never> {
    Task { @MainActor [weak self, entries = player.logEntries()] in
      for await entry in entries { self?.receive(entry) }
    }
  }

  nonisolated private func receive(_ entry: Player.LogEntry) {
    let playerItem: Player.Item?
    let name: Notification.Name
    switch entry {
    case .access(let entry): (playerItem, name) = (entry.item, AVPlayerItem.newAccessLogEntryNotification)
    case .error(let entry): (playerItem, name) = (entry.item, AVPlayerItem.newErrorLogEntryNotification)
    }
    guard let id = playerItem?.id, let item = state.withLock({ $0.logItems[id] }) else { return }
    MainQueue.async { NotificationCenter.default.post(name: name, object: item) }
  }
}
