import Logging
import TestSupport
import Testing

@testable import PlayerdStorage

@Suite("Files of the session") struct SessionStoreTests {
  @Test("A saved session is continued if it has a queue; one without a queue, and a damaged one, are not")
  func queue() async throws {
    try await withTemporaryDirectory { directory in
      var store = SessionStore(folder: directory.path, log: Logger(label: "test"))
      #expect(!store.hasQueue)
      for queue in [[], ["file:///a"]] {
        let isSaved = store.save(SavedSession(queue: queue))
        #expect(isSaved && store.hasQueue == !queue.isEmpty)
      }
      _ = try directory.write("{", to: "session.json")
      #expect(!store.hasQueue)
    }
  }
}
