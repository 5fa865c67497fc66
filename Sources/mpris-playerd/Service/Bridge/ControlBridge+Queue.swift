import DBus
import GstPlayer
import MPRISService
import PlayerdInterfaces

/// The queue as the command line lists and edits it; indices count from 0.
extension ControlBridge {
  /// Returns a part of the queue, once the tags near the current track are known.
  func tracks(from offset: Int, count: Int) async -> QueuePage {
    let first = page(from: offset, count: count)
    await bridge.catalogue.inspect(first.items, within: PlayerBridge.inspectionTimeout, bridge.clock)
    return page(from: offset, count: count).page
  }

  private func page(from offset: Int, count: Int) -> (page: QueuePage, items: [PlayerItem]) {
    let state = bridge.player.snapshot
    let (items, current) = bridge.player.queue
    let start = min(max(0, offset), items.count)
    let indices = start..<min(items.count, start + min(max(0, count), QueuePage.limit))
    let rows = indices.map { index in
      let item = items[index]
      let isCurrent = index == current
      let fields = bridge.fields(of: item, state)
      var row = QueuedTrack()
      (row.index, row.isCurrent) = (Int64(index), isCurrent)
      row.trackID = (fields?.trackID ?? TrackID(item)).path.rawValue
      row.title = fields?.title ?? item.hints?.title
      row.artist = fields.map { $0.artists.joined(separator: ", ") } ?? item.hints?.artist
      row.album = fields?.album ?? item.hints?.album
      row.uri = item.uri
      row.duration = (fields?.length ?? item.hints?.duration)?.microseconds
      return row
    }
    let window = TrackWindow.range(count: items.count, current: current).clamped(to: indices)
    return (QueuePage(revision: state.queueRevision, total: Int64(items.count), rows: rows), Array(items[window]))
  }

  /// Removes the tracks at these indices.
  func removeTracks(at indices: [Int]) throws(DBusError) {
    let items = bridge.player.items
    var removed: Set<PlayerItem.ID> = []
    for index in indices { removed.insert(try item(at: index, of: items).id) }
    bridge.player.remove(removed)
  }

  /// Moves a track to another index.
  func moveTrack(from source: Int, to target: Int) throws(DBusError) {
    let items = bridge.player.items
    _ = try item(at: target, of: items)
    bridge.player.move(try item(at: source, of: items).id, to: target)
  }

  /// Plays the track at an index.
  func playTrack(at index: Int) throws(DBusError) {
    bridge.coordinator.play(try item(at: index, of: bridge.player.items).id)
  }

  /// Stops playback and removes all tracks.
  func clear() {
    bridge.coordinator.stop()
    bridge.player.replaceQueue(with: [])
  }

  private func item(at index: Int, of items: [PlayerItem]) throws(DBusError) -> PlayerItem {
    guard items.indices.contains(index) else {
      throw .invalidArguments("there is no track \(index + 1); the queue has \(items.count)")
    }
    return items[index]
  }
}
