import Dispatch
import Playback
import Testing

@testable import GstPlayer

@Suite("The headers of requests for playlists")
struct PlaylistRequestTests {
  /// In a separate process, because a lock that its own thread takes again ends the process.
  @Test("The headers of several streams can be released at once")
  func release() async {
    await #expect(processExitsWith: .success) {
      try GStreamer.initialize()
      releaseAtOnce(try HTTPRequestHeaders(["X-Client": "radio 1"]))
    }
  }
}

private func releaseAtOnce(_ headers: HTTPRequestHeaders) {
  DispatchQueue.concurrentPerform(iterations: 4) { _ in
    for _ in 0..<10_000 { _ = RequestHeaders("http://127.0.0.1/", headers) }
  }
}
