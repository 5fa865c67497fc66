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

  /// Returns an address in the present stack frame.
  @inline(never) private static func stackAddress() -> UInt {
    var local = 0
    return unsafe withUnsafePointer(to: &local) { UInt(bitPattern: $0) }
  }

  @Test("After a thousand events, the way of an event to the service is as long as that of the first one")
  func depth() async {
    let player = Player(
      configuration: Player.Configuration(), engine: SilentEngine(), clock: StandingClock(), observers: DirectExecutor()
    )
    let settings = Settings(ConfigurationSources()) { () throws(ConfigurationError) in ConfigurationSources() }
    let bridge = PlayerBridge(
      PlaybackCoordinator(player, OpenQueue()), GStreamerFramework(), settings: settings, files: LocalFileSystem(),
      loop: PollLoop(name: "test"), pictures: QueueExecutor(label: "test.art"), open: { _ in }, quit: {})
    let extras = ExtrasObserver()
    let (events, changes) = (EventLog<UInt>(), EventLog<UInt>())
    bridge.receiveEvents { _ in events.append(Self.stackAddress()) }
    extras.observe { changes.append(Self.stackAddress()) }
    for _ in 1...1000 {
      bridge.handleEvent(.timeJumped(from: .zero, to: .seconds(1)))
      extras.notify()
    }
    for log in [events, changes] {
      #expect(log.count == 1000 && Set(log.elements).count == 1)
    }
    await player.close()
  }
}
