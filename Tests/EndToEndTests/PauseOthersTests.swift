import DBus
import EventLoop
import TestSupport
import Testing

/// Tests of the keys `pause-others` and `pause-for-others`, with other players on the bus.
@Suite("Other players")
struct PauseOthersTests {
  /// Another player on the session bus, which a command pauses.
  private final class OtherPlayer: Sendable {
    private let connection: DBusConnection
    private let object: DBusExportedObject<String>
    /// The commands that it has received.
    let commands: EventLog<String>

    /// Enters the bus, and returns when the daemon has read the status.
    init(
      _ name: BusName = "org.mpris.MediaPlayer2.mock.instance1", on bus: PrivateBus, _ loop: PollLoop,
      status: String = "Paused", isAwaited: Bool = true
    ) async throws {
      let (reads, commands) = (EventLog<Void>(), EventLog<String>())
      self.commands = commands
      connection = try await DBusConnection.open(address: bus.address, on: loop)
      let row = DBusProperty<String>("PlaybackStatus", "s") {
        reads.append(())
        return .string($0)
      }
      let pause = DBusMethod(DBusMethodDeclaration("Pause")) { _ throws(DBusError) in
        commands.append("Pause")
        return []
      }
      object = try await connection.export(
        at: DaemonUnderTest.path,
        [
          DBusInterface(DaemonUnderTest.player, methods: [pause], properties: [row]),
          DBusInterface("org.mpris.MediaPlayer2", properties: [DBusProperty("Identity", "s") { _ in .string("Mock") }]),
        ]
      ) { status }
      let count = reads.count
      guard try await connection.requestName(name) else { throw UnexpectedReply(text: "no name") }
      if isAwaited { try await reads.first("the daemon reads the status", from: count, within: 30) }
    }

    func set(_ status: String) async { await connection.publish(object, showing: status) }
    func leave() async { await connection.close() }
  }

  private func sine(_ title: String) async throws -> String {
    try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: title))
  }

  private func pausedFor(_ daemon: DaemonUnderTest) async throws -> DBusValue? {
    try await daemon.client.call(
      on: MonitorClient.name, at: MonitorClient.path, of: DaemonUnderTest.properties, "Get",
      [.string("org.playerd.Extras1"), .string("PausedFor")]
    ).first?.asVariant
  }

  @Test("The player pauses for another one, shows its name everywhere, and resumes when that one stops or leaves")
  func pausesForOther() async throws {
    let file = try await sine("One")
    let loop = PollLoop(name: "other")
    defer { loop.stop() }
    try await withPrivateBus { bus in
      try await withDaemon([file], on: bus, environment: ["MPRIS_PLAYERD_PAUSE_FOR_OTHERS": "resume"]) { daemon in
        try await daemon.titled("One", within: 30)
        let other = try await OtherPlayer(on: bus, loop)
        let watch = [DaemonUnderTest.executable, "watch", "--json"]
        try await withChildProcess(watch, environment: daemon.bus.environment) { process in
          try await process.waitForLine(containing: #""event":"state""#)
          await other.set("Playing")
          let paused = try await daemon.changed("PlaybackStatus", within: 30) { $0 == .string("Paused") }
          try await process.waitForLine(containing: #""pausedFor":"Mock""#)
          #expect(try await pausedFor(daemon) == .string("Mock"))
          for (arguments, text) in [
            (["status", "--json"], #""pausedFor":"Mock""#), (["status"], "\npaused for Mock, "),
            (["status", "--format", "{{state}}"], "paused for Mock\n"),
          ] {
            let result = try await run([DaemonUnderTest.executable] + arguments, environment: daemon.bus.environment)
            #expect(result.output.contains(text), "\(result.output)")
          }
          await other.set("Stopped")
          let resumed = try await daemon.changed("PlaybackStatus", from: paused.index, within: 30) {
            $0 == .string("Playing")
          }
          try await process.waitForLine(containing: #""pausedFor":null"#)
          #expect(try await pausedFor(daemon) == .string(""))
          await other.set("Playing")
          let again = try await daemon.changed("PlaybackStatus", from: resumed.index, within: 30) {
            $0 == .string("Paused")
          }
          // The user's command is the last one, also to stay paused: the other player's end causes nothing.
          let begin = SuspendingClock.now
          // A pause within a second may be one of the other player.
          while begin.duration(to: .now) < .milliseconds(1_100) { try await daemon.barrier() }
          #expect(try await pausedFor(daemon) == .string("Mock"))
          try await daemon.call("Pause")
          #expect(try await pausedFor(daemon) == .string(""))
          try await daemon.call("Stop")
          #expect(try await pausedFor(daemon) == .string(""))
          try await daemon.call("Play")
          try await daemon.changed("PlaybackStatus", from: again.index, within: 30) { $0 == .string("Playing") }
          #expect(other.commands.count == 0)
          await other.leave()
        }
      }
    }
  }

  @Test("A start pauses the players that play: those that were there before, and those that came later")
  func pausesOther() async throws {
    let file = try await sine("One")
    let loop = PollLoop(name: "other")
    defer { loop.stop() }
    try await withPrivateBus { bus in
      let first = try await OtherPlayer(on: bus, loop, status: "Playing", isAwaited: false)
      let environment = ["MPRIS_PLAYERD_PAUSE_OTHERS": "true"]
      try await withDaemon([file], on: bus, environment: environment) { daemon in
        try await first.commands.first("the pause", within: 30)
        await first.set("Paused")
        try await daemon.titled("One", within: 30)
        let second = try await OtherPlayer("org.mpris.MediaPlayer2.second", on: bus, loop)
        await second.set("Playing")
        try await daemon.call("Pause")
        try await daemon.call("Play")
        try await second.commands.first("the pause", within: 30)
        #expect(first.commands.count == 1)
        #expect(try await daemon.status() == "Playing")
      }
    }
  }

  @Test("Of two daemons with both keys, the one that started last plays, and the other one resumes at its end")
  func twoDaemons() async throws {
    let (one, two) = (try await sine("One"), try await sine("Two"))
    let environment = ["MPRIS_PLAYERD_PAUSE_OTHERS": "true", "MPRIS_PLAYERD_PAUSE_FOR_OTHERS": "resume"]
    try await withDaemon([one], environment: environment) { daemon in
      try await daemon.titled("One", within: 30)
      #expect(try await daemon.status() == "Playing")
      let command = [DaemonUnderTest.executable, "--new-instance"] + DaemonUnderTest.silentSink + [two]
      let both = daemon.bus.environment.merging(environment) { $1 }
      let paused = try await withChildProcess(command, environment: both) { other in
        let name = try BusName("org.mpris.MediaPlayer2.playerd.instance\(other.processID)")
        let paused = try await daemon.changed("PlaybackStatus", within: 30) { $0 == .string("Paused") }
        try await deadline(10, "the reason") {
          while try await pausedFor(daemon) != .string("mpris-playerd") { try await daemon.barrier() }
        }
        let status = try await daemon.client.call(
          on: name, at: DaemonUnderTest.path, of: DaemonUnderTest.properties, "Get",
          [.string(DaemonUnderTest.player.rawValue), .string("PlaybackStatus")])
        #expect(status.first?.asVariant == .string("Playing"))
        return paused
      }
      try await daemon.changed("PlaybackStatus", from: paused.index, within: 30) { $0 == .string("Playing") }
      let statuses = daemon.signals.elements.compactMap { $0.changes?["PlaybackStatus"]?.asString }
      #expect(statuses.suffix(2) == ["Paused", "Playing"])
    }
  }
}
