import DBus
import TestSupport
import Testing

/// Tests of the order in which tracks play, and of their track IDs.
extension ConformanceTests {
  @Test("Shuffle keeps the list and plays each track once in another order; without it playback follows the list")
  func shuffle() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon(["--paused"] + Array(repeating: file, count: 12)) { daemon in
      try await daemon.titled("First")
      let list = try await daemon.trackIDs()
      #expect(Set(list).count == 12)
      try await daemon.set("Shuffle", .boolean(true))
      #expect(try await daemon.trackIDs() == list)
      #expect(try await daemon.metadata("mpris:trackid") == .objectPath(list[0]))
      var order = [list[0]]
      while try await daemon.get("CanGoNext") == .boolean(true), order.count < 13 {
        order.append(try await daemon.moved("Next"))
      }
      // The shuffled order equals the list's order once in 40 million runs.
      #expect(order.count == 12 && Set(order) == Set(list) && order != list, "\(order)")
      #expect(try await daemon.moved("Previous") == order[10])
      #expect(try await daemon.trackIDs() == list)

      // Selecting the current track would give it another ID.
      let place = order[10] == list[4] ? 3 : 4
      try await daemon.go(to: list[place])
      try await daemon.set("Shuffle", .boolean(false))
      #expect(try await daemon.metadata("mpris:trackid") == .objectPath(list[place]))
      #expect(try await daemon.trackIDs() == list)
      for next in 1...3 { #expect(try await daemon.moved("Next") == list[place + next]) }
      #expect(try await daemon.moved("Previous") == list[place + 2])
    }
  }

  @Test("OpenUri signals TrackAdded after the current track, and Tracks as invalidated, without its value")
  func openedIsAdded() async throws {
    let files = try await TrackListTests.files()
    try await withDaemon(["--paused", files[0], files[1]]) { daemon in
      try await daemon.titled("First")
      try await withTrackList(daemon) { list in
        let before = try await list.tracks()
        try await daemon.barrier()
        let (mark, newsMark) = (daemon.signals.count, list.news.count)
        try await daemon.call("OpenUri", [.string("file://" + files[1])])
        let added = try await list.news.first("it is added", from: newsMark) { $0.member == "TrackAdded" }.element
        let track = try #require(added.arguments.first?.asDictionary?["mpris:trackid"]?.asObjectPath)
        #expect(added.arguments.last == .objectPath(before[0]))
        let changed = try await daemon.signals.first("the list is another", from: mark) { $0.tellsTracks }.element
        #expect(changed.arguments[1] == .dictionary([]))
        try await daemon.isCurrent(track, from: mark)
        // The same file is another track when it is opened again; the ID of a track does not depend on its neighbours.
        #expect(try await list.tracks() == [before[0], track, before[1]])
        try await list.remove(track)
        #expect(try await list.tracks() == before)
        #expect((before + [track]).allSatisfy { !$0.rawValue.hasPrefix("/org/mpris") })
      }
    }
  }
}

extension DaemonUnderTest {
  func trackIDs() async throws -> [ObjectPath] {
    try await get("Tracks", of: TrackListUnderTest.interface).asObjectPaths ?? []
  }

  /// Waits until a track is current: returns at once if it is, or after a signal at or after `start` that reports it.
  fileprivate func isCurrent(_ track: ObjectPath, from start: Int) async throws {
    if try await metadata("mpris:trackid") == .objectPath(track) { return }
    try await changed("Metadata", from: start) { $0.asDictionary?["mpris:trackid"] == .objectPath(track) }
  }

  fileprivate func go(to track: ObjectPath) async throws {
    let mark = signals.count
    _ = try await client.call(
      on: Self.name, at: Self.path, of: TrackListUnderTest.interface, "GoTo", [.objectPath(track)])
    try await isCurrent(track, from: mark)
  }

  /// Calls Next or Previous and waits for the track that becomes current; returns its ID.
  fileprivate func moved(_ method: MemberName) async throws -> ObjectPath {
    try await barrier()
    let mark = signals.count
    let before = try await metadata("mpris:trackid")
    try await call(method)
    let emitted = try await changed("Metadata", from: mark) { $0.asDictionary?["mpris:trackid"] != before }.element
    guard let track = emitted.changes?["Metadata"]?.asDictionary?["mpris:trackid"]?.asObjectPath else {
      throw UnexpectedReply(text: "\(emitted)")
    }
    return track
  }
}

extension DBusSignalMessage {
  /// Whether the signal reports a change of Tracks.
  fileprivate var tellsTracks: Bool {
    member == "PropertiesChanged" && arguments.first?.asString == TrackListUnderTest.interface.rawValue
      && arguments.last == .strings(["Tracks"])
  }
}
