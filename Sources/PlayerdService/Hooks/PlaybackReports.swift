import EventLoop
import Glibc
import MPRISService
import Playback
import Synchronization

/// Reports tracks, stops and failures of a player to an observer.
///
/// The observer is called on the loop's thread, as the player's observers are, and must not block.
final class PlaybackReports: Sendable {
  private let bridge: PlayerBridge
  private let now: @Sendable () -> Int64
  private let observer: @Sendable (PlaybackReport) -> Void
  private let rules = Mutex(ReportRules())
  private let observation = AtomicLazyReference<Player.Observer>()

  /// Observes a player; `now` returns the seconds since 1970.
  init(
    _ bridge: PlayerBridge, now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) },
    observer: @escaping @Sendable (PlaybackReport) -> Void
  ) {
    (self.bridge, self.now, self.observer) = (bridge, now, observer)
    _ = observation.storeIfNil(
      bridge.player.addEventObserver { [weak self] event, _ in
        switch event {
        case .changed: self?.follow()
        case .itemFailed(let item, let error): self?.report(item, error)
        default: break
        }
      })
  }

  /// Follows the changes that no event of the player causes, such as a cover that was found, until the task is cancelled.
  func run() async { for await _ in bridge.events() { follow() } }

  /// Reports the present state if it differs from the last one.
  private func follow() {
    let playback = bridge.coordinator.snapshot
    let state = playback.player
    let (metadata, isWhole) = bridge.metadata(of: state)
    let fields = metadata.fields
    let (kind, started) = rules.withLock { rules in
      let kind = rules.kind(
        for: .init(
          status: playback.status, track: state.track, title: fields?.title, artists: fields?.artists ?? [],
          isWhole: isWhole && !playback.isOpening, isAudible: state.timeControlStatus == .playing,
          isBetweenSongs: state.isBetweenSongs, position: state.position),
        at: now())
      return (kind, rules.started)
    }
    if let kind {
      observer(PlaybackReport(kind: kind, track: fields, position: state.position, started: started))
    }
  }

  /// Ends the reports; returns the stop at the end of the player, or nil if it has stopped before.
  func close() -> PlaybackReport? {
    observation.load()?.cancel()
    let (isReported, started) = rules.withLock { ($0.close(), $0.started) }
    guard isReported else { return nil }
    let state = bridge.coordinator.snapshot.player
    let fields = bridge.metadata(of: state).metadata.fields
    return PlaybackReport(kind: .stop, track: fields, position: state.position, started: started)
  }

  private func report(_ item: Player.Item, _ error: PlayerError) {
    let known = bridge.metadataCache.metadata(of: item.id)?.fields
    let fields = known ?? MPRISMetadata.Fields(item, MediaMetadata(), item.externalMetadata?.duration)
    observer(PlaybackReport(kind: .error(error), track: fields))
  }
}

extension Player.Snapshot {
  /// Whether the item is a station that names no song: its title is empty, or the name of the station.
  fileprivate var isBetweenSongs: Bool {
    guard duration == nil, let station = metadata.organization else { return false }
    return metadata.title.map { $0 == station || $0 == currentItem?.externalMetadata?.title } ?? true
  }
}
