import DBus
import MPRISService
import TestSupport
import Testing

/// Tests of the track list over a bus: properties, methods and signals.
@Suite struct TrackListTests {
  static let noTrack: DBusValue = .objectPath(MPRISTrackID.noTrack.path)
  static func path(_ number: UInt64) -> DBusValue { .objectPath(MPRISTrackID(number, in: .example).path) }

  @Test("A player with a track list reports and returns it")
  func trackList() async throws {
    try await withServedJukebox { served, _, _ in
      #expect(try await served.get("HasTrackList", of: ServedPlayer.root) == .boolean(true))
      #expect(try await served.get("CanEditTracks", of: .trackList) == .boolean(true))
      let tracks = try await served.get("Tracks", of: .trackList)
      #expect(tracks == .objectPaths([6, 7, 8].map { MPRISTrackID($0, in: .example).path }))
      #expect(try await served.getAll(of: .trackList).count == 2)
    }
  }

  @Test("A player without a track list reports that and does not have the interface")
  func withoutTrackList() async throws {
    try await withServedPlayer { served in
      #expect(try await served.get("HasTrackList", of: ServedPlayer.root) == .boolean(false))
      let error = try await served.refusal { _ = try await served.getAll(of: .trackList) }
      #expect(error == "org.freedesktop.DBus.Error.UnknownInterface")
    }
  }

  @Test("GetTracksMetadata keeps the requested order, returns each track once and omits unknown tracks")
  func getTracksMetadata() async throws {
    try await withServedJukebox { served, jukebox, _ in
      jukebox.learn("Eight", of: MPRISTrackID(8, in: .example))
      let paths: DBusValue = .objectPaths(
        [8, 999, 6, 8].map { MPRISTrackID($0, in: .example).path } + [
          "/", MPRISTrackID.noTrack.path, "/org/example/track/08",
        ])
      let reply = try await served.call("GetTracksMetadata", paths, of: .trackList)
      guard case .array(let signature, let maps)? = reply.first else {
        Issue.record("no array: \(reply)")
        return
      }
      #expect(signature == "a{sv}")
      #expect(maps.map { $0.asDictionary?["xesam:title"]?.asString } == ["Eight", "Track"])
      #expect(maps.map { $0.asDictionary?["mpris:trackid"] } == [Self.path(8), Self.path(6)])
      #expect(try await served.call("GetTracksMetadata", .objectPaths([]), of: .trackList) == [.array("a{sv}", [])])
    }
  }

  @Test("Every edit reaches the player as the matching command")
  func edits() async throws {
    try await withServedJukebox { served, jukebox, _ in
      func add(_ uri: String, _ after: DBusValue, _ current: Bool) async throws {
        #expect(try await served.call("AddTrack", .string(uri), after, .boolean(current), of: .trackList).isEmpty)
      }
      try await add("file:///a.flac", Self.noTrack, false)
      try await add("file:///b.flac", Self.path(7), true)
      try await add("/c.flac", .objectPath("/somewhere/else"), false)
      try await served.call("RemoveTrack", Self.path(7), of: .trackList)
      try await served.call("GoTo", Self.path(8), of: .trackList)
      #expect(
        jukebox.commands == [
          .add("file:///a.flac", at: .start, makesCurrent: false),
          .add("file:///b.flac", at: .after(MPRISTrackID(7, in: .example)), makesCurrent: true),
          .add("/c.flac", at: .end, makesCurrent: false), .remove(MPRISTrackID(7, in: .example)),
          .goTo(MPRISTrackID(8, in: .example)),
        ])
    }
  }

  @Test("RemoveTrack and GoTo ignore impossible tracks")
  func impossibleTracks() async throws {
    try await withServedJukebox { served, jukebox, _ in
      for path in [Self.noTrack, .objectPath("/"), .objectPath("/org/example/track/x"), .objectPath("/a/7")] {
        try await served.call("RemoveTrack", path, of: .trackList)
        try await served.call("GoTo", path, of: .trackList)
      }
      #expect(jukebox.commands.isEmpty)
    }
  }

  @Test("A list that cannot be edited ignores edits")
  func notEditable() async throws {
    try await withServedJukebox { served, jukebox, _ in
      let mark = served.changes.count
      served.fake.change { $0.canEditTracks = false }
      let change = try await served.change(from: mark)
      #expect(change.interface == InterfaceName.trackList.rawValue)
      #expect(change.values == ["CanEditTracks": .boolean(false)])
      try await served.call("AddTrack", .string("file:///a"), Self.noTrack, .boolean(false), of: .trackList)
      try await served.call("RemoveTrack", Self.path(7), of: .trackList)
      #expect(jukebox.commands.isEmpty)
    }
  }

  @Test("AddTrack rejects the same URIs as OpenUri")
  func addFailure() async throws {
    try await withServedJukebox { served, jukebox, _ in
      func expect(_ uri: String, _ error: String) async throws {
        let refusal = try await served.refusal {
          try await served.call("AddTrack", .string(uri), Self.noTrack, .boolean(false), of: .trackList)
        }
        #expect(refusal == "org.freedesktop.DBus.Error." + error)
      }
      try await expect("not a uri", "InvalidArgs")
      try await expect("", "InvalidArgs")
      #expect(jukebox.commands.isEmpty)
      jukebox.refuse(with: .notSupported("gopher: URIs are not supported"))
      try await expect("gopher://x", "NotSupported")
      jukebox.refuse(with: .accessDenied("outside of the allowed folders"))
      try await expect("file:///etc/passwd", "AccessDenied")
    }
  }

  @Test("An edit invalidates Tracks and then signals the change")
  func editSignals() async throws {
    try await withServedJukebox { served, _, news in
      let mark = served.changes.count
      try await served.call("AddTrack", .string("file:///a"), Self.path(6), .boolean(false), of: .trackList)
      let change = try await served.change(from: mark)
      #expect(change.interface == InterfaceName.trackList.rawValue)
      #expect(change.values.isEmpty && change.invalidated == ["Tracks"])
      let added = try await news.first("TrackAdded").element
      #expect(added.member == "TrackAdded" && added.arguments.last == Self.path(6))
      #expect(added.arguments.first?.asDictionary?["mpris:trackid"] == Self.path(101))
      let tracks = try await served.get("Tracks", of: .trackList)
      #expect(tracks == .objectPaths([6, 101, 7, 8].map { MPRISTrackID($0, in: .example).path }))
    }
  }

  @Test("A different list is signalled as a whole, with the current track of the metadata")
  func replaced() async throws {
    try await withServedJukebox { served, jukebox, news in
      jukebox.show(tracks: [20, 21])
      let replaced = try await news.first("TrackListReplaced").element
      #expect(replaced.member == "TrackListReplaced")
      #expect(
        replaced.arguments == [.objectPaths([20, 21].map { MPRISTrackID($0, in: .example).path }), Self.path(7)])
      try await served.clock.events.first("the pause") { $0 == .sleeps(.milliseconds(250)) }
      let mark = served.changes.count
      served.fake.show { $0.metadata = .none }
      jukebox.show(tracks: [30])
      try await served.changes.first("the metadata", from: mark) { $0.values["Metadata"] != nil }
      served.clock.advance(by: .seconds(1))
      let empty = try await news.first("TrackListReplaced", from: 1).element
      #expect(empty.arguments.last == Self.noTrack)
    }
  }

  @Test("A list that was empty can be read before it is signalled")
  func emptyBefore() async throws {
    try await withServedJukebox { served, jukebox, news in
      jukebox.show(tracks: [])
      try await news.first("the last removal") { $0.arguments == [Self.path(8)] }
      jukebox.show(tracks: [9])
      #expect(try await served.get("Tracks", of: .trackList) == .objectPaths([MPRISTrackID(9, in: .example).path]))
      try await served.clock.events.first("the pause") { $0 == .sleeps(.milliseconds(250)) }
      served.clock.advance(by: .milliseconds(250))
      let emitted = try await news.first("the list", from: 3).element
      #expect(emitted.member == "TrackListReplaced")
    }
  }

  @Test("Many edits in a row are signalled twice, and reads return the current list")
  func manyEdits() async throws {
    try await withServedJukebox { served, jukebox, news in
      jukebox.show(tracks: [6, 7, 8, 200])
      _ = try await served.clock.events.first("the pause") { $0 == .sleeps(.milliseconds(250)) }
      for number in 2...50 as ClosedRange<UInt64> { jukebox.show(tracks: [6, 7, 8] + Array(200..<(200 + number))) }
      try await served.settle()
      #expect(news.elements.map(\.member) == ["TrackAdded"])
      let all = try await served.getAll(of: .trackList)["Tracks"]?.asObjectPaths
      for read in [try await served.get("Tracks", of: .trackList).asObjectPaths, all] {
        #expect(read == ([6, 7, 8] + Array(200..<250)).map { MPRISTrackID($0, in: .example).path })
      }
      let last: DBusValue = .objectPaths([MPRISTrackID(249, in: .example).path])
      guard case .array(_, let maps)? = try await served.call("GetTracksMetadata", last, of: .trackList).first else {
        return
      }
      #expect(maps.map { $0.asDictionary?["mpris:trackid"] } == [Self.path(249)])
      // A client that has read the metadata of a track is notified of its changes.
      jukebox.learn("Learned", of: MPRISTrackID(249, in: .example))
      try await news.first("the metadata") { $0.titled("Learned") }
      served.clock.advance(by: .milliseconds(250))
      _ = try await news.first("the rest") { $0.arguments.first?.asObjectPaths?.count == 53 }
      try await served.settle()
      #expect(news.elements.map(\.member) == ["TrackAdded", "TrackMetadataChanged", "TrackListReplaced"])
      let changes = served.changes.elements.filter { $0.invalidated == ["Tracks"] }
      #expect(changes.count == 2)
      #expect(try await served.get("Tracks", of: .trackList).asObjectPaths?.count == 53)
    }
  }

  @Test("A list that a client has read while signals wait, and that no signal leads to, is signalled as a whole")
  func passingList() async throws {
    try await withServedJukebox { served, jukebox, news in
      jukebox.show(tracks: [6, 7, 8, 200])
      _ = try await served.clock.events.first("the pause") { $0 == .sleeps(.milliseconds(250)) }
      // The first list changes back, the second one loses a track that no signal names.
      for (index, list) in [[6, 7, 8, 200], [6, 7, 8, 201]].enumerated() {
        jukebox.show(tracks: [6, 7, 8, 199])
        #expect(try await served.get("Tracks", of: .trackList).asObjectPaths?.count == 4)
        jukebox.show(tracks: list.map { UInt64($0) })
        try await served.settle()
        served.clock.advance(by: .milliseconds(250))
        let whole = try await news.first("the whole list", from: index + 1) { $0.member == "TrackListReplaced" }
        #expect(whole.element.arguments.first == .objectPaths(list.map { MPRISTrackID(UInt64($0), in: .example).path }))
      }
      try await served.settle()
      #expect(news.elements.map(\.member) == ["TrackAdded", "TrackListReplaced", "TrackListReplaced"])
    }
  }

  @Test("After a list was signalled as a whole, the next change is again signalled as the change of a track")
  func afterWholeList() async throws {
    try await withServedJukebox { served, jukebox, news in
      let pauses = served.clock.events
      jukebox.show(tracks: [6, 7, 8, 200])
      let first = try await pauses.first("the pause") { $0 == .sleeps(.milliseconds(250)) }.index
      jukebox.show(tracks: [6, 7, 8, 199])
      #expect(try await served.get("Tracks", of: .trackList).asObjectPaths?.count == 4)
      jukebox.show(tracks: [6, 7, 8, 200])
      try await served.settle()
      served.clock.advance(by: .milliseconds(250))
      try await pauses.first("the next pause", from: first + 1) { $0 == .sleeps(.milliseconds(250)) }
      jukebox.show(tracks: [6, 7, 8, 200, 201])
      try await served.settle()
      served.clock.advance(by: .milliseconds(250))
      try await news.first("the last track", from: 2)
      #expect(news.elements.map(\.member) == ["TrackAdded", "TrackListReplaced", "TrackAdded"])
    }
  }

  @Test("Tracks contains the track in Metadata, whether signals wait or not")
  func consistency() async throws {
    try await withServedJukebox { served, jukebox, _ in
      #expect(try await served.get("Metadata").asDictionary?["mpris:trackid"] == Self.path(7))
      served.fake.show {
        $0.metadata = .example(number: 20)
        $0.isSettled = false
      }
      jukebox.show(tracks: [20, 21])
      try await served.clock.events.first("the signals are held back") { $0 == .sleeps(.milliseconds(200)) }
      #expect(try await served.get("Metadata").asDictionary?["mpris:trackid"] == Self.path(7))
      let held = try await served.get("Tracks", of: .trackList).asObjectPaths
      #expect(held == [6, 7, 8].map { MPRISTrackID($0, in: .example).path })
      served.fake.change { $0.isSettled = true }
      try await served.settle()
      #expect(try await served.get("Metadata").asDictionary?["mpris:trackid"] == Self.path(20))
      let shown = try await served.get("Tracks", of: .trackList).asObjectPaths
      #expect(shown == [20, 21].map { MPRISTrackID($0, in: .example).path })
    }
  }

  @Test("New metadata is signalled once, and only for tracks that a client has read")
  func metadataChanges() async throws {
    try await withServedJukebox { served, jukebox, news in
      jukebox.learn("Unheard", of: MPRISTrackID(6, in: .example))
      try await served.call("GetTracksMetadata", .objectPaths([MPRISTrackID(8, in: .example).path]), of: .trackList)
      jukebox.learn("Learned", of: MPRISTrackID(8, in: .example))
      try await news.first("the first") { $0.titled("Learned") }
      jukebox.learn("Learned", of: MPRISTrackID(8, in: .example))
      jukebox.learn("Better", of: MPRISTrackID(8, in: .example))
      let better = try await news.first("the second") { $0.titled("Better") }
      #expect(better.element.arguments.first == Self.path(8))
      #expect(news.elements.map(\.member) == ["TrackMetadataChanged", "TrackMetadataChanged"])
    }
  }

  @Test("Without a change nothing is signalled and no timer runs")
  func unchanged() async throws {
    try await withServedJukebox { served, _, news in
      let changes = try await served.changes { for _ in 1...100 { served.fake.send(.changed) } }
      #expect(changes.isEmpty && news.count == 0)
      #expect(served.clock.events.count == 0)
    }
  }
}

extension DBusSignalMessage {
  /// Whether a TrackMetadataChanged contains this title.
  fileprivate func titled(_ title: String) -> Bool {
    arguments.last?.asDictionary?["xesam:title"] == .string(title)
  }
}

extension InterfaceName {
  static let trackList: InterfaceName = "org.mpris.MediaPlayer2.TrackList"
}

/// Runs `body` with a served player that has a track list, and with the signals of the TrackList interface.
private func withServedJukebox(
  _ body: (ServedPlayer, FakeJukebox, EventLog<DBusSignalMessage>) async throws -> Void
) async throws {
  let fake = FakePlayer()
  let jukebox = FakeJukebox(fake)
  try await withServedPlayer(fake, as: jukebox) { served in
    let news = EventLog<DBusSignalMessage>()
    let signals = try await served.client.signals(
      from: served.connection.uniqueName, path: MPRISService.path, interface: .trackList)
    try await withThrowingTaskGroup { group in
      group.addTask { for await signal in signals { news.append(signal) } }
      defer { group.cancelAll() }
      try await body(served, jukebox, news)
    }
  }
}
