import MPRISService
import Playback
import Synchronization

/// The edits of the queue, which can be reversed; `playlist` is the origin of the queue, nil for none.
extension PlaybackCoordinator {
  /// Stops playback, removes all items of the queue, and cancels all requests.
  func clear(_ playlist: MPRISPlaylist.ID? = nil) {
    command { _, pending in
      pending.cancelAll()
      edit(.clear, of: playlist, changing: \.items.indices) {
        player.stop()
        player.replaceQueue(with: [])
      }
    }
  }

  /// Removes items; if the current one is among them, the next one becomes current.
  func remove(_ items: Set<Player.Item.ID>, of playlist: MPRISPlaylist.ID?) {
    command { _, _ in remove(items, of: playlist, by: nil) }
  }

  /// Removes a track that was played; nothing changes if it is current again, or not before `next` in the order of play.
  ///
  /// Without `next`, the track has ended, and may be current only while playback is stopped.
  func removePlayed(_ item: Player.Item.ID, before next: Player.Item.ID?, of playlist: MPRISPlaylist.ID?) {
    command { _, _ in
      let state = player.snapshot
      guard state.currentItem?.id != item || state.transport == .stopped else { return }
      if let next, !player.plays(item, before: next) { return }
      remove([item], of: playlist, by: nil)
    }
  }

  private func remove(_ items: Set<Player.Item.ID>, of playlist: MPRISPlaylist.ID?, by request: PendingOpens.ID?) {
    edit(
      .remove, of: playlist, by: request,
      changing: { queue in
        let first = queue.items.firstIndex { items.contains($0.id) } ?? 0
        return first..<(queue.items.lastIndex { items.contains($0.id) }.map { $0 + 1 } ?? first)
      }, { player.remove(contentsOf: items) })
  }

  /// Moves an item to another index in list order.
  func move(_ item: Player.Item.ID, to index: Int, of playlist: MPRISPlaylist.ID?) {
    command { _, _ in
      edit(
        .move, of: playlist,
        changing: { queue in
          let source = queue.items.firstIndex { $0.id == item } ?? 0
          return min(source, index)..<max(source, index) + 1
        }, { player.move(item, to: index) })
    }
  }

  /// Turns random order on or off.
  func setShuffled(_ isShuffled: Bool, of playlist: MPRISPlaylist.ID?) {
    command { _, _ in
      edit(.shuffle, of: playlist, changing: { _ in 0..<0 }, { player.isShuffled = isShuffled })
    }
  }

  /// Changes the random order; `names` are the albums of the items whose tags are known.
  func setShuffleMode(
    _ mode: Player.ShuffleMode, names: [Player.Item.ID: String], of playlist: MPRISPlaylist.ID?
  ) {
    command { _, _ in
      edit(.shuffle, of: playlist, changing: { _ in 0..<0 }, { player.setShuffleMode(mode, names: names) })
    }
  }

  /// Applies the options of a request without items.
  func apply(_ request: OpenRequest, of playlist: MPRISPlaylist.ID?) {
    command { _, _ in edit(.shuffle, of: playlist, changing: { _ in 0..<0 }, { request.apply(to: player) }) }
  }

  // MARK: Requests

  /// Runs `body`, which inserts items of a request, unless the request has been cancelled.
  ///
  /// `body` receives the intended state for the first of these items; nil if playback continues unchanged. The items replace
  /// the part of the queue that `part` returns. The items of the daemon's start are not an edit.
  ///
  /// - Returns: Whether `body` has run.
  func insert(
    _ id: PendingOpens.ID, _ kind: QueueEdit.Kind = .add, of playlist: MPRISPlaylist.ID?, isStart: Bool = false,
    changing part: (QueueState) -> Range<Int>, _ body: (PendingOpens.Intent?) -> Void
  ) -> Bool {
    command { _, pending in
      guard pending.contains(id) else { return false }
      let intent = pending.insert(id)
      edit(kind, of: playlist, by: id, isStart: isStart, changing: part) { body(intent) }
      return true
    }
  }

  /// Removes items of a request that have failed.
  func remove(failed items: Set<Player.Item.ID>, by request: PendingOpens.ID, of playlist: MPRISPlaylist.ID?) {
    command { _, _ in remove(items, of: playlist, by: request) }
  }

  /// Adds a queue to the history, which the items of the daemon's start replace.
  func keep(_ queue: QueueState) {
    let revision = player.snapshot.queueRevision
    let edit = QueueEdit(.replace, of: queue, changing: queue.items.indices)
    history.withLock { $0.add(edit, from: revision, to: revision) }
  }

  /// Runs `body`, which edits the queue, and adds the edit to the history.
  private func edit(
    _ kind: QueueEdit.Kind, of playlist: MPRISPlaylist.ID?, by request: PendingOpens.ID? = nil, isStart: Bool = false,
    changing part: (QueueState) -> Range<Int>, _ body: () -> Void
  ) {
    let old = player.snapshot.queueRevision
    var edit = reversal(kind, of: playlist, changing: part)
    body()
    let state = player.snapshot
    guard state.queueRevision != old else { return }
    edit.follower = state.currentItem?.id
    history.withLock { $0.add(edit, from: old, to: state.queueRevision, by: request, isStart: isStart) }
  }

  /// Returns the reversal of an edit that is to change a part of the queue.
  ///
  /// The copy of the queue ends here, so that the edit does not copy the list.
  private func reversal(
    _ kind: QueueEdit.Kind, of playlist: MPRISPlaylist.ID?, changing part: (QueueState) -> Range<Int>
  ) -> QueueEdit {
    let queue = QueueState.copy(of: player, from: playlist)
    return QueueEdit(kind, of: queue, changing: part(queue))
  }

  // MARK: Undo and redo

  /// The items in the history whose memory can be reduced by more than a few pages.
  var largeEdits: [KeptItems] { history.withLock { $0.items }.filter(\.canPack) }

  /// A reversed edit.
  struct Reversal: Sendable {
    let kind: QueueEdit.Kind
    /// The items that the edit had changed: those that are again in the queue, those that have left it, or the moved ones.
    let items: [Player.Item]
    /// The playlist that the queue comes from; nil for none.
    let playlist: MPRISPlaylist.ID?
  }

  /// The outcome of ``reverse(_:of:unless:)``.
  enum ReversalOutcome: Sendable {
    case done(Reversal)
    /// The history does not contain an edit to reverse.
    case nothing
    /// The items that would return may not be opened; nothing has changed.
    case notAllowed
  }

  /// Reverses the last edit of the queue, or repeats the edit that was reversed last, and cancels all requests.
  ///
  /// Playback continues if the current item remains, unless it only followed one that the edit removed. `isRejected` returns
  /// whether an item that would return may not be opened any more; it may block on a disk.
  func reverse(
    _ step: EditHistory.Step, of playlist: MPRISPlaylist.ID?, unless isRejected: (Player.Item) -> Bool = { _ in false }
  ) -> ReversalOutcome {
    while let edit = next(step) {
      let returning = edit.items.items.filter { !player.contains($0.id) }
      let rejected = Set(returning.filter(isRejected).map(\.id))
      guard returning.isEmpty || rejected.count < returning.count else { return .notAllowed }
      let reversal: Reversal? = command { _, pending in
        // Another edit may have been made while the disk was read.
        guard next(step)?.items === edit.items else { return nil }
        pending.cancelAll()
        return reverse(edit, step, of: playlist, without: rejected)
      }
      if let reversal { return .done(reversal) }
    }
    return .nothing
  }

  private func next(_ step: EditHistory.Step) -> QueueEdit? {
    history.withLock { $0.next(step, at: player.snapshot.queueRevision) }
  }

  private func reverse(
    _ edit: QueueEdit, _ step: EditHistory.Step, of playlist: MPRISPlaylist.ID?, without rejected: Set<Player.Item.ID>
  ) -> Reversal {
    let present = QueueState.copy(of: player, from: playlist)
    let part = edit.part(of: present.items)
    var reversal = QueueEdit(edit.kind, of: present, changing: part)
    let restored = edit.restored(from: present.items).without(rejected)
    if continues(in: restored, after: edit) {
      player.rearrangeQueue(
        with: restored.items, playOrder: restored.order, keepsAlbums: restored.shuffle == .albums)
    } else {
      restored.restore(into: player)
    }
    let state = player.snapshot
    reversal.follower = state.currentItem?.id
    history.withLock { $0.reversed(step, by: reversal, to: state.queueRevision) }
    let (before, after) = (Set(present.items[part].map(\.id)), edit.items.items.filter { !rejected.contains($0.id) })
    let changed = after.filter { !before.contains($0.id) }
    let removed = Set(after.map(\.id))
    return Reversal(
      kind: edit.kind,
      items: changed.isEmpty ? present.items[part].filter { !removed.contains($0.id) } : changed,
      playlist: restored.playlist)
  }

  /// Whether the current item continues in a restored queue.
  private func continues(in restored: QueueState, after edit: QueueEdit) -> Bool {
    guard let current = player.snapshot.currentItem, restored.items.contains(current) else { return false }
    // The item that was current then may have been removed, and the present one may have followed it.
    guard let before = edit.current, !player.contains(before) else { return true }
    return current.id != edit.follower
  }
}
