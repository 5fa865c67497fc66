import FoundationEssentials
import Glibc
import GstPlayer
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Cover art")
struct CoverArtTests {
  @Test("The digest of a picture is the SHA-256 of its bytes; its type does not matter")
  func digest() {
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    for type in ["", "image/png"] {
      #expect(MediaMetadata.Artwork(mimeType: type, bytes: Array("abc".utf8)).digest == hash)
    }
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(MediaMetadata.Artwork(mimeType: "", bytes: []).digest == empty)
  }

  @Test(
    "The type of a picture is detected from its first bytes",
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], PictureType.jpeg), (Array("\u{89}PNG".utf8), nil),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png), (Array("GIF89a…".utf8), .gif),
      (Array("RIFF1234WEBPVP8 ".utf8), .webp), (Array("RIFF1234WAVEfmt ".utf8), nil), (Array("<svg>".utf8), nil),
      ([], nil),
    ] as [([UInt8], PictureType?)])
  func types(bytes: [UInt8], type: PictureType?) {
    #expect(PictureType(bytes) == type)
  }

  @Test("Beside a track, cover comes before folder, front and album, JPEG before others, in any case")
  func beside() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let track = Array(directory.file("track.flac").utf8)
    #expect(CoverFile.path(beside: track) == nil)
    for name in ["discover.jpg", "cover.txt", "AlBum.GIF", "Front.webp", "folder.PNG", "FOLDER.jpeg", "Cover.png"] {
      try directory.write("x", to: name)
    }
    #expect(CoverFile.path(beside: track) == Array(directory.file("Cover.png").utf8))
    unsafe unlink(directory.file("Cover.png"))
    #expect(CoverFile.path(beside: track) == Array(directory.file("FOLDER.jpeg").utf8))
  }

  @Test("Each picture is one file that only the user can read, named after its contents")
  func store() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let cache = ArtCache(folder: directory.file("a/art"))
    let path = try #require(cache.store(picture(1)))
    #expect(path == directory.file("a/art/\(picture(1).digest).png"))
    #expect(cache.store(picture(1)) == path)
    #expect(cache.store(picture(2)) != path)
    #expect(cache.store(MediaMetadata.Artwork(mimeType: "image/png", bytes: Array("not a picture".utf8))) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder).count == 2)
    #expect(mode(path) == 0o600)
    #expect(mode(cache.folder) == 0o700)
    // A truncated file, for example after a full disk, is written again.
    try directory.write("", to: "a/art/\(picture(1).digest).png")
    #expect(cache.store(picture(1)) == path)
    #expect(FileManager.default.contents(atPath: path) == Data(picture(1).bytes))
  }

  @Test("Several writers of the same picture all get its whole file")
  func concurrentStores() async throws {
    try await withTemporaryDirectory { directory in
      let cache = ArtCache(folder: directory.file("art"))
      for seed in UInt8(1)...20 {
        let bytes = picture(seed).bytes + [UInt8](repeating: seed, count: 1 << 20)
        let large = MediaMetadata.Artwork(mimeType: "image/png", bytes: bytes)
        let expected = directory.file("art/\(large.digest).png")
        await withTaskGroup(of: String?.self) { group in
          for _ in 0..<4 { group.addTask { cache.store(large) } }
          for await path in group { #expect(path == expected) }
        }
        #expect(FileManager.default.contents(atPath: expected) == Data(bytes))
      }
      #expect((try? FileManager.default.contentsOfDirectory(atPath: cache.folder))?.count == 20)
    }
  }

  @Test("Pruning removes the oldest pictures first, and keeps foreign files and the published picture")
  func prune() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let cache = ArtCache(folder: directory.path, sizeLimit: 1 << 20, countLimit: 3)
    try directory.write("mine", to: "notes.txt")
    let paths = try (0..<5).map { number in
      let path = try #require(cache.store(picture(UInt8(number))))
      var times = [timespec(tv_sec: 1_000_000 + number, tv_nsec: 0), timespec(tv_sec: 1_000_000 + number, tv_nsec: 0)]
      _ = unsafe utimensat(AT_FDCWD, path, &times, 0)
      return path
    }
    let left = Set(try FileManager.default.contentsOfDirectory(atPath: directory.path).map(directory.file))
    #expect(left == Set(paths[2...] + [directory.file("notes.txt")]))
    let tiny = ArtCache(folder: directory.path, sizeLimit: 0, countLimit: 3)
    let last = try #require(tiny.store(picture(9)))
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: directory.path))
        == [String(last.split(separator: "/").last ?? ""), "notes.txt"])
  }

  @Test("Signals wait for the search of a picture, and the older picture remains until a newer one is found")
  func search() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    var searches = ends.makeAsyncIterator()
    let covers = CoverArt(
      ArtCache(folder: directory.file("art")), on: QueueExecutor(label: "test.art")
    ) { end.yield() }
    let item = Player.Item(uri: "file://" + directory.file("track.flac"))
    #expect(covers.known(of: item) == .init())

    let first = CoverArt.Subject(item: item, artwork: picture(1))
    #expect(covers.find(for: first) == .init(uri: nil, isPending: true))
    _ = await searches.next()
    #expect(covers.revision > 0)
    let uri = try #require(covers.find(for: first).uri)
    #expect(uri == "file://" + directory.file("art/\(picture(1).digest).png"))
    #expect(!covers.find(for: first).isPending)

    let second = CoverArt.Subject(item: item, artwork: picture(2))
    #expect(covers.find(for: second) == .init(uri: uri, isPending: true))
    _ = await searches.next()
    let newer = covers.find(for: second)
    #expect(newer.uri != uri && newer.uri != nil && !newer.isPending)

    let station = Player.Item(uri: "http://127.0.0.1/radio")
    #expect(covers.find(for: .init(item: station)) == .init(), "no picture, and not that of the previous track")
  }

  @Test("A large cover file beside a track is published by its own URI, and another file is not")
  func largeFile() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let covers = CoverArt(ArtCache(folder: directory.file("art")), on: QueueExecutor(label: "test.art")) {}
    let track = CoverArt.Subject(item: Player.Item(uri: "file://" + directory.file("track.flac")))
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let path = try directory.write(
      start + [UInt8](repeating: 0, count: MediaMetadata.Artwork.sizeLimit), to: "cover.png")
    #expect(covers.uri(of: track) == "file://" + path)
    try directory.write(start + [0], to: "cover.png")
    #expect(covers.uri(of: track)?.contains("/art/") == true)
    try directory.write("no picture", to: "cover.png")
    #expect(covers.uri(of: track) == nil)
  }

  @Test("A search that is deferred does not delay the metadata, and is dropped if another track follows before it")
  func later() async throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    var searches = ends.makeAsyncIterator()
    let deferred = EventLog<@Sendable () -> Void>()
    let covers = CoverArt(
      ArtCache(folder: directory.file("art")), on: QueueExecutor(label: "test.art"),
      later: {
        deferred.append($0)
        return true
      }
    ) { end.yield() }
    let items = (1...2).map { Player.Item(uri: "file://" + directory.file("\($0).flac")) }
    for (item, seed) in zip(items, [UInt8(1), 2]) {
      #expect(covers.find(for: .init(item: item, artwork: picture(seed))) == .init(uri: nil, isPending: false))
    }
    for search in deferred.elements { search() }
    _ = await searches.next()
    let uri = covers.find(for: .init(item: items[1], artwork: picture(2))).uri
    #expect(uri == "file://" + directory.file("art/\(picture(2).digest).png"))
    let stored = try FileManager.default.contentsOfDirectory(atPath: directory.file("art"))
    #expect(stored == ["\(picture(2).digest).png"])
  }

  private func picture(_ seed: UInt8) -> MediaMetadata.Artwork {
    MediaMetadata.Artwork(mimeType: "image/png", bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, seed])
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }
}
