// Code in the manner of programs for Apple's systems that were written before Swift 6: classes without isolation, closures
// without `@Sendable`, and subclasses of the framework's classes. It is compiled in the Swift 5 mode, here and outside the tree.

import AVFoundation
import AVKit
import MediaPlayer

protocol PlainPlayerDelegate: AnyObject {
  func player(_ player: PlainPlayer, didChange rate: Float)
}

/// A subclass with state of its own.
final class CountingPlayer: AVPlayer {
  private(set) var plays = 0
  private(set) var pauses = 0
  private(set) var seeks: [CMTime] = []
  var name = "player"

  override init() {
    super.init()
    name = "empty"
  }

  override init(playerItem item: AVPlayerItem?) { super.init(playerItem: item) }

  override init(url: URL) { super.init(url: url) }

  override func play() {
    plays += 1
    super.play()
  }

  override func pause() {
    pauses += 1
    super.pause()
  }

  override var rate: Float {
    get { super.rate }
    set {
      name = "set"
      super.rate = newValue
    }
  }

  override var currentItem: AVPlayerItem? { super.currentItem }

  override var volume: Float { didSet { if volume > 1 { volume = 1 } } }

  override func seek(to time: CMTime) {
    seeks.append(time)
    super.seek(to: time)
  }

  override func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: @escaping (Bool) -> Void
  ) {
    seeks.append(time)
    super.seek(
      to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter, completionHandler: completionHandler)
  }

  override func replaceCurrentItem(with item: AVPlayerItem?) {
    name = "replaced"
    super.replaceCurrentItem(with: item)
  }

  override func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping (CMTime) -> Void
  ) -> Any {
    super.addPeriodicTimeObserver(forInterval: interval, queue: queue, using: block)
  }
}

/// An item with state of its own.
class TaggedItem: AVPlayerItem {
  let tag: Int

  init(url: URL, tag: Int) {
    self.tag = tag
    super.init(asset: AVURLAsset(url: url), automaticallyLoadedAssetKeys: ["duration"])
  }

  override var duration: CMTime { CMTime(seconds: Double(tag), preferredTimescale: CMTimeScale(NSEC_PER_SEC)) }
}

/// A queue that counts its items.
class CountingQueue: AVQueuePlayer {
  var inserted = 0

  override func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
    inserted += 1
    super.insert(item, after: afterItem)
  }

  override func advanceToNextItem() { super.advanceToNextItem() }
}

extension AVPlayer {
  /// Members that a program adds.
  var isReallyPlaying: Bool { rate != 0 && error == nil }

  func toggle() {
    if isReallyPlaying { pause() } else { play() }
  }
}

extension AVPlayerItem {
  var bufferedSeconds: Double {
    loadedTimeRanges.map { $0.timeRangeValue.duration.seconds }.reduce(0, +)
  }
}

class PlainPlayer: NSObject {
  weak var delegate: PlainPlayerDelegate?
  let player = CountingPlayer()
  lazy var queue = AVQueuePlayer()
  private var observations: [NSKeyValueObservation] = []
  private var token: Any?
  private var observers: [NSObjectProtocol] = []
  private(set) var lastTime = CMTime.zero
  private(set) var titles: [String] = []
  private(set) var isInterrupted = false
  private(set) var ended = 0
  var onEnd: (() -> Void)?

  override init() {
    super.init()
    player.automaticallyWaitsToMinimizeStalling = false
    player.allowsExternalPlayback = false
    player.usesExternalPlaybackWhileExternalScreenIsActive = false
    player.preventsDisplaySleepDuringVideoPlayback = false
    observations = [
      player.observe(\.rate, options: [.new, .old]) { [weak self] player, change in
        guard let self = self else { return }
        self.delegate?.player(self, didChange: change.newValue ?? player.rate)
      },
      player.observe(\.currentItem?.status) { [unowned self] player, _ in
        if player.currentItem?.status == .failed { self.titles.removeAll() }
      },
    ]
    token = player.addPeriodicTimeObserver(
      forInterval: CMTime(seconds: 0.1, preferredTimescale: CMTimeScale(NSEC_PER_SEC)), queue: .main
    ) { [weak self] time in
      self?.lastTime = time
    }
    let center = NotificationCenter.default
    let end = center.addObserver(forName: .AVPlayerItemDidPlayToEndTime, object: nil, queue: .main) {
      [weak self] notification in
      guard let self = self, (notification.object as? AVPlayerItem) === self.player.currentItem else { return }
      self.ended += 1
      self.onEnd?()
    }
    let interruption = center.addObserver(
      forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
    ) { [weak self] notification in
      guard let value = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
        let type = AVAudioSession.InterruptionType(rawValue: value)
      else { return }
      switch type {
      case .began: self?.isInterrupted = true
      case .ended:
        let options = AVAudioSession.InterruptionOptions(
          rawValue: notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0)
        if options.contains(.shouldResume) { self?.isInterrupted = false }
      @unknown default: break
      }
    }
    observers = [end, interruption]
  }

  deinit { if let token = token { player.removeTimeObserver(token) } }

  func activate() throws {
    let session = AVAudioSession.sharedInstance()
    try session.setCategory(.playback, mode: .default, options: [.allowAirPlay, .allowBluetoothA2DP])
    try session.setActive(true)
  }

  func load(_ url: URL) {
    let asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
    let item = AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: ["playable"])
    item.audioTimePitchAlgorithm = .timeDomain
    item.preferredPeakBitRate = 128_000
    item.preferredMaximumResolution = .zero
    let output = AVPlayerItemMetadataOutput()
    output.setDelegate(self, queue: .main)
    item.add(output)
    player.replaceCurrentItem(with: item)
    asset.loadValuesAsynchronously(forKeys: ["commonMetadata"]) { [weak self] in
      guard asset.statusOfValue(forKey: "commonMetadata", error: nil) == .loaded else { return }
      DispatchQueue.main.async { [weak self] in self?.titles.append("loaded") }
    }
  }

  func seek(to seconds: TimeInterval, completion: @escaping (Bool) -> Void) {
    player.seek(
      to: CMTime(seconds: seconds, preferredTimescale: 1000), toleranceBefore: .zero, toleranceAfter: .zero
    ) { finished in
      completion(finished)
    }
  }

  func rewind() { player.seek(to: .zero) }

  func showInfo(title: String) {
    MPNowPlayingInfoCenter.default().nowPlayingInfo = [
      MPMediaItemPropertyTitle: title,
      MPMediaItemPropertyPlaybackDuration: player.currentItem?.duration.seconds ?? 0,
      MPNowPlayingInfoPropertyElapsedPlaybackTime: player.currentTime().seconds,
      MPNowPlayingInfoPropertyPlaybackRate: player.rate,
    ]
    MPRemoteCommandCenter.shared().playCommand.addTarget { [weak self] _ in
      guard let self = self else { return .commandFailed }
      self.player.play()
      return .success
    }
  }
}

extension PlainPlayer: AVPlayerItemMetadataOutputPushDelegate {
  func metadataOutput(
    _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
    from track: AVPlayerItemTrack?
  ) {
    titles += groups.flatMap { $0.items }.compactMap { $0.stringValue }
  }
}

/// A model of the user interface, as SwiftUI programs have it.
@MainActor
final class PlainModel: NSObject, AVAudioPlayerDelegate {
  private var effect: AVAudioPlayer?
  private(set) var isPlaying = false

  func play(_ url: URL) throws {
    let effect = try AVAudioPlayer(contentsOf: url)
    effect.delegate = self
    effect.isMeteringEnabled = true
    effect.numberOfLoops = 1
    effect.prepareToPlay()
    effect.play()
    self.effect = effect
    isPlaying = true
  }

  nonisolated func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
    Task { @MainActor in self.isPlaying = false }
  }
}
