import EventLoop
import GstPlayer
import MPRISService
import TestSupport
import Testing

@testable import mpris_playerd

@Suite("Changes that the bridge passes on to MPRIS") struct BridgeNewsTests {
  @Test("Changes that no MPRIS client sees, as of a buffer, are left out; all others are passed on")
  func changes() async throws {
    let player = Player(configuration: PlayerConfiguration(audioSink: "fakesink"))
    let settings = Settings(ConfigurationSources()) { () throws(ConfigurationError) in ConfigurationSources() }
    let bridge = PlayerBridge(
      PlaybackCoordinator(player, OpenQueue()), settings: settings, loop: EventLoop(name: "test"), open: { _ in },
      quit: {})
    var events = bridge.events().makeAsyncIterator()
    bridge.hear(.changed)
    #expect(await events.next() == .changed)
    // Of these, the first two are left out.
    bridge.hear(.changed)
    player.setPreferredForwardBufferDuration(.seconds(9))
    bridge.hear(.changed)
    bridge.hear(.timeJumped(from: .zero, to: .seconds(1)))
    #expect(await events.next() == .seeked(to: .seconds(1)))
    player.setVolume(0.25)
    bridge.hear(.changed)
    #expect(await events.next() == .changed)
    player.replaceQueue(with: [PlayerItem(uri: "file:///a"), PlayerItem(uri: "file:///b")])
    bridge.hear(.changed)
    #expect(await events.next() == .changed)
    // The same current track in another list.
    player.insert([PlayerItem(uri: "file:///c")])
    bridge.hear(.changed)
    #expect(await events.next() == .changed)
    await player.close()
  }
}
