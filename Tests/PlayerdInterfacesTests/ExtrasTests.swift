import DBus
import EventLoop
import MPRISService
import PlayerdInterfaces
import TestSupport
import Testing

/// Tests of `org.playerd.Extras1`: the calls that it accepts, and the resulting commands of the player.
@Suite struct ExtrasTests {
  private final class Recorder: ExtrasPlayer {
    let commands = EventLog<ExtrasCommand>()
    func perform(_ command: ExtrasCommand) throws(MPRISCommandError) {
      if command == .nextChapter { throw .invalid("there is none") }
      commands.append(command)
    }
    func setAudioOutput(_ id: String) async -> Bool { id == "hdmi" }
  }

  private struct Client {
    let connection: DBusConnection
    let service: BusName

    func call(_ member: MemberName, _ arguments: DBusValue...) async throws {
      _ = try await connection.call(on: service, at: "/org/playerd", of: "org.playerd.Extras1", member, arguments)
    }

    func refusal(
      _ member: MemberName, of interface: InterfaceName = "org.playerd.Extras1", _ arguments: DBusValue...
    ) async throws -> String {
      let error = try await #require(throws: DBusError.self) {
        _ = try await connection.call(on: service, at: "/org/playerd", of: interface, member, arguments)
      }
      return error.name.split(separator: ".").last.map(String.init) ?? ""
    }
  }

  private func served(
    _ snapshot: ExtrasSnapshot = ExtrasSnapshot(), _ body: (Recorder, Client) async throws -> Void
  ) async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let connection = try await DBusConnection.open(address: bus.address, on: loop)
      let (player, queue) = (Recorder(), DBusCallQueue())
      let extras = ExtrasInterface(player: player, on: queue)
      try await connection.export(at: "/org/playerd", [extras.rows]) { snapshot }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      try await withThrowingTaskGroup { group in
        group.addTask { await queue.run() }
        defer { group.cancelAll() }
        try await body(player, Client(connection: client, service: connection.uniqueName))
      }
    }
  }

  @Test("Each call becomes the matching command")
  func calls() async throws {
    try await served { player, client in
      try await client.call("SetSleepTimer", .int64(60_000_000), .boolean(true))
      try await client.call("SetSleepTimer", .int64(0), .boolean(false))
      try await client.call("SetABRepeat", .int64(0), .int64(100_000))
      try await client.call("ClearABRepeat")
      try await client.call("PreviousChapter")
      try await client.call("RefreshAudioOutputs")
      try await client.call("SetAudioOutput", .string("hdmi"))
      _ = try await client.connection.call(
        on: client.service, at: "/org/playerd", of: .properties, "Set",
        [.string("org.playerd.Extras1"), .string("StopAfterCurrent"), .variant(.boolean(true))])
      for (name, length) in [("Crossfade", Int64(15_000_000)), ("CrossfadeOnSkip", 500_000)] {
        _ = try await client.connection.call(
          on: client.service, at: "/org/playerd", of: .properties, "Set",
          [.string("org.playerd.Extras1"), .string(name), .variant(.int64(length))])
      }
      _ = try await client.connection.call(
        on: client.service, at: "/org/playerd", of: .properties, "Set",
        [.string("org.playerd.Extras1"), .string("Consume"), .variant(.boolean(true))])
      #expect(
        player.commands.elements == [
          .setSleepTimer(.seconds(60), afterTrack: true), .setSleepTimer(nil, afterTrack: false),
          .setABRepeat(.zero..<(.milliseconds(100))), .setABRepeat(nil), .previousChapter, .refreshAudioOutputs,
          .setStopAfterTracks(1), .setCrossfade(.seconds(15)), .setCrossfadeOnSkip(.milliseconds(500)),
          .setConsume(true),
        ])
      let answer = try await client.refusal("NextChapter")
      #expect(answer == "InvalidArgs")
      let unknown = try await client.refusal("SetAudioOutput", .string("moon"))
      #expect(unknown == "InvalidArgs")
    }
  }

  @Test("Invalid values fail with InvalidArgs and do not reach the player")
  func invalidArguments() async throws {
    try await served { player, client in
      for (first, second) in [(-1, 5_000_000), (5, 5), (9_000_000, 1), (0, 99_999), (Int64.min, Int64.max)] {
        let answer = try await client.refusal("SetABRepeat", .int64(first), .int64(second))
        #expect(answer == "InvalidArgs")
      }
      for delay in [-1, Int64.min, Int64.max, 604_800_000_001] {
        let answer = try await client.refusal("SetSleepTimer", .int64(delay), .boolean(false))
        #expect(answer == "InvalidArgs")
      }
      for tracks in [UInt32(10_001), .max] {
        let answer = try await client.refusal(
          "Set", of: .properties, .string("org.playerd.Extras1"), .string("StopAfterTracks"), .variant(.uint32(tracks)))
        #expect(answer == "InvalidArgs")
      }
      let lengths: [(String, Int64)] = [("Crossfade", -1), ("Crossfade", 15_000_001), ("CrossfadeOnSkip", .max)]
      for (name, length) in lengths {
        let answer = try await client.refusal(
          "Set", of: .properties, .string("org.playerd.Extras1"), .string(name), .variant(.int64(length)))
        #expect(answer == "InvalidArgs")
      }
      let long = String(repeating: "x", count: 1025)
      let refusal = try await client.refusal("SetAudioOutput", .string(long))
      #expect(refusal == "InvalidArgs")
      #expect(player.commands.count == 0)
    }
  }

  @Test("Set values are readable; unset times are 0 and -1")
  func properties() async throws {
    try await served { _, client in
      let reply = try await client.connection.call(
        on: client.service, at: "/org/playerd", of: .properties, "GetAll", [.string("org.playerd.Extras1")])
      let values = try #require(reply.first?.asDictionary)
      #expect(
        values == [
          "StopAfterCurrent": .boolean(false), "StopAfterTracks": .uint32(0), "SleepTimerDeadline": .int64(0),
          "SleepTimerAfterTrack": .boolean(false),
          "ABRepeat": .structure([.int64(-1), .int64(-1)]), "AudioOutputs": .array("(ssb)", []),
          "AudioOutput": .string(""), "Crossfade": .int64(0), "CrossfadeOnSkip": .int64(0),
          "Consume": .boolean(false), "PausedFor": .string(""), "Book": .string(""),
        ])
    }
    var snapshot = ExtrasSnapshot()
    snapshot.abRepeat = .seconds(1)..<(.seconds(2))
    snapshot.sleepDeadline = 7
    snapshot.audioOutputs = [.init(id: "a", name: "A", isDefault: true)]
    try await served(snapshot) { _, client in
      let reply = try await client.connection.call(
        on: client.service, at: "/org/playerd", of: .properties, "GetAll", [.string("org.playerd.Extras1")])
      let values = try #require(reply.first?.asDictionary)
      #expect(values["ABRepeat"] == .structure([.int64(1_000_000), .int64(2_000_000)]))
      #expect(values["SleepTimerDeadline"] == .int64(7))
      #expect(
        values["AudioOutputs"] == .array("(ssb)", [.structure([.string("a"), .string("A"), .boolean(true)])]))
    }
  }
}
