import DBus
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of the queue of the built daemon through the TrackList interface.
@Suite
struct TrackListTests {
  static let noTrack: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  @Test("Tracks is the queue, and the metadata of tracks that have not played is inspected")
  func metadata() async throws {
    let files = try await Self.files()
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("First")
      try await withTrackList(daemon) { list in
        let tracks = try await list.tracks()
        #expect(tracks.count == 3)
        #expect(try await daemon.metadata("mpris:trackid") == .objectPath(tracks[0]))
        #expect(try await daemon.get("HasTrackList", of: "org.mpris.MediaPlayer2") == .boolean(true))
        for metadata in try await list.metadata(of: tracks) where metadata["mpris:length"] == nil {
          try await list.metadataChanged("the tags", metadata["mpris:trackid"])
        }
        let known = try await list.metadata(of: [tracks[2], "/nowhere", tracks[0], tracks[1]])
        #expect(known.map { $0["xesam:title"]?.asString } == ["Third", "First", "Second"])
        #expect(known.map { $0["mpris:length"] } == Array(repeating: .int64(20_000_000), count: 3))
        #expect(known.map { $0["mpris:trackid"]?.asObjectPath } == [tracks[2], tracks[0], tracks[1]])
      }
    }
  }

  @Test("AddTrack inserts a track after the given one, and plays it only if requested")
  func add() async throws {
    let files = try await Self.files()
    try await withDaemon(["--paused", files[0], files[1]]) { daemon in
      try await daemon.titled("First")
      try await withTrackList(daemon) { list in
        let before = try await list.tracks()
        let third = "file://" + files[2]
        let start = try await list.add(third, after: Self.noTrack, setAsCurrent: false)
        let middle = try await list.add(files[2], after: before[0], setAsCurrent: false)
        let end = try await list.add(third, after: "/nowhere", setAsCurrent: false)
        #expect(try await list.tracks() == [start, before[0], middle, before[1], end])
        #expect(try await daemon.metadata("mpris:trackid") == .objectPath(before[0]))
        #expect(try await daemon.status() == "Paused")
        let current = try await list.add(third, after: before[1], setAsCurrent: true)
        try await daemon.titled("Third")
        #expect(try await daemon.metadata("mpris:trackid") == .objectPath(current))
        #expect(try await daemon.status() == "Playing")
      }
    }
  }

  @Test("The first track added to an empty list becomes current, and plays only if requested")
  func addToEmpty() async throws {
    let files = try await Self.files()
    try await withDaemon([]) { daemon in
      try await withTrackList(daemon) { list in
        #expect(try await list.tracks().isEmpty)
        try await list.call("AddTrack", [.string("file://" + files[0]), .objectPath(Self.noTrack), .boolean(false)])
        let emitted = try await list.news.first("the list") { $0.member == "TrackListReplaced" }.element
        let track = try #require(try await list.tracks().first)
        #expect(emitted.arguments == [.objectPaths([track]), .objectPath(track)])
        #expect(try await daemon.status() == "Stopped")
        #expect(try await daemon.metadata("mpris:trackid") == .objectPath(track))
        try await daemon.call("Play")
        try await daemon.titled("First")
      }
    }
  }

  @Test("A folder is added as its tracks")
  func addFolder() async throws {
    let first = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withTemporaryDirectory { directory in
      for name in ["10.wav", "2.wav", "1.wav"] { try directory.write("RIFF", to: name) }
      try await withDaemon(["--paused", first]) { daemon in
        try await daemon.titled("First")
        try await withTrackList(daemon) { list in
          let current = try await list.tracks()[0]
          try await list.call(
            "AddTrack", [.string("file://" + directory.path), .objectPath(current), .boolean(false)])
          let added = try await list.news.first("the first of them") { $0.member == "TrackAdded" }
          let second = try await list.news.first("the second", from: added.index + 1) { $0.member == "TrackAdded" }
          try await list.news.first("the third", from: second.index + 1) { $0.member == "TrackAdded" }
          let titles = try await list.metadata(of: list.tracks()).map { $0["xesam:title"]?.asString }
          #expect(titles == ["First", "1.wav", "2.wav", "10.wav"])
        }
      }
    }
  }

  @Test("RemoveTrack removes tracks, including the current one, and ignores tracks that are not in the list")
  func remove() async throws {
    let files = try await Self.files()
    try await withDaemon(files) { daemon in
      try await daemon.titled("First")
      try await withTrackList(daemon) { list in
        let tracks = try await list.tracks()
        try await list.remove(tracks[1])
        #expect(try await list.tracks() == [tracks[0], tracks[2]])
        for path in [tracks[1], Self.noTrack, "/nowhere"] { try await list.call("RemoveTrack", [.objectPath(path)]) }
        try await list.remove(tracks[0])
        try await daemon.titled("Third")
        #expect(try await daemon.status() == "Playing")
        try await list.remove(tracks[2])
        try await daemon.changed("PlaybackStatus") { $0 == .string("Stopped") }
        #expect(try await list.tracks().isEmpty)
        #expect(try await daemon.get("Metadata") == .dictionary([]))
        #expect(list.edits.filter { $0 != "TrackListReplaced" } == ["TrackRemoved", "TrackRemoved", "TrackRemoved"])
      }
    }
  }

  @Test("GoTo plays a track of the list, and ignores other paths")
  func goTo() async throws {
    let files = try await Self.files()
    try await withDaemon(["--paused"] + files) { daemon in
      try await daemon.titled("First")
      try await withTrackList(daemon) { list in
        let tracks = try await list.tracks()
        for path in [Self.noTrack, "/nowhere", "/org/playerd/track/999999"] as [ObjectPath] {
          try await list.call("GoTo", [.objectPath(path)])
        }
        #expect(try await daemon.metadata("mpris:trackid") == .objectPath(tracks[0]))
        try await list.call("GoTo", [.objectPath(tracks[2])])
        try await daemon.titled("Third")
        #expect(try await daemon.status() == "Playing")
        #expect(try await list.tracks() == tracks)
        #expect(list.edits.filter { $0 != "TrackListReplaced" }.isEmpty)
      }
    }
  }

  @Test("A repeated track has its new ID in the list, and its first ID when another track is current")
  func repetition() async throws {
    let files = try await Self.files()
    let short = try await Media.sine(seconds: 2, format: .flac, tags: Tags(title: "Short"))
    try await withDaemon(["--paused", "--loop", "track", short, files[0]]) { daemon in
      try await daemon.titled("Short")
      try await withTrackList(daemon) { list in
        let tracks = try await list.tracks()
        try await daemon.call("Play")
        let added = try await list.news.first("the repetition") { $0.member == "TrackAdded" }.element
        try await daemon.call("Pause")
        let repeated = try #require(added.arguments.first?.asDictionary?["mpris:trackid"]?.asObjectPath)
        #expect(repeated.rawValue == tracks[0].rawValue + "/2")
        #expect(try await daemon.metadata("mpris:trackid") == .objectPath(repeated))
        #expect(try await list.tracks() == [repeated, tracks[1]])
        #expect(try await list.metadata(of: [repeated]).map { $0["xesam:title"] } == [.string("Short")])

        // SetPosition ignores the ID of an earlier repetition as stale; GoTo accepts it.
        try await daemon.call("SetPosition", [.objectPath(tracks[0]), .int64(1_900_000)])
        #expect(try await daemon.position() < 1_900_000)
        try await list.call("GoTo", [.objectPath(tracks[1])])
        try await daemon.titled("First")
        try await list.news.first("the first identity") { $0.arguments == [.objectPath(repeated)] }
        #expect(try await list.tracks() == tracks)
        #expect(try await list.metadata(of: tracks).first?["mpris:trackid"] == .objectPath(tracks[0]))
        try await list.call("GoTo", [.objectPath(repeated)])
        try await daemon.titled("Short", from: daemon.signals.count)
      }
    }
  }

  @Test("AddTrack refuses the same URIs as OpenUri")
  func refusals() async throws {
    try await withDaemon([]) { daemon in
      try await withTrackList(daemon) { list in
        for (uri, name) in [("gopher://a/b", "NotSupported"), ("nonsense", "InvalidArgs"), ("http:a", "InvalidArgs")] {
          for method in ["AddTrack", "OpenUri"] as [MemberName] {
            let error = try await #require(throws: DBusError.self) {
              if method == "OpenUri" {
                try await daemon.call(method, [.string(uri)])
              } else {
                try await list.call(method, [.string(uri), .objectPath(Self.noTrack), .boolean(true)])
              }
            }
            #expect(error.name == "org.freedesktop.DBus.Error." + name)
            #expect(!error.message.isEmpty)
          }
        }
        let tracks = try await list.tracks()
        #expect(tracks.isEmpty)
      }
    }
  }

  @Test("Clients are denied URIs that the configuration does not allow, also behind symbolic links")
  func policy() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withTemporaryDirectory { directory in
      let music = try directory.makeDirectory("music")
      #expect(unsafe symlink(file, music + "/inside.flac") == 0)
      let first = music + "/first.flac"
      try FileManager.default.copyItem(atPath: file, toPath: first)
      let environment = ["MPRIS_PLAYERD_ALLOWED_ROOTS": music, "MPRIS_PLAYERD_ALLOWED_SCHEMES": "file"]
      try await withDaemon(["--paused", first], environment: environment) { daemon in
        try await daemon.titled("First")
        try await withTrackList(daemon) { list in
          for uri in ["file://" + file, file, "file://\(music)/../x", "http://127.0.0.1:9/a.mp3"] {
            let opening = try await #require(throws: DBusError.self) {
              try await daemon.call("OpenUri", [.string(uri)])
            }
            let adding = try await #require(throws: DBusError.self) {
              try await list.call("AddTrack", [.string(uri), .objectPath(Self.noTrack), .boolean(true)])
            }
            #expect(
              [opening.name, adding.name] == Array(repeating: "org.freedesktop.DBus.Error.AccessDenied", count: 2))
          }
          try await daemon.call("OpenUri", [.string("file://\(music)/inside.flac")])
          try await daemon.process.waitForLine(containing: "inside.flac: not in one of the folders in allowed-roots")
          try await withMonitor(of: daemon) { try await $0.wait("TimeControlStatus", is: .string("paused")) }
          #expect(try await list.tracks().count == 1)
          #expect(try await daemon.status() == "Paused")
        }
      }
    }
  }

  @Test("Of a queue of thousands Tracks has a window around the current track, which moves rarely")
  func window() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: "First"))
    try await withTemporaryDirectory { directory in
      for number in 1...3_000 { try directory.write("", to: "\(number).flac") }
      try await withDaemon(["--paused", file, directory.path]) { daemon in
        try await daemon.titled("First")
        try await withTrackList(daemon) { list in
          if try await list.tracks().count < 200 {
            _ = try await list.news.first("the whole window") { $0.arguments.first?.asObjectPaths?.count == 200 }
          }
          try await daemon.barrier()
          let mark = list.news.count
          let tracks = try await list.tracks()
          #expect(tracks.count == 200)
          let next = try await list.add("file://" + file, after: tracks[0], setAsCurrent: false)
          let removed = try await list.news.first("the track at the edge", from: mark) { $0.member == "TrackRemoved" }
          #expect(removed.element.arguments == [.objectPath(tracks[199])])
          #expect(try await list.tracks() == [tracks[0], next] + tracks[1..<199])
        }
      }
    }
  }

  @Test("Reads of the track list contain the current track as soon as Metadata reports it")
  func readsAreCurrent() async throws {
    let files = try await Self.files()
    try await withDaemon(["--paused", files[0]]) { daemon in
      try await daemon.opened(titled: "First")
      try await withTrackList(daemon) { list in
        for file in [files[1], files[2], files[0], files[1]] {
          let (mark, before) = (daemon.signals.count, try await daemon.metadata("mpris:trackid"))
          try await list.call("AddTrack", [.string(file), .objectPath(Self.noTrack), .boolean(true)])
          // Later facts on the track before are changes of Metadata, too.
          let emitted = try await daemon.changed("Metadata", from: mark) { $0.asDictionary?["mpris:trackid"] != before }
          let current = try #require(emitted.element.changes?["Metadata"]?.asDictionary?["mpris:trackid"]?.asObjectPath)
          #expect(try await list.tracks().first == current)
          #expect(try await list.metadata(of: [current]).count == 1)
          let all = try await daemon.client.call(
            on: DaemonUnderTest.name, at: DaemonUnderTest.path, of: DaemonUnderTest.properties, "GetAll",
            [.string(TrackListUnderTest.interface.rawValue)])
          #expect(all.first?.asDictionary?["Tracks"]?.asObjectPaths?.first == current)
        }
      }
    }
  }

  static func files() async throws -> [String] {
    var files: [String] = []
    for title in ["First", "Second", "Third"] {
      files.append(try await Media.sine(seconds: 20, format: .flac, tags: Tags(title: title)))
    }
    return files
  }
}

/// The track list of a daemon, and every signal of its interface.
struct TrackListUnderTest: Sendable {
  static let interface: InterfaceName = "org.mpris.MediaPlayer2.TrackList"
  let daemon: DaemonUnderTest
  let news = EventLog<DBusSignalMessage>()

  @discardableResult
  func call(_ method: MemberName, _ arguments: [DBusValue]) async throws -> [DBusValue] {
    try await daemon.client.call(
      on: DaemonUnderTest.name, at: DaemonUnderTest.path, of: Self.interface, method, arguments)
  }

  func tracks() async throws -> [ObjectPath] {
    guard let tracks = try await daemon.get("Tracks", of: Self.interface).asObjectPaths else {
      throw UnexpectedReply(text: "Tracks is no list of paths")
    }
    return tracks
  }

  func metadata(of tracks: [ObjectPath]) async throws -> [[String: DBusValue]] {
    let reply = try await call("GetTracksMetadata", [.objectPaths(tracks)])
    guard case .array("a{sv}", let maps)? = reply.first else { throw UnexpectedReply(text: "\(reply)") }
    return maps.compactMap(\.asDictionary)
  }

  /// The names of the signals that report an edit of the list.
  var edits: [MemberName] { news.elements.map(\.member).filter { $0 != "TrackMetadataChanged" } }

  /// Adds a track, waits for its signal, and returns its ID.
  func add(_ uri: String, after place: ObjectPath, setAsCurrent: Bool) async throws -> ObjectPath {
    let mark = news.count
    try await call("AddTrack", [.string(uri), .objectPath(place), .boolean(setAsCurrent)])
    let added = try await news.first("the track is added", from: mark) { $0.member == "TrackAdded" }.element
    guard let track = added.arguments.first?.asDictionary?["mpris:trackid"]?.asObjectPath else {
      throw UnexpectedReply(text: "\(added)")
    }
    return track
  }

  func remove(_ track: ObjectPath) async throws {
    try await call("RemoveTrack", [.objectPath(track)])
    try await news.first("the track is removed") {
      $0.member == "TrackRemoved" && $0.arguments == [.objectPath(track)]
    }
  }

  /// Waits for a TrackMetadataChanged of a track with its length.
  func metadataChanged(_ expectation: String, _ track: DBusValue?) async throws {
    try await news.first(expectation) {
      $0.member == "TrackMetadataChanged" && $0.arguments.first == track
        && $0.arguments.last?.asDictionary?["mpris:length"] != nil
    }
  }
}

func withTrackList(_ daemon: DaemonUnderTest, _ body: (TrackListUnderTest) async throws -> Void) async throws {
  let list = TrackListUnderTest(daemon: daemon)
  let signals = try await daemon.client.signals(path: DaemonUnderTest.path, interface: TrackListUnderTest.interface)
  try await withThrowingTaskGroup { group in
    group.addTask { for await signal in signals { list.news.append(signal) } }
    defer { group.cancelAll() }
    try await body(list)
  }
}
