import DBus
import MPRISService
import TestSupport
import Testing

/// The playlists over a bus: what is read, what is asked, what is told.
@Suite struct PlaylistsTests {
  static let none: Value = .structure([
    .boolean(false), .structure([.objectPath("/"), .string(""), .string("")]),
  ])

  /// Three playlists by name; the first was changed last, the second never, the third was played.
  static let three: [Playlist] = {
    var playlists = ["a", "b", "c"].map { Playlist(id: .playlist($0), name: $0.uppercased()) }
    playlists[0].icon = "file:///a.png"
    playlists[0].modified = .seconds(20)
    playlists[2].modified = .seconds(10)
    playlists[2].played = .seconds(30)
    return playlists
  }()

  @Test func `Playlists are counted, and none is active`() async throws {
    try await withServedPlaylists { served, _, _ in
      let all = try await served.getAll(of: .playlists)
      #expect(
        all == [
          "PlaylistCount": .uint32(3), "Orderings": .strings(["Alphabetical", "Modified", "Played"]),
          "ActivePlaylist": Self.none,
        ])
    }
  }

  @Test func `A player without playlists has no such interface`() async throws {
    try await withServedPlayer { served in
      let error = try await served.refusal { _ = try await served.getAll(of: .playlists) }
      #expect(error == "org.freedesktop.DBus.Error.UnknownInterface")
    }
  }

  @Test(arguments: [
    ("Alphabetical", false, "ABC"), ("Alphabetical", true, "CBA"), ("Modified", false, "BCA"),
    ("Modified", true, "ACB"), ("Played", false, "ABC"), ("Played", true, "CBA"), ("Created", false, "ABC"),
    ("User", true, "CBA"), ("", false, "ABC"), ("no such order", true, "CBA"),
  ])
  func `Playlists come in any order asked for, and by name in one that there is not`(
    order: String, isReversed: Bool, names: String
  ) async throws {
    try await withServedPlaylists { served, _, _ in
      let found = try await served.playlists(0, 100, order, isReversed)
      #expect(found.map(\.name).joined() == names)
    }
  }

  @Test(
    arguments: [
      (0, 2, "AB"), (1, 1, "B"), (2, 5, "C"), (3, 5, ""), (0, 0, ""), (.max, .max, ""), (0, .max, "ABC"),
      (1, .max, "BC"),
    ] as [(UInt32, UInt32, String)])
  func `Any part of the playlists can be had`(index: UInt32, count: UInt32, names: String) async throws {
    try await withServedPlaylists { served, _, _ in
      let found = try await served.playlists(index, count, "Alphabetical", false)
      #expect(found.map(\.name).joined() == names)
    }
  }

  @Test func `A playlist is a path, a name and a picture`() async throws {
    try await withServedPlaylists { served, _, _ in
      let reply = try await served.call(
        "GetPlaylists", .uint32(0), .uint32(2), .string(""), .boolean(false), of: .playlists)
      #expect(
        reply == [
          .array(
            "(oss)",
            [
              .structure([.objectPath(.playlist("a")), .string("A"), .string("file:///a.png")]),
              .structure([.objectPath(.playlist("b")), .string("B"), .string("")]),
            ])
        ])
    }
  }

  @Test func `An activated playlist is active, and everyone is told`() async throws {
    try await withServedPlaylists { served, jukebox, _ in
      _ = try await served.getAll(of: .playlists)
      let mark = served.changes.count
      #expect(try await served.call("ActivatePlaylist", .objectPath(.playlist("b")), of: .playlists).isEmpty)
      let change = try await served.change(from: mark)
      let active: Value = .structure([
        .boolean(true), .structure([.objectPath(.playlist("b")), .string("B"), .string("")]),
      ])
      #expect(change.interface == InterfaceName.playlists.rawValue)
      #expect(change.values == ["ActivePlaylist": active] && change.invalidated.isEmpty)
      #expect(try await served.get("ActivePlaylist", of: .playlists) == active)
      #expect(jukebox.activePlaylist() == .playlist("b"))
    }
  }

  @Test func `A playlist that there is not, or that is refused, is an error with a text`() async throws {
    try await withServedPlaylists { served, jukebox, _ in
      for path in ["/", "/org/playerd/playlist/x", TrackID.noTrack.path] as [ObjectPath] {
        let error = try await served.refusal {
          try await served.call("ActivatePlaylist", .objectPath(path), of: .playlists)
        }
        #expect(error == "org.freedesktop.DBus.Error.InvalidArgs")
      }
      jukebox.refuse(with: .accessDenied("not now"))
      let error = try await served.refusal {
        try await served.call("ActivatePlaylist", .objectPath(.playlist("a")), of: .playlists)
      }
      #expect(error == "org.freedesktop.DBus.Error.AccessDenied")
      #expect(jukebox.activePlaylist() == nil)
    }
  }

  @Test func `Another count is told, and so are a name and a picture that change`() async throws {
    try await withServedPlaylists { served, jukebox, news in
      _ = try await served.get("PlaylistCount", of: .playlists)
      var playlists = Self.three
      playlists.removeLast()
      let mark = served.changes.count
      jukebox.show(playlists: playlists)
      #expect(try await served.change(from: mark).values == ["PlaylistCount": .uint32(2)])
      playlists[1].name = "Bee"
      playlists[0].modified = .seconds(99)
      jukebox.show(playlists: playlists)
      let renamed = try await news.first("PlaylistChanged").element
      #expect(renamed.member == "PlaylistChanged")
      #expect(
        renamed.arguments == [.structure([.objectPath(.playlist("b")), .string("Bee"), .string("")])])
      try await served.settle()
      #expect(news.count == 1)
    }
  }

  @Test func `Before somebody asks for playlists nothing is read and nothing told`() async throws {
    try await withServedPlaylists { served, jukebox, news in
      let changes = try await served.changes {
        jukebox.show(playlists: [])
        _ = try await served.getAll()
        _ = try await served.call("Introspect", of: "org.freedesktop.DBus.Introspectable")
      }
      #expect(changes.isEmpty && news.count == 0)
      #expect(jukebox.playlistReads == 0)
      #expect(try await served.get("PlaylistCount", of: .playlists) == .uint32(0))
      #expect(jukebox.playlistReads > 0)
    }
  }
}

extension InterfaceName {
  static let playlists: InterfaceName = "org.mpris.MediaPlayer2.Playlists"
}

extension ObjectPath {
  static func playlist(_ name: String) -> ObjectPath { (try? ObjectPath("/org/playerd/playlist/\(name)")) ?? "/" }
}

extension ServedPlayer {
  fileprivate func playlists(
    _ index: UInt32, _ count: UInt32, _ order: String, _ isReversed: Bool
  ) async throws -> [Playlist] {
    let reply = try await call(
      "GetPlaylists", .uint32(index), .uint32(count), .string(order), .boolean(isReversed), of: .playlists)
    guard case .array("(oss)", let values)? = reply.first else { return [] }
    return values.compactMap { value in
      guard case .structure(let fields) = value, fields.count == 3, let path = fields[0].asObjectPath,
        let name = fields[1].asString
      else { return nil }
      return Playlist(id: path, name: name)
    }
  }
}

/// Runs `body` with a served player that has three playlists, and every signal of those.
private func withServedPlaylists(
  _ body: (ServedPlayer, FakeJukebox, EventLog<SignalMessage>) async throws -> Void
) async throws {
  let fake = FakePlayer()
  let jukebox = FakeJukebox(fake)
  jukebox.show(playlists: PlaylistsTests.three)
  try await withServedPlayer(fake, as: jukebox) { served in
    let news = EventLog<SignalMessage>()
    let signals = try await served.client.signals(
      from: served.connection.uniqueName, path: MPRISService.path, interface: .playlists)
    try await withThrowingTaskGroup { group in
      group.addTask { for await signal in signals { news.append(signal) } }
      defer { group.cancelAll() }
      try await body(served, jukebox, news)
    }
  }
}
