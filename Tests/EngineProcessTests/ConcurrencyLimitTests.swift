import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

@Suite("The limit of inspections at the same time") struct ConcurrencyLimitTests {
  /// The inspections that run, the most of them at once, and those that are done.
  private final class Counts: Sendable {
    private let counts = Mutex((running: 0, most: 0, done: 0))

    var most: Int { counts.withLock { $0.most } }
    var done: Int { counts.withLock { $0.done } }

    func begin() {
      counts.withLock { counts in
        counts.running += 1
        counts.most = max(counts.most, counts.running)
      }
    }

    func end() {
      counts.withLock { counts in
        counts.running -= 1
        counts.done += 1
      }
    }
  }

  @Test("At most two of many inspections run at once, and each of them has its turn")
  func limit() async {
    let turns = ConcurrencyLimit(2)
    let counts = Counts()
    await withTaskGroup { group in
      for _ in 0..<50 {
        group.addTask {
          guard await turns.begin() else { return }
          counts.begin()
          for _ in 0..<20 { await Task.yield() }
          counts.end()
          turns.end()
        }
      }
    }
    #expect(counts.most <= 2)
    #expect(counts.done == 50)
  }

  @Test("A cancelled wait ends at once without a turn, and the next one follows")
  func cancelled() async {
    let turns = ConcurrencyLimit(1)
    #expect(await turns.begin())
    let cancelled = Task { await turns.begin() }
    cancelled.cancel()
    #expect(await !cancelled.value)
    let next = Task { await turns.begin() }
    turns.end()
    #expect(await next.value)
    turns.end()
    #expect(await turns.begin())
  }

  @Test("The function of an inspector describes media, and throws the error of a process that is closed")
  func inspector() async throws {
    try await withTemporaryDirectory { directory in
      let program = try await ScriptedProgram(in: directory)
      try await withInspectionProcess(at: program.path) { process in
        let inspect = process.makeInspector(limit: 1, timeout: .seconds(100))
        let description = await result { () throws(PlayerError) in try await inspect("file:///1") }
        #expect(description == .success(ScriptedProgram.described))
        process.close()
        let failure = await result { () throws(PlayerError) in try await inspect("file:///1") }
        #expect(failure == .failure(PlayerError(code: .cancelled, message: "the inspection process is closed")))
      }
    }
  }
}
