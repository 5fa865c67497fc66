import GstPlayer
import Synchronization

extension AVPlayer {
  // MARK: Rate

  /// Plays at the default rate.
  ///
  /// An item that has played to its end starts again.
  nonisolated public func play() { rate = defaultRate }

  /// Pauses; the rate becomes 0.
  nonisolated public func pause() {
    state.withLock { state in
      state.rateReason = .setRateCalled
      state.awaitedRate = 0
      player.pause()
    }
    changed()
  }

  /// The requested rate; 0 is paused, 1 is normal.
  ///
  /// Another rate than 0 starts playback, as soon as there is an item. It is clamped to 0.25…4. Negative rates and those
  /// that are not finite are ignored.
  nonisolated public var rate: Float {
    get { observed(\.rate, state.withLock { currentRate($0) }) }
    set {
      guard newValue != 0 else { return pause() }
      play(at: newValue) { rate in
        player.rate = rate
        player.play()
      }
    }
  }

  /// The rate of ``play()``, initially 1; it is clamped like ``rate``.
  nonisolated public var defaultRate: Float {
    get { observed(\.defaultRate, state.withLock { $0.defaultRate }) }
    set {
      guard let rate = Self.clamped(newValue) else { return }
      state.withLock { $0.defaultRate = rate }
      changed()
    }
  }

  /// Plays at a rate with the buffered data, without waiting for more.
  nonisolated public func playImmediately(atRate rate: Float) {
    play(at: rate) { player.playImmediately(atRate: $0) }
  }

  /// Calls `begin` with the clamped rate, or keeps the rate for the next item if there is none.
  ///
  /// A failed item stays failed, as Apple's does.
  nonisolated private func play(at rate: Float, _ begin: (Double) -> Void) {
    guard let rate = Self.clamped(rate) else { return }
    state.withLock { state in
      state.rateReason = .setRateCalled
      guard !state.entries.isEmpty else { return state.awaitedRate = rate }
      let snapshot = player.snapshot
      // A failure may not be reported yet, and a failed item is the first one until its successor has been reported.
      let isFailed =
        snapshot.itemStatus == .failed
        || state.entries.contains { $0.id == snapshot.currentItem?.id && $0.item.hasFailed }
      if !isFailed { begin(Double(rate)) }
    }
    changed()
  }

  /// Returns the requested rate, 0 while paused.
  nonisolated func currentRate(_ state: borrowing AVPlayerState) -> Float {
    if state.entries.isEmpty { return state.awaitedRate }
    let snapshot = player.snapshot
    return snapshot.transport == .playing ? Float(snapshot.rate) : 0
  }

  nonisolated private static func clamped(_ rate: Float) -> Float? {
    guard rate.isFinite, rate > 0 else { return nil }
    return min(max(Float(Player.rateRange.lowerBound), rate), Float(Player.rateRange.upperBound))
  }

  // MARK: Waiting

  /// Whether the time advances.
  nonisolated public var timeControlStatus: TimeControlStatus {
    access(\.timeControlStatus)
    if isAwaitingItem { return .waitingToPlayAtSpecifiedRate }
    return switch player.snapshot.timeControlStatus {
    case .paused: .paused
    case .waitingToPlay: .waitingToPlayAtSpecifiedRate
    case .playing: .playing
    }
  }

  /// The reason why the player waits; nil unless it does.
  nonisolated public var reasonForWaitingToPlay: WaitingReason? {
    access(\.reasonForWaitingToPlay)
    if isAwaitingItem { return .noItemToPlay }
    return switch player.snapshot.reasonForWaitingToPlay {
    case nil: nil
    case .toMinimizeStalls?: .toMinimizeStalls
    case .evaluatingBufferingRate?: .evaluatingBufferingRate
    case .noItemToPlay?: .noItemToPlay
    case .noOutput?: .noOutput
    }
  }

  nonisolated private var isAwaitingItem: Bool { state.withLock { $0.entries.isEmpty && $0.awaitedRate > 0 } }

  /// Whether playback waits for a full buffer when it starts, and when the buffer has run dry; initially true.
  nonisolated public var automaticallyWaitsToMinimizeStalling: Bool {
    get { observed(\.automaticallyWaitsToMinimizeStalling, player.automaticallyWaitsToMinimizeStalling) }
    set { update(\.automaticallyWaitsToMinimizeStalling, to: newValue) }
  }

  // MARK: Settings

  /// The action when an item has played to its end: initially `pause`, and `advance` for a queue player.
  nonisolated public var actionAtItemEnd: ActionAtItemEnd {
    get { observed(\.actionAtItemEnd, ActionAtItemEnd(player.actionAtItemEnd)) }
    set { update(\.actionAtItemEnd, to: newValue.action) }
  }

  /// The volume, linear, 0 to 1; values beyond are clamped, and one that is not finite is ignored.
  nonisolated public var volume: Float {
    get { observed(\.volume, Float(player.volume)) }
    set { if newValue.isFinite { update(\.volume, to: Double(min(max(0, newValue), 1))) } }
  }

  /// Whether the audio is muted, regardless of the volume.
  nonisolated public var isMuted: Bool {
    get { observed(\.isMuted, player.isMuted) }
    set { update(\.isMuted, to: newValue) }
  }

  /// Sets a setting of the `Player`, and publishes the change.
  nonisolated private func update<Value>(_ setting: ReferenceWritableKeyPath<Player, Value>, to value: Value) {
    player[keyPath: setting] = value
    changed()
  }

  // MARK: Preroll

  /// Calls `completionHandler` on the main queue as soon as the current item is ready to play.
  ///
  /// The result is false without an item, if the player plays or is released, if the item fails, or if another item
  /// becomes current. An item is always prerolled for any rate.
  nonisolated public func preroll(atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
    let snapshot = player.snapshot
    let result: Bool? = state.withLock { state in
      guard let entry = state.entries.first(where: { $0.id == snapshot.currentItem?.id }), !entry.item.hasFailed,
        snapshot.transport != .playing
      else { return false }
      // Read under the lock: an item that gets ready after this is reported to `receive`, which takes the lock.
      if player.snapshot.itemStatus == .readyToPlay { return true }
      if let completionHandler { state.prerolls.append((entry.id, completionHandler)) }
      return nil
    }
    if let result, let completionHandler { complete([completionHandler], with: result) }
  }

  /// Waits until the current item is ready to play; see ``preroll(atRate:completionHandler:)``.
  @discardableResult
  nonisolated public func preroll(atRate rate: Float) async -> Bool {
    await withCheckedContinuation { continuation in
      preroll(atRate: rate) { continuation.resume(returning: $0) }
    }
  }

  /// Finishes every pending preroll with false; the item is still loaded.
  nonisolated public func cancelPendingPrerolls() {
    complete(state.withLock { $0.takePrerolls { _ in true } }, with: false)
  }

  /// Calls completion handlers on the main queue.
  nonisolated func complete(_ handlers: [@Sendable (Bool) -> Void], with result: Bool) {
    guard !handlers.isEmpty else { return }
    MainQueue.async { for handler in handlers { handler(result) } }
  }
}
