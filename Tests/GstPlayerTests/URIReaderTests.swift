import GstPlayer
import TestSupport
import Testing

@Suite("Reading URIs", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct URIReaderTests {
  private let reader = URIReader(byteLimit: 1 << 20, timeout: .seconds(20))

  @Test("Content is read completely, with its media type and its URI after redirects")
  func content() async throws {
    let bytes = (0..<500_000).map { UInt8($0 & 0xFF) }
    try await withHTTPServer { server in
      let moved = server.script("/moved", .redirect(to: "/there"))
      server.script("/there", .bytes(bytes, type: "application/x-thing; a=b"))
      let content = try #require(try await reader.read(moved))
      #expect(content.bytes == bytes)
      #expect(content.mediaType == "application/x-thing; a=b")
      #expect(content.uri == server.origin + "/there")
      let empty = try #require(try await reader.read(server.script("/empty", .bytes([]))))
      #expect(empty.bytes.isEmpty)
    }
  }

  @Test("Unwanted content is not read")
  func unwanted() async throws {
    try await withHTTPServer { server in
      let uri = server.script(
        "/a", .bytes([UInt8](repeating: 0, count: 900_000), type: "audio/mpeg").stalling(at: 100_000))
      let content = try await reader.read(uri) { type, start in type != "audio/mpeg" || start.isEmpty }
      #expect(content == nil)
      try await server.events.first("the connection's end") { if case .closed = $0 { true } else { false } }
    }
  }

  @Test("Whether content is wanted is decided once, also if it is empty", arguments: [[], [65]] as [[UInt8]])
  func decidedOnce(bytes: [UInt8]) async throws {
    try await withHTTPServer { server in
      let types = EventLog<String?>()
      let starts = EventLog<[UInt8]>()
      let uri = server.script("/page", .bytes(bytes, type: "text/html"))
      let content = try await reader.read(uri) { type, start in
        types.append(type)
        starts.append(start)
        return false
      }
      #expect(content == nil)
      #expect(types.elements == ["text/html"])
      #expect(starts.elements == [bytes])
    }
  }

  @Test("Content whose connection is cut for good is not taken for complete")
  func cut() async throws {
    try await withHTTPServer { server in
      let uri = server.script("/cut", .bytes([UInt8](repeating: 65, count: 500_000)).cutting(at: 100_000))
      await #expect(throws: PlayerError.self) { _ = try await reader.read(uri) }
    }
  }

  @Test("Size and time are limited, and failures have their codes")
  func limits() async throws {
    try await withHTTPServer { server in
      func error(_ reader: URIReader, _ uri: String) async -> PlayerError? {
        do throws(PlayerError) {
          _ = try await reader.read(uri)
          return nil
        } catch {
          return error
        }
      }
      func code(_ reader: URIReader, _ uri: String) async -> PlayerError.Code? { await error(reader, uri)?.code }
      let small = URIReader(byteLimit: 99, timeout: .seconds(20))
      #expect(await code(small, server.script("/large", .bytes([UInt8](repeating: 0, count: 100)))) == .unknown)
      let hasty = URIReader(byteLimit: 99, timeout: .milliseconds(300))
      #expect(await code(hasty, server.script("/silent", .silence)) == .networkTimeout)
      #expect(await code(reader, server.script("/none", .status(404))) == .httpError)
      #expect(await code(reader, "http://127.0.0.1:1/") == .networkRefused)
      let missing = await error(reader, "file://\(Media.missing)")
      #expect(missing?.code == .notFound, "\(missing?.detail ?? "")")
      #expect(await code(reader, "nonsense:x") == .unsupportedScheme)
      let cancelled = Task { await code(reader, server.origin + "/silent") }
      try await server.events.first("the second silence", from: 3) {
        $0 == .requested(path: "/silent", rangeStart: nil)
      }
      cancelled.cancel()
      #expect(await cancelled.value == .cancelled)
    }
  }
}
