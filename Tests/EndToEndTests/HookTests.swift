import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// Tests of the commands and the notifications that the daemon runs and shows while it plays.
@Suite("Hooks and notifications") struct HookTests {
  private func file(_ title: String, seconds: Double = 20) async throws -> String {
    let tags = Tags(title: title, artists: ["Some & body"], album: "Tones", cover: try await Media.cover(seed: 3))
    return try await Media.sine(seconds: seconds, format: .flac, tags: tags)
  }

  /// Returns a configuration with a command for each key, which prints the values of its environment.
  private func configuration(_ directory: TemporaryDirectory, _ commands: [String: String]) throws -> String {
    let script =
      #"printf 'hook %s|%s|%s|%s|%s|%s\n' "#
      + #""$PLAYERD_EVENT" "$PLAYERD_TITLE" "$PLAYERD_ARTIST" "$PLAYERD_ALBUM" "$PLAYERD_DURATION" "$PLAYERD_ERROR_CODE""#
    let lines = ["on-track", "on-stop", "on-error"].map { key in
      "\(key) = [\"sh\", \"-c\", '''\(commands[key] ?? script)''']\n"
    }
    return try directory.write(lines.joined(), to: "config.toml")
  }

  @Test("A command runs for each track, for each failure and for a stop, with the values in its environment")
  func hooks() async throws {
    let files = [try await file("First"), try await Media.textFile(), try await file("Second")]
    try await withTemporaryDirectory { directory in
      let options = ["--config", try configuration(directory, [:])] + files
      try await withDaemon(options) { daemon in
        try await daemon.process.waitForLine(containing: "hook track|First|Some & body|Tones|20|")
        try await daemon.call("Next")
        try await daemon.process.waitForLine(containing: "hook error|")
        try await daemon.process.waitForLine(containing: "hook track|Second|Some & body|Tones|20|")
        try await daemon.call("Pause")
        try await daemon.call("Play")
        try await daemon.call("Stop")
        try await daemon.process.waitForLine(containing: "hook stop|Second|")
        let hooks = daemon.process.lines.elements.filter { $0.text.hasPrefix("hook ") }
        #expect(hooks.count == 4 && hooks[1].text.hasSuffix("|not-media"), "\(hooks)")
      }
    }
  }

  @Test("The command of a stop runs at the end of a daemon that plays or is paused", arguments: [true, false])
  func end(bySignal: Bool) async throws {
    let music = try await file("First")
    try await withTemporaryDirectory { directory in
      try await withDaemon(["--config", try configuration(directory, [:]), music]) { daemon in
        try await daemon.process.waitForLine(containing: "hook track|First|")
        if bySignal {
          daemon.process.signal(SIGTERM)
        } else {
          try await daemon.call("Pause")
          let quit = try await run([DaemonUnderTest.executable, "quit"], environment: daemon.bus.environment)
          #expect(quit.succeeded, "\(quit.error)")
        }
        #expect(try await daemon.process.exitStatus() == .exited(0))
        let hooks = daemon.process.lines.elements.map(\.text).filter { $0.hasPrefix("hook ") }
        #expect(hooks == ["hook track|First|Some & body|Tones|20|", "hook stop|First|Some & body|Tones|20|"])
      }
    }
  }

  @Test("A command that hangs or fails is reaped, and delays nothing")
  func hanging() async throws {
    let files = [try await file("First"), try await file("Second")]
    try await withTemporaryDirectory { directory in
      let commands = ["on-track": "echo process $$; exec sleep 600", "on-stop": "exit 3"]
      let options = ["--config", try configuration(directory, commands)] + files
      try await withDaemon(options) { daemon in
        let line = try await daemon.process.waitForLine(containing: "process ")
        let process = try #require(line.element.text.split(separator: " ").last.flatMap { Int32($0) })
        try await daemon.call("Next")
        try await daemon.titled("Second")
        try await daemon.call("Stop")
        #expect(try await daemon.status() == "Stopped")
        #expect(kill(process, 0) == 0)
        daemon.process.signal(SIGTERM)
        #expect(try await daemon.process.exitStatus() == .exited(0))
        #expect(kill(process, 0) != 0 && errno == ESRCH)
      }
      let failing = ["on-track": "exit 3", "on-stop": "exit 4"]
      try await withDaemon(["--config", try configuration(directory, failing), files[0]]) { daemon in
        let text = "the command of on-track has failed with exit status 3"
        try await daemon.process.waitForLine(containing: text)
        #expect(daemon.process.lines.elements.filter { $0.text.contains("the command of") }.count == 1)
        #expect(try await daemon.status() == "Playing")
      }
    }
  }

  // MARK: Notifications

  /// A notification server on a private bus, which records the calls of Notify, and the closed notifications.
  private struct Server {
    let connection: DBusConnection
    let calls = EventLog<[DBusValue]>()
    let closed = EventLog<DBusValue?>()

    init(_ bus: PrivateBus, _ loop: PollLoop, _ capabilities: [String]) async throws {
      connection = try await DBusConnection.open(address: bus.address, on: loop)
      let arguments: DBusArguments = [
        "app_name": "s", "replaces_id": "u", "app_icon": "s", "summary": "s", "body": "s", "actions": "as",
        "hints": "a{sv}", "expire_timeout": "i",
      ]
      let notify = DBusMethod("Notify", in: arguments, out: ["id": "u"]) { [calls] call throws(DBusError) in
        calls.append(call.arguments)
        return [.uint32(42)]
      }
      let list = DBusMethod("GetCapabilities", out: ["capabilities": "as"]) { _ throws(DBusError) in
        [.strings(capabilities)]
      }
      let close = DBusMethod("CloseNotification", in: ["id": "u"]) { [closed] call throws(DBusError) in
        closed.append(call.arguments.first)
        return []
      }
      let signals = [
        DBusSignal("ActionInvoked", ["id": "u", "action_key": "s"]),
        DBusSignal("NotificationClosed", ["id": "u", "reason": "u"]),
      ]
      let rows = DBusInterface<Void>("org.freedesktop.Notifications", methods: [notify, list, close], signals: signals)
      try await connection.export(at: "/org/freedesktop/Notifications", [rows]) {}
      guard try await connection.requestName("org.freedesktop.Notifications") else { throw DBusError.failed("no name") }
    }

    func press(_ action: String, id: UInt32 = 42) async throws {
      try await connection.emit(
        "ActionInvoked", of: "org.freedesktop.Notifications", at: "/org/freedesktop/Notifications",
        [.uint32(id), .string(action)])
    }
  }

  @Test("Each track replaces the notification of the one before, and its buttons go to the next track and pause")
  func notifications() async throws {
    let files = [try await file("First"), try await file("Second")]
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "notifications")
      defer { loop.stop() }
      let server = try await Server(bus, loop, ["actions", "body", "body-markup"])
      try await withDaemon(files, on: bus, environment: ["MPRIS_PLAYERD_NOTIFY": "true"]) { daemon in
        let first = try await server.calls.first("a notification")
        #expect(first.element[1] == .uint32(0) && first.element[3] == .string("First"))
        #expect(first.element[4] == .string("Some &amp; body\nTones"))
        #expect(first.element[5] == .strings(["pause", "Pause", "next", "Next"]))
        let cover = first.element[6].asDictionary?["image-path"]?.asString
        #expect(cover?.hasPrefix("file:///") == true, "\(first.element)")
        try await daemon.barrier()
        // The action of another program's notification is ignored.
        try await server.press("pause", id: 7)
        try await server.press("next")
        let second = try await server.calls.first("another notification", from: first.index + 1)
        #expect(server.closed.elements == [.uint32(42)])
        #expect(second.element[1] == .uint32(0) && second.element[3] == .string("Second"))
        #expect(try await daemon.status() == "Playing")
        try await daemon.call("Previous")
        let third = try await server.calls.first("a third notification", from: second.index + 1)
        #expect(third.element[1] == .uint32(42) && third.element[3] == .string("First"))
        let mark = daemon.signals.count
        try await server.press("pause")
        try await daemon.changed("PlaybackStatus", from: mark) { $0 == .string("Paused") }
        #expect(server.calls.count == 3)
      }
    }
  }

  /// Runs `body` with a daemon that shows the tracks First and Second, and a notification server without capabilities.
  private func withServer(_ body: (PrivateBus, PollLoop, Server, DaemonUnderTest) async throws -> Void) async throws {
    let files = [try await file("First"), try await file("Second")]
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "notifications")
      defer { loop.stop() }
      let server = try await Server(bus, loop, [])
      try await withDaemon(files, on: bus, environment: ["MPRIS_PLAYERD_NOTIFY": "true"]) { daemon in
        try await body(bus, loop, server, daemon)
      }
    }
  }

  @Test("A stop closes the notification, and so does the end of the player; the next track has a new one")
  func closedNotification() async throws {
    try await withServer { _, _, server, daemon in
      let first = try await server.calls.first("a notification")
      try await daemon.call("Stop")
      #expect(try await server.closed.first("a closed notification").element == .uint32(42))
      try await daemon.call("Play")
      let second = try await server.calls.first("another notification", from: first.index + 1)
      #expect(second.element[1] == .uint32(0) && second.element[3] == .string("First"))
      try await daemon.call("Next")
      let third = try await server.calls.first("a third notification", from: second.index + 1)
      #expect(third.element[1] == .uint32(42))
      daemon.process.signal(SIGTERM)
      #expect(try await daemon.process.exitStatus() == .exited(0))
      #expect(try await server.closed.first("another closed notification", from: 1).element == .uint32(42))
    }
  }

  @Test("A server that replaces another one shows the next track, and keeps its own notification of the same ID")
  func replacedServer() async throws {
    try await withServer { bus, loop, server, daemon in
      _ = try await server.calls.first("a notification")
      await server.connection.close()
      let other = try await Server(bus, loop, [])
      try await daemon.call("Next")
      let call = try await other.calls.first("a notification of the new server")
      #expect(call.element[1] == .uint32(0) && call.element[3] == .string("Second"))
    }
  }

  @Test("A server that does not answer delays neither playback nor the end, and later shows the last track")
  func silentServer() async throws {
    for answers in [true, false] {
      let files = [try await file("First"), try await file("Second")]
      try await withPrivateBus { bus in
        let loop = PollLoop(name: "notifications")
        defer { loop.stop() }
        let server = try await Server(bus, loop, [])
        await server.connection.holdCalls()
        try await withDaemon(files, on: bus, environment: ["MPRIS_PLAYERD_NOTIFY": "true"]) { daemon in
          try await daemon.opened(titled: "First")
          try await daemon.call("Next")
          try await daemon.opened(titled: "Second")
          #expect(try await daemon.status() == "Playing" && server.calls.count == 0)
          if answers {
            await server.connection.handleHeldCalls()
            _ = try await server.calls.first("the last track") { $0[3] == .string("Second") }
          }
          daemon.process.signal(SIGTERM)
          #expect(try await daemon.process.exitStatus() == .exited(0))
        }
      }
    }
  }

  @Test("Without a notification server, and with notify off, playback is the same", arguments: ["true", "false"])
  func withoutNotifications(notify: String) async throws {
    let files = [try await file("First"), try await file("Second")]
    try await withDaemon(files, environment: ["MPRIS_PLAYERD_NOTIFY": notify]) { daemon in
      try await daemon.opened(titled: "First")
      try await daemon.call("Next")
      try await daemon.opened(titled: "Second")
      #expect(try await daemon.status() == "Playing")
      #expect(daemon.process.captured(.error).isEmpty, "\(daemon.process.diagnostics)")
    }
  }
}
