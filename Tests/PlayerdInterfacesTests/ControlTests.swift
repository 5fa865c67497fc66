import DBus
import EventLoop
import PlayerdInterfaces
import TestSupport
import Testing

/// Tests of the requests of `org.playerd.Control1` on a private bus, with scripted handlers.
@Suite struct ControlTests {
  private func withControl(
    _ requests: (DBusCallQueue) -> [DBusMethod], _ body: (DBusProxy) async throws -> Void
  ) async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "test")
      defer { loop.stop() }
      let queue = DBusCallQueue()
      let service = try await DBusConnection.open(address: bus.address, on: loop)
      try await service.export(at: PlayerdName.object, [ControlInterface.rows(requests(queue))]) { MonitorSnapshot() }
      let client = try await DBusConnection.open(address: bus.address, on: loop)
      try await withThrowingTaskGroup { group in
        group.addTask { await queue.run() }
        defer { group.cancelAll() }
        try await body(
          DBusProxy(ControlInterface.name, at: PlayerdName.object, of: service.uniqueName, on: client))
      }
    }
  }

  private func withQueue(
    _ page: @escaping @Sendable (_ offset: UInt32, _ count: UInt32) -> (UInt64, UInt32, [QueuedTrack]),
    _ body: (DBusProxy) async throws -> Void
  ) async throws {
    try await withControl(
      { queue in
        [
          DBusMethod(ControlInterface.getQueue, on: queue) { offset, count async throws(DBusError) in
            page(offset, count)
          }
        ]
      }, body)
  }

  @Test("A record is sent as a dictionary, and read again by the client")
  func records() async throws {
    let status = {
      var status = PlayerStatus()
      (status.title, status.position, status.isMuted) = ("Title", 7, true)
      return status
    }()
    try await withControl(
      { _ in
        [
          DBusMethod(ControlInterface.getStatus) { () throws(DBusError) in status },
          DBusMethod(
            ControlInterface.open,
            later: { reply, uris, options throws(DBusError) in
              guard options == ["paused": .boolean(true)] else { throw .invalidArguments("an option is missing") }
              var report = OpenReport()
              report.trackCount = Int64(uris.count)
              reply(report)
            }),
        ]
      },
      { control async throws in
        #expect(try await control.call(ControlInterface.getStatus) == status)
        let report = try await control.call(
          ControlInterface.open, ["file:///a", "file:///b"], ["paused": .boolean(true)])
        #expect(report.trackCount == 2)
        await #expect(throws: DBusError.invalidArguments("an option is missing")) {
          _ = try await control.call(ControlInterface.open, [], [:])
        }
      })
  }

  @Test("The client reads a long queue page by page")
  func queue() async throws {
    try await withQueue(
      { offset, count in
        let rows = (offset..<min(offset + min(count, 500), 700)).map { index in
          var row = QueuedTrack()
          row.index = Int64(index)
          return row
        }
        return (3, 700, rows)
      },
      { control async throws in
        #expect(try await QueuePage.readAll(from: control).rows.map(\.index) == Array(0..<700))
        #expect(try await QueuePage.read(698, count: 10, from: control).rows.map(\.index) == [698, 699])
      })
  }

  @Test("Whatever an instance sends, a page has at most 500 tracks and a queue at most a million")
  func queueWithoutEnd() async throws {
    try await withQueue(
      { _, _ in (3, .max, Array(repeating: QueuedTrack(), count: 501)) },
      { control async throws in
        let read = try await QueuePage.read(0, count: 1, from: control)
        #expect(read.rows.count == 500)
        #expect(read.total == 1_000_000)
      })
  }
}
