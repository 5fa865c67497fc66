import AVFoundation

/// A player that is loaded, played, paused and sought, in the manner of Apple's page “Controlling the transport behavior
/// of a player”.
@MainActor
final class Transport: Example {
  private let url: URL
  private let player = AVPlayer()
  private var isPlaying = false
  private var statusObservation: NSKeyValueObservation?
  private var timeControlObservation: NSKeyValueObservation?

  init(url: URL) { self.url = url }

  private func playMedia(at url: URL) {
    let asset = AVURLAsset(url: url)
    let playerItem = AVPlayerItem(
      asset: asset,
      automaticallyLoadedAssetKeys: [.tracks, .duration, .commonMetadata]
    )
    statusObservation = playerItem.observe(\.status, options: [.new, .initial]) { [weak self] item, _ in
      guard let self else { return }
      Task { @MainActor in
        switch item.status {
        case .readyToPlay:
          print("ready: \(item.duration.seconds.formatted()) s")
          self.player.play()
        case .failed:
          print("failed: \(item.error?.localizedDescription ?? "no error")")
          exit(EXIT_FAILURE)
        default:
          print("loading")
        }
      }
    }
    player.replaceCurrentItem(with: playerItem)
  }

  private func observePlayingState() {
    timeControlObservation = player.observe(\.timeControlStatus, options: [.new, .initial]) { [weak self] player, _ in
      guard let self else { return }
      Task { @MainActor in
        self.isPlaying = player.timeControlStatus == .playing
      }
    }
  }

  private func seek(to timeInterval: TimeInterval) async {
    let time = CMTime(seconds: timeInterval, preferredTimescale: 600)
    await player.seek(to: time)
  }

  func run() async {
    observePlayingState()
    let rates = NotificationCenter.default.notifications(named: AVPlayer.rateDidChangeNotification, object: player)
    playMedia(at: url)
    for await notification in rates {
      guard let reason = notification.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason else {
        continue
      }
      switch reason {
      case .setRateCalled:
        print("rate \(player.rate)")
      case .setRateFailed:
        print("the rate could not be set")
      default:
        print("rate \(player.rate): \(reason.rawValue)")
      }
      if player.rate == 0 { break }
      player.pause()
    }
    await seek(to: 1.5)
    let time = CMTime(seconds: 0.75, preferredTimescale: 600)
    let isDone = await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    print("seek \(isDone ? "done" : "cancelled"): \(player.currentTime().seconds.formatted()) s")
    player.defaultRate = 2
    player.play()
    print("rate \(player.rate)")
    player.pause()
  }
}
