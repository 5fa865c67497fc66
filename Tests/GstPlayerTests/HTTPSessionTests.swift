import CGst
import FoundationEssentials
import Glibc
import GstPlayer
import TestSupport
import Testing

/// Tests of the sessions of HTTP sources; libsoup crashes if two sources use one session from two threads.
@Suite("HTTP sessions", .enabled(if: Media.isAvailable, "\(Media.unavailable)")) struct HTTPSessionTests {
  @Test("The sources of two items and of an inspection have a session each")
  func separate() async throws {
    let path = try await Media.sine(seconds: 0.3)
    try await withTemporaryDirectory { directory in
      let log = directory.file("log")
      await #expect(processExitsWith: .success) { [path = path as String, log = log as String] in
        unsafe setenv("GST_DEBUG", "souphttpsrc:5", 1)
        unsafe setenv("GST_DEBUG_NO_COLOR", "1", 1)
        unsafe setenv("GST_DEBUG_FILE", log, 1)
        try await withHTTPServer { server in
          let uris = try ["/0.flac", "/1.flac"].map { server.script($0, try .file(path)) }
          try await withPlayer(uris, sink: "fakesink", inFastTime: false) { try await $0.playToEnd() }
          _ = try await MediaInspector().inspect(uris[0])
        }
        let lines = try String(contentsOf: URL(filePath: log), encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.contains("Created session") }.count >= 3)
        #expect(lines.filter { $0.contains("Sharing session") || $0.contains("Using external session") }.isEmpty)
      }
    }
  }

  @Test("A source that is stopped while its response is delivered ends without a crash")
  func stoppedDuringDelivery() async throws {
    let path = try await Media.sine(seconds: 0.3)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await withHTTPServer { server in
        let uri = server.script("/0.flac", try .file(path))
        // The class is registered with the first response.
        _ = try await MediaInspector().inspect(uri)
        let responses = unsafe try #require(g_type_class_ref(g_type_from_name("SoupClientInputStream")))
        unsafe responses.assumingMemoryBound(to: GObjectClass.self).pointee.constructed = responseMade
        try await withPlayer([uri], sink: "fakesink", inFastTime: false) { harness in
          harness.player.play()
          for await _ in Delivery.begun.stream { break }
          harness.player.stop()
          try await harness.reaches("stopped") { $0.transport == .stopped }
        }
      }
    }
  }
}

private enum Delivery {
  static let begun = AsyncStream<Void>.makeStream()
  /// The delay of a delivery in µs, in which the source is stopped.
  static let delay: UInt32 = 200_000
}

/// Delays the delivery of a response.
private func responseMade(_ response: UnsafeMutablePointer<GObject>?) {
  Delivery.begun.continuation.yield()
  usleep(Delivery.delay)  // watchdog
}
