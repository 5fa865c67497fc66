import AVFoundation
import MediaPlayer

#if canImport(AppKit)
  import AppKit
#elseif canImport(UIKit)
  import UIKit
#endif

/// A player of files with a queue, for Apple's systems and for Linux.
///
/// The system shows its item and controls it: on Linux, the widgets of a desktop, media keys and `playerctl` do.
@MainActor
final class QueueController {
  private let player = AVQueuePlayer()
  private let urls: [URL]
  /// The index of the current item.
  private var index = 0
  private var observations: [NSKeyValueObservation] = []
  private var progressObserver: Any?
  private var quarterObserver: Any?

  init(urls: [URL]) { self.urls = urls }

  // MARK: The queue

  /// Fills the queue with an item and those after it.
  private func fillQueue(from index: Int) {
    player.removeAllItems()
    for url in urls[index...] { player.insert(AVPlayerItem(url: url), after: nil) }
  }

  private func goToNext() -> MPRemoteCommandHandlerStatus {
    guard player.items().count > 1 else { return .noSuchContent }
    player.advanceToNextItem()
    return .success
  }

  private func goToPrevious() -> MPRemoteCommandHandlerStatus {
    guard index > 0 else { return .noSuchContent }
    fillQueue(from: index - 1)
    return .success
  }

  private func seek(to seconds: TimeInterval) {
    let time = CMTime(seconds: seconds, preferredTimescale: 600)
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { _ in
      Task { @MainActor in self.showTime() }
    }
  }

  // MARK: Remote commands

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
    center.nextTrackCommand.addTarget { [weak self] _ in self?.goToNext() ?? .commandFailed }
    center.previousTrackCommand.addTarget { [weak self] _ in self?.goToPrevious() ?? .commandFailed }
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

  // MARK: Now playing

  private func showItem() async {
    guard let item = player.currentItem else { return }
    index = urls.count - player.items().count
    MPRemoteCommandCenter.shared().nextTrackCommand.isEnabled = player.items().count > 1
    MPRemoteCommandCenter.shared().previousTrackCommand.isEnabled = index > 0
    let metadata = (try? await item.asset.load(.commonMetadata)) ?? []
    let duration = (try? await item.asset.load(.duration)) ?? .indefinite
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
      info[MPMediaItemPropertyArtwork] = artwork(data)
    }
    if duration.isNumeric { info[MPMediaItemPropertyPlaybackDuration] = duration.seconds }
    MPNowPlayingInfoCenter.default().nowPlayingInfo = info
    showTime()
    observeQuarters(of: duration)
    print("playing \(info[MPMediaItemPropertyTitle] ?? "an untitled item")")
  }

  private func artwork(_ data: Data) -> MPMediaItemArtwork? {
    #if canImport(AppKit)
      guard let image = NSImage(data: data) else { return nil }
      return MPMediaItemArtwork(boundsSize: image.size) { _ in image }
    #elseif canImport(UIKit)
      guard let image = UIImage(data: data) else { return nil }
      return MPMediaItemArtwork(boundsSize: image.size) { _ in image }
    #else
      return MPMediaItemArtwork(data: data)
    #endif
  }

  /// Shows the time after a jump and after a change of the rate; between them, it advances by itself.
  private func showTime() {
    let center = MPNowPlayingInfoCenter.default()
    center.playbackState = player.rate == 0 ? .paused : .playing
    guard var info = center.nowPlayingInfo else { return }
    info[MPNowPlayingInfoPropertyElapsedPlaybackTime] = player.currentTime().seconds
    info[MPNowPlayingInfoPropertyPlaybackRate] = player.rate
    center.nowPlayingInfo = info
  }

  // MARK: Progress

  private func observeProgress() {
    let second = CMTime(value: 1, timescale: 1)
    progressObserver = player.addPeriodicTimeObserver(forInterval: second, queue: .main) { time in
      print("at \(Int(time.seconds.rounded())) s")
    }
  }

  private func observeQuarters(of duration: CMTime) {
    if let quarterObserver { player.removeTimeObserver(quarterObserver) }
    quarterObserver = nil
    guard duration.isNumeric else { return }
    let times = (1...3).map { quarter in
      NSValue(time: CMTimeMultiplyByRatio(duration, multiplier: Int32(quarter), divisor: 4))
    }
    quarterObserver = player.addBoundaryTimeObserver(forTimes: times, queue: .main) { [player] in
      print("a quarter has passed at \(Int(player.currentTime().seconds.rounded())) s")
    }
  }

  func run() async {
    addCommands()
    observations = [
      player.observe(\.currentItem) { [weak self] _, _ in Task { @MainActor in await self?.showItem() } },
      player.observe(\.rate) { [weak self] _, _ in MainActor.assumeIsolated { self?.showTime() } },
    ]
    observeProgress()
    let ends = NotificationCenter.default.notifications(named: .AVPlayerItemDidPlayToEndTime)
    fillQueue(from: 0)
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
