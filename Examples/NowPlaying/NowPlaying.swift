import AVFoundation
import MediaPlayer

/// A player of a queue that media keys, `playerctl` and the widgets of a desktop control.
@MainActor
final class QueueController {
  private let player: AVQueuePlayer
  private var observations: [NSKeyValueObservation] = []
  private var timeObserver: Any?

  init(urls: [URL]) {
    player = AVQueuePlayer(items: urls.map { AVPlayerItem(url: $0) })
  }

  private func addCommands() {
    let center = MPRemoteCommandCenter.shared()
    center.playCommand.addTarget { [player] _ in
      player.play()
      return .success
    }
    center.pauseCommand.addTarget { [player] _ in
      player.pause()
      return .success
    }
    center.togglePlayPauseCommand.addTarget { [player] _ in
      if player.rate == 0 { player.play() } else { player.pause() }
      return .success
    }
    center.nextTrackCommand.addTarget { [player] _ in
      guard player.items().count > 1 else { return .noSuchContent }
      player.advanceToNextItem()
      return .success
    }
    center.changePlaybackPositionCommand.addTarget { [weak self] event in
      guard let event = event as? MPChangePlaybackPositionCommandEvent else { return .commandFailed }
      self?.seek(to: event.positionTime)
      return .success
    }
    center.changePlaybackRateCommand.supportedPlaybackRates = [0.5, 1, 1.5, 2]
    center.changePlaybackRateCommand.addTarget { [player] event in
      guard let event = event as? MPChangePlaybackRateCommandEvent else { return .commandFailed }
      player.rate = event.playbackRate
      return .success
    }
  }

  private func seek(to seconds: TimeInterval) {
    let time = CMTime(seconds: seconds, preferredTimescale: 600)
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { _ in
      Task { @MainActor in self.showTime() }
    }
  }

  private func showItem() async {
    guard let item = player.currentItem else { return }
    let metadata = (try? await item.asset.load(.commonMetadata)) ?? []
    let duration = (try? await item.asset.load(.duration).seconds) ?? 0
    guard item === player.currentItem else { return }
    var info: [String: Any] = [:]
    for (key, identifier) in [
      (MPMediaItemPropertyTitle, AVMetadataIdentifier.commonIdentifierTitle),
      (MPMediaItemPropertyArtist, .commonIdentifierArtist), (MPMediaItemPropertyAlbumTitle, .commonIdentifierAlbumName),
    ] {
      let items = AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: identifier)
      if let value = try? await items.first?.load(.stringValue) { info[key] = value }
    }
    if let picture = AVMetadataItem.metadataItems(from: metadata, filteredByIdentifier: .commonIdentifierArtwork).first,
      let data = try? await picture.load(.dataValue)
    {
      info[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(data: data)
    }
    info[MPMediaItemPropertyPlaybackDuration] = duration
    MPNowPlayingInfoCenter.default().nowPlayingInfo = info
    showTime()
    print("playing \(info[MPMediaItemPropertyTitle] ?? "an untitled item")")
  }

  /// Shows the time after a jump and after a change of the rate; between them, it advances by itself.
  private func showTime() {
    guard var info = MPNowPlayingInfoCenter.default().nowPlayingInfo else { return }
    info[MPNowPlayingInfoPropertyElapsedPlaybackTime] = player.currentTime().seconds
    info[MPNowPlayingInfoPropertyPlaybackRate] = player.rate
    MPNowPlayingInfoCenter.default().nowPlayingInfo = info
  }

  func run() async {
    addCommands()
    observations = [
      player.observe(\.currentItem, options: [.initial]) { [weak self] _, _ in
        Task { @MainActor in await self?.showItem() }
      },
      player.observe(\.rate) { [weak self] _, _ in MainActor.assumeIsolated { self?.showTime() } },
    ]
    timeObserver = player.addPeriodicTimeObserver(
      forInterval: CMTime(value: 1, timescale: 1), queue: .main
    ) { time in
      print("at \(Int(time.seconds.rounded())) s")
    }
    let ends = NotificationCenter.default.notifications(named: AVPlayerItem.didPlayToEndTimeNotification)
    player.play()
    for await _ in ends where player.items().count <= 1 { break }
    MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
  }
}

@main
struct NowPlaying {
  @MainActor
  static func main() async {
    let urls = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
    guard !urls.isEmpty else { return print("usage: now-playing FILE…") }
    let controller = QueueController(urls: urls)
    await controller.run()
  }
}
