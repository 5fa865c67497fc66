import EventLoop
import MPRISService
import Playback
import Synchronization

/// Reports tracks, stops and failures of a player to an observer.
///
/// The observer is called on the loop's thread, as the player's observers are, and must not block.
final class PlaybackReports: Sendable {
  private let bridge: PlayerBridge
  private let observer: @Sendable (PlaybackReport) -> Void
  private let rules = Mutex(ReportRules())
  private let observation = AtomicLazyReference<Player.Observer>()

  init(_ bridge: PlayerBridge, observer: @escaping @Sendable (PlaybackReport) -> Void) {
    (self.bridge, self.observer) = (bridge, observer)
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
    let kind = rules.withLock { rules in
      rules.kind(
        for: .init(
          status: playback.status, track: state.track, title: fields?.title, artists: fields?.artists ?? [],
          isWhole: isWhole && !playback.isOpening))
    }
    if let kind { observer(PlaybackReport(kind: kind, track: fields, position: state.position)) }
  }

  /// Ends the reports; returns the stop at the end of the player, or nil if it has stopped before.
  func close() -> PlaybackReport? {
    observation.load()?.cancel()
    guard rules.withLock({ $0.close() }) else { return nil }
    let state = bridge.coordinator.snapshot.player
    return PlaybackReport(kind: .stop, track: bridge.metadata(of: state).metadata.fields, position: state.position)
  }

  private func report(_ item: Player.Item, _ error: PlayerError) {
    let known = bridge.metadataCache.metadata(of: item.id)?.fields
    let fields = known ?? MPRISMetadata.Fields(item, MediaMetadata(), item.externalMetadata?.duration)
    observer(PlaybackReport(kind: .error(error), track: fields))
  }
}
