import DBus
import Dispatch
import EventLoop
import MPRISService
import PlayerdInterfaces
import Synchronization
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
  }

  private struct Client {
    let connection: DBusConnection
    let service: BusName

    func call(_ member: MemberName, _ arguments: DBusValue...) async throws {
      _ = try await connection.call(on: service, at: "/org/playerd", of: "org.playerd.Extras1", member, arguments)
    }

    func refusal(_ member: MemberName, _ arguments: DBusValue...) async throws -> String {
      let error = try await #require(throws: DBusError.self) {
        _ = try await connection.call(on: service, at: "/org/playerd", of: "org.playerd.Extras1", member, arguments)
      }
      return error.name.split(separator: ".").last.map(String.init) ?? ""
    }
  }

  private func served(
    _ snapshot: ExtrasSnapshot = ExtrasSnapshot(), _ body: (ExtrasInterface, Client) async throws -> Void
  ) async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let connection = try await DBusConnection.open(address: bus.address, on: loop)
      let extras = ExtrasInterface()
      try await connection.export(at: "/org/playerd", [extras.rows]) { snapshot }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      try await body(extras, Client(connection: client, service: connection.uniqueName))
    }
  }

  @Test("Each client call becomes the matching command")
  func client() async throws {
    try await served { extras, client in
      let player = Recorder()
      extras.attach(player)
      let remote = ExtrasClient(of: client.service, on: client.connection)
      try await remote.setSleepTimer(after: .seconds(60), afterTrack: true)
      try await remote.setSleepTimer(after: .zero, afterTrack: false)
      try await remote.repeatPart(from: .seconds(1), to: .seconds(2))
      try await remote.stopRepeating()
      try await remote.setStopsAfterCurrent(true)
      try await remote.previousChapter()
      await #expect(throws: DBusError.invalidArguments("there is none")) { try await remote.nextChapter() }
      #expect(
        player.commands.elements == [
          .setSleepTimer(.seconds(60), afterTrack: true), .setSleepTimer(nil, afterTrack: false),
          .setABRepeat(.seconds(1)..<(.seconds(2))), .setABRepeat(nil), .setStopAfterCurrent(true), .previousChapter,
        ])
    }
  }

  @Test("Each call becomes the matching command")
  func calls() async throws {
    try await served { extras, client in
      let player = Recorder()
      extras.attach(player)
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
      #expect(
        player.commands.elements == [
          .setSleepTimer(.seconds(60), afterTrack: true), .setSleepTimer(nil, afterTrack: false),
          .setABRepeat(.zero..<(.milliseconds(100))), .setABRepeat(nil), .previousChapter, .refreshAudioOutputs,
          .setAudioOutput("hdmi"), .setStopAfterCurrent(true),
        ])
      let answer = try await client.refusal("NextChapter")
      #expect(answer == "InvalidArgs")
    }
  }

  @Test("Invalid values fail with InvalidArgs and do not reach the player")
  func invalidArguments() async throws {
    try await served { extras, client in
      let player = Recorder()
      extras.attach(player)
      for (first, second) in [(-1, 5_000_000), (5, 5), (9_000_000, 1), (0, 99_999), (Int64.min, Int64.max)] {
        let answer = try await client.refusal("SetABRepeat", .int64(first), .int64(second))
        #expect(answer == "InvalidArgs")
      }
      for delay in [-1, Int64.min, Int64.max, 604_800_000_001] {
        let answer = try await client.refusal("SetSleepTimer", .int64(delay), .boolean(false))
        #expect(answer == "InvalidArgs")
      }
      let long = String(repeating: "x", count: 1025)
      let refusal = try await client.refusal("SetAudioOutput", .string(long))
      #expect(refusal == "InvalidArgs")
      #expect(player.commands.count == 0)
    }
  }

  @Test("Calls before a player is attached are queued for it, up to a limit")
  func early() async throws {
    try await served { extras, client in
      for _ in 1...64 { try await client.call("ClearABRepeat") }
      let answer = try await client.refusal("ClearABRepeat")
      #expect(answer == "LimitsExceeded")
      let player = Recorder()
      extras.attach(player)
      #expect(player.commands.count == 64)
      try await client.call("PreviousChapter")
      #expect(player.commands.elements.last == .previousChapter)
    }
  }

  @Test("Calls that arrive while the queued ones are sent to the player follow them")
  func attaching() async throws {
    final class SlowRecorder: ExtrasPlayer {
      let commands = EventLog<ExtrasCommand>()
      let mayContinue = DispatchSemaphore(value: 0)
      func perform(_ command: ExtrasCommand) {
        commands.append(command)
        if commands.count == 1 { mayContinue.wait() }
      }
    }
    try await served { extras, client in
      for _ in 1...2 { try await client.call("ClearABRepeat") }
      let player = SlowRecorder()
      let loop = PollLoop(name: "attach")
      defer { loop.stop() }
      loop.submit { extras.attach(player) }
      _ = try await player.commands.first("the first command", within: 20) { _ in true }
      try await client.call("PreviousChapter")
      player.mayContinue.signal()
      _ = try await player.commands.first("the last command", from: 2, within: 20) { _ in true }
      #expect(player.commands.elements == [.setABRepeat(nil), .setABRepeat(nil), .previousChapter])
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
          "StopAfterCurrent": .boolean(false), "SleepTimerDeadline": .int64(0), "SleepTimerAfterTrack": .boolean(false),
          "ABRepeat": .structure([.int64(-1), .int64(-1)]), "AudioOutputs": .array("(ssb)", []),
          "AudioOutput": .string(""),
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
