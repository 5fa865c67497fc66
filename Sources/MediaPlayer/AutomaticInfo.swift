import AVFoundation
import Synchronization

/// Sets the info of a session from its players until it is released.
///
/// The info describes the current item of the first player that plays, or else of the first player. It changes with the item, the
/// rate, the duration, `AVPlayerItem.nowPlayingInfo`, and at jumps of the time.
final class AutomaticInfo: Sendable {
  private struct State: @unchecked Sendable {  // the observer is immutable
    var players: [NSKeyValueObservation] = []
    var items: [NSKeyValueObservation] = []
    var jumps: (any NSObjectProtocol)?
  }

  private let players: [AVPlayer]
  private let center: MPNowPlayingInfoCenter
  private let state = Mutex(State())

  init(of players: [AVPlayer], for center: MPNowPlayingInfoCenter) {
    (self.players, self.center) = (players, center)
    let observations = players.flatMap { player in
      [
        player.observe(\.currentItem) { [weak self] _, _ in self?.observeItems() },
        player.observe(\.rate) { [weak self] _, _ in self?.publish() },
      ]
    }
    let jumps = NotificationCenter.default.addObserver(
      forName: AVPlayerItem.timeJumpedNotification, object: nil, queue: nil
    ) { [weak self] _ in self?.publish() }
    let new = State(players: observations, jumps: jumps)
    state.withLock { $0 = new }
    MainQueue.async { [weak self] in self?.observeItems() }
  }

  deinit { if let jumps = state.withLock({ $0 }).jumps { NotificationCenter.default.removeObserver(jumps) } }

  /// Observes the current items and publishes; on the main queue.
  private func observeItems() {
    let observations = players.compactMap(\.currentItem).flatMap { item in
      [
        item.observe(\.duration) { [weak self] _, _ in self?.publish() },
        item.observe(\.nowPlayingInfo) { [weak self] _, _ in self?.publish() },
      ]
    }
    state.withLock { $0.items = observations }
    publish()
  }

  private func publish() {
    guard let player = players.first(where: { $0.rate != 0 }) ?? players.first, let item = player.currentItem else {
      return center.nowPlayingInfo = nil
    }
    var info = item.nowPlayingInfo ?? [:]
    if item.duration.isNumeric {
      info[MPMediaItemPropertyPlaybackDuration] = item.duration.seconds
    } else if item.status == .readyToPlay {
      info[MPNowPlayingInfoPropertyIsLiveStream] = true
    }
    info[MPNowPlayingInfoPropertyElapsedPlaybackTime] = player.currentTime().seconds
    info[MPNowPlayingInfoPropertyPlaybackRate] = player.rate
    info[MPNowPlayingInfoPropertyDefaultPlaybackRate] = player.defaultRate
    center.nowPlayingInfo = info
  }
}
