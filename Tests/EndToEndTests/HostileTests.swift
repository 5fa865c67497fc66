import DBus
import Glibc
import TestSupport
import Testing

/// Tests with malformed and excessive calls: the daemon replies to each, and continues to play.
@Suite
struct HostileTests {
  static let objects: [(BusName, ObjectPath)] = [
    (DaemonUnderTest.name, DaemonUnderTest.path), ("org.playerd", "/org/playerd"),
  ]

  @Test("Every method and property rejects invalid arguments with an error, and the daemon survives")
  func hostile() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("First")
      for (name, path) in Self.objects {
        let object = try await Introspected(name, path, over: daemon.client)
        let calls = HostileCall.all(for: object, sparing: ["Quit"])
        #expect(calls.count > 30)
        let faults = await hostileAnswers(calls, to: name, path, over: daemon.client)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
      }
      #expect(daemon.process.isRunning)
      try await daemon.call("OpenUri", [.string("file://" + file)])
      try await daemon.call("Play")
      #expect(try await daemon.status() == "Playing")
      #expect(daemon.process.captured(.error).split(separator: "\n").allSatisfy { $0.utf8.count < 4_096 })
    }
  }

  @Test("After a flood of calls with unread replies the daemon still replies to others, in bounded memory")
  func flood() async throws {
    let file = try await Media.sine(seconds: 60, format: .flac, tags: Tags(title: "First"))
    try await withDaemon([file]) { daemon in
      try await daemon.titled("First")
      for _ in 0..<20_000 {
        try await daemon.client.send(
          on: DaemonUnderTest.name, at: DaemonUnderTest.path, of: DaemonUnderTest.properties, "GetAll",
          [.string(DaemonUnderTest.player.rawValue)])
      }
      #expect(try await daemon.status() == "Playing")
      #expect(daemon.process.isRunning)
    }
  }
}
