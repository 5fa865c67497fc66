import DBus
import EventLoop
import TestSupport
import Testing

/// Tests of the machine's sleep and shutdown, with signals from a mock of the login service.
@Suite
struct SleepTests {
  private static let delay = LoginMock.News.taken("sleep:shutdown", "delay")
  private static let block = LoginMock.News.taken("idle:sleep", "block")

  /// Runs `body` with a playing daemon, after it has taken its delay lock.
  private func playing(
    _ environment: [String: String] = [:], _ body: @Sendable (DaemonUnderTest, LoginMock) async throws -> Void
  ) async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "Night"))
    let loop = PollLoop(name: "login")
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

  @Test("Before sleep the daemon pauses and releases its lock; on waking it takes another and sends one Seeked")
  func pause() async throws {
    try await playing { daemon, login in
      try await login.tell("PrepareForSleep", true)
      try await daemon.changed("PlaybackStatus", within: 30) { $0 == .string("Paused") }
      let released = try await login.news.first("the lock is released", within: 30) {
        $0 == .released("sleep:shutdown")
      }
      let received = daemon.signals.count
      try await login.tell("PrepareForSleep", false)
      try await login.news.first("the next lock", from: released.index, within: 30) { $0 == Self.delay }
      try await daemon.signals.first("the position", from: received) { $0.isSeeked }
      try await daemon.barrier()
      #expect(try await daemon.status() == "Paused")
      #expect(daemon.signals.elements.dropFirst(received).count { $0.isSeeked } == 1)
    }
  }

  @Test("With pause-on-sleep set to resume playback resumes after the sleep")
  func resume() async throws {
    try await playing(["MPRIS_PLAYERD_PAUSE_ON_SLEEP": "resume"]) { daemon, login in
      try await login.tell("PrepareForSleep", true)
      let paused = try await daemon.changed("PlaybackStatus", within: 30) { $0 == .string("Paused") }
      try await login.news.first("the lock is released", within: 30) { $0 == .released("sleep:shutdown") }
      try await login.tell("PrepareForSleep", false)
      try await daemon.changed("PlaybackStatus", from: paused.index, within: 30) { $0 == .string("Playing") }
    }
  }

  @Test("With pause-on-sleep set to off playback continues")
  func off() async throws {
    try await playing(["MPRIS_PLAYERD_PAUSE_ON_SLEEP": "off"]) { daemon, login in
      try await login.tell("PrepareForSleep", true)
      try await login.news.first("the lock is released", within: 30) { $0 == .released("sleep:shutdown") }
      #expect(try await daemon.status() == "Playing")
    }
  }

  @Test("Before a shutdown the session is saved before the lock is released")
  func shutdown() async throws {
    try await withTemporaryDirectory { state in
      try await playing(["XDG_STATE_HOME": state.path]) { daemon, login in
        try await daemon.set("Volume", .double(0.25))
        try await daemon.set("Shuffle", .boolean(true))
        try await login.tell("PrepareForShutdown", true)
        try await login.news.first("the lock is released", within: 30) { $0 == .released("sleep:shutdown") }
        let session = try await run(["cat", state.file("mpris-playerd/session.json")])
        // 0.25 on the cubic scale of sliders is 0.015625.
        #expect(session.output.contains("\"volume\":0.015625"), "\(session.output)")
        #expect(session.output.contains("\"order\":[0]"))
      }
    }
  }

  @Test("With inhibit-sleep the daemon holds a block lock while it plays, and only then")
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

  @Test("The daemon plays without warnings on a bus without a login service")
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
