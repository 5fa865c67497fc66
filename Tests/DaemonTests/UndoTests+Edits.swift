import Playback
import Synchronization
import TestSupport
import Testing

@testable import PlayerdService

extension UndoTests {
  /// Edits of a queue of five items; the second item plays at 7 s.
  enum Edit: CaseIterable {
    case removeFirst, removeCurrent, removeSeveral, removeAll, moveCurrent, moveFirst, shuffle, shuffleAlbums, clear
  }

  private func perform(_ edit: Edit) {
    let ids = player.items.map(\.id)
    switch edit {
    case .removeFirst: coordinator.remove([ids[0]], of: nil)
    case .removeCurrent: coordinator.remove([ids[1]], of: nil)
    case .removeSeveral: coordinator.remove([ids[0], ids[1], ids[3]], of: nil)
    case .removeAll: coordinator.remove(Set(ids), of: nil)
    case .moveCurrent: coordinator.move(ids[1], to: 4, of: nil)
    case .moveFirst: coordinator.move(ids[0], to: 3, of: nil)
    case .shuffle: coordinator.setShuffled(!player.snapshot.isShuffled, of: nil)
    case .shuffleAlbums:
      let isOn = player.snapshot.shuffleMode == .albums
      coordinator.setShuffleMode(isOn ? .tracks : .albums, names: [ids[1]: "a", ids[3]: "b"], of: nil)
    case .clear: coordinator.clear(nil)
    }
  }

  private func prepare(_ transport: Player.Transport, _ mode: Player.ShuffleMode = .off) {
    player.setShuffleMode(mode)
    player.replaceQueue(with: (1...5).map { Player.Item(uri: "http://192.0.2.1/\($0).mp3") }, startingAt: 1)
    switch transport {
    case .stopped: break
    case .paused: player.load()
    case .playing: player.play()
    }
    player.seek(to: .seconds(7))
  }

  @Test(
    "Each edit is undone and repeated: the queue, its order, the current track, its position and the state",
    arguments: Edit.allCases, [Player.Transport.stopped, .paused, .playing])
  func edits(edit: Edit, transport: Player.Transport) async throws {
    for mode in Player.ShuffleMode.allCases {
      prepare(transport, mode)
      let before = State(player)
      perform(edit)
      let after = State(player)
      #expect(before != after)
      reverse(.undo)
      #expect(State(player) == before, "\(edit), shuffle \(mode)")
      reverse(.redo)
      #expect(State(player) == after, "\(edit), shuffle \(mode)")
      reverse(.undo)
      #expect(State(player) == before, "\(edit), shuffle \(mode)")
    }
    await player.close()
  }

  @Test("Random edits are undone to the first queue and repeated to the last one", .seeded)
  func sequence() async throws {
    var random = SeededGenerator()
    prepare(.playing)
    var lists = [player.items]
    var orders = [player.playOrder]
    var modes = [player.snapshot.shuffleMode]
    for _ in 0..<40 {
      let (ids, choice) = (player.items.map(\.id), Int.random(in: 0..<5, using: &random))
      let item = ids.randomElement(using: &random)
      switch choice {
      case 0: coordinator.remove(Set(ids.filter { _ in Bool.random(using: &random) }.prefix(2)), of: nil)
      case 1: if let item { coordinator.move(item, to: Int.random(in: ids.indices, using: &random), of: nil) }
      case 2:
        let mode = Player.ShuffleMode.allCases.randomElement(using: &random) ?? .off
        coordinator.setShuffleMode(mode, names: [:], of: nil)
      case 3: if let item { coordinator.play(item) }
      default:
        let request = opens.update { $0.add(OpenRequest(uris: ["file:///x"], placement: .append)) }
        insert(["file:///a", "file:///b"], at: Int.random(in: 0...ids.count, using: &random), request)
      }
      // Of few tracks, the order by albums may be that of the tracks; the mode is an edit of its own.
      let mode = player.snapshot.shuffleMode
      guard player.items != lists.last || player.playOrder != orders.last || mode != modes.last else { continue }
      lists.append(player.items)
      orders.append(player.playOrder)
      modes.append(mode)
    }
    for index in lists.indices.dropLast().reversed() {
      reverse(.undo)
      #expect(player.items == lists[index] && player.playOrder == orders[index])
      #expect(player.snapshot.shuffleMode == modes[index])
    }
    #expect(reverse(.undo) == nil)
    for index in lists.indices.dropFirst() {
      reverse(.redo)
      #expect(player.items == lists[index] && player.playOrder == orders[index])
      #expect(player.snapshot.shuffleMode == modes[index])
    }
    #expect(reverse(.redo) == nil)
    await player.close()
  }

  @Test("Undoing the removal of the current track returns to it unless another track has been selected since")
  func removedCurrent() async throws {
    prepare(.playing)
    let items = player.items
    coordinator.remove([items[1].id], of: nil)
    #expect(player.snapshot.currentItem == items[2])
    coordinator.play(items[4].id)
    #expect(reverse(.undo)?.items == [items[1]])
    let snapshot = player.snapshot
    #expect(player.items == items && snapshot.currentItem == items[4] && snapshot.position == .zero)
    await player.close()
  }

  @Test("Undoing an edit beside the current track does not seek or stop, and a pause since then stays")
  func beside() async throws {
    prepare(.playing)
    let items = player.items
    coordinator.remove([items[0].id, items[4].id], of: nil)
    coordinator.pause()
    player.seek(to: .seconds(9))
    player.rate = 2
    reverse(.undo)
    let snapshot = player.snapshot
    #expect(player.items == items && snapshot.currentItem == items[1])
    #expect((snapshot.position, snapshot.transport, snapshot.rate) == (.seconds(9), .paused, 2))
    await player.close()
  }

  @Test("A new edit ends the edits that can be repeated, and one without a change is none")
  func newEdit() async throws {
    prepare(.paused)
    perform(.removeFirst)
    reverse(.undo)
    coordinator.remove([], of: nil)
    coordinator.setShuffled(false, of: nil)
    coordinator.move(player.items[1].id, to: 1, of: nil)
    #expect(coordinator.history.withLock { $0.next(.redo, at: player.snapshot.queueRevision) } != nil)
    perform(.moveFirst)
    #expect(reverse(.redo) == nil && reverse(.undo)?.kind == .move && reverse(.undo) == nil)
    await player.close()
  }

  @Test("The history has a limit of edits, and of items in all but the oldest")
  func limits() async throws {
    prepare(.paused)
    for _ in 0..<150 { coordinator.move(player.items[0].id, to: 4, of: nil) }
    #expect((0..<200).count { _ in reverse(.undo) != nil } == EditHistory.limit)
    let queue = QueueState(
      items: [], order: Array(0..<400_000), shuffle: .tracks, current: 0, position: .zero, transport: .stopped, rate: 1)
    var history = EditHistory()
    for revision in 1...UInt64(5) {
      history.add(QueueEdit(.shuffle, of: queue, changing: 0..<0), from: revision - 1, to: revision)
    }
    #expect(history.items.count == 3)
    await player.close()
  }

  /// Inserts items of a request at an index.
  private func insert(_ uris: [String], at index: Int, _ request: PendingOpens.ID) {
    let items = uris.map { Player.Item(uri: $0) }
    _ = coordinator.insert(
      request, of: nil, changing: { _ in index..<index },
      { _ in
        guard index > 0 else { return player.prepend(contentsOf: items) }
        player.insert(contentsOf: items, after: player.items[index - 1].id)
      })
  }

  @Test("An edit between the items of a request divides them, and each part is undone")
  func interleaved() async throws {
    prepare(.paused)
    let items = player.items
    let request = opens.update { $0.add(OpenRequest(uris: ["file:///x"], placement: .append)) }
    insert(["file:///a"], at: 5, request)
    insert(["file:///b"], at: 6, request)
    coordinator.remove([items[0].id], of: nil)
    insert(["file:///c"], at: 6, request)
    #expect(player.items.count == 7)
    #expect(reverse(.undo)?.items.map(\.uri) == ["file:///c"])
    #expect(reverse(.undo)?.items == [items[0]])
    #expect(reverse(.undo)?.items.map(\.uri) == ["file:///a", "file:///b"])
    #expect(player.items == items && reverse(.undo) == nil)
    await player.close()
  }

  @Test("A change of the queue that is not recorded ends the history")
  func unknownEdit() async throws {
    prepare(.paused)
    perform(.removeFirst)
    player.replaceQueue(with: [Player.Item(uri: "file:///x")])
    #expect(reverse(.undo) == nil)
    coordinator.clear(nil)
    #expect(reverse(.undo)?.items.count == 1 && reverse(.undo) == nil)
    await player.close()
  }
}
