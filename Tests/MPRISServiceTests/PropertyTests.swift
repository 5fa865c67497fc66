import DBus
import MPRISService
import Testing

/// Tests of reading and writing properties over a bus.
@Suite struct PropertyTests {
  static let track: DBusValue = .dictionary([
    ("mpris:trackid", .objectPath("/org/example/track/7")), ("mpris:length", .int64(180_000_000)),
    ("xesam:title", .string("Song")),
  ])

  @Test("GetAll of the root interface is complete")
  func getAllOfRoot() async throws {
    try await withServedPlayer { served in
      let all = try await served.getAll(of: ServedPlayer.root)
      #expect(
        all == [
          "CanQuit": .boolean(true), "CanRaise": .boolean(false), "HasTrackList": .boolean(false),
          "Identity": .string("Fake player"), "DesktopEntry": .string("fake-player"),
          "SupportedUriSchemes": .strings(["file", "https"]), "SupportedMimeTypes": .strings(["audio/flac"]),
        ])
    }
  }

  @Test("GetAll of the player interface is complete, and Get returns the same values")
  func getAllOfPlayer() async throws {
    try await withServedPlayer { served in
      served.fake.show { $0.maximumRate = 4 }
      let all = try await served.getAll()
      #expect(
        all == [
          "PlaybackStatus": .string("Playing"), "LoopStatus": .string("None"), "Rate": .double(1),
          "Shuffle": .boolean(false), "Metadata": Self.track, "Volume": .double(1), "Position": .int64(60_000_000),
          "MinimumRate": .double(0.25), "MaximumRate": .double(4), "CanGoNext": .boolean(true),
          "CanGoPrevious": .boolean(true), "CanPlay": .boolean(true), "CanPause": .boolean(true),
          "CanSeek": .boolean(true), "CanControl": .boolean(true),
        ])
      for (name, value) in all { #expect(try await served.get(name) == value) }
    }
  }

  @Test("Without a track all properties are readable and no command is possible")
  func empty() async throws {
    try await withServedPlayer(MPRISSnapshot(identity: "Empty")) { served in
      let all = try await served.getAll()
      #expect(all.count == 15)
      #expect(all["Metadata"] == .dictionary([]))
      #expect(all["PlaybackStatus"] == .string("Stopped"))
      #expect(all["Position"] == .int64(0))
      for name in ["CanPlay", "CanPause", "CanSeek", "CanGoNext", "CanGoPrevious"] {
        #expect(all[name] == .boolean(false))
      }
      #expect(all["CanControl"] == .boolean(true))
    }
  }

  @Test("Position is computed when it is read, and never negative")
  func position() async throws {
    try await withServedPlayer { served in
      for (position, answer) in [
        (.microseconds(61_234_567), 61_234_567), (.microseconds(-1), 0), (.seconds(Int64.max), .max),
      ] as [(Duration, Int64)] {
        served.fake.show { $0.position = position }
        let position = try await served.get("Position")
        #expect(position == .int64(answer))
      }
    }
  }

  @Test(
    "A written value reaches the player, with any numeric type",
    arguments: [
      ("LoopStatus", DBusValue.string("Playlist"), MPRISCommand.setLoop(.playlist)),
      ("Shuffle", .boolean(true), .setShuffle(true)),
      ("Rate", .double(1.5), .setRate(1.5)), ("Rate", .int32(2), .setRate(2)), ("Rate", .byte(2), .setRate(2)),
      ("Rate", .int64(0), .pause), ("Volume", .double(0.25), .setVolume(0.25)), ("Volume", .int64(0), .setVolume(0)),
      ("Volume", .double(7), nil), ("Volume", .uint32(100), nil), ("Volume", .double(-0.1), .setVolume(0)),
    ] as [(String, DBusValue, MPRISCommand?)])
  func set(
    name: String, value: DBusValue, command: MPRISCommand?
  ) async throws {
    try await withServedPlayer { served in
      try await served.set(name, to: value)
      #expect(served.fake.commands == (command.map { [$0] } ?? []))
    }
  }

  @Test("Invalid values are rejected and change nothing")
  func setInvalid() async throws {
    let wrong: [(String, DBusValue)] = [
      ("LoopStatus", .string("Sometimes")), ("LoopStatus", .boolean(true)), ("LoopStatus", .int32(1)),
      ("Shuffle", .int32(1)), ("Shuffle", .string("true")), ("Rate", .double(.nan)), ("Rate", .double(1000)),
      ("Rate", .double(0.1)), ("Rate", .double(-1)), ("Rate", .string("1")), ("Rate", .uint64(.max)),
      ("Volume", .double(.nan)), ("Volume", .double(.infinity)), ("Volume", .double(-.infinity)),
      ("Volume", .string("1")), ("Volume", .boolean(true)), ("Volume", .strings(["1"])),
    ]
    try await withServedPlayer { served in
      let changes = try await served.changes {
        for (name, value) in wrong {
          let error = try await served.refusal { try await served.set(name, to: value) }
          #expect(error == "org.freedesktop.DBus.Error.InvalidArgs", "\(name) \(value)")
        }
      }
      #expect(changes.isEmpty)
      #expect(served.fake.commands.isEmpty)
    }
  }

  @Test("Writing a read-only and accessing an unknown member fail with the matching error")
  func wrongMember() async throws {
    try await withServedPlayer { served in
      for name in ["PlaybackStatus", "Metadata", "Position", "MinimumRate", "CanPlay", "CanControl"] {
        let error = try await served.refusal { try await served.set(name, to: served.get(name)) }
        #expect(error == "org.freedesktop.DBus.Error.PropertyReadOnly", "\(name)")
      }
      for name in ["Fullscreen", "position", ""] {
        let error = try await served.refusal { _ = try await served.get(name) }
        #expect(error == "org.freedesktop.DBus.Error.UnknownProperty", "\(name)")
      }
      let error = try await served.refusal { _ = try await served.getAll(of: "org.mpris.MediaPlayer2.TrackList") }
      #expect(error == "org.freedesktop.DBus.Error.UnknownInterface")
      let unknown = try await served.refusal { try await served.call("Explode") }
      #expect(unknown == "org.freedesktop.DBus.Error.UnknownMethod")
    }
  }

  @Test("If the player rejects a value, the error contains its text")
  func rejected() async throws {
    try await withServedPlayer { served in
      served.fake.refuse(with: .invalid("not that loud"))
      await #expect(throws: DBusError.invalidArguments("not that loud")) {
        try await served.set("Volume", to: .double(0.5))
      }
    }
  }
}
