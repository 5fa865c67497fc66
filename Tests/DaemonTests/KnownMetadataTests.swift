import EventLoop
import GstPlayer
import MPRISService
import TestSupport
import Testing

@testable import PlayerdConfiguration
@testable import PlayerdService
@testable import PlayerdSystem

@Suite("Metadata of a track that is being opened") struct KnownMetadataTests {
  /// Runs `body` with a player whose engine never finishes a load.
  private func withBridge(
    _ items: [Player.Item], _ body: (Player, PlayerBridge) async throws -> Void
  ) async throws {
    let player = Player(
      configuration: Player.Configuration(), engine: SilentEngine(), clock: StandingClock(),
      observers: QueueExecutor(label: "test.observers"))
    let settings = Settings(ConfigurationSources()) { () throws(ConfigurationError) in ConfigurationSources() }
    let bridge = PlayerBridge(
      PlaybackCoordinator(player, OpenQueue()), GStreamerFramework(), settings: settings, files: LocalFileSystem(),
      loop: PollLoop(name: "test"), pictures: QueueExecutor(label: "test.art"), open: { _ in }, quit: {})
    player.replaceQueue(with: items)
    try await body(player, bridge)
    await player.close()
  }

  private func known(_ item: Player.Item, loopCount: Int = 0) -> MPRISMetadata {
    var fields = MPRISMetadata.Fields(trackID: MPRISTrackID(item, loopCount: loopCount), title: "Known")
    fields.length = .seconds(9)
    return MPRISMetadata(fields)
  }

  @Test("A local file with known metadata can be published at once, with the track ID of this passage")
  func local() async throws {
    let item = Player.Item(uri: "file:///nowhere/a.flac")
    try await withBridge([item]) { player, bridge in
      bridge.metadataCache.store(known(item, loopCount: 2), of: item.id)
      player.load()
      let snapshot = bridge.snapshot()
      #expect(snapshot.isSettled)
      #expect(snapshot.metadata == known(item))
      #expect(snapshot.track == MPRISTrackID(item))
      #expect(snapshot.canSeek)
    }
  }

  @Test("A local file without known metadata waits for its tags, and so does a stream with known metadata")
  func others() async throws {
    let items = [Player.Item(uri: "file:///nowhere/a.flac"), Player.Item(uri: "http://192.0.2.1/a.mp3")]
    try await withBridge(items) { player, bridge in
      bridge.metadataCache.store(known(items[1]), of: items[1].id)
      player.load()
      #expect(!bridge.snapshot().isSettled)
      player.advanceToNextItem()
      let snapshot = bridge.snapshot()
      #expect(!snapshot.isSettled)
      #expect(snapshot.metadata.fields?.title != "Known")
    }
  }
}
