import EventLoop
import TestSupport
import Testing

@Suite("Folder watch", .serialized)
struct FolderWatchTests {
  @Test("Created, changed and removed files are reported")
  func changes() async throws {
    try await withTemporaryDirectory { directory in
      let loop = PollLoop(name: "watch")
      defer { loop.stop() }
      let changes = EventLog<Void>()
      let watch = FolderWatch(Array(directory.path.utf8), on: loop) { changes.append(()) }
      #expect(watch != nil)
      var mark = changes.count
      try directory.write("1", to: "file")
      try await changes.first("a new file", from: mark)
      mark = changes.count
      try directory.write("2", to: "file")
      try await changes.first("a file that changes", from: mark)
      mark = changes.count
      directory.remove()
      try await changes.first("the end of the folder", from: mark)
      withExtendedLifetime(watch) {}
    }
  }

  @Test("A missing folder and a file cannot be watched")
  func notAFolder() async throws {
    try await withTemporaryDirectory { directory in
      let loop = PollLoop(name: "watch")
      defer { loop.stop() }
      let file = try directory.write("", to: "file")
      for path in [directory.file("none"), file] {
        let watch = FolderWatch(Array(path.utf8), on: loop) {}
        #expect(watch == nil)
      }
    }
  }

  @Test("Releasing a watch or stopping the loop closes the descriptor")
  func descriptors() async throws {
    try await withTemporaryDirectory { directory in
      let loop = PollLoop(name: "watch")
      let path = Array(directory.path.utf8)
      // More than the inotify limit for one user, each closed before the next.
      for _ in 0..<200 {
        #expect(FolderWatch(path, on: loop) {} != nil)
        await Task(executorPreference: LoopTaskExecutor(loop)) {}.value
      }
      let last = FolderWatch(path, on: loop) {}
      loop.stop()
      #expect(last != nil)
    }
  }
}
