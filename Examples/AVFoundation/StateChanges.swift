import AVFoundation

/// A queue whose items are followed by key-value observation and notifications, in the manner of Apple's page
/// “Responding to playback state changes”.
@MainActor
final class StateChanges: Example {
  private let player = AVQueuePlayer()
  private let items: [AVPlayerItem]
  private var observations: [NSKeyValueObservation] = []
  private var tokens: [any NSObjectProtocol] = []

  init(urls: [URL]) {
    items = urls.map { AVPlayerItem(url: $0) }
  }

  private func observe(_ item: AVPlayerItem, named name: String) {
    observations += [
      item.observe(\.status, options: [.old, .new]) { _, change in
        switch change.newValue {
        case .readyToPlay?: print("\(name): ready")
        case .failed?: print("\(name): failed")
        case .unknown?, nil: break
        @unknown default: break
        }
      },
      item.observe(\.isPlaybackBufferEmpty, options: [.new]) { _, change in
        print("\(name): buffer \(change.newValue == true ? "empty" : "filled")")
      },
      item.observe(\.isPlaybackLikelyToKeepUp, options: [.new]) { _, change in
        if change.newValue == true { print("\(name): likely to keep up") }
      },
      item.observe(\.loadedTimeRanges) { item, _ in
        guard let range = item.loadedTimeRanges.first?.timeRangeValue else { return }
        print("\(name): loaded to \(range.end.seconds.formatted()) s")
      },
    ]
  }

  func run() async {
    for (index, item) in items.enumerated() { observe(item, named: "item \(index + 1)") }
    let center = NotificationCenter.default
    tokens = [
      center.addObserver(forName: AVPlayerItem.didPlayToEndTimeNotification, object: nil, queue: .main) { _ in
        print("played to the end")
      },
      center.addObserver(forName: .AVPlayerItemFailedToPlayToEndTime, object: nil, queue: .main) { notification in
        let error = notification.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? any Error
        print("failed: \(error?.localizedDescription ?? "no error")")
      },
    ]
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    observations.append(
      player.observe(\.currentItem, options: [.old, .new]) { _, change in
        if change.newValue == .some(nil) { continuation.finish() }
      })
    // An item is loaded when it is in a player, so it is observed before.
    for item in items { player.insert(item, after: nil) }
    player.play()
    for await _ in ends {}
    print("\(player.items().count) items, \(player.reasonForWaitingToPlay?.rawValue ?? "not waiting")")
    for token in tokens { center.removeObserver(token) }
  }
}
