import Glibc
import Logging
import TestSupport
import Testing

@testable import PlayerdStorage
@testable import PlayerdSystem

@Suite("Drafts of the session") struct DraftTests {
  /// An obstacle at the path of a draft.
  enum Obstacle: CaseIterable {
    case file, pipe, link, danglingLink, folder, fullFolder

    func make(_ path: String, in directory: TemporaryDirectory) throws {
      switch self {
      case .file: _ = try directory.write("a longer text than the session", to: "session.json.new")
      case .pipe: #expect(unsafe mkfifo(path, 0o600) == 0)
      case .link:
        let target = try directory.write("kept", to: "kept")
        #expect(unsafe symlink(target, path) == 0)
      case .danglingLink: #expect(unsafe symlink(directory.file("missing"), path) == 0)
      case .folder: _ = try directory.makeDirectory("session.json.new")
      case .fullFolder:
        _ = try directory.makeDirectory("session.json.new")
        _ = try directory.write("", to: "session.json.new/file")
      }
    }
  }

  @Test("Whatever has the name of the draft, the session is saved", arguments: Obstacle.allCases)
  func obstacles(obstacle: Obstacle) async throws {
    try await withTemporaryDirectory { directory in
      try obstacle.make(directory.file("session.json.new"), in: directory)
      let folder = directory.path
      try await deadline(10, "the session is saved") {
        var store = SessionStore(folder: folder, log: Logger(label: "test"))
        let saves = [store.save(SavedSession(queue: ["file:///a"])), store.save(SavedSession(queue: ["file:///b"]))]
        #expect(saves == [true, true])
        #expect(store.load()?.queue == ["file:///b"])
      }
      if obstacle == .link {
        let target = LocalFileSystem().text(of: directory.file("kept"), limit: 10)
        #expect(try target.get() == "kept")
      }
      let names = Set(
        LocalFileSystem().entries(of: Array(folder.utf8)).map { String(decoding: $0.name, as: UTF8.self) }
      ).subtracting([".", ".."])
      let others: Set = obstacle == .link ? ["kept"] : obstacle == .fullFolder ? ["session.json.new"] : []
      #expect(names == others.union(["session.json"]))
    }
  }

  @Test("One holder at a time has the lock of a folder, which may be missing")
  func lock() async throws {
    try await withTemporaryDirectory { directory in
      let folder = directory.file("new/folder")
      let first = try #require(SessionLock.take(folder))
      #expect(SessionLock.take(folder) == nil)
      #expect(SessionLock.take(directory.path) != nil)
      first.release()
      var second = SessionLock.take(folder)
      #expect(second != nil && SessionLock.take(folder) == nil)
      second = nil
      #expect(SessionLock.take(folder) != nil)
    }
  }

  @Test("A folder that cannot be created is not locked, and each holder is accepted")
  func noFolder() async throws {
    try await withTemporaryDirectory { directory in
      let folder = try directory.write("", to: "file") + "/folder"
      let locks = [SessionLock.take(folder), SessionLock.take(folder)]
      #expect(locks.allSatisfy { $0 != nil })
    }
  }
}
