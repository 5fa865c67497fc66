import Playback
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdStorage

@Suite("Saving of the session")
struct SessionKeeperTests {
  private static func items(_ count: Int) -> [Player.Item] { (0..<count).map { Player.Item(uri: "file:///\($0)") } }

  @Test("A keeper that does not run saves nothing")
  func notRunning() async throws {
    try await withTemporaryDirectory { directory in
      let harness = SessionHarness(directory.path)
      harness.player.append(contentsOf: Self.items(1))
      await harness.keeper.save()
      #expect(harness.file("session.json") == nil)
      await harness.keeper.close()
      #expect(harness.file("session.json") == nil)
    }
  }

  @Test("The session contains the queue, its details and order, the modes and the position")
  func contents() async throws {
    try await withTemporaryDirectory { directory in
      let harness = SessionHarness(directory.path)
      try await harness.run {
        let player = harness.player
        var metadata = Player.Item.ExternalMetadata()
        metadata.title = "Two"
        player.append(
          contentsOf: Self.items(3) + [Player.Item(uri: "file:///clip", externalMetadata: metadata, start: .seconds(2))]
        )
        player.isShuffled = true
        player.loop = .playlist
        player.volume = 0.5
        player.rate = 1.5
        player.load()
        player.advanceToNextItem()
        await harness.keeper.save()
        let saved = try #require(harness.store.load())
        #expect(saved.queue == ["file:///0", "file:///1", "file:///2", "file:///clip"])
        #expect(saved.details.map(\.index) == [3])
        #expect(saved.details.map(\.start) == [2_000_000_000])
        #expect(saved.details.map(\.title) == ["Two"])
        #expect(saved.order != nil && saved.order == player.playOrder)
        #expect((saved.loop, saved.volume, saved.rate) == (.playlist, 0.5, 1.5))
        #expect(saved.place == .init(current: player.snapshot.currentIndex ?? -1, position: 0, state: .paused))
        player.play()
        player.seek(to: .seconds(7))
        await harness.keeper.save()
        #expect(harness.store.load()?.place.state == .playing)
        #expect(harness.store.load()?.place.position == 7)
        player.stop()
        await harness.keeper.close()
        #expect(harness.store.load()?.place.state == .stopped)
      }
    }
  }

  @Test("An empty queue is saved, but not before the queue has been opened")
  func awaitedQueue() async throws {
    try await withTemporaryDirectory { directory in
      let harness = SessionHarness(directory.path, awaitsQueue: true)
      try await harness.run {
        await harness.keeper.save()
        #expect(harness.file("session.json") == nil)
        harness.player.append(contentsOf: Self.items(1))
        await harness.keeper.save()
        #expect(harness.store.load()?.queue == ["file:///0"])
        harness.player.replaceQueue(with: [])
        await harness.keeper.save()
        #expect(harness.store.load()?.queue == [])
      }
      let other = SessionHarness(directory.path)
      try await other.run {
        harness.player.append(contentsOf: Self.items(1))
        await other.keeper.save()
        #expect(other.store.load()?.queue == [])
      }
    }
  }

  @Test("A closed keeper saves nothing")
  func closed() async throws {
    try await withTemporaryDirectory { directory in
      let harness = SessionHarness(directory.path)
      try await harness.run {
        harness.player.append(contentsOf: Self.items(1))
        await harness.keeper.close()
        #expect(harness.store.load()?.queue == ["file:///0"])
        harness.player.append(contentsOf: Self.items(1))
        await harness.keeper.save()
        #expect(harness.store.load()?.queue == ["file:///0"])
      }
    }
  }

  @Test("Of a queue of 1000 items all is saved again; of a longer one the position alone, unless another value changes")
  func longQueue() async throws {
    try await withTemporaryDirectory { directory in
      let harness = SessionHarness(directory.path)
      try await harness.run {
        let player = harness.player
        player.append(contentsOf: Self.items(1000))
        for _ in 0..<2 { await harness.keeper.save() }
        #expect(harness.file("session-place.json") == nil)
        player.append(contentsOf: Self.items(1))
        // On a slow machine, the keeper has saved it before.
        await harness.keeper.save()
        #expect(harness.store.load()?.queue.count == 1_001)
        player.load()
        player.seek(to: .seconds(5))
        let whole = harness.file("session.json")
        await harness.keeper.save()
        #expect(harness.file("session.json") == whole)
        #expect(harness.store.load()?.place == .init(current: 0, position: 5, state: .paused))
        #expect(harness.store.peek() == harness.store.load())
        player.loop = .track
        await harness.keeper.save()
        #expect(harness.store.load()?.loop == .track)
        player.volume = 0.25
        await harness.keeper.save()
        #expect(harness.store.load()?.volume == 0.25)
        player.rate = 2
        await harness.keeper.save()
        #expect(harness.store.load()?.rate == 2)
        player.isShuffled = true
        await harness.keeper.save()
        #expect(harness.store.load()?.order?.count == 1001)
      }
    }
  }

  @Test(
    "Changes of the queue, the track, the transport, the position and the volume are saved soon; other events are not")
  func events() async throws {
    try await withTemporaryDirectory { directory in
      let harness = SessionHarness(directory.path)
      try await harness.run {
        let changes: [(SessionHarness) -> Void] = [
          { $0.player.append(contentsOf: Self.items(2)) }, { $0.player.load() }, { $0.player.advanceToNextItem() },
          { $0.player.volume = 0.5 },
          {
            $0.ready()
            $0.player.seek(to: .seconds(3))
            $0.ready()
          },
        ]
        for (number, change) in changes.enumerated() {
          change(harness)
          try await harness.writes.first("a write after change \(number)", from: number)
        }
        harness.player.isMuted = true
        await harness.keeper.save()
        #expect(harness.writes.count == changes.count + 1)
      }
    }
  }

  @Test("During playback, the position is saved every few seconds")
  func playing() async throws {
    try await withTemporaryDirectory { directory in
      // A write below a file fails, so the next one is not omitted as equal.
      let harness = SessionHarness(try directory.write("", to: "file") + "/session")
      try await harness.run {
        harness.player.append(contentsOf: Self.items(1))
        harness.player.play()
        try await harness.attempts.first("a second write", from: 1)
        #expect(harness.attempts.elements.allSatisfy { $0 == harness.folder })
      }
    }
  }
}
