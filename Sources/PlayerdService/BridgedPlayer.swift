import DBus
import EventLoop
import Logging
import MPRISService
import Playback
import PlayerdConfiguration
import PlayerdInterfaces
import PlayerdMedia
import PlayerdSystem

/// A player with its adapters to the bus, and the loader that opens the items that clients request.
struct BridgedPlayer: Sendable {
  let coordinator: PlaybackCoordinator
  let bridge: PlayerBridge
  let extras: Extras
  let publisher: BusPublisher
  let failures: ItemFailures
  let loader: QueueLoader

  /// Connects the parts; nothing is opened before the loader runs.
  ///
  /// All other observers of the player's events are added later. The resolver is that of `media`. `device` is the ID of the configured output device,
  /// empty for none. `monotonic` returns the microseconds of `CLOCK_MONOTONIC`, and `startIndex` the index at which a
  /// shuffled queue begins. `quit` is called when a client quits the program.
  init(
    _ player: Player, _ media: any MediaFramework, opens: OpenQueue, settings: Settings, resolver: Resolver? = nil,
    device: String = "",
    files: any FileSystem = LocalFileSystem(), on loop: PollLoop,
    monotonic: @escaping @Sendable () -> Int64 = monotonicMicroseconds, opener queue: any SerialQueue,
    pictures: any ObserverExecutor, readings: (any ObserverExecutor)? = nil,
    newOpener: (@Sendable () -> any SerialQueue)? = nil,
    startIndex: @escaping @Sendable (Range<Int>) -> Int = { Int.random(in: $0) },
    log: Logger, quit: @escaping @Sendable () -> Void
  ) {
    let coordinator = PlaybackCoordinator(player, opens)
    let bridge = PlayerBridge(
      coordinator, media, settings: settings, files: files, loop: loop, pictures: pictures, readings: readings,
      open: { request throws(MPRISCommandError) in
        do throws(DBusError) { try opens.accept(request) } catch { throw .limitExceeded(error.message) }
      },
      quit: quit)
    self.coordinator = coordinator
    self.bridge = bridge
    extras = Extras(
      coordinator, media, configuredDevice: device, consumes: settings.current.consumes,
      playlist: { bridge.playlistFolder.active }, on: loop, monotonic: monotonic, log: log)
    publisher = BusPublisher(bridge, MonitorBridge(coordinator, extras: extras), extras, opens: opens, on: loop)
    failures = ItemFailures(player)
    loader = QueueLoader(
      coordinator: coordinator, media: media, opens: opens, log: log, queue: queue, newQueue: newOpener,
      files: files, resolver: resolver, text: settings.current.textDecoding, policy: { settings.current.uriPolicy },
      newRate: { settings.current.keepRate ? nil : settings.current.rate }, startIndex: startIndex,
      playlist: { bridge.playlistFolder.active }, replaces: { bridge.playlistFolder.queueReplaced(by: $0) },
      title: { await bridge.title(of: $0) })
  }
}
