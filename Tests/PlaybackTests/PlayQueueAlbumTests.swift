import TestSupport
import Testing

@testable import Playback

@Suite("Albums in random order") struct PlayQueueAlbumTests {
  /// Returns the tracks `1`, `2`, … of a folder.
  private static func folder(_ name: String, _ count: Int, from first: Int = 1) -> [Player.Item] {
    (first..<(first + count)).map { Player.Item(uri: "file:///music/\(name)/\($0).flac") }
  }

  private let items = folder("a", 3) + folder("b", 2) + folder("c", 4) + folder("d", 1)

  private func queue(_ items: [Player.Item], at index: Int = 0, seed: UInt64 = 1) -> PlayQueue {
    var queue = PlayQueue(shuffleSeed: seed)
    queue.replace(with: items, startingAt: index)
    queue.setShuffleMode(.albums)
    return queue
  }

  /// Returns the names of the tracks in the order of play, such as `a1 a2 b1`.
  private func tracks(_ queue: PlayQueue) -> [String] {
    (queue.order ?? Array(queue.items.indices)).map { index in
      let parts = queue.items[index].uri.split(separator: "/").suffix(2)
      return parts.joined().replacing(".flac", with: "")
    }
  }

  /// Returns the folders in the order of play, each run of tracks once.
  private func folders(_ queue: PlayQueue) -> [String] {
    tracks(queue).reduce(into: []) { folders, track in
      let folder = String(track.prefix(1))
      if folders.last != folder { folders.append(folder) }
    }
  }

  @Test("Each album plays in list order, once, and the current one first, from the current track on")
  func together() {
    for current in items.indices {
      let queue = queue(items, at: current)
      #expect(queue.isShuffled && queue.shuffleMode == .albums)
      #expect(queue.order?.sorted() == Array(items.indices) && queue.items == items)
      #expect(queue.current == items[current])
      let order = tracks(queue)
      #expect(Set(folders(queue)) == ["a", "b", "c", "d"] && folders(queue).count == 4, "\(order)")
      for folder in ["a", "b", "c", "d"] {
        let album = order.filter { $0.hasPrefix(folder) }
        #expect(album == album.sorted())
      }
      let place = queue.order?.firstIndex(of: current)
      #expect(queue.previous == (place == 0 ? nil : items[current - 1]))
    }
    #expect(Set((1...40).map { folders(queue(items, seed: $0)) }).count > 3, "the albums are in random order")
  }

  @Test("Tracks of one folder that are not neighbours in the list are one album")
  func scattered() {
    let items = Self.folder("a", 1) + Self.folder("b", 2) + Self.folder("a", 2, from: 2)
    #expect(tracks(queue(items)) == ["a1", "a2", "a3", "b1", "b2"])
  }

  @Test(
    "Known tags divide a folder; a track with unknown tags belongs to the album before it, or else to the first one")
  func tags() {
    let items = Self.folder("x", 6) + Self.folder("y", 1)
    var queue = PlayQueue(shuffleSeed: 1)
    queue.replace(with: items, startingAt: 6)
    // The second and the last track of a folder have the tags of one album.
    queue.setShuffleMode(
      .albums, names: [items[1].id: 7, items[3].id: 8, items[5].id: 7, items[6].id: 7])
    let order = tracks(queue)
    #expect(order.first == "y1")
    #expect(
      [["x1", "x2", "x3", "x6", "x4", "x5"], ["x4", "x5", "x1", "x2", "x3", "x6"]].contains(Array(order.dropFirst())))
  }

  @Test("Setting random order keeps the albums, off ends them, and each other change of the mode makes another order")
  func modes() {
    var queue = queue(items, at: 4)
    let order = queue.order
    queue.setShuffled(true)
    queue.setShuffleMode(.albums)
    #expect(queue.order == order && queue.shuffleMode == .albums)
    queue.setShuffleMode(.tracks)
    #expect(queue.shuffleMode == .tracks && queue.order?.first == 4 && queue.order != order)
    queue.setShuffleMode(.albums)
    queue.setShuffled(false)
    #expect(queue.shuffleMode == .off && queue.order == nil && queue.current == items[4])
    queue.setShuffled(true)
    #expect(queue.shuffleMode == .tracks)
  }

  @Test("Added tracks follow their upcoming album, or are an album between others; the order of the others stays")
  func insertions() {
    for seed in 1...40 as ClosedRange<UInt64> {
      var queue = queue(items, at: 5, seed: seed)
      let old = tracks(queue)
      queue.insert(Self.folder("e", 2) + Self.folder("b", 2, from: 3) + Self.folder("c", 1, from: 5))
      let order = tracks(queue)
      #expect(queue.order?.sorted() == Array(queue.items.indices) && queue.current == items[5])
      #expect(order.filter { old.contains($0) } == old)
      #expect(folders(queue).count == 5 && folders(queue).first == "c", "\(order)")
      #expect(order.filter { $0.hasPrefix("b") } == ["b1", "b2", "b3", "b4"])
      #expect(order.filter { $0.hasPrefix("e") } == ["e1", "e2"])
      #expect(Array(order.prefix(5)) == ["c1", "c2", "c3", "c4", "c5"])
    }
    var next = queue(items, at: 5)
    next.insert(Self.folder("e", 1), after: items[5].id)
    #expect(Array(tracks(next).prefix(3)) == ["c1", "e1", "c2"])
  }

  @Test("A track of an album that has been played is an album of its own")
  func played() {
    var queue = queue(items)
    let first = folders(queue)[0]
    guard let last = queue.order?.last else { return }
    queue.select(queue.items[last].id)
    queue.insert(Self.folder(first, 1, from: 9))
    #expect(tracks(queue).last == "\(first)9" && queue.next?.uri.hasSuffix("9.flac") == true)
  }

  @Test("Moves and removals keep the albums in their order, and a new queue has albums again")
  func edits() {
    var queue = queue(items)
    let old = tracks(queue)
    queue.move(items[9].id, to: 0)
    queue.remove([items[1].id, items[3].id])
    #expect(tracks(queue) == old.filter { !["a2", "b1"].contains($0) })
    queue.replace(with: Self.folder("f", 2) + Self.folder("g", 2) + Self.folder("f", 1, from: 3), startingAt: 2)
    #expect(queue.shuffleMode == .albums && tracks(queue) == ["g1", "g2", "f1", "f2", "f3"])
    queue.remove(Set(queue.items.map(\.id)))
    #expect(queue.shuffleMode == .albums && queue.isEmpty)
    queue.insert(items)
    #expect(queue.current == items[0] && folders(queue).count == 4 && folders(queue).first == "a")
  }

  @Test("A restored order of albums continues, and accepts tracks as before")
  func restored() {
    let old = queue(items, at: 3)
    var queue = PlayQueue(shuffleSeed: 9)
    queue.setShuffleMode(.albums)
    queue.replace(with: items, startingAt: 3, playOrder: old.order)
    #expect(queue.order == old.order && queue.shuffleMode == .albums && queue.next == items[4])
    queue.insert(Self.folder("c", 1, from: 5))
    #expect(folders(queue).count == 4)
    queue.rearrange(with: items, playOrder: old.order, keepsAlbums: false)
    #expect(queue.order == old.order && queue.shuffleMode == .tracks)
    queue.rearrange(with: items, playOrder: old.order, keepsAlbums: true)
    #expect(queue.order == old.order && queue.shuffleMode == .albums)
  }

  @Test("A queue of albums is the same after it was recorded, without its names")
  func recorded() throws {
    let queue = queue(items, at: 4)
    var replayed = PlayQueue(replaying: queue.recorded(after: nil))
    #expect(replayed.order == queue.order && replayed.shuffleMode == .albums)
    replayed.setShuffleMode(.off)
    replayed.setShuffleMode(.albums)
    var original = queue
    original.setShuffleMode(.off)
    original.setShuffleMode(.albums)
    #expect(replayed.order == original.order)
  }

  @Test("An index leads to the first track of its folder, and an index beyond the list to itself")
  func startOfAlbum() {
    #expect(items.indices.map { items.startOfAlbum(at: $0) } == [0, 0, 0, 3, 3, 5, 5, 5, 5, 9])
    #expect([-1, 10].map { items.startOfAlbum(at: $0) } == [-1, 10])
  }

  @Test("In a player, MPRIS's switch is true for albums, and each change is one change of the queue")
  func machine() {
    var harness = MachineHarness()
    harness.start()
    let revision = harness.snapshot.queueRevision
    harness.decide(.setShuffleMode(.albums, names: [:]))
    #expect(harness.snapshot.shuffleMode == .albums && harness.snapshot.isShuffled)
    #expect(harness.snapshot.queueRevision != revision && harness.effects.hasChanged)
    let order = harness.machine.queue.order
    harness.forget()
    harness.decide(.setShuffled(true))
    #expect(harness.snapshot.shuffleMode == .albums && harness.machine.queue.order == order)
    #expect(!harness.effects.hasChanged)
    harness.decide(.setShuffled(false))
    #expect(harness.snapshot.shuffleMode == .off)
  }
}
