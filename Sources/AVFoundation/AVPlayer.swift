public import Foundation
package import GstPlayer
import Observation
import Synchronization

/// A player for one item, with the interface of Apple's `AVPlayer`.
///
/// The class belongs to the main actor, as Apple's does, so a subclass does too. Its members are not isolated: they may
/// be used on any thread and any actor. Commands and setters return at once, and the properties show their effect.
/// Notifications, key-value observers and completion handlers are called on the main queue. A program must therefore
/// run its main queue: with an async `main`, `dispatchMain()` or `RunLoop.main.run()`.
///
/// Releasing the last reference ends playback.
@MainActor
open class AVPlayer: NSObject, AVKeyValueObserving {
  nonisolated package let player = Player(configuration: PlayerDefaults.configuration)
  nonisolated let state = Mutex(AVPlayerState())
  /// The observers of the properties of the player.
  nonisolated public let keyValueObservers = AVKeyValueObservers()
  /// The registrar of the observed properties; nil unless observation was enabled when the player was created.
  nonisolated let registrar = AVPlayer.isObservationEnabled ? ObservationRegistrar() : nil

  /// Creates a player without an item.
  nonisolated public override init() {
    super.init()
    begin(with: [])
  }

  /// Creates a player for an item, and loads it.
  ///
  /// An item that belongs to another player is ignored.
  nonisolated public init(playerItem item: AVPlayerItem?) {
    super.init()
    begin(with: item.map { [$0] } ?? [])
  }

  /// Creates a player for the media of a URL, and loads it.
  nonisolated public convenience init(url URL: URL) { self.init(playerItem: AVPlayerItem(url: URL)) }

  deinit {
    state.withLock { $0.logReader?.cancel() }
    cancelPendingPrerolls()
    PlaybackActivity.shared.set(ObjectIdentifier(self), plays: false)
  }

  nonisolated class var initialActionAtItemEnd: ActionAtItemEnd { .pause }

  /// Starts the observation of the `Player`, and loads the first item.
  nonisolated func begin(with items: [AVPlayerItem]) {
    player.actionAtItemEnd = Self.initialActionAtItemEnd.action
    announceProperties()
    // The player calls its observers on one queue, in order.
    let observation = player.addEventObserver { [weak self] in self?.receive($0, $1) }
    let logReader = logReader()
    state.withLock { ($0.observation, $0.logReader) = (observation, logReader) }
    if !items.isEmpty { replaceItems(with: items) }
  }

  // MARK: Readiness

  /// Whether the player can play; `readyToPlay` as soon as an item has been ready.
  nonisolated public var status: Status {
    access(\.status)
    let isReady = player.snapshot.itemStatus == .readyToPlay || state.withLock { $0.hasBeenReady }
    return isReady ? .readyToPlay : .unknown
  }

  /// The error of a player that has failed; always nil, because only items fail.
  nonisolated public var error: (any Error)? { nil }

  // MARK: Items

  /// The current item; nil for none.
  nonisolated open var currentItem: AVPlayerItem? { observed(\.currentItem, currentEntry?.item) }

  /// Replaces the current item, and loads the new one; a playing player continues with it.
  ///
  /// The call does nothing if the item is the current one, or belongs to another player.
  nonisolated open func replaceCurrentItem(with item: AVPlayerItem?) {
    guard item == nil || item !== currentEntry?.item else { return }
    replaceItems(with: item.map { [$0] } ?? [])
  }

  // MARK: Time

  /// Returns the current time of the current item; zero without an item.
  nonisolated open func currentTime() -> CMTime {
    let snapshot = player.snapshot
    return CMTime((snapshot.currentItem?.start ?? .zero) + snapshot.position)
  }
}

/// The configuration of the players that are created in a task.
package enum PlayerDefaults {
  @TaskLocal package static var configuration = Player.Configuration()
}

// MARK: Types

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
    /// There is no current item.
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
    /// The audio session was interrupted; it does not occur here.
    public static let audioSessionInterrupted = Self(rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
    /// The app moved to the background; it does not occur here.
    public static let appBackgrounded = Self(rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")
  }
}
