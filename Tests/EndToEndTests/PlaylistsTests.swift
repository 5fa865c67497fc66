import DBus
import Glibc
import TestSupport
import Testing

/// Tests of the playlist folder through the Playlists interface of the built daemon.
@Suite
struct PlaylistsTests {
  static let interface: InterfaceName = "org.mpris.MediaPlayer2.Playlists"

  @Test("The files in the music directory's Playlists folder are the playlists, and changes are signalled")
  func folder() async throws {
    try await withTemporaryDirectory { directory in
      try directory.makeDirectory("Playlists")
      for name in ["b.m3u", "a 10.pls", "a 2.xspf"] { try directory.write("", to: "Playlists/\(name)") }
      try await withDaemon([], environment: ["XDG_MUSIC_DIR": directory.path]) { daemon in
        #expect(try await daemon.playlists("Alphabetical").map(\.name) == ["a 2", "a 10", "b"])
        #expect(try await daemon.playlists("Played").map(\.name) == ["a 2", "a 10", "b"])
        #expect(try await daemon.get("PlaylistCount", of: Self.interface) == .uint32(3))
        var mark = daemon.signals.count
        try directory.write("", to: "Playlists/c.m3u")
        let added = try await daemon.signals.first("one more", from: mark) { $0.playlistCount != nil }
        #expect(added.element.playlistCount == 4)
        mark = daemon.signals.count
        #expect(unsafe unlink(directory.file("Playlists/b.m3u")) == 0)
        let removed = try await daemon.signals.first("one less", from: mark) { $0.playlistCount != nil }
        #expect(removed.element.playlistCount == 3)
        #expect(try await daemon.playlists("").map(\.name) == ["a 2", "a 10", "c"])
      }
    }
  }

  @Test("A playlist folder created after the start is found by the next request, and watched from then on")
  func lateFolder() async throws {
    try await withTemporaryDirectory { directory in
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.file("lists")]
      try await withDaemon([], environment: environment) { daemon in
        #expect(try await daemon.playlists("").isEmpty)
        try directory.makeDirectory("lists")
        try directory.write("", to: "lists/a.m3u")
        #expect(try await daemon.playlists("").map(\.name) == ["a"])
        let mark = daemon.signals.count
        try directory.write("", to: "lists/b.m3u")
        // The signal of the first playlist may arrive after `mark`.
        let added = try await daemon.signals.first("one more", from: mark) { $0.playlistCount.map { $0 > 1 } ?? false }
        #expect(added.element.playlistCount == 2)
      }
    }
  }

  @Test("Without a playlist folder or a home directory the list of playlists is empty")
  func nothing() async throws {
    let environments = [
      ["XDG_MUSIC_DIR": TemporaryDirectory.missing], ["XDG_MUSIC_DIR": "", "HOME": "", "XDG_CONFIG_HOME": ""],
    ]
    for environment in environments {
      try await withDaemon([], environment: environment) { daemon in
        #expect(try await daemon.playlists("Played").isEmpty)
        #expect(try await daemon.get("PlaylistCount", of: Self.interface) == .uint32(0))
        #expect(try await daemon.active() == nil)
        let error = try await #require(throws: DBusError.self) {
          try await daemon.activate("/org/playerd/playlist/a")
        }
        #expect(error.name == "org.freedesktop.DBus.Error.InvalidArgs")
      }
    }
  }

  @Test("An activated playlist replaces the queue, and is active until another queue replaces it")
  func activate() async throws {
    let files = try await TrackListTests.files()
    try await withTemporaryDirectory { directory in
      try directory.write("#EXTM3U\n\(files[1])\n\(files[2])\n", to: "mine.m3u")
      try directory.write("", to: "mine.png")
      let environment = ["MPRIS_PLAYERD_PLAYLISTS_DIRECTORY": directory.path]
      try await withDaemon(["--paused", files[0]], environment: environment) { daemon in
        try await daemon.titled("First")
        let mine = try #require(try await daemon.playlists("").first)
        #expect(mine.icon == "file://\(directory.path)/mine.png")
        let before = try await daemon.get("Tracks", of: "org.mpris.MediaPlayer2.TrackList").asObjectPaths ?? []
        let mark = daemon.signals.count
        try await daemon.activate(mine.id)
        try await daemon.signals.first("it is active", from: mark) { $0.playlistChanges?["ActivePlaylist"] != nil }
        try await daemon.signals.first("other tracks", from: mark) { $0.arguments.last == .strings(["Tracks"]) }
        #expect(try await daemon.active() == mine.id)
        let after = try await daemon.get("Tracks", of: "org.mpris.MediaPlayer2.TrackList").asObjectPaths ?? []
        #expect(!before.isEmpty && Set(before).isDisjoint(with: after))
        let forwarding = try await run(
          [DaemonUnderTest.executable, directory.file("mine.m3u")], environment: daemon.bus.environment)
        #expect(forwarding.succeeded)
        #expect(try await daemon.active() == mine.id)
        let last = daemon.signals.count
        let other = try await run([DaemonUnderTest.executable, files[0]], environment: daemon.bus.environment)
        #expect(other.succeeded)
        _ = try await daemon.signals.first("nothing is active", from: last) {
          $0.playlistChanges?["ActivePlaylist"] != nil
        }
        #expect(try await daemon.active() == nil)
      }
    }
  }
}

/// A playlist as `GetPlaylists` returns it.
struct FoundPlaylist: Sendable {
  let id: ObjectPath
  let name: String
  let icon: String

  init?(_ value: DBusValue) {
    guard case .structure(let fields) = value, fields.count == 3, let id = fields[0].asObjectPath,
      let name = fields[1].asString, let icon = fields[2].asString
    else { return nil }
    (self.id, self.name, self.icon) = (id, name, icon)
  }
}

extension DaemonUnderTest {
  func playlists(_ order: String) async throws -> [FoundPlaylist] {
    let reply = try await client.call(
      on: Self.name, at: Self.path, of: PlaylistsTests.interface, "GetPlaylists",
      [.uint32(0), .uint32(100), .string(order), .boolean(false)])
    guard case .array("(oss)", let values)? = reply.first else { throw UnexpectedReply(text: "\(reply)") }
    return values.compactMap { FoundPlaylist($0) }
  }

  func activate(_ playlist: ObjectPath) async throws {
    _ = try await client.call(
      on: Self.name, at: Self.path, of: PlaylistsTests.interface, "ActivatePlaylist", [.objectPath(playlist)])
  }

  func active() async throws -> ObjectPath? {
    let value = try await get("ActivePlaylist", of: PlaylistsTests.interface)
    guard case .structure(let fields) = value, fields.count == 2, let isActive = fields[0].asBool else {
      throw UnexpectedReply(text: "\(value)")
    }
    return isActive ? FoundPlaylist(fields[1])?.id : nil
  }
}

extension DBusSignalMessage {
  /// The changed values in a PropertiesChanged of the Playlists interface; nil for any other signal.
  var playlistChanges: [String: DBusValue]? {
    guard member == "PropertiesChanged", arguments.first?.asString == PlaylistsTests.interface.rawValue else {
      return nil
    }
    return arguments[1].asDictionary
  }

  var playlistCount: Int64? { playlistChanges?["PlaylistCount"]?.asInt64 }
}
