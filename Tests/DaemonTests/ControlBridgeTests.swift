import DBus
import EventLoop
import Logging
import MPRISService
import Playback
import PlayerMPRIS
import PlayerdInterfaces
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Queue listings for the command line") struct ControlBridgeTests {
  @Test("During edits, the revision of a page matches its rows")
  func revision() async throws {
    try await withControl { player, _, control in
      let edits = Task(executorPreference: QueueExecutor(label: "test.edits")) { () -> [UInt64: String] in
        var uris: [UInt64: String] = [:]
        while !Task.isCancelled {
          // A server is not accessed for a listing.
          let item = Player.Item(uri: "http://192.0.2.1/\(uris.count)")
          player.replaceQueue(with: [item])
          uris[player.snapshot.queueRevision] = item.uri
        }
        return uris
      }
      var pages: [(revision: UInt64, uri: String)] = []
      while pages.count < 2_000 {
        let page = await control.tracks(from: 0, count: 1)
        if let uri = page.rows.first?.uri { pages.append((page.revision, uri)) }
      }
      edits.cancel()
      let uris = await edits.value
      #expect(pages.allSatisfy { uris[$0.revision] == $0.uri })
    }
  }

  @Test("The tags of all tracks of a page are read, and the titles shown, however far they are from the current one")
  func tags() async throws {
    let media = ScriptedMedia { uri throws(PlayerError) in
      var description = MediaDescription()
      description.metadata.title = "Title of \(uri.split(separator: "/").last ?? "")"
      return description
    }
    try await withControl(media) { player, bridge, control in
      let work = Task(executorPreference: QueueExecutor(label: "test.tags")) { await bridge.metadataCache.run() }
      player.replaceQueue(with: (0..<700).map { Player.Item(uri: "file:///\($0)") })
      let page = await control.tracks(from: 0, count: 500)
      #expect(page.rows.map(\.title) == (0..<500).map { "Title of \($0)" })
      player.isShuffled = true
      // The second page does not wait for its tags.
      let rest = await control.tracks(from: 500, count: 500)
      #expect(rest.rows.count == 200)
      let items = Array(player.items[500...])
      await bridge.metadataCache.inspect(items, within: .seconds(60), ContinuousClock())
      let again = await control.tracks(from: 500, count: 500)
      #expect(again.rows.map(\.title) == (500..<700).map { "Title of \($0)" })
      let order = try #require(player.playOrder)
      #expect(again.rows.map(\.playIndex) == (500..<700).map { index in order.firstIndex(of: index).map(Int64.init) })
      work.cancel()
      await work.value
    }
  }

  @Test("The tags of files divide a folder into albums; MPRIS clients see a random order, and can turn it off")
  func shuffledAlbums() async throws {
    let media = ScriptedMedia { uri throws(PlayerError) in
      var description = MediaDescription()
      let number = uri.utf8.last.map { Int($0) } ?? 0
      description.metadata.album = "Greatest Hits"
      description.metadata.albumArtists = [number.isMultiple(of: 2) ? "Even" : "Odd"]
      return description
    }
    try await withControl(media) { player, bridge, control in
      let work = Task(executorPreference: QueueExecutor(label: "test.tags")) { await bridge.metadataCache.run() }
      player.replaceQueue(with: (0..<8).map { Player.Item(uri: "file:///music/\($0)") }, startingAt: 2)
      try await control.setShuffleMode("albums")
      #expect(player.playOrder == [0, 2, 4, 6, 1, 3, 5, 7])
      #expect(control.status().shuffleMode == "albums" && control.status().isShuffled && bridge.snapshot().shuffle)
      try bridge.perform(MPRISCommand.setShuffle(true))
      #expect(player.playOrder == [0, 2, 4, 6, 1, 3, 5, 7])
      await #expect(throws: DBusError.invalidArguments("the mode “on” is not “off”, “tracks” or “albums”")) {
        try await control.setShuffleMode("on")
      }
      try bridge.perform(MPRISCommand.setShuffle(false))
      #expect(player.playOrder == nil && control.status().shuffleMode == "off")
      #expect(try await control.reverse(.undo).kind == "shuffle")
      #expect(control.status().shuffleMode == "albums" && player.playOrder == [0, 2, 4, 6, 1, 3, 5, 7])
      work.cancel()
      await work.value
    }
  }

  @Test("A saved queue has the titles of all tracks, with relative paths too")
  func saved() async throws {
    let media = ScriptedMedia { uri throws(PlayerError) in
      var description = MediaDescription()
      description.metadata.title = "Title of \(uri.split(separator: "/").last ?? "")"
      return description
    }
    try await withTemporaryDirectory { directory in
      let folder = ConfigurationValue.text(directory.file("Lists"))
      try await withControl(media, ["playlists-directory": folder]) { player, bridge, control in
        let work = Task(executorPreference: QueueExecutor(label: "test.tags")) { await bridge.metadataCache.run() }
        for hasRelativePaths in [false, true] {
          player.replaceQueue(with: (0..<8).map { Player.Item(uri: "file:///\($0)") })
          let path = try await control.saveQueue(as: "Evening", replacing: true, hasRelativePaths: hasRelativePaths)
          let lines = LocalFileSystem().bytes(of: path, limit: 10_000).map { String(decoding: $0, as: UTF8.self) }
          let titles = try lines.get().split(separator: "\n").filter { $0.hasPrefix("#EXTINF") }
          #expect(titles.map { $0.split(separator: ",").last } == (0..<8).map { "Title of \($0)" })
        }
        work.cancel()
        await work.value
      }
    }
  }

  @Test("Tracks of a listed queue are removed and played only while the queue is the listed one")
  func listed() async throws {
    try await withControl { player, _, control in
      player.replaceQueue(with: (0..<3).map { Player.Item(uri: "http://192.0.2.1/\($0)") })
      let page = await control.tracks(from: 0, count: 500)
      player.move(player.items[2].id, to: 0)
      let items = player.items
      let refusal = DBusError.failed("the queue has changed since it was listed; nothing was done")
      #expect(throws: refusal) { try control.removeTracks(at: [0], of: page.revision) }
      #expect(throws: refusal) { try control.playTrack(at: 0, of: page.revision) }
      #expect(player.items == items && player.snapshot.transport == .stopped)
      let again = await control.tracks(from: 0, count: 500)
      try control.removeTracks(at: [0], of: again.revision)
      #expect(player.items == Array(items[1...]))
      #expect(throws: DBusError.invalidArguments("track 9 does not exist; the queue has 2 tracks")) {
        try control.playTrack(at: 8, of: player.snapshot.queueRevision)
      }
      #expect(throws: DBusError.failed("the queue does not have 2 tracks after this one")) { try control.skip(2) }
      #expect(throws: DBusError.failed("the queue does not have 1 track before this one")) { try control.skip(-1) }
      try control.skip(1)
      #expect(player.snapshot.currentIndex == 1)
    }
  }

  @Test("Edits of MPRIS clients are undone and repeated, with the kind of the edit and the title of the track")
  func undo() async throws {
    let media = ScriptedMedia { uri throws(PlayerError) in
      var description = MediaDescription()
      description.metadata.title = "Title of \(uri.split(separator: "/").last ?? "")"
      return description
    }
    try await withControl(media) { player, bridge, control in
      let work = Task(executorPreference: QueueExecutor(label: "test.tags")) { await bridge.metadataCache.run() }
      player.replaceQueue(with: (0..<3).map { Player.Item(uri: "file:///\($0)") })
      let items = player.items
      try bridge.perform(MPRISTrackListCommand.remove(MPRISTrackID(items[1])))
      try bridge.perform(MPRISCommand.setShuffle(true))
      #expect(player.items == [items[0], items[2]] && player.snapshot.isShuffled)
      #expect(try await control.reverse(.undo) == ("shuffle", 0, ""))
      #expect(try await control.reverse(.undo) == ("remove", 1, "Title of 1"))
      #expect(player.items == items && !player.snapshot.isShuffled)
      #expect(throws: Never.self) { try control.moveTrack(from: 0, to: 2) }
      #expect(try await control.reverse(.undo) == ("move", 0, ""))
      await #expect(throws: DBusError.failed("there is nothing to undo")) { _ = try await control.reverse(.undo) }
      #expect(try await control.reverse(.redo) == ("move", 0, ""))
      await #expect(throws: DBusError.failed("there is nothing to redo")) { _ = try await control.reverse(.redo) }
      #expect(player.items == [items[1], items[2], items[0]])
      work.cancel()
      await work.value
    }
  }

  private func withControl(
    _ media: ScriptedMedia = ScriptedMedia(), _ values: [String: ConfigurationValue] = [:],
    _ body: (Player, PlayerBridge, ControlBridge) async throws -> Void
  ) async throws {
    let loop = PollLoop(name: "test")
    defer { loop.stop() }
    let player = media.makePlayer(Player.Configuration(), observers: LoopObservers(loop: loop))
    let opens = OpenQueue()
    let coordinator = PlaybackCoordinator(player, opens)
    var sources = ConfigurationSources()
    sources.override(values)
    let settings = Settings(sources) { () throws(ConfigurationError) in ConfigurationSources() }
    let log = Logger(label: "test")
    let bridge = PlayerBridge(
      coordinator, media, settings: settings, files: LocalFileSystem(), loop: loop,
      pictures: QueueExecutor(label: "test.art"), inspectionTimeout: .seconds(60), open: { _ in }, quit: {})
    let extras = Extras(coordinator, media, on: loop, monotonic: { 0 }, log: log)
    let control = ControlBridge(
      opens: opens, bridge: bridge, extras: extras, failures: ItemFailures(player), settings: settings, log: log)
    try await body(player, bridge, control)
    await player.close()
  }
}
