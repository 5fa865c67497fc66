import DBus
import EventLoop
import TestSupport
import Testing

/// The machine's sleep and shutdown, told by a login service of the test's own.
@Suite(.serialized)
struct SleepTests {
  private static let delay = LoginMock.News.taken("sleep:shutdown", "delay")
  private static let block = LoginMock.News.taken("idle:sleep", "block")

  /// Runs `body` with a daemon that plays, once the login service has been asked to wait for it.
  private func playing(
    _ environment: [String: String] = [:], _ body: @Sendable (DaemonUnderTest, LoginMock) async throws -> Void
  ) async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Night"))
    let loop = EventLoop(name: "login")
    defer { loop.stop() }
    try await withPrivateBus { bus in
      let login = try await LoginMock(on: bus, loop)
      let environment = environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { own, _ in own }
      try await withDaemon([file], on: bus, environment: environment) { daemon in
        try await daemon.titled("Night")
        try await login.news.first("the delay lock", within: 30) { $0 == Self.delay }
        try await body(daemon, login)
      }
    }
  }

  @Test("It pauses before the sleep, lets go, is asked again on waking, tells the position once, and stays paused")
  func pause() async throws {
    try await playing { daemon, login in
      try await login.tell("PrepareForSleep", true)
      try await daemon.changed("PlaybackStatus", within: 30) { $0 == .string("Paused") }
      let released = try await login.news.first("the lock is released", within: 30) {
        $0 == .released("sleep:shutdown")
      }
      let heard = daemon.signals.count
      try await login.tell("PrepareForSleep", false)
      try await login.news.first("the next lock", from: released.index, within: 30) { $0 == Self.delay }
      try await daemon.signals.first("the position", from: heard) { $0.isSeeked }
      try await daemon.barrier()
      #expect(try await daemon.status() == "Paused")
      #expect(daemon.signals.elements.dropFirst(heard).count { $0.isSeeked } == 1)
    }
  }

  @Test("It plays on after the sleep where that is configured")
  func resume() async throws {
    try await playing(["MPRIS_PLAYERD_PAUSE_ON_SLEEP": "resume"]) { daemon, login in
      try await login.tell("PrepareForSleep", true)
      let paused = try await daemon.changed("PlaybackStatus", within: 30) { $0 == .string("Paused") }
      try await login.news.first("the lock is released", within: 30) { $0 == .released("sleep:shutdown") }
      try await login.tell("PrepareForSleep", false)
      try await daemon.changed("PlaybackStatus", from: paused.index, within: 30) { $0 == .string("Playing") }
    }
  }

  @Test("Left alone, it plays through")
  func off() async throws {
    try await playing(["MPRIS_PLAYERD_PAUSE_ON_SLEEP": "off"]) { daemon, login in
      try await login.tell("PrepareForSleep", true)
      try await login.news.first("the lock is released", within: 30) { $0 == .released("sleep:shutdown") }
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test("Before a shutdown the session is on the disk when the machine is let go")
  func shutdown() async throws {
    try await withTemporaryDirectory { state in
      try await playing(["XDG_STATE_HOME": state.path]) { daemon, login in
        try await daemon.set("Volume", .double(0.25))
        try await daemon.set("Shuffle", .boolean(true))
        try await login.tell("PrepareForShutdown", true)
        try await login.news.first("the lock is released", within: 30) { $0 == .released("sleep:shutdown") }
        let session = try await run(["cat", state.file("mpris-playerd/session.json")])
        // 0.25 as sliders show it, cubed.
        #expect(session.output.contains("\"volume\":0.015625"), "\(session.output)")
        #expect(session.output.contains("\"order\":[0]"))
      }
    }
  }

  @Test("The machine is kept awake while it plays, and only then, where that is configured")
  func inhibit() async throws {
    try await playing(["MPRIS_PLAYERD_INHIBIT_SLEEP": "true"]) { daemon, login in
      try await login.news.first("the block lock", within: 30) { $0 == Self.block }
      try await daemon.call("Pause")
      let released = try await login.news.first("the block lock is released", within: 30) {
        $0 == .released("idle:sleep")
      }
      try await daemon.call("Play")
      try await login.news.first("the next block lock", from: released.index, within: 30) { $0 == Self.block }
    }
  }

  @Test("A bus without a login service is no matter")
  func nobody() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Night"))
    try await withPrivateBus { bus in
      try await withDaemon([file], on: bus, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { daemon in
        try await daemon.titled("Night")
        #expect(try await daemon.status() == "Playing")
        #expect(daemon.process.captured(.error).isEmpty)
      }
    }
  }
}
