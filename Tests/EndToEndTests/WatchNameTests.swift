import DBus
import EventLoop
import Synchronization
import TestSupport
import Testing

/// Tests of the example `watch-name` on a private bus.
@Suite("Example watch-name") struct WatchNameTests {
  private static let name: BusName = "org.example.Watched"
  private static let level = DBusPropertyDeclaration<Int32>("Level")

  @Test("The example prints the owners of a name and the values of a property", .timeLimit(.minutes(1)))
  func owners() async throws {
    try await withPrivateBus { bus in
      let arguments = try [
        Tool.built("watch-name"), Self.name.rawValue, "/watched", "org.example.Watched", "Level",
      ]
      try await withChildProcess(arguments, environment: bus.environment) { watcher in
        try await watcher.waitForLine(containing: "org.example.Watched is unowned", on: .output)
        for level: Int32 in [1, 5] {
          let loop = PollLoop(name: "service")
          defer { loop.stop() }
          let service = try await DBusConnection.open(address: bus.address, on: loop)
          let state = Mutex(level)
          let rows = DBusInterface<Int32>("org.example.Watched", properties: [DBusProperty(Self.level, get: { $0 })])
          let object = try await service.export(at: "/watched", [rows]) { state.withLock { $0 } }
          #expect(try await service.requestName(Self.name))
          try await watcher.waitForLine(containing: "is owned by \(service.uniqueName)", on: .output)
          try await watcher.waitForLine(containing: "Level: int32(\(level))", on: .output)
          state.withLock { $0 += 1 }
          await service.publish(object, showing: level + 1)
          try await watcher.waitForLine(containing: "Level: int32(\(level + 1))", on: .output)
          await service.close()
        }
        await bus.kill()
        try await watcher.waitForLine(containing: "the bus is lost", on: .output)
        #expect(try await watcher.exitStatus() == .exited(0))
      }
    }
  }

  @Test("The example rejects wrong arguments")
  func usage() async throws {
    try await withPrivateBus { bus in
      let watcher = try Tool.built("watch-name")
      let usage = try await run([watcher], environment: bus.environment)
      #expect(!usage.succeeded && usage.output.hasPrefix("usage: watch-name NAME"))
      let name = try await run([watcher, "no name", "/a", "a.b", "C"], environment: bus.environment)
      #expect(!name.succeeded && name.error.contains("'no name' is not a bus name"))
    }
  }
}
