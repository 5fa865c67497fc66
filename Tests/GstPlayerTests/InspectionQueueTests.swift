import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

@Suite("Limiting concurrent inspections", .serialized, .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct InspectionQueueTests {
  @Test("At most `limit` inspections run at once; when one ends, the next one starts")
  func limit() async throws {
    try await withSilentServer { server, uris in
      let inspectionQueue = InspectionQueue(limit: 2, timeout: .seconds(30))
      let inspections = uris.map { Inspection($0) }
      for inspection in inspections { inspectionQueue.enter(inspection) }
      #expect(inspectionQueue.runningCount == 2)
      #expect(inspectionQueue.waiting.map(ObjectIdentifier.init) == inspections.dropFirst(2).map(ObjectIdentifier.init))
      try await server.requested("/0")
      try await server.requested("/1")
      inspectionQueue.withdraw(inspections[1])
      try await server.requested("/2")
      #expect(inspectionQueue.waiting.map(ObjectIdentifier.init) == inspections.dropFirst(3).map(ObjectIdentifier.init))
      #expect(!server.events.elements.contains { $0.path == "/3" })
      inspectionQueue.close()
      #expect(inspectionQueue.waiting.isEmpty)
      #expect(inspections.allSatisfy { $0.isSettled })
    }
  }

  @Test("Waiting inspections keep their order when others are withdrawn")
  func order() {
    let inspectionQueue = InspectionQueue(limit: 0, timeout: .seconds(1))
    let inspections = (0..<5).map { Inspection("file:///\($0)") }
    for inspection in inspections { inspectionQueue.enter(inspection) }
    inspectionQueue.withdraw(inspections[2])
    #expect(
      inspectionQueue.waiting.map(ObjectIdentifier.init) == [0, 1, 3, 4].map { ObjectIdentifier(inspections[$0]) })
    #expect(inspections.filter(\.isSettled).map(ObjectIdentifier.init) == [ObjectIdentifier(inspections[2])])
    inspectionQueue.close()
    #expect(inspections.allSatisfy { $0.isSettled })
  }

  @Test("A call cancelled while waiting returns at once and leaves the queue; the others keep their order")
  func cancelWaiting() async throws {
    let file = fileURI(try await Media.sine(seconds: 1))
    try await withSilentServer { server, uris in
      let inspector = MediaInspector(concurrencyLimit: 1, timeout: .seconds(30))
      let blocking = Task { try await inspector.inspect(uris[0]) }
      try await server.requested("/0")
      let waiting = Task { try await inspector.inspect(uris[1]) }
      let last = Task { try await inspector.inspect(file) }
      waiting.cancel()
      #expect(await code(of: waiting) == .cancelled)
      blocking.cancel()
      #expect(await code(of: blocking) == .cancelled)
      let description = try await deadline(10, "the last one is inspected") { try await last.value }
      #expect(description.audioTracks.count == 1)
      #expect(!server.events.elements.contains { $0.path == "/1" })
    }
  }

  @Test("A task cancelled before its call returns no description and occupies no slot")
  func cancelledBefore() async throws {
    let inspector = MediaInspector(concurrencyLimit: 1)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await inspector.inspect("file://\(TemporaryDirectory.missing)")
    }
    #expect(await code(of: task) == .cancelled)
  }

  @Test("A server that never answers ends with a time-out, and the next inspection starts")
  func timeout() async throws {
    try await withSilentServer { server, uris in
      let inspector = MediaInspector(concurrencyLimit: 1, timeout: .milliseconds(300))
      let late = Task { try await inspector.inspect(uris[0]) }
      #expect(await code(of: late) == .loadTimeout)
      let next = Task { try await inspector.inspect(uris[1]) }
      #expect(await code(of: next) == .loadTimeout)
      try await server.requested("/1")
    }
  }

  @Test("A time-out is at most one hour, as in GStreamer's discoverer")
  func longestTimeout() {
    #expect(MediaInspector(timeout: .seconds(7200)).inspectionQueue.timeout == .seconds(3600))
    #expect(MediaInspector(timeout: .seconds(60)).inspectionQueue.timeout == .seconds(60))
  }

  @Test("Closing cancels running and waiting inspections, and rejects new ones")
  func closed() async throws {
    try await withSilentServer { server, uris in
      let inspector = MediaInspector(concurrencyLimit: 1, timeout: .seconds(30))
      let tasks = uris.map { uri in Task { try await inspector.inspect(uri) } }
      try await server.events.first("a request") { $0.isRequest }
      inspector.close()
      for task in tasks { #expect(await code(of: task) == .cancelled) }
      let late = Task { try await inspector.inspect("file://\(TemporaryDirectory.missing)") }
      #expect(await code(of: late) == .cancelled)
      inspector.close()
    }
  }

  @Test("Two hundred inspections, some failing or cancelled, leak no descriptor or thread", .timeLimit(.minutes(2)))
  func leaks() async throws {
    let good = fileURI(try await Media.sine(seconds: 1))
    let bad = fileURI(try await Media.textFile())
    try await withSilentServer { server, uris in
      let inspector = MediaInspector(concurrencyLimit: 2, timeout: .seconds(30))
      try await round(8, inspector, [good, bad], cancelling: uris[0], server)
      let before = Resources()
      try await round(200, inspector, [good, bad], cancelling: uris[0], server)
      let after = Resources()
      // Other tests run concurrently; a leak of 200 inspections would exceed this limit.
      #expect(after.descriptors - before.descriptors < 100, "\(before) \(after)")
      #expect(after.threads - before.threads < 100, "\(before) \(after)")
    }
  }

  private func round(
    _ count: Int, _ inspector: MediaInspector, _ files: [String], cancelling silent: String, _ server: HTTPServer
  ) async throws {
    for index in 0..<count {
      let start = server.events.count
      let isSilent = index % 4 == 3
      let task = Task { try await inspector.inspect(isSilent ? silent : files[index % files.count]) }
      if isSilent {
        try await server.events.first("a request", from: start) { $0.isRequest }
        task.cancel()
      }
      let result = try await deadline(20, "inspection \(index) ends") { await task.result }
      #expect((try? result.get().duration) == (index % 2 == 0 ? .seconds(1) : nil))
    }
  }

  /// Runs `body` with a server that never answers, and with several of its URIs.
  private func withSilentServer(_ body: (HTTPServer, [String]) async throws -> Void) async throws {
    try await withHTTPServer { server in
      try await body(server, (0..<4).map { server.script("/\($0)", .silence) })
    }
  }

  private func code(of task: Task<MediaDescription, any Error>) async -> PlayerError.Code? {
    let result = try? await deadline(10, "the call returns") { await task.result }
    guard case .failure(let error as PlayerError) = result else { return nil }
    return error.code
  }
}

/// The descriptors and threads of the process.
private struct Resources {
  let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

extension HTTPServer {
  /// Waits for a request of a path.
  fileprivate func requested(_ path: String) async throws {
    try await events.first("a request of \(path)") { $0.isRequest && $0.path == path }
  }
}

extension HTTPServer.Event {
  fileprivate var isRequest: Bool { if case .requested = self { true } else { false } }

  fileprivate var path: String {
    switch self {
    case .requested(let path, _), .stalled(let path), .closed(let path, _, _): path
    }
  }
}
