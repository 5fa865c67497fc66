public import AVFoundation
import Synchronization

/// The now playing info and the commands of some players of a program.
///
/// A program is one MPRIS player, which shows the active session. Without an active session, it shows
/// `MPNowPlayingInfoCenter.default()` and `MPRemoteCommandCenter.shared()`. Releasing the active session ends it.
/// <https://developer.apple.com/documentation/mediaplayer/mpnowplayingsession>
public final class MPNowPlayingSession: NSObject, Sendable {
  private struct State: @unchecked Sendable {  // the delegate is called on the main queue alone
    var players: [AVPlayer]
    weak var delegate: (any MPNowPlayingSessionDelegate)?
    /// Nil unless the info is published automatically.
    var automaticInfo: AutomaticInfo?
  }

  private let state: Mutex<State>
  private let service: NowPlayingService
  private let centers: NowPlayingCenters

  /// Creates a session that is not active.
  public convenience init(players: [AVPlayer]) { self.init(players: players, .shared) }

  init(players: [AVPlayer], _ service: NowPlayingService) {
    state = Mutex(State(players: players))
    self.service = service
    centers = NowPlayingCenters(of: service)
  }

  deinit { service.hide(centers) }

  /// The players, which the session retains.
  public var players: [AVPlayer] { state.withLock { $0.players } }

  /// The delegate, which is called on the main queue.
  public var delegate: (any MPNowPlayingSessionDelegate)? {
    get { state.withLock { $0 }.delegate }
    set {
      let new = State(players: [], delegate: newValue)
      state.withLock { $0.delegate = new.delegate }
    }
  }

  /// The info that is shown while the session is active.
  public var nowPlayingInfoCenter: MPNowPlayingInfoCenter { centers.info }

  /// The commands that are offered while the session is active.
  public var remoteCommandCenter: MPRemoteCommandCenter { centers.commands }

  /// Whether the session can become active; always true.
  public var canBecomeActive: Bool { true }

  /// Whether the session is active.
  public var isActive: Bool { service.shows(centers) }

  /// Makes the session the active one; the completion handler is called on the main queue.
  public func becomeActiveIfPossible(completion: (@Sendable (Bool) -> Void)? = nil) {
    service.show(centers) { [weak self] in
      if let self, let delegate { delegate.nowPlayingSessionDidChangeActive(self) }
    }
    MainQueue.async { completion?(true) }
  }

  /// Makes the session the active one; returns true.
  @discardableResult
  public func becomeActiveIfPossible() async -> Bool {
    await withCheckedContinuation { result in becomeActiveIfPossible { result.resume(returning: $0) } }
  }

  /// Whether the info is set from the players, instead of by the program; false by default.
  ///
  /// It contains `AVPlayerItem.nowPlayingInfo` of the current item, and the duration, the time and the rate.
  public var automaticallyPublishesNowPlayingInfo: Bool {
    get { state.withLock { $0.automaticInfo != nil } }
    set { publish(newValue, players) }
  }

  /// Adds a player.
  public func addPlayer(_ player: AVPlayer) {
    guard !players.contains(where: { $0 === player }) else { return }
    publish(automaticallyPublishesNowPlayingInfo, players + [player])
  }

  /// Removes a player.
  public func removePlayer(_ player: AVPlayer) {
    publish(automaticallyPublishesNowPlayingInfo, players.filter { $0 !== player })
  }

  private func publish(_ isAutomatic: Bool, _ players: [AVPlayer]) {
    let info = isAutomatic ? AutomaticInfo(of: players, for: centers.info) : nil
    let old = state.withLock { state in
      defer { (state.players, state.automaticInfo) = (players, info) }
      return state
    }
    // Released outside the lock, because the release of a player may run any code.
    withExtendedLifetime(old) {}
  }
}

/// The delegate of a session; its methods are optional by default implementations.
///
/// <https://developer.apple.com/documentation/mediaplayer/mpnowplayingsessiondelegate>
public protocol MPNowPlayingSessionDelegate: AnyObject {
  /// Called when the session has become active, or when another one has become active instead.
  func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession)

  /// Not called, because a session can always become active.
  func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession)
}

extension MPNowPlayingSessionDelegate {
  /// Does nothing.
  public func nowPlayingSessionDidChangeActive(_ nowPlayingSession: MPNowPlayingSession) {}

  /// Does nothing.
  public func nowPlayingSessionDidChangeCanBecomeActive(_ nowPlayingSession: MPNowPlayingSession) {}
}
