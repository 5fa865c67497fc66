import EventLoop
import Logging
import Playback
import PlayerdInterfaces
import TestSupport
import Testing

@testable import Playerd

@Suite("Queue listings for the command line") struct ControlBridgeTests {
  @Test("During edits, the revision of a page is that of its rows")
  func revision() async throws {
    let media = ScriptedMedia()
    let loop = PollLoop(name: "test")
    defer { loop.stop() }
    let player = media.makePlayer(Player.Configuration(), observers: LoopObservers(loop: loop))
    let opens = OpenQueue()
    let coordinator = PlaybackCoordinator(player, opens)
    let settings = Settings(ConfigurationSources()) { () throws(ConfigurationError) in ConfigurationSources() }
    let log = Logger(label: "test")
    let bridge = PlayerBridge(
      coordinator, media, settings: settings, files: LocalFileSystem(), loop: loop,
      pictures: QueueExecutor(label: "test.art"), open: { _ in }, quit: {})
    let extras = Extras(coordinator, media, on: loop, monotonic: { 0 }, log: log)
    let control = ControlBridge(
      opens: opens, bridge: bridge, extras: extras, failures: ItemFailures(player), settings: settings, log: log)
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
    await player.close()
  }
}
