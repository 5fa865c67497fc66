import GstPlayer
import TestSupport
import Testing

@testable import mpris_playerd

@Suite("Commands while a request is being opened", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PendingCommandTests {
  private static let path = "/slow.m3u"
  private static let listed = "file-that-is-listed.mp3"

  /// Runs `body` with a playlist on a server that does not send it before it is released.
  private func withSlowPlaylist(
    _ text: String = "\(listed)\n",
    _ body: (OpenBench, HTTPServer, _ uri: String, TemporaryDirectory) async throws -> Void
  ) async throws {
    try await withOpener { bench, directory in
      try await withHTTPServer { server in
        let uri = server.script(Self.path, .bytes(Array(text.utf8), type: "audio/x-mpegurl").stalling(at: 0))
        try await body(bench, server, uri, directory)
      }
    }
  }

  private func stalls(_ server: HTTPServer) async throws {
    try await server.events.first("the server holds the playlist back") { $0 == .stalled(path: Self.path) }
  }

  /// The URIs of the queue by their names.
  private func names(_ bench: OpenBench) -> [String] { bench.player.items.map { FileURI.name(of: $0.uri) } }

  @Test("A request that finds nothing leaves the queue and its state as they were")
  func nothingFound() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    for placement in [OpenRequest.Placement.replace, .now] {
      try await withSlowPlaylist("# nothing\n") { bench, server, uri, _ in
        bench.begin(OpenRequest(uris: ["file://\(file)"], startsPaused: true))
        try await bench.settled()
        let before = bench.player.items
        bench.begin(OpenRequest(uris: [uri], placement: placement))
        try await stalls(server)
        #expect(bench.coordinator.snapshot.status == .playing)
        #expect(bench.player.snapshot.transport == .paused)
        server.release(Self.path)
        try await bench.settled()
        #expect(bench.coordinator.snapshot.status == .paused)
        #expect(bench.player.items == before && bench.player.snapshot.transport == .paused)
      }
    }
  }

  @Test("Next during an open goes on in the old queue, in the state that was shown")
  func next() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    try await withSlowPlaylist { bench, server, uri, _ in
      bench.begin(OpenRequest(uris: ["file://\(file)", "file://\(file)"], startsPaused: true))
      try await bench.settled()
      bench.begin(OpenRequest(uris: [uri], placement: .now))
      try await stalls(server)
      bench.coordinator.next()
      #expect(bench.player.snapshot.currentIndex == 1 && bench.player.snapshot.transport == .playing)
      try await server.events.first("the cancellation") { $0 == .closed(path: Self.path, sent: 0, byPeer: true) }
      try await bench.settled()
      #expect(bench.player.items.count == 2)
      bench.begin(OpenRequest(uris: [uri], placement: .now, startsPaused: true))
      bench.coordinator.pause()
      bench.coordinator.previous()
      #expect(bench.player.snapshot.currentIndex == 0 && bench.player.snapshot.transport == .paused)
    }
  }

  @Test("A paused request that replaces a queue that plays is loaded paused")
  func pausedOverPlaying() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    try await withOpener { bench, _ in
      // On a busy machine the file would end before the second request.
      bench.player.setLoop(.track)
      bench.begin(OpenRequest(uris: ["file://\(file)"]))
      try await bench.settled()
      #expect(bench.player.snapshot.transport == .playing)
      bench.begin(OpenRequest(uris: ["file://\(file)"], startsPaused: true))
      try await bench.settled()
      #expect(bench.player.snapshot.transport == .paused)
    }
  }

  @Test("A track that is added as the current one does not wait for a silent server")
  func addedAsCurrent() async throws {
    try await withSlowPlaylist { bench, server, uri, _ in
      bench.begin(OpenRequest(uris: ["file:///first.mp3", uri], startsPaused: true))
      try await stalls(server)
      var request = OpenRequest(uris: ["file:///second.mp3"], placement: .add)
      request.goesThere = true
      let changes = bench.player.events()
      bench.begin(request)
      try await deadline(10, "the second item is current") {
        for await event in changes {
          if case .currentItemChanged(_, let item) = event, item?.uri == "file:///second.mp3" { return }
        }
      }
      server.release(Self.path)
      try await bench.settled()
      #expect(names(bench) == ["first.mp3", "second.mp3", Self.listed])
    }
  }

  @Test(
    "When all items so far have failed, the next ones play, or load paused, or stay, as the newest command says",
    arguments: [Player.Transport.playing, .paused, .stopped])
  func starved(state: Player.Transport) async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    try await withHTTPServer { server in
      let song = server.script("/song.flac", try .file(file, type: "audio/flac"))
      try await withSlowPlaylist("\(song)\n") { bench, slow, uri, directory in
        let events = bench.player.events()
        bench.begin(OpenRequest(uris: ["file://\(directory.file("missing.flac"))", uri]))
        try await stalls(slow)
        try await deadline(20, "the queue has ended") {
          for await event in events where event == .queueEnded { return }
        }
        // Events are delivered to observers in the order in which they were added: the coordinator was the first.
        try await bench.observed()
        #expect(bench.player.snapshot.transport == .stopped)
        #expect(bench.coordinator.snapshot.status == .playing)
        switch state {
        case .playing: break
        case .paused: bench.coordinator.pause()
        case .stopped: bench.coordinator.stop()
        }
        #expect(bench.coordinator.snapshot.status == state)
        slow.release(Self.path)
        try await bench.settled()
        #expect(names(bench) == ["missing.flac", "song.flac"])
        #expect(bench.player.snapshot.transport == state)
      }
    }
  }
}
