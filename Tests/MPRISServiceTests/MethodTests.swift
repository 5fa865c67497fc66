import DBus
import MPRISService
import TestSupport
import Testing

/// Methods over a bus; their rules in full are in ``CommandRulesTests``.
@Suite struct MethodTests {
  static let track = TrackID(7, in: .example)

  @Test func `Every method reaches the player`() async throws {
    try await withServedPlayer { served in
      #expect(try await served.call("Pause").isEmpty)
      try await served.call("Play")
      try await served.call("PlayPause")
      try await served.call("Seek", .int64(-5_000_000))
      try await served.call("SetPosition", .objectPath(Self.track.path), .int64(1))
      try await served.call("OpenUri", .string("file:///a.flac"))
      try await served.call("Next")
      try await served.call("Previous")
      try await served.call("Stop")
      try await served.call("Raise", of: ServedPlayer.root)
      try await served.call("Quit", of: ServedPlayer.root)
      #expect(
        served.fake.commands == [
          .pause, .play, .playPause, .setPosition(Self.track, .seconds(55)), .setPosition(Self.track, .microseconds(1)),
          .open("file:///a.flac"), .next, .previous, .stop, .raise, .quit,
        ])
    }
  }

  @Test func `A reply comes after the command has been applied`() async throws {
    try await withServedPlayer { served in
      try await served.call("Pause")
      #expect(try await served.get("PlaybackStatus") == .string("Paused"))
      try await served.call("Seek", .int64(5_000_000))
      try await served.call("Seek", .int64(5_000_000))
      #expect(try await served.get("Position") == .int64(70_000_000))
    }
  }

  @Test(arguments: ["Next", "Previous", "Pause", "PlayPause", "Play", "Stop"] as [MemberName])
  func `A method that is impossible now succeeds and does nothing`(method: MemberName) async throws {
    try await withServedPlayer(PlayerSnapshot(identity: "Empty")) { served in
      let changes = try await served.changes { try await served.call(method) }
      #expect(changes.isEmpty)
      #expect(served.fake.commands.isEmpty)
      #expect(served.seeks.count == 2)
    }
  }

  @Test func `Seek, SetPosition, Raise and Quit that are impossible now succeed and do nothing`() async throws {
    let snapshot = PlayerSnapshot.example.with { ($0.canSeek, $0.canRaise, $0.canQuit) = (false, false, false) }
    try await withServedPlayer(snapshot) { served in
      try await served.call("Seek", .int64(1))
      try await served.call("SetPosition", .objectPath(Self.track.path), .int64(1))
      try await served.call("Raise", of: ServedPlayer.root)
      try await served.call("Quit", of: ServedPlayer.root)
      #expect(served.fake.commands.isEmpty)
    }
  }

  @Test func `Play while playing and Pause while paused make no signal`() async throws {
    try await withServedPlayer { served in
      #expect(try await served.changes { try await served.call("Play") }.isEmpty)
      served.fake.change { $0.status = .paused }
      try await served.settle()
      #expect(try await served.changes { try await served.call("Pause") }.isEmpty)
      #expect(served.fake.commands.isEmpty)
    }
  }

  @Test func `The extremes of an offset are edges like any other`() async throws {
    try await withServedPlayer { served in
      try await served.call("Seek", .int64(.min))
      try await served.call("Seek", .int64(.max))
      served.fake.show { $0.canGoNext = false }
      try await served.call("Seek", .int64(.max))
      #expect(served.fake.commands == [.setPosition(Self.track, .zero), .next, .stop])
    }
  }

  @Test func `SetPosition for another track or beyond this one is ignored`() async throws {
    try await withServedPlayer { served in
      for (path, position) in [
        (TrackID(6, in: .example).path, 1), (TrackID.noTrack.path, 1), ("/", 1), (Self.track.path, -1),
        (Self.track.path, 180_000_001), (Self.track.path, .min), (Self.track.path, .max),
      ] as [(ObjectPath, Int64)] {
        try await served.call("SetPosition", .objectPath(path), .int64(position))
      }
      #expect(served.fake.commands.isEmpty)
    }
  }

  @Test func `OpenUri tells why a URI is not opened`() async throws {
    try await withServedPlayer { served in
      func expect(_ uri: String, _ error: String) async throws {
        let refusal = try await served.refusal { try await served.call("OpenUri", .string(uri)) }
        #expect(refusal == "org.freedesktop.DBus.Error." + error)
      }
      try await expect("not a uri", "InvalidArgs")
      #expect(served.fake.commands.isEmpty)
      served.fake.refuse(with: .notSupported("gopher is not supported"))
      try await expect("gopher://x", "NotSupported")
      served.fake.refuse(with: .accessDenied("outside of the allowed folders"))
      try await expect("file:///etc/passwd", "AccessDenied")
      served.fake.refuse(with: .invalid("no such host"))
      try await expect("https://?", "InvalidArgs")
    }
  }

  @Test func `Arguments of wrong types are refused`() async throws {
    try await withServedPlayer { served in
      for (method, arguments) in [
        ("Seek", [.double(1)]), ("Seek", []), ("Seek", [.int32(1)]), ("SetPosition", [.string("/a"), .int64(1)]),
        ("OpenUri", [.int64(1)]), ("Play", [.boolean(true)]),
      ] as [(MemberName, [Value])] {
        let error = try await served.refusal {
          _ = try await served.client.call(
            on: ServedPlayer.name, at: MPRISService.path, of: ServedPlayer.player, method, arguments)
        }
        #expect(error == "org.freedesktop.DBus.Error.InvalidArgs")
      }
      #expect(served.fake.commands.isEmpty)
    }
  }
}
