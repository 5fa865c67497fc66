import DBus
import GstPlayer
import TestSupport
import Testing

@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Commands while a request is being opened", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct PendingCommandTests {
  private static let path = "/slow.m3u"
  private static let listed = "file-that-is-listed.mp3"

  /// Runs `body` with a server that holds back a playlist until it is released.
  private func withSlowPlaylist(
    _ text: String = "\(listed)\n",
    _ body: (LoaderHarness, HTTPServer, _ uri: String, TemporaryDirectory) async throws -> Void
  ) async throws {
    try await withLoader { harness, directory in
      try await withHTTPServer { server in
        let uri = server.script(Self.path, .bytes(Array(text.utf8), type: "audio/x-mpegurl").stalling(at: 0))
        try await body(harness, server, uri, directory)
      }
    }
  }

  private func stalls(_ server: HTTPServer) async throws {
    try await server.events.first("the server holds the playlist back") { $0 == .stalled(path: Self.path) }
  }

  /// Returns the file names of the queue's items.
  private func names(_ harness: LoaderHarness) -> [String] { harness.player.items.map { FileURI.name(of: $0.uri) } }

  @Test("A request without a result leaves the queue and its state unchanged")
  func nothingFound() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    for placement in [OpenRequest.Placement.replace, .now] {
      try await withSlowPlaylist("# nothing\n") { harness, server, uri, _ in
        try harness.begin(OpenRequest(uris: ["file://\(file)"], startsPaused: true))
        try await harness.settled()
        let before = harness.player.items
        try harness.begin(OpenRequest(uris: [uri], placement: placement))
        try await stalls(server)
        #expect(harness.coordinator.snapshot.status == .playing)
        #expect(harness.player.snapshot.transport == .paused)
        server.release(Self.path)
        try await harness.settled()
        #expect(harness.coordinator.snapshot.status == .paused)
        #expect(harness.player.items == before && harness.player.snapshot.transport == .paused)
      }
    }
  }

  @Test("Next during an open moves on in the old queue, in the status that was published")
  func next() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    try await withSlowPlaylist { harness, server, uri, _ in
      try harness.begin(OpenRequest(uris: ["file://\(file)", "file://\(file)"], startsPaused: true))
      try await harness.settled()
      try harness.begin(OpenRequest(uris: [uri], placement: .now))
      try await stalls(server)
      harness.coordinator.next()
      #expect(harness.player.snapshot.currentIndex == 1 && harness.player.snapshot.transport == .playing)
      try await server.events.first("the cancellation") { $0 == .closed(path: Self.path, sent: 0, byPeer: true) }
      try await harness.settled()
      #expect(harness.player.items.count == 2)
      try harness.begin(OpenRequest(uris: [uri], placement: .now, startsPaused: true))
      harness.coordinator.pause()
      harness.coordinator.previous()
      #expect(harness.player.snapshot.currentIndex == 0 && harness.player.snapshot.transport == .paused)
    }
  }

  @Test(
    "Clearing the queue cancels a request that is added to it, and one that has inserted its first items",
    arguments: [[], ["file:///first.mp3"]])
  func clear(first: [String]) async throws {
    try await withSlowPlaylist { harness, server, uri, _ in
      try harness.begin(OpenRequest(uris: ["file:///before.mp3"], startsPaused: true))
      try await harness.settled()
      try harness.begin(OpenRequest(uris: first + [uri], placement: .append))
      try await stalls(server)
      harness.coordinator.clear()
      server.release(Self.path)
      try await harness.settled()
      #expect(names(harness).isEmpty && harness.coordinator.snapshot.status == .stopped)
    }
  }

  @Test("Beyond a thousand pending requests, another one is refused, unless it replaces the queue")
  func limit() async throws {
    try await withSlowPlaylist { harness, server, uri, _ in
      for _ in 0..<OpenQueue.limit { try harness.begin(OpenRequest(uris: [uri], placement: .add)) }
      #expect(throws: DBusError.limitsExceeded("1000 requests are being opened")) {
        try harness.begin(OpenRequest(uris: ["file:///a.mp3"], placement: .add))
      }
      try harness.begin(OpenRequest(uris: ["file:///b.mp3"], startsPaused: true))
      try await harness.settled()
      #expect(names(harness) == ["b.mp3"])
    }
  }

  @Test("The options of a request without a playable item change nothing")
  func unusedOptions() async throws {
    try await withLoader { harness, directory in
      let folder = try directory.makeDirectory("empty")
      _ = try directory.write("notes", to: "empty/notes.txt")
      var request = OpenRequest(uris: ["file://\(folder)"])
      (request.rate, request.volume, request.loop, request.shuffle) = (2, 0.5, .track, true)
      try harness.begin(request)
      try await harness.settled()
      let snapshot = harness.player.snapshot
      #expect(snapshot.rate == 1 && snapshot.volume == 1 && snapshot.loop == .none && !snapshot.isShuffled)
      request.uris = []
      try harness.begin(request)
      try await harness.settled()
      #expect(harness.player.snapshot.rate == 2 && harness.player.snapshot.isShuffled)
    }
  }

  @Test("A request with --paused that replaces a playing queue is loaded paused")
  func pausedOverPlaying() async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    try await withLoader { harness, _ in
      // Without the loop, the file could end before the second request on a busy machine.
      harness.player.loop = .track
      try harness.begin(OpenRequest(uris: ["file://\(file)"]))
      try await harness.settled()
      #expect(harness.player.snapshot.transport == .playing)
      try harness.begin(OpenRequest(uris: ["file://\(file)"], startsPaused: true))
      try await harness.settled()
      #expect(harness.player.snapshot.transport == .paused)
    }
  }

  @Test("A track that is added as the current one does not wait for a silent server")
  func addedAsCurrent() async throws {
    try await withSlowPlaylist { harness, server, uri, _ in
      try harness.begin(OpenRequest(uris: ["file:///first.mp3", uri], startsPaused: true))
      try await stalls(server)
      var request = OpenRequest(uris: ["file:///second.mp3"], placement: .add)
      request.becomesCurrent = true
      let changes = harness.player.events()
      try harness.begin(request)
      try await deadline(10, "the second item is current") {
        for await event in changes {
          if case .currentItemChanged(_, let item) = event, item?.uri == "file:///second.mp3" { return }
        }
      }
      server.release(Self.path)
      try await harness.settled()
      #expect(names(harness) == ["first.mp3", "second.mp3", Self.listed])
    }
  }

  @Test(
    "When every item so far has failed, the newest command decides whether the next items play",
    arguments: [Player.Transport.playing, .paused, .stopped])
  func starved(state: Player.Transport) async throws {
    let file = try await Media.sine(seconds: 20, format: .flac)
    try await withHTTPServer { server in
      let song = server.script("/song.flac", try .file(file, type: "audio/flac"))
      try await withSlowPlaylist("\(song)\n") { harness, slow, uri, directory in
        let events = harness.player.events()
        try harness.begin(OpenRequest(uris: ["file://\(directory.file("missing.flac"))", uri]))
        try await stalls(slow)
        try await deadline(20, "the queue has ended") {
          for await event in events where event == .queueEnded { return }
        }
        // Observers receive events in the order of their registration: the coordinator was the first.
        try await harness.observed()
        #expect(harness.player.snapshot.transport == .stopped)
        #expect(harness.coordinator.snapshot.status == .playing)
        switch state {
        case .playing: break
        case .paused: harness.coordinator.pause()
        case .stopped: harness.coordinator.stop()
        }
        #expect(harness.coordinator.snapshot.status == state)
        slow.release(Self.path)
        try await harness.settled()
        #expect(names(harness) == ["missing.flac", "song.flac"])
        #expect(harness.player.snapshot.transport == state)
      }
    }
  }
}
