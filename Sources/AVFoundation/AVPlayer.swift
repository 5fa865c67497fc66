public import Dispatch
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
@preconcurrency @MainActor
open class AVPlayer: NSObject, AVKeyValueObserving {
  nonisolated package let player = Player(configuration: PlayerDefaults.configuration ?? AVPlayer.configuration)
  nonisolated let state = Mutex(AVPlayerState())
  nonisolated let activity = PlayerDefaults.activity
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
  nonisolated public init(url URL: URL) {
    super.init()
    begin(with: [AVPlayerItem(url: URL)])
  }

  deinit {
    state.withLock { $0.logReader?.cancel() }
    cancelAllPrerolls()
    activity.remove(ObjectIdentifier(self))
  }

  nonisolated class var initialActionAtItemEnd: ActionAtItemEnd { .pause }

  // MARK: Readiness

  /// Whether the player can play; `readyToPlay` as soon as an item has been ready.
  nonisolated open var status: Status {
    access(\.status)
    let isReady = player.snapshot.itemStatus == .readyToPlay || state.withLock { $0.hasBeenReady }
    return isReady ? .readyToPlay : .unknown
  }

  /// The error of a player that has failed; always nil, because only items fail.
  nonisolated open var error: (any Error)? { nil }

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

  // MARK: Rate

  /// Plays at the default rate.
  ///
  /// An item that has played to its end starts again.
  nonisolated open func play() { setRate(state.withLock { $0.defaultRate }) }

  /// Pauses; the rate becomes 0.
  nonisolated open func pause() { pause(because: .setRateCalled) }

  /// The requested rate; 0 is paused, 1 is normal.
  ///
  /// Another rate than 0 starts playback, as soon as there is an item. It is clamped to 0.25…4. Negative rates and those
  /// that are not finite are ignored.
  nonisolated open var rate: Float {
    get { observed(\.rate, state.withLock { currentRate($0) }) }
    set { setRate(newValue) }
  }

  /// The rate of ``play()``, initially 1; it is clamped like ``rate``.
  nonisolated open var defaultRate: Float {
    get { observed(\.defaultRate, state.withLock { $0.defaultRate }) }
    set { setDefaultRate(newValue) }
  }

  /// Plays at a rate with the buffered data, without waiting for more.
  nonisolated open func playImmediately(atRate rate: Float) {
    play(at: rate) { player.playImmediately(atRate: $0) }
  }

  /// Plays at a rate from a time of the item, when the clock of the machine reaches a time.
  ///
  /// The rate changes at once, and the player waits at the time of the item until then. Another command for the rate, a
  /// seek and another item cancel the wait. Players that start at one host time are synchronous if their items can seek and
  /// are ready about a second before.
  ///
  /// - Parameters:
  ///   - rate: The rate.
  ///   - itemTime: The time of the item; `invalid` for the current one.
  ///   - hostClockTime: A time of `CMClockGetHostTimeClock()`; `invalid` is at once. After a time that has passed, the item
  ///     continues as if it had played from `itemTime` since.
  nonisolated open func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
    start(atRate: rate, from: itemTime, atHostTime: hostClockTime)
  }

  // MARK: Waiting

  /// Whether the time advances.
  nonisolated open var timeControlStatus: TimeControlStatus { observed(\.timeControlStatus, currentTimeControlStatus) }

  /// The reason why the player waits; nil unless it does.
  nonisolated open var reasonForWaitingToPlay: WaitingReason? {
    observed(\.reasonForWaitingToPlay, currentWaitingReason)
  }

  /// Whether playback waits for a full buffer when it starts, and when the buffer has run dry; initially true.
  nonisolated open var automaticallyWaitsToMinimizeStalling: Bool {
    get { observed(\.automaticallyWaitsToMinimizeStalling, player.automaticallyWaitsToMinimizeStalling) }
    set { update(\.automaticallyWaitsToMinimizeStalling, to: newValue) }
  }

  // MARK: Time

  /// Returns the current time of the current item; zero without an item.
  nonisolated open func currentTime() -> CMTime {
    let snapshot = player.snapshot
    return CMTime((snapshot.currentItem?.start ?? .zero) + snapshot.position)
  }

  /// Seeks near a time; the fastest of all forms.
  nonisolated open func seek(to time: CMTime) { seek(to: time, within: .infinity, nil) }

  /// Seeks near a time, and calls `completionHandler` on the main queue with the result.
  @preconcurrency
  nonisolated open func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
    seek(to: time, within: .infinity, completionHandler)
  }

  /// Seeks near a time, and waits for the result.
  ///
  /// - Returns: False if another seek or another item came first, or if the item is missing, not seekable or has failed.
  @discardableResult
  nonisolated open func seek(to time: CMTime) async -> Bool { await seek(to: time, within: .infinity) }

  /// Seeks to a time within tolerances; zero is exact.
  nonisolated open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter), nil)
  }

  /// Seeks to a time within tolerances, and calls `completionHandler` on the main queue with the result.
  @preconcurrency
  nonisolated open func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter), completionHandler)
  }

  /// Seeks to a time within tolerances, and waits for the result.
  @discardableResult
  nonisolated open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await seek(to: time, within: Player.SeekTolerance(toleranceBefore, toleranceAfter))
  }

  /// Does nothing, because media does not have dates here.
  nonisolated open func seek(to date: Date) {}

  /// Calls `completionHandler` with false on the main queue, because media does not have dates here.
  @preconcurrency
  nonisolated open func seek(to date: Date, completionHandler: @escaping @Sendable (Bool) -> Void) {
    complete([completionHandler], with: false)
  }

  /// Returns false, because media does not have dates here.
  @discardableResult
  nonisolated open func seek(to date: Date) async -> Bool { false }

  // MARK: Time observers

  /// Calls `block` on a serial queue whenever playback passes a multiple of `interval`, and whenever it starts, stops or
  /// jumps.
  ///
  /// - Parameters:
  ///   - interval: Time of the item; less than 1 ms counts as 1 ms.
  ///   - queue: The queue; nil is the main queue.
  ///   - block: Receives the time.
  /// - Returns: The observer, for ``removeTimeObserver(_:)``; releasing it ends the calls.
  @discardableResult
  @preconcurrency
  nonisolated open func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    observePeriodically(interval, queue ?? .main, block)
  }

  /// Calls `block` on a serial queue each time that playback crosses one of the times.
  ///
  /// - Parameters:
  ///   - times: Values of `CMTime`; those that are negative or not numeric are never crossed.
  ///   - queue: The queue; nil is the main queue.
  ///   - block: Called without the time.
  /// - Returns: The observer, for ``removeTimeObserver(_:)``; releasing it ends the calls.
  @discardableResult
  @preconcurrency
  nonisolated open func addBoundaryTimeObserver(
    forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
  ) -> Any {
    observeBoundaries(times, queue ?? .main, block)
  }

  /// Ends the calls of an observer; on its queue, no call begins afterwards.
  ///
  /// An object that is not an observer is ignored.
  nonisolated open func removeTimeObserver(_ observer: Any) { endTimeObserver(observer) }

  // MARK: Preroll

  /// Calls `completionHandler` on the main queue as soon as the current item is ready to play.
  ///
  /// The result is false without an item, if the player plays or is released, if the item fails, or if another item
  /// becomes current. An item is always prerolled for any rate.
  @preconcurrency
  nonisolated open func preroll(atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
    preroll(completionHandler)
  }

  /// Waits until the current item is ready to play; see ``preroll(atRate:completionHandler:)``.
  @discardableResult
  nonisolated open func preroll(atRate rate: Float) async -> Bool {
    await withCheckedContinuation { continuation in preroll { continuation.resume(returning: $0) } }
  }

  /// Finishes every pending preroll with false; the item is still loaded.
  nonisolated open func cancelPendingPrerolls() { cancelAllPrerolls() }

  // MARK: Settings

  /// The action when an item has played to its end: initially `pause`, and `advance` for a queue player.
  nonisolated open var actionAtItemEnd: ActionAtItemEnd {
    get { observed(\.actionAtItemEnd, ActionAtItemEnd(player.actionAtItemEnd)) }
    set { update(\.actionAtItemEnd, to: newValue.action) }
  }

  /// The volume, linear, 0 to 1; values beyond are clamped, and one that is not finite is ignored.
  nonisolated open var volume: Float {
    get { observed(\.volume, Float(player.volume)) }
    set { if newValue.isFinite { update(\.volume, to: Double(min(max(0, newValue), 1))) } }
  }

  /// Whether the audio is muted, regardless of the volume.
  nonisolated open var isMuted: Bool {
    get { observed(\.isMuted, player.isMuted) }
    set { update(\.isMuted, to: newValue) }
  }

  // MARK: Media selection

  /// Whether the criteria select the tracks of items; initially true.
  nonisolated open var appliesMediaSelectionCriteriaAutomatically: Bool {
    get { state.withLock { $0.appliesCriteria } }
    set {
      state.withLock { $0.appliesCriteria = newValue }
      applyCriteria()
    }
  }

  /// Sets the criteria of a characteristic, nil for none; the criteria of `audible` apply from the next opened item on.
  nonisolated open func setMediaSelectionCriteria(
    _ criteria: AVPlayerMediaSelectionCriteria?, forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) {
    state.withLock { $0.criteria[mediaCharacteristic] = criteria }
    applyCriteria()
  }

  /// Returns the criteria of a characteristic; nil for none.
  nonisolated open func mediaSelectionCriteria(
    forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) -> AVPlayerMediaSelectionCriteria? {
    state.withLock { $0.criteria[mediaCharacteristic] }
  }

  // MARK: Settings that are only stored

  /// Whether AirPlay may be used; only stored, initially true.
  nonisolated open var allowsExternalPlayback: Bool {
    get { state.withLock { $0.stored.allowsExternalPlayback } }
    set { state.withLock { $0.stored.allowsExternalPlayback = newValue } }
  }

  /// Whether AirPlay is used; always false.
  nonisolated open var isExternalPlaybackActive: Bool { false }

  /// Whether AirPlay is used while a screen is mirrored; only stored.
  nonisolated open var usesExternalPlaybackWhileExternalScreenIsActive: Bool {
    get { state.withLock { $0.stored.usesExternalPlayback } }
    set { state.withLock { $0.stored.usesExternalPlayback = newValue } }
  }

  /// Whether closed captions are shown; only stored, because subtitles are not read.
  nonisolated open var isClosedCaptionDisplayEnabled: Bool {
    get { state.withLock { $0.stored.showsCaptions } }
    set { state.withLock { $0.stored.showsCaptions = newValue } }
  }

  /// Whether video keeps the display awake; only stored, initially true.
  nonisolated open var preventsDisplaySleepDuringVideoPlayback: Bool {
    get { state.withLock { $0.stored.preventsDisplaySleep } }
    set { state.withLock { $0.stored.preventsDisplaySleep = newValue } }
  }

  /// Whether video keeps the app in the foreground; only stored.
  nonisolated open var preventsAutomaticBackgroundingDuringVideoPlayback: Bool {
    get { state.withLock { $0.stored.preventsBackgrounding } }
    set { state.withLock { $0.stored.preventsBackgrounding = newValue } }
  }

  /// The playback of video in the background; only stored.
  nonisolated open var audiovisualBackgroundPlaybackPolicy: AVPlayerAudiovisualBackgroundPlaybackPolicy {
    get { state.withLock { $0.stored.backgroundPolicy } }
    set { state.withLock { $0.stored.backgroundPolicy = newValue } }
  }
}
