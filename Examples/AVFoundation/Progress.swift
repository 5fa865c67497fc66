import AVFoundation

/// A progress display with a periodic observer and one at each quarter, in the manner of Apple's page “Monitoring
/// playback progress in your app”.
@MainActor
final class Progress: Example {
  private(set) var duration: TimeInterval = 0.0
  private(set) var currentTime: TimeInterval = 0.0

  private let asset: AVURLAsset
  private let player: AVPlayer
  private var timeObserver: Any?
  private var boundaryObserver: Any?

  init(url: URL) {
    asset = AVURLAsset(url: url)
    player = AVPlayer(playerItem: AVPlayerItem(asset: asset))
  }

  private func addPeriodicTimeObserver() {
    let interval = CMTime(value: 1, timescale: 2)
    timeObserver = player.addPeriodicTimeObserver(forInterval: interval, queue: .main) { [weak self] time in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.currentTime = time.seconds
        self.duration = self.player.currentItem?.duration.seconds ?? 0.0
        self.show()
      }
    }
  }

  private func removePeriodicTimeObserver() {
    guard let timeObserver else { return }
    player.removeTimeObserver(timeObserver)
    self.timeObserver = nil
  }

  private func addBoundaryTimeObserver() async throws {
    let duration = try await asset.load(.duration)
    let quarterDuration = CMTimeMultiplyByRatio(duration, multiplier: 1, divisor: 4)
    var currentTime = CMTime.zero
    var times = [NSValue]()
    while currentTime < duration {
      currentTime = currentTime + quarterDuration
      times.append(NSValue(time: currentTime))
    }
    var quarters = 0
    boundaryObserver = player.addBoundaryTimeObserver(forTimes: times, queue: .main) {
      MainActor.assumeIsolated {
        quarters += 1
        print("\(quarters * 25) %")
      }
    }
  }

  private func show() {
    guard duration.isFinite, duration > 0 else { return }
    let filled = Int((currentTime / duration * 20).rounded())
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
    print("[\(bar)] \(currentTime.formatted()) s of \(duration.formatted()) s")
  }

  func run() async throws {
    addPeriodicTimeObserver()
    try await addBoundaryTimeObserver()
    let ends = NotificationCenter.default.notifications(
      named: AVPlayerItem.didPlayToEndTimeNotification, object: player.currentItem)
    player.play()
    for await _ in ends { break }
    removePeriodicTimeObserver()
    if let boundaryObserver { player.removeTimeObserver(boundaryObserver) }
    print("ended at \(player.currentTime().seconds.formatted()) s, rate \(player.rate)")
  }
}
