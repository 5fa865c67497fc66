#if OpenCombine
  public import AVFoundation
  public import OpenCombineShim

  /// The texts of a player's view, by Combine on Apple's systems and by OpenCombine on Linux.
  @MainActor
  public final class PlayerTexts {
    /// The text of the button.
    public let button: AnyPublisher<String, Never>
    /// What has happened to the current item, delivered on the main queue.
    public let messages: AnyPublisher<String, Never>

    /// Follows a player.
    public init(_ player: AVPlayer) {
      button = player.publisher(for: \.rate).combineLatest(player.publisher(for: \.isMuted))
        .map { rate, isMuted in (rate == 0 ? "play" : "pause") + (isMuted ? ", muted" : "") }
        .removeDuplicates()
        .eraseToAnyPublisher()
      let center = NotificationCenter.default
      messages = Publishers.Merge(
        center.publisher(for: AVPlayerItem.didPlayToEndTimeNotification).map { _ in "ended" },
        center.publisher(for: AVPlayerItem.timeJumpedNotification).map { _ in "jumped" }
      )
      .receive(on: DispatchQueue.main)
      .eraseToAnyPublisher()
    }
  }
#endif
