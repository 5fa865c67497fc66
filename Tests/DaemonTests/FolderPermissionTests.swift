import EventLoop
import Glibc
import PlayerdInterfaces
import TestSupport
import Testing
import TextCoding

@testable import Playerd
@testable import PlayerdService
@testable import PlayerdSystem

/// Tests of folders and files that the user may not read; a test may run as root, who may read all.
@Suite("Items without permission") struct FolderPermissionTests {
  @Test("A folder that cannot be read is reported in one line, and the others are opened")
  func folders() async throws {
    try await withTemporaryDirectory { directory in
      for folder in ["music", "music/a", "music/b", "music/c"] { _ = try directory.makeDirectory(folder) }
      for file in ["music/a/1.flac", "music/b/2.flac", "music/c/3.flac"] { _ = try directory.write("", to: file) }
      let (music, denied) = (directory.file("music"), directory.file("music/b"))
      try await withLoader(files: DeniedFolders(paths: [denied])) { harness, _ in
        let names = try await harness.names(music)
        #expect(names == ["1.flac", "3.flac"])
        #expect(harness.lines.elements == ["\(denied): permission denied"])
      }
      try await withLoader(files: DeniedFolders(paths: [denied])) { harness, _ in
        let report = try await harness.report(OpenRequest(uris: ["file://\(denied)"], placement: .add))
        #expect(report.trackCount == 0 && report.rejections == ["\(denied): permission denied"])
      }
    }
  }

  @Test("A path that cannot be reached lacks permission; it is not missing, and not a mistyped command")
  func arguments() {
    for argument in ["locked/song.flac", "locked"] {
      let rejection = ItemArguments.Rejection(argument: argument, isDenied: true)
      #expect(rejection.message == "\(argument): permission denied" && !rejection.isWord)
    }
  }

  @Test("An argument without permission, or in a folder without it, is rejected for that reason")
  func deniedArguments() async {
    await #expect(processExitsWith: .success) {
      // The permissions of a user do not apply to root.
      if geteuid() == 0 {
        unsafe unsetenv("TMPDIR")
        #expect(setgid(65_534) == 0 && setuid(65_534) == 0)
      }
      try await withTemporaryDirectory { directory in
        for folder in ["music", "locked", "locked/open"] { _ = try directory.makeDirectory(folder) }
        for file in ["music/a.flac", "music/b.flac", "locked/c.flac"] { _ = try directory.write("", to: file) }
        #expect(unsafe chmod(directory.file("music/a.flac"), 0) == 0 && chmod(directory.file("locked"), 0) == 0)
        let names = ["music/a.flac", "music/b.flac", "music/d.flac", "locked/c.flac", "locked/open"]
        let found = ItemArguments(names.map(directory.file), playlistFolder: nil)
        let reasons = ["permission denied", "not found", "permission denied", "permission denied"]
        #expect(found.uris == ["file://\(directory.file("music/b.flac"))"])
        let rejected = names.filter { $0 != "music/b.flac" }.map(directory.file)
        #expect(found.rejections.map(\.message) == zip(rejected, reasons).map { "\($0): \($1)" })
        #expect(unsafe chmod(directory.file("locked"), 0o700) == 0)
      }
    }
  }

  @Test(
    "The reason of a failure is in the words of the player's errors",
    arguments: [
      (EACCES, "permission denied"), (EPERM, "permission denied"), (ENOENT, "not found"), (ENOTDIR, "not found"),
      (EIO, "Input/output error"),
    ])
  func reasons(number: CInt, reason: String) { #expect(FileFailure(number: number).reason == reason) }
}

/// The local files, with folders that cannot be read.
private struct DeniedFolders: FileSystem {
  let paths: Set<String>
  private let files = LocalFileSystem()

  init(paths: Set<String>) { self.paths = paths }

  func list(_ folder: [UInt8]) -> Result<[FolderEntry], FileFailure> {
    paths.contains(String(decoding: folder, as: UTF8.self))
      ? .failure(FileFailure(number: EACCES)) : files.list(folder)
  }

  func bytes(of path: [UInt8], limit: Int) -> Result<[UInt8], FileFailure> { files.bytes(of: path, limit: limit) }
  func start(of path: [UInt8], count: Int) -> [UInt8] { files.start(of: path, count: count) }
  func create(
    _ path: [UInt8], with bytes: [UInt8], permissions: FilePermissions, like model: [UInt8]?, isSynchronized: Bool
  ) -> Outcome {
    files.create(path, with: bytes, permissions: permissions, like: model, isSynchronized: isSynchronized)
  }
  func rename(_ path: [UInt8], to other: [UInt8], replaces: Bool) -> Outcome {
    files.rename(path, to: other, replaces: replaces)
  }
  func synchronize(folder: [UInt8]) -> Outcome { files.synchronize(folder: folder) }
  @discardableResult
  func remove(_ path: [UInt8]) -> Outcome { files.remove(path) }
  func makeFolder(_ path: [UInt8]) -> Outcome { files.makeFolder(path) }
  func identify(_ path: [UInt8]) -> Result<(kind: FileKind, id: FileID), FileFailure> { files.identify(path) }
  func resolved(_ path: [UInt8]) -> [UInt8]? { files.resolved(path) }
  var now: Duration { files.now }
  func modified(_ path: [UInt8]) -> Duration? { files.modified(path) }
  func watch(
    _ folder: [UInt8], on loop: PollLoop, _ changed: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? { files.watch(folder, on: loop, changed) }
}
