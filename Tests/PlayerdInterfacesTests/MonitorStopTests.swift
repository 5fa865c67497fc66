import DBus
import PlayerdInterfaces
import TestSupport
import Testing

@testable import EventLoop

@Suite("Monitor1 on a loop that stops")
struct MonitorStopTests {
  @Test("If the loop stops while time ranges wait, nothing is published, and no other wait begins")
  func ranges() async throws {
    try await withPrivateBus { bus in
      let loop = PollLoop(name: "still", on: StillLoopHost())
      defer { loop.stop() }
      let fake = FakeMonitoredPlayer()
      fake.show { $0 = .playing() }
      let connection = try await DBusConnection.open(address: bus.address, on: loop)
      let service = MonitorService(fake, on: connection, at: ServedMonitor.path)
      try await service.export()
      await fake.attach(to: service, on: connection)
      fake.change { $0.loadedTimeRanges = [] }
      // The tasks of the service end on the same thread, in fewer jobs.
      let (waits, reads) = await withCheckedContinuation { (done: CheckedContinuation<(Bool, Int), Never>) in
        enqueue(after: 16, on: connection) {
          let waits = loop.nextDeadline == loop.now.advanced(by: .milliseconds(250))
          let before = fake.snapshotReads
          loop.stop()
          enqueue(after: 32, on: connection) { done.resume(returning: (waits, fake.snapshotReads - before)) }
        }
      }
      withExtendedLifetime(service) {}
      #expect(waits)
      #expect(reads == 0)
    }
  }

  private func enqueue(after jobs: Int, on connection: DBusConnection, _ work: @escaping @Sendable () -> Void) {
    connection.enqueue { _ in
      if jobs == 0 { work() } else { enqueue(after: jobs - 1, on: connection, work) }
    }
  }
}

/// The thread of a loop whose time stands still.
private final class StillLoopHost: LoopHost {
  let now = SuspendingClock.Instant.now
  private let thread = LoopThread(name: "still")

  var isCurrent: Bool { thread.isCurrent }

  func start(_ loop: PollLoop) { thread.start(loop) }

  func wake() { thread.wake() }
}
