import GstPlayer

/// The types of the properties.
extension AVPlayer {
  /// The readiness of a player.
  public enum Status: Int, Sendable {
    /// No item has been loaded yet.
    case unknown = 0
    /// The player can play.
    case readyToPlay = 1
    /// The player cannot play any more; it does not occur here.
    case failed = 2
  }

  /// Whether the time advances.
  public enum TimeControlStatus: Int, Sendable {
    /// Paused; playback does not start automatically.
    case paused = 0
    /// Waiting to play; the reason is ``AVPlayer/reasonForWaitingToPlay``.
    case waitingToPlayAtSpecifiedRate = 1
    /// Playing.
    case playing = 2
  }

  /// The action when an item has played to its end.
  public enum ActionAtItemEnd: Int, Sendable {
    /// The next item of a queue player plays.
    case advance = 0
    /// The player pauses at the end of the item.
    case pause = 1
    /// The item stays current at its end, and the rate does not change.
    case none = 2

    var action: Player.ActionAtItemEnd {
      switch self {
      case .advance: .advance
      case .pause: .pause
      case .none: .none
      }
    }

    init(_ action: Player.ActionAtItemEnd) {
      self = [Self.pause, .none].first { $0.action == action } ?? .advance
    }
  }

  /// The reason why a player waits.
  public struct WaitingReason: RawRepresentable, Hashable, Sendable {
    /// The name of the reason.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The buffer has run dry, or is filling.
    public static let toMinimizeStalls = Self(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    /// The item is being opened.
    public static let evaluatingBufferingRate = Self(rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
    /// The player does not have a current item.
    public static let noItemToPlay = Self(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    /// The audio output is unavailable, and is retried; Apple's player does not have this reason.
    public static let noOutput = Self(rawValue: "AVPlayerWaitingForOutputReason")
  }

  /// The reason for a change of the rate.
  public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
    /// The name of the reason.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The program set the rate, played or paused.
    public static let setRateCalled = Self(rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
    /// The item failed.
    public static let setRateFailed = Self(rawValue: "AVPlayerRateDidChangeReasonSetRateFailed")
    /// The audio session was interrupted, see `AVAudioSession`.
    public static let audioSessionInterrupted = Self(rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
    /// The app moved to the background; it does not occur here.
    public static let appBackgrounded = Self(rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")
  }
}

extension AVPlayerItem {
  /// The status of an item.
  public enum Status: Int, Sendable {
    /// Not loaded yet.
    case unknown = 0
    /// Ready to play.
    case readyToPlay = 1
    /// Failed; the error is ``AVPlayerItem/error``.
    case failed = 2
  }
}
