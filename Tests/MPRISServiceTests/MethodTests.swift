import DBus
import MPRISService
import TestSupport
import Testing

/// Tests of methods over a bus; ``CommandRulesTests`` covers their rules completely.
@Suite struct MethodTests {
  static let track = MPRISTrackID(7, in: .example)

  @Test("Every method reaches the player")
  func methods() async throws {
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
          .pause, .play, .playPause, .setPosition(of: Self.track, to: .seconds(55)),
          .setPosition(of: Self.track, to: .microseconds(1)),
          .open("file:///a.flac"), .next, .previous, .stop, .quit,
        ])
    }
  }

  @Test("The reply is sent after the command has been applied")
  func replyOrder() async throws {
    try await withServedPlayer { served in
      try await served.call("Pause")
      #expect(try await served.get("PlaybackStatus") == .string("Paused"))
      try await served.call("Seek", .int64(5_000_000))
      try await served.call("Seek", .int64(5_000_000))
      #expect(try await served.get("Position") == .int64(70_000_000))
    }
  }

  @Test(
    "A method that is currently impossible succeeds and does nothing",
    arguments: ["Next", "Previous", "Pause", "PlayPause", "Play", "Stop"] as [MemberName])
  func impossible(method: MemberName) async throws {
    try await withServedPlayer(MPRISSnapshot(identity: "Empty")) { served in
      let changes = try await served.changes { try await served.call(method) }
      #expect(changes.isEmpty)
      #expect(served.fake.commands.isEmpty)
      #expect(served.seeks.count == 2)
    }
  }

  @Test("Seek, SetPosition, Raise and Quit succeed and do nothing if they are currently impossible")
  func impossibleWithArguments() async throws {
    let snapshot = MPRISSnapshot.example.with { ($0.canSeek, $0.canRaise, $0.canQuit) = (false, false, false) }
    try await withServedPlayer(snapshot) { served in
      try await served.call("Seek", .int64(1))
      try await served.call("SetPosition", .objectPath(Self.track.path), .int64(1))
      try await served.call("Raise", of: ServedPlayer.root)
      try await served.call("Quit", of: ServedPlayer.root)
      #expect(served.fake.commands.isEmpty)
    }
  }

  @Test("Play while playing and Pause while paused emit no signal")
  func redundant() async throws {
    try await withServedPlayer { served in
      #expect(try await served.changes { try await served.call("Play") }.isEmpty)
      served.fake.change { $0.status = .paused }
      try await served.settle()
      #expect(served.fake.commands.isEmpty)
      // A player that is paused for another one is not to play again by itself.
      #expect(try await served.changes { try await served.call("Pause") }.isEmpty)
      #expect(served.fake.commands == [.pause])
    }
  }

  @Test("Seek accepts the smallest and the largest offset")
  func extremeOffsets() async throws {
    try await withServedPlayer { served in
      try await served.call("Seek", .int64(.min))
      try await served.call("Seek", .int64(.max))
      served.fake.show { $0.canGoNext = false }
      try await served.call("Seek", .int64(.max))
      #expect(served.fake.commands == [.setPosition(of: Self.track, to: .zero), .next, .stop])
    }
  }

  @Test("SetPosition for another track or out of range is ignored")
  func setPositionIgnored() async throws {
    try await withServedPlayer { served in
      for (path, position) in [
        (MPRISTrackID(6, in: .example).path, 1), (MPRISTrackID.noTrack.path, 1), ("/", 1), (Self.track.path, -1),
        (Self.track.path, 180_000_001), (Self.track.path, .min), (Self.track.path, .max),
      ] as [(ObjectPath, Int64)] {
        try await served.call("SetPosition", .objectPath(path), .int64(position))
      }
      #expect(served.fake.commands.isEmpty)
    }
  }

  @Test("The error of OpenUri contains the reason")
  func openFailure() async throws {
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

  @Test("Arguments of wrong types are rejected")
  func wrongTypes() async throws {
    try await withServedPlayer { served in
      for (method, arguments) in [
        ("Seek", [.double(1)]), ("Seek", []), ("Seek", [.int32(1)]), ("SetPosition", [.string("/a"), .int64(1)]),
        ("OpenUri", [.int64(1)]), ("Play", [.boolean(true)]),
      ] as [(MemberName, [DBusValue])] {
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
