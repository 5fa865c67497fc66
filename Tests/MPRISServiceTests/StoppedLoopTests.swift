import DBus
import MPRISService
import TestSupport
import Testing

/// Tests of a delayed signal whose loop stops before it is due.
@Suite struct StoppedLoopTests {
  @Test("If the loop stops while an incomplete track waits, the track is not signalled")
  func track() async throws {
    try await withServedPlayer { served in
      let first = served.changes.count
      served.fake.change {
        $0.metadata = .example(number: 8, title: "file.flac")
        $0.isSettled = false
      }
      _ = try await served.clock.events.first()
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        served.connection.enqueue { _ in
          served.clock.stop()
          // The task of the delay ends on the same thread, in fewer jobs.
          enqueue(after: 16, on: served.connection) { done.resume() }
        }
      }
      served.fake.change {
        $0.metadata = .example(number: 8, title: "Title")
        $0.isSettled = true
      }
      let titles = try await served.settle(from: first).compactMap {
        $0.values["Metadata"]?.asDictionary?["xesam:title"]?.asString
      }
      #expect(titles == ["Title"])
    }
  }

  private func enqueue(after jobs: Int, on connection: DBusConnection, _ work: @escaping @Sendable () -> Void) {
    connection.enqueue { _ in
      if jobs == 0 { work() } else { enqueue(after: jobs - 1, on: connection, work) }
    }
  }
}
