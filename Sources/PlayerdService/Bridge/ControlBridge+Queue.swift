import DBus
import MPRISService
import Playback
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdSystem
import TextCoding

/// Queue listings and edits for the command line; indices count from 0.
extension ControlBridge {
  /// Returns a part of the queue; waits for its tags if it has tracks of the window around the current one.
  ///
  /// The tags of other parts are read in the background.
  func tracks(from offset: Int, count: Int) async -> QueuePage {
    let first = page(from: offset, count: count)
    let timeout = first.isNear ? bridge.inspectionTimeout : .zero
    await bridge.metadataCache.inspect(first.items, within: timeout, bridge.clock)
    return page(from: offset, count: count).page
  }

  /// Waits for the tags of the queue's local files, within a time limit.
  ///
  /// - Returns: The tracks whose tags are kept: of a long queue, those around the current one.
  @discardableResult func readTags() async -> [Player.Item] {
    let (items, current) = bridge.player.queue
    let kept = Array(items[TrackWindow.range(count: items.count, current: current, size: MetadataCache.capacity)])
    await bridge.metadataCache.inspect(kept, within: bridge.inspectionTimeout, bridge.clock)
    return kept
  }

  /// Returns a part of the queue, its items whose tags are kept, and whether it has tracks of the window.
  private func page(
    from offset: Int, count: Int
  ) -> (page: QueuePage, items: [Player.Item], isNear: Bool) {
    var state: Player.Snapshot
    var queue: (items: [Player.Item], currentIndex: Int?)
    var order: [Int]?
    // The revision must belong to the items: an edit between the two reads repeats them.
    repeat {
      state = bridge.player.snapshot
      queue = bridge.player.queue
      order = bridge.player.playOrder
    } while bridge.player.snapshot.queueRevision != state.queueRevision
    let (items, current) = queue
    let start = min(max(0, offset), items.count)
    let indices = start..<min(items.count, start + min(max(0, count), QueuePage.limit))
    let places = Self.places(of: order, count: items.count)
    let rows = indices.map { index in
      let item = items[index]
      let isCurrent = index == current
      let fields = bridge.fields(of: item, state)
      var row = QueuedTrack()
      (row.index, row.isCurrent, row.playIndex) = (Int64(index), isCurrent, Int64(places?[index] ?? index))
      row.trackID = (fields?.trackID ?? MPRISTrackID(item)).path.rawValue
      row.title = fields?.title ?? item.externalMetadata?.title
      row.artist = fields.map { $0.artists.joined(separator: ", ") } ?? item.externalMetadata?.artist
      row.album = fields?.album ?? item.externalMetadata?.album
      row.uri = item.uri.withoutURIUsers
      row.duration = (fields?.length ?? item.externalMetadata?.duration)?.microseconds
      let error = failures.error(of: item.id)
      (row.errorCode, row.errorMessage) = (error?.code.rawValue, error?.message)
      return row
    }
    let near = TrackWindow.range(count: items.count, current: current).clamped(to: indices)
    let kept = TrackWindow.range(count: items.count, current: current, size: MetadataCache.capacity).clamped(
      to: indices)
    return (
      QueuePage(revision: state.queueRevision, total: Int64(items.count), rows: rows), Array(items[kept]), !near.isEmpty
    )
  }

  /// Returns the position of each item in an order of play; nil for list order, and for an order of another queue.
  private static func places(of order: [Int]?, count: Int) -> [Int]? {
    guard let order, order.count == count else { return nil }
    var places = [Int](repeating: 0, count: count)
    for (place, index) in order.enumerated() {
      guard places.indices.contains(index) else { return nil }
      places[index] = place
    }
    return places
  }

  /// Removes tracks of the present queue, or of the one with a revision, which must be the present one.
  func removeTracks(at indices: [Int], of revision: UInt64? = nil) throws(DBusError) {
    let items = try items(of: revision)
    var removed: Set<Player.Item.ID> = []
    for index in indices { removed.insert(try item(at: index, of: items).id) }
    bridge.coordinator.remove(removed, of: bridge.playlistFolder.active)
  }

  func moveTrack(from source: Int, to target: Int) throws(DBusError) {
    let items = bridge.player.items
    _ = try item(at: target, of: items)
    bridge.coordinator.move(try item(at: source, of: items).id, to: target, of: bridge.playlistFolder.active)
  }

  /// Plays a track of the present queue, or of the one with a revision, which must be the present one.
  func playTrack(at index: Int, of revision: UInt64? = nil) throws(DBusError) {
    bridge.coordinator.play(try item(at: index, of: try items(of: revision)).id)
  }

  func skip(_ count: Int) throws(DBusError) {
    guard count == 0 || bridge.coordinator.advance(by: count) else {
      let (number, side) = (counted(abs(count), "track"), count > 0 ? "after" : "before")
      throw .failed("the queue does not have \(number) \(side) this one")
    }
  }

  /// Returns the items of the queue, which must have this revision if one is given.
  ///
  /// A change that follows is harmless: the callers pass the identities of items on.
  private func items(of revision: UInt64?) throws(DBusError) -> [Player.Item] {
    let items = bridge.player.items
    guard revision == nil || bridge.player.snapshot.queueRevision == revision else {
      throw .failed("the queue has changed since it was listed; nothing was done")
    }
    return items
  }

  /// Plays the queue in list order, or its tracks or albums in random order.
  ///
  /// For albums, the tags of local files around the current track are read first, within a time limit.
  func setShuffleMode(_ text: String) async throws(DBusError) {
    guard let mode = Player.ShuffleMode(rawValue: text) else {
      throw .invalidArguments("the mode “\(text.excerpt)” is not “off”, “tracks” or “albums”")
    }
    var names: [Player.Item.ID: String] = [:]
    if mode == .albums, bridge.player.snapshot.shuffleMode != .albums {
      for item in await readTags() { names[item.id] = albumName(of: item) }
    }
    bridge.coordinator.setShuffleMode(mode, names: names, of: bridge.playlistFolder.active)
  }

  /// Returns the album and its artists as one text, empty for a track without an album; nil if the tags are not known.
  private func albumName(of item: Player.Item) -> String? {
    let known = bridge.metadataCache.metadata(of: item.id)?.fields
    guard let album = known?.album ?? item.externalMetadata?.album else { return known == nil ? nil : "" }
    let artists = known?.albumArtists ?? [item.externalMetadata?.albumArtist].compactMap(\.self)
    return ([album] + artists).joined(separator: "\n")
  }

  /// Stops playback, removes all tracks, and cancels the requests that are being opened.
  func clear() { bridge.coordinator.clear(bridge.playlistFolder.active) }

  /// Reverses the last edit of the queue, or repeats the edit that was reversed last.
  ///
  /// - Returns: The kind of the edit, the number of tracks that have returned or left, and the title if it is one.
  func reverse(_ step: EditHistory.Step) async throws(DBusError) -> (kind: String, count: UInt32, title: String) {
    let rejections = OpenLog(log)
    let policy = settings.current.uriPolicy
    let outcome = bridge.coordinator.reverse(step, of: bridge.playlistFolder.active) { item in
      guard let reason = policy.objection(to: item.uri) else { return false }
      rejections.reject(item.uri, reason)
      return true
    }
    _ = rejections.finish()
    switch outcome {
    case .nothing: throw .failed("there is nothing to \(step)")
    case .notAllowed: throw .failed("the queue is not changed: none of the earlier tracks may be opened")
    case .done(let reversal):
      bridge.playlistFolder.queueRestored(from: reversal.playlist)
      let items = reversal.items
      let title = if let item = items.first, items.count == 1 { await bridge.title(of: item) } else { "" }
      return (reversal.kind.rawValue, UInt32(clamping: items.count), title)
    }
  }

  private func item(at index: Int, of items: [Player.Item]) throws(DBusError) -> Player.Item {
    guard items.indices.contains(index) else {
      throw .invalidArguments("track \(index + 1) does not exist; the queue has \(counted(items.count, "track"))")
    }
    return items[index]
  }
}
