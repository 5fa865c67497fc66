import Testing

@testable import Playerd

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
}
