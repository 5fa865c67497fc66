import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EventLoop

@Suite("A shortage of descriptors and threads", .serialized)
struct ShortageTests {
  @Test("Without a file descriptor, a loop is stopped, names the reason, and carries out its work")
  func descriptors() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      try await checkFailedLoop(reason: "no file descriptor is left")
    }
  }

  @Test("Without a thread, a loop is stopped, names the reason, and its work is carried out by the caller")
  func threads() async {
    await #expect(processExitsWith: .success) {
      // No address space is left for the stack of a thread.
      var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      try await checkFailedLoop(reason: "no thread is left")
    }
  }

  @Test("A folder watch needs a file descriptor")
  func folder() async {
    await #expect(processExitsWith: .success) {
      let loop = PollLoop(name: "watch")
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      #expect(FolderWatch(Array("/".utf8), on: loop) {} == nil)
    }
  }
}

/// Checks that a new loop has failed, and that its work, its timers and its tasks nevertheless end.
private func checkFailedLoop(reason: String) async throws {
  let loop = PollLoop(name: "failed")
  #expect(loop.failure?.hasPrefix(reason) == true, "\(loop.failure ?? "none")")
  #expect(loop.isStopping)
  let isDone = AwaitedValue<Bool>()
  loop.submit { loop.submit { isDone.set(loop.isIsolatingCurrentContext() == true) } }
  #expect(await isDone.value { false })
  await #expect(throws: CancellationError.self) { try await LoopClock(loop).sleep(for: .seconds(100)) }  // watchdog
  let task = Task(executorPreference: LoopTaskExecutor(loop)) { 1 }
  #expect(await task.value == 1)
  loop.stop()
}
