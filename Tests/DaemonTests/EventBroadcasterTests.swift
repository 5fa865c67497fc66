import EventLoop
import GstPlayer
import Logging
import MPRISService
import TestSupport
import Testing

@testable import Playerd
@testable import mpris_playerd_daemon

@Suite("Changes that the bridge forwards to MPRIS") struct EventBroadcasterTests {
  @Test("Changes without an MPRIS property, such as those of the buffer, are not forwarded; all others are")
  func changes() async throws {
    let player = Player(configuration: Player.Configuration(audioSink: "fakesink"))
    let settings = Settings(ConfigurationSources()) { () throws(ConfigurationError) in ConfigurationSources() }
    let bridge = PlayerBridge(
      PlaybackCoordinator(player, OpenQueue()), GStreamerFramework(), settings: settings,
      files: LocalFileSystem(), loop: PollLoop(name: "test"), pictures: QueueExecutor(label: "test.art"),
      open: { _ in },
      quit: {})
    var events = bridge.events().makeAsyncIterator()
    bridge.handleEvent(.changed)
    #expect(await events.next() == .changed)
    // The first two of these are not forwarded.
    bridge.handleEvent(.changed)
    player.preferredForwardBufferDuration = .seconds(9)
    bridge.handleEvent(.changed)
    bridge.handleEvent(.timeJumped(from: .zero, to: .seconds(1)))
    #expect(await events.next() == .seeked(to: .seconds(1)))
    player.volume = 0.25
    bridge.handleEvent(.changed)
    #expect(await events.next() == .changed)
    player.replaceQueue(with: [Player.Item(uri: "file:///a"), Player.Item(uri: "file:///b")])
    bridge.handleEvent(.changed)
    #expect(await events.next() == .changed)
    // The current track is the same, in another list.
    player.append(contentsOf: [Player.Item(uri: "file:///c")])
    bridge.handleEvent(.changed)
    #expect(await events.next() == .changed)
    await player.close()
  }

  @Test("A reload is forwarded at once, because it may change CanQuit")
  func reload() async throws {
    let player = Player(configuration: Player.Configuration(audioSink: "fakesink"))
    let settings = Settings(ConfigurationSources(), threshold: LogThreshold()) { () throws(ConfigurationError) in
      ConfigurationSources()
    }
    let bridge = PlayerBridge(
      PlaybackCoordinator(player, OpenQueue()), GStreamerFramework(), settings: settings, files: LocalFileSystem(),
      loop: PollLoop(name: "test"), pictures: QueueExecutor(label: "test.art"), open: { _ in }, quit: {})
    var events = bridge.events().makeAsyncIterator()
    try settings.reload(log: Logger(label: "test"))
    bridge.handleEvent(.timeJumped(from: .zero, to: .seconds(1)))
    #expect(await events.next() == .changed)
    #expect(await events.next() == .seeked(to: .seconds(1)))
    await player.close()
  }
}
