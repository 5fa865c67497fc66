import Glibc
import TestSupport
import Testing

@testable import EventLoop
@testable import PlayerdSystem

@Suite("Replacing a file") struct FileReplacementTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  private func text(_ path: String) -> String? { try? LocalFileSystem().text(of: path, limit: 100).get() }

  private func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private func replace(
    _ path: String, _ text: String, permissions: FilePermissions = .usual, mayExist: Bool = true
  ) -> FileFailure? {
    let outcome = LocalFileSystem().replace(path, with: Array(text.utf8), permissions: permissions, mayExist: mayExist)
    if case .failure(let failure) = outcome { return failure }
    return nil
  }

  @Test("An existing file keeps its mode", arguments: [0o600, 0o640, 0o644, 0o664, 0o666, 0o400, 0o604, 0o755])
  func modes(mode: mode_t) async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write("old", to: "a.m3u8")
      #expect(unsafe chmod(path, mode) == 0)
      for permissions in [FilePermissions.usual, .personal] {
        #expect(replace(path, "new", permissions: permissions) == nil)
        #expect(self.mode(path) == mode)
      }
      #expect(text(path) == "new")
      #expect(replace(path, "secret", permissions: .secret) == nil)
      #expect(self.mode(path) == mode & 0o700)
    }
  }

  @Test("A link stays a link, also to a link in another folder and to a file that is missing")
  func links() async throws {
    try await withTemporaryDirectory { directory in
      for folder in ["lists", "other"] { _ = try directory.makeDirectory(folder) }
      let target = try directory.write("old", to: "other/b.m3u8")
      #expect(unsafe chmod(target, 0o640) == 0)
      let (first, second) = (directory.file("lists/a.m3u8"), directory.file("other/link"))
      #expect(unsafe symlink("../other/link", first) == 0 && symlink("b.m3u8", second) == 0)
      #expect(replace(first, "new") == nil)
      #expect(text(target) == "new" && mode(target) == 0o640)
      #expect(isLink(first) && isLink(second))

      let missing = directory.file("lists/missing.m3u8")
      #expect(unsafe symlink("../other/c.m3u8", missing) == 0)
      #expect(replace(missing, "c") == nil)
      #expect(isLink(missing) && text(directory.file("other/c.m3u8")) == "c")

      // The folder of a disk that is not mounted is not created.
      let away = directory.file("lists/away.m3u8")
      #expect(unsafe symlink(directory.file("disk/d.m3u8"), away) == 0)
      #expect(replace(away, "d")?.number == ENOENT)
      #expect(isLink(away) && LocalFileSystem().kind(of: Array(directory.file("disk").utf8)) == nil)
      #expect(replace(away, "d", mayExist: false)?.number == EEXIST)
      let names = LocalFileSystem().entries(of: Array(directory.file("other").utf8)).map {
        String(decoding: $0.name, as: UTF8.self)
      }
      #expect(Set(names).subtracting([".", ".."]) == ["b.m3u8", "c.m3u8", "link"])
    }
  }

  @Test("Links that lead in a circle, a pipe and a device are not replaced")
  func others() async throws {
    try await withTemporaryDirectory { directory in
      let (a, b, pipe) = (directory.file("a"), directory.file("b"), directory.file("pipe"))
      #expect(unsafe symlink("b", a) == 0 && symlink("a", b) == 0 && mkfifo(pipe, 0o600) == 0)
      #expect(replace(pipe, "x") == FileFailure("not a regular file"))
      #expect(mode(pipe) == 0o600)
      #expect(replace("/dev/null", "x") == FileFailure("not a regular file"))
      _ = replace(a, "x")
      #expect(LocalFileSystem().kind(of: Array(pipe.utf8)) == .other)
    }
  }

  @Test("A mode does not give more access if the group or the access control list is lost")
  func lostGroup() {
    func mode(_ old: mode_t, hasGroup: Bool = true, hasList: Bool = false) -> mode_t {
      FileAttributes.mode(old, hasGroup: hasGroup, hasList: hasList)
    }
    #expect(mode(0o664) == 0o664)
    #expect(mode(0o664, hasGroup: false) == 0o644)
    #expect(mode(0o640, hasGroup: false) == 0o600)
    #expect(mode(0o604, hasGroup: false) == 0o600)
    #expect(mode(0o660, hasList: true) == 0o600)
    #expect(mode(0o664, hasGroup: false, hasList: true) == 0o600)
  }

  @Test("A file keeps its extended attributes")
  func attributes() async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.write("old", to: "a.m3u8")
      let comment = ExtendedAttribute(name: "user.comment", value: Array("mine".utf8))
      let file = unsafe open(path, O_RDWR | O_CLOEXEC)
      // Not every file system has attributes.
      let isSupported = comment.set(of: file)
      close(file)
      #expect(replace(path, "new") == nil)
      let replaced = unsafe open(path, O_RDONLY | O_CLOEXEC)
      defer { close(replaced) }
      let found = ExtendedAttribute.all(of: replaced).filter { $0.name == comment.name }.map(\.value)
      #expect(found == (isSupported ? [comment.value] : []))
    }
  }
}
