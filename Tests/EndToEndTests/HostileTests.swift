import DBus
import Glibc
import TestSupport
import Testing

/// Calls that no decent client makes: the daemon answers each, and plays on.
@Suite(.serialized)
struct HostileTests {
  static let objects: [(BusName, ObjectPath)] = [
    (DaemonUnderTest.name, DaemonUnderTest.path), ("org.playerd", "/org/playerd"),
  ]

  @Test("Every method and property survives whatever it is called with, and says what is wrong")
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

  @Test("A flood of calls whose replies nobody reads leaves the daemon answering others, in bounded memory")
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
