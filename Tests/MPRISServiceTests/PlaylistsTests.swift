import DBus
import MPRISService
import TestSupport
import Testing

/// Tests of the playlists over a bus: properties, methods and signals.
@Suite struct PlaylistsTests {
  static let none: DBusValue = .structure([
    .boolean(false), .structure([.objectPath("/"), .string(""), .string("")]),
  ])

  /// Three playlists in order of name; the first was modified last, the second never, and the third was played.
  static let three: [MPRISPlaylist] = {
    var playlists = ["a", "b", "c"].map { MPRISPlaylist(id: .playlist($0), name: $0.uppercased()) }
    playlists[0].icon = "file:///a.png"
    playlists[0].modified = .seconds(20)
    playlists[2].modified = .seconds(10)
    playlists[2].played = .seconds(30)
    return playlists
  }()

  @Test("Playlists are counted, and none is active initially")
  func count() async throws {
    try await withServedPlaylists { served, _, _ in
      let all = try await served.getAll(of: .playlists)
      #expect(
        all == [
          "PlaylistCount": .uint32(3), "Orderings": .strings(["Alphabetical", "Modified", "Played"]),
          "ActivePlaylist": Self.none,
        ])
    }
  }

  @Test("A player without playlists does not have the Playlists interface")
  func withoutPlaylists() async throws {
    try await withServedPlayer { served in
      let error = try await served.refusal { _ = try await served.getAll(of: .playlists) }
      #expect(error == "org.freedesktop.DBus.Error.UnknownInterface")
    }
  }

  @Test(
    "Playlists are returned in the requested order, and by name for an unsupported order",
    arguments: [
      ("Alphabetical", false, "ABC"), ("Alphabetical", true, "CBA"), ("Modified", false, "BCA"),
      ("Modified", true, "ACB"), ("Played", false, "ABC"), ("Played", true, "CBA"), ("Created", false, "ABC"),
      ("User", true, "CBA"), ("", false, "ABC"), ("no such order", true, "CBA"),
    ])
  func orders(
    order: String, isReversed: Bool, names: String
  ) async throws {
    try await withServedPlaylists { served, _, _ in
      let found = try await served.playlists(0, 100, order, isReversed)
      #expect(found.map(\.name).joined() == names)
    }
  }

  @Test(
    "Any range of the playlists can be requested",
    arguments: [
      (0, 2, "AB"), (1, 1, "B"), (2, 5, "C"), (3, 5, ""), (0, 0, ""), (.max, .max, ""), (0, .max, "ABC"),
      (1, .max, "BC"),
    ] as [(UInt32, UInt32, String)])
  func ranges(index: UInt32, count: UInt32, names: String) async throws {
    try await withServedPlaylists { served, _, _ in
      let found = try await served.playlists(index, count, "Alphabetical", false)
      #expect(found.map(\.name).joined() == names)
    }
  }

  @Test("A playlist has a path, a name and an icon")
  func fields() async throws {
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

  @Test("An activated playlist becomes active, and the change is signalled")
  func activate() async throws {
    try await withServedPlaylists { served, jukebox, _ in
      _ = try await served.getAll(of: .playlists)
      let mark = served.changes.count
      #expect(try await served.call("ActivatePlaylist", .objectPath(.playlist("b")), of: .playlists).isEmpty)
      let change = try await served.change(from: mark)
      let active: DBusValue = .structure([
        .boolean(true), .structure([.objectPath(.playlist("b")), .string("B"), .string("")]),
      ])
      #expect(change.interface == InterfaceName.playlists.rawValue)
      #expect(change.values == ["ActivePlaylist": active] && change.invalidated.isEmpty)
      #expect(try await served.get("ActivePlaylist", of: .playlists) == active)
      #expect(jukebox.activePlaylist() == .playlist("b"))
    }
  }

  @Test("Activating an unknown or rejected playlist fails with a text")
  func activateFailure() async throws {
    try await withServedPlaylists { served, jukebox, _ in
      for path in ["/", "/org/playerd/playlist/x", MPRISTrackID.noTrack.path] as [ObjectPath] {
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

  @Test("Changes of the count, of a name and of an icon are signalled")
  func changes() async throws {
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

  @Test("A count and an active playlist that a client has read while signals wait are signalled when they change back")
  func passingPlaylist() async throws {
    try await withServedPlaylists { served, jukebox, _ in
      _ = try await served.getAll(of: .playlists)
      served.fake.change {
        $0.metadata = .example(number: 20)
        $0.isSettled = false
      }
      try await served.clock.events.first("the signals wait") { $0 == .sleeps(.milliseconds(200)) }
      jukebox.show(playlists: Self.three + [MPRISPlaylist(id: .playlist("d"), name: "D")])
      try jukebox.activate(.playlist("d"))
      let passing = try await served.getAll(of: .playlists)
      #expect(passing["PlaylistCount"] == .uint32(4) && passing["ActivePlaylist"] != Self.none)
      jukebox.show(playlists: Self.three)
      let mark = served.changes.count
      served.fake.change { $0.isSettled = true }
      // The change of this interface follows that of the player, which ends the result of `settle`.
      _ = try await served.settle(from: mark)
      let changes = served.changes.elements[mark...].filter { $0.interface == InterfaceName.playlists.rawValue }
      #expect(changes.map(\.values) == [["PlaylistCount": .uint32(3), "ActivePlaylist": Self.none]])
    }
  }

  @Test("Before the first request playlists are neither read nor signalled")
  func lazy() async throws {
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
  ) async throws -> [MPRISPlaylist] {
    let reply = try await call(
      "GetPlaylists", .uint32(index), .uint32(count), .string(order), .boolean(isReversed), of: .playlists)
    guard case .array("(oss)", let values)? = reply.first else { return [] }
    return values.compactMap { value in
      guard case .structure(let fields) = value, fields.count == 3, let path = fields[0].asObjectPath,
        let name = fields[1].asString
      else { return nil }
      return MPRISPlaylist(id: path, name: name)
    }
  }
}

/// Runs `body` with a served player that has three playlists, and with the signals of the Playlists interface.
private func withServedPlaylists(
  _ body: (ServedPlayer, FakeJukebox, EventLog<DBusSignalMessage>) async throws -> Void
) async throws {
  let fake = FakePlayer()
  let jukebox = FakeJukebox(fake)
  jukebox.show(playlists: PlaylistsTests.three)
  try await withServedPlayer(fake, as: jukebox) { served in
    let news = EventLog<DBusSignalMessage>()
    let signals = try await served.client.signals(
      from: served.connection.uniqueName, path: MPRISService.path, interface: .playlists)
    try await withThrowingTaskGroup { group in
      group.addTask { for await signal in signals { news.append(signal) } }
      defer { group.cancelAll() }
      try await body(served, jukebox, news)
    }
  }
}
