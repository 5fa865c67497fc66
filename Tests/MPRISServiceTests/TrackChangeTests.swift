import DBus
import MPRISService
import TestSupport
import Testing

/// Tests of a new track with incomplete metadata, on a clock that the test advances.
@Suite struct TrackChangeTests {
  private func beginTrack(_ snapshot: inout MPRISSnapshot) {
    snapshot.metadata = .example(number: 8, title: "file.flac", length: nil)
    snapshot.position = .zero
    snapshot.isSettled = false
  }

  private func settle(_ snapshot: inout MPRISSnapshot) {
    snapshot.metadata = .example(number: 8, title: "Title")
    snapshot.isSettled = true
  }

  private func title(_ change: ServedPlayer.Change) -> String? {
    change.values["Metadata"]?.asDictionary?["xesam:title"]?.asString
  }

  @Test("A new track is signalled once, when its metadata is complete")
  func complete() async throws {
    try await withServedPlayer { served in
      let first = served.changes.count
      served.fake.change(beginTrack)
      #expect(try await served.clock.events.first().element == .sleeps(.milliseconds(200)))
      served.fake.change { $0.canGoNext = false }
      served.clock.advance(by: .milliseconds(199))
      served.fake.change(settle)
      let change = try await served.change(from: first)
      #expect(title(change) == "Title")
      #expect(change.keys == ["Metadata", "CanGoNext"])
      #expect(try await served.clock.events.first(from: 1).element == .cancelled)
      served.clock.advance(by: .seconds(1))
      #expect(try await served.settle(from: first).count == 2)
      #expect(served.clock.events.count == 2)
    }
  }

  @Test("A track that is found while an item is opened has a limit of its own, and that of the item ends")
  func found() async throws {
    try await withServedPlayer { served in
      let first = served.changes.count
      served.fake.change {
        $0.isOpening = true
        $0.isSettled = false
      }
      #expect(try await served.clock.events.first().element == .sleeps(.milliseconds(200)))
      served.fake.change {
        beginTrack(&$0)
        $0.isOpening = false
      }
      _ = try await served.clock.events.first("the limit of the item ends") { $0 == .cancelled }
      _ = try await served.clock.events.first("the limit of the track", from: 1) { $0 != .cancelled }
      served.fake.change(settle)
      #expect(try await title(served.change(from: first)) == "Title")
    }
  }

  @Test("While signals wait, reads return the published track; the new one follows when it is complete")
  func reads()
    async throws
  {
    try await withServedPlayer { served in
      let first = served.changes.count
      _ = try await served.get("Metadata")
      served.fake.change(beginTrack)
      served.fake.change { $0.volume = 0.25 }
      let before = try await served.get("Metadata").asDictionary
      #expect(before?["mpris:trackid"] == .objectPath("/org/example/track/7"))
      #expect(try await served.get("Volume") == .double(0.25))
      served.fake.change(settle)
      _ = try await served.change(from: first)
      let after = try await served.get("Metadata").asDictionary
      #expect(after?["mpris:trackid"] == .objectPath("/org/example/track/8"))
    }
  }

  @Test("An incomplete track is signalled after 200 ms, and later metadata at once")
  func limit() async throws {
    try await withServedPlayer { served in
      let first = served.changes.count
      served.fake.change(beginTrack)
      _ = try await served.clock.events.first()
      served.clock.advance(by: .milliseconds(200))
      #expect(try await title(served.change(from: first)) == "file.flac")
      served.fake.change { $0.status = .paused }
      #expect(try await served.change(from: first + 1).keys == ["PlaybackStatus"])
      served.fake.change(settle)
      let change = try await served.change(from: first + 2)
      #expect(title(change) == "Title")
      #expect(change.keys == ["Metadata"])
      #expect(served.clock.events.elements == [.sleeps(.milliseconds(200))])
    }
  }

  @Test("A seek during a track change first signals the track")
  func seek() async throws {
    try await withServedPlayer { served in
      let (first, firstSeek) = (served.changes.count, served.seeks.count)
      served.fake.change(beginTrack)
      _ = try await served.clock.events.first()
      served.fake.send(.seeked(to: .seconds(30)))
      #expect(try await served.seeks.first(from: firstSeek).element == 30_000_000)
      #expect(try await title(served.change(from: first)) == "file.flac")
      #expect(try await served.clock.events.first(from: 1).element == .cancelled)
      served.fake.change(settle)
      #expect(try await title(served.change(from: first + 1)) == "Title")
    }
  }

  @Test("A limit that passes while the track settles does not publish the next track", arguments: 0..<3)
  func lateLimit(_ hops: Int) async throws {
    try await withServedPlayer { served in
      /// Publishes a change on the thread of the connection, as a program without a stream of events does.
      @Sendable func publish(_ change: @escaping @Sendable (inout MPRISSnapshot) -> Void) {
        served.connection.runOrEnqueue { _ in
          served.fake.show(change)
          served.service.assumeIsolated { $0.publish(.changed, served.fake.snapshot()) }
        }
      }
      let first = served.changes.count
      publish(beginTrack)
      _ = try await served.clock.events.first()
      served.connection.enqueue { _ in
        served.clock.advance(by: .milliseconds(200))
        // The task of the limit has resumed, and both changes are handled before it reaches the service.
        enqueue(after: hops, on: served.connection) {
          publish(settle)
          publish {
            beginTrack(&$0)
            $0.metadata = .example(number: 9, title: "next.flac", length: nil)
          }
        }
      }
      _ = try await served.clock.events.first("the limit of the next track", from: 1) { $0 != .cancelled }
      publish {
        $0.metadata = .example(number: 9, title: "Next")
        $0.isSettled = true
      }
      #expect(try await served.settle(from: first).compactMap(title).suffix(2) == ["Title", "Next"])
    }
  }

  private func enqueue(after hops: Int, on connection: DBusConnection, _ work: @escaping @Sendable () -> Void) {
    connection.enqueue { _ in
      if hops == 0 { work() } else { enqueue(after: hops - 1, on: connection, work) }
    }
  }

  @Test("Stopping the service cancels the wait")
  func stop() async throws {
    try await withServedPlayer { served in
      served.fake.change(beginTrack)
      _ = try await served.clock.events.first()
      served.fake.finish()
      #expect(try await served.clock.events.first(from: 1).element == .cancelled)
    }
  }
}
