import Playback
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Accepted requests to open items") struct OpenQueueTests {
  @Test("Concurrent requests do not exceed the limit")
  func limit() async throws {
    let opens = OpenQueue()
    let request = OpenRequest(uris: ["http://192.0.2.1/a.m3u"], placement: .add)
    for _ in 1..<OpenQueue.limit { try opens.accept(request) }
    for _ in 0..<2_000 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { _ = try? opens.accept(request) } }
      }
      let ids = opens.read { $0.operations.dropFirst(OpenQueue.limit - 1).map(\.id) }
      #expect(ids.count == 1)
      for id in ids { opens.finish(id) }
    }
  }

  @Test("A request that takes long is answered before its end, and all its items are queued")
  func early() async throws {
    try await withLoader(answerTime: .zero) { harness, directory in
      let lines = (0..<2_000).map { "\($0).mp3\n" }.joined()
      let list = FileURI.absolute(from: try directory.write(lines, to: "list.m3u"))
      let report = try await harness.report(OpenRequest(uris: [list], placement: .add))
      #expect(report.isUnfinished && report.trackCount < 2_000 && report.rejections == [])
      try await harness.settled()
      #expect(harness.player.items.count == 2_000)
      let last = try await harness.report(OpenRequest(uris: [list + "/missing.mp3"], placement: .add))
      #expect(!last.isUnfinished && last.trackCount == 1)
    }
  }

  @Test("Missing files are left out of a new queue without a request to the process that inspects media")
  func missing() async throws {
    let check = PlayabilityCheck(ScriptedMedia())
    let item = Player.Item(uri: "file://\(TemporaryDirectory.missing)/a.flac")
    let error = try #require(await check.failure(of: item))
    #expect(error == PlayerError(code: .notFound, message: "not found"))
  }

  @Test("A request that fills the queue exactly omits nothing; a request without room is reported and adds no track")
  func fullQueue() async throws {
    try await withLoader(itemLimit: 3) { harness, _ in
      let uris = (1...3).map { "file://\(TemporaryDirectory.missing)/\($0).flac" }
      let whole = try await harness.report(OpenRequest(uris: uris, placement: .add))
      #expect(whole.rejections == [])
      #expect(whole.trackCount == 3)
      let more = try await harness.report(OpenRequest(uris: uris, placement: .add))
      #expect(more.rejections == ["the queue is full with a million tracks; the rest is omitted"])
      #expect(more.trackCount == 0)
      #expect(harness.player.items.map(\.uri) == uris)
    }
  }
}
