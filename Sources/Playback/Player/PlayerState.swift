@_exported public import Observation
import Synchronization

extension Player {
  /// The observable state of a player.
  ///
  /// Every property can be read synchronously, on any actor and any thread. A state is updated on one global actor, and
  /// is observed on that actor: ``Player/state(on:)`` returns the state for the main actor or another one.
  ///
  /// ```swift
  /// let state = player.state(on: MainActor.self)
  /// let observer = Task { @MainActor in
  ///   for await status in Observations({ state.timeControlStatus }) { print(status) }
  /// }
  /// ```
  ///
  /// Every update is one transaction: all properties that differ are announced before the first of them changes.
  /// Therefore no observer sees a mix of new and old values. A property is announced only if its value differs. An
  /// observer may miss a state that is shorter than its turn; ``Player/events()`` reports every change.
  ///
  /// Do not observe a state on another actor than its own. `Observation` registers an observer after its closure has
  /// read the properties, so the observer would miss an update in between, and its closure could read a mix of two
  /// updates.
  ///
  /// The position changes continuously and is therefore not observable. Read it with ``Player/snapshot``, or subscribe
  /// to it with ``Player/addPeriodicTimeObserver(forInterval:using:)``. A state keeps its last values when its player
  /// is closed or released, and does not retain its player.
  ///
  /// The counterpart of `AVPlayer` and `AVPlayerItem` with `AVPlayer.isObservationEnabled`, and of their key-value
  /// observation. It costs nothing unless ``Player/state`` is used.
  @Observable
  public final class State: Sendable {
    private let current: Mutex<Values>

    init(_ snapshot: Player.Snapshot) { current = Mutex(Values(snapshot)) }

    // MARK: Playback

    /// The requested state: stopped, paused or playing.
    public var transport: Player.Transport { value(\.transport) }

    /// Whether the position advances, with the reason if it does not; the counterpart of `AVPlayer.timeControlStatus`.
    public var timeControlStatus: Player.TimeControlStatus { value(\.timeControlStatus) }

    /// The reason why the player waits, nil unless it does; the counterpart of `AVPlayer.reasonForWaitingToPlay`.
    ///
    /// It is a part of ``timeControlStatus``, and changes only together with it.
    public var reasonForWaitingToPlay: Player.WaitingReason? { value(\.reasonForWaitingToPlay) }

    /// The requested rate, also while paused; 1 is normal.
    ///
    /// `AVPlayer.rate` would be 0 while paused.
    public var rate: Double { value(\.rate) }

    /// The rate at which ``Player/play()`` resumes, nil for ``rate``; the counterpart of `AVPlayer.defaultRate`.
    public var defaultRate: Double? { value(\.defaultRate) }

    /// The action when an item has played to its end; the counterpart of `AVPlayer.actionAtItemEnd`.
    public var actionAtItemEnd: Player.ActionAtItemEnd { value(\.actionAtItemEnd) }

    /// The volume, linear, 0 to 10; 1 is unchanged.
    ///
    /// The counterpart of `AVPlayer.volume`. Another program may change it too, for example the desktop's mixer.
    public var volume: Double { value(\.volume) }

    /// The selected output, nil for the configured one; the counterpart of `AVPlayer.audioOutputDeviceUniqueID`.
    public var audioOutput: AudioOutput? { value(\.audioOutput) }

    /// Whether the audio is muted, regardless of the volume; the counterpart of `AVPlayer.isMuted`.
    public var isMuted: Bool { value(\.isMuted) }

    // MARK: The current item

    /// The current item, nil if the queue is empty; the counterpart of `AVPlayer.currentItem`.
    public var currentItem: Player.Item? { value(\.currentItem) }

    /// The number of times the current item has followed itself; the counterpart of `AVPlayerLooper.loopCount`.
    public var loopCount: Int { value(\.loopCount) }

    /// The status of the current item; the counterpart of `AVPlayerItem.status`.
    public var itemStatus: Player.ItemStatus { value(\.itemStatus) }

    /// The last failure of an item or the output, nil before any; the counterpart of `AVPlayerItem.error`.
    ///
    /// It stays when another item plays.
    public var lastError: PlayerError? { value(\.lastError) }

    /// The current item's duration, nil if unknown or endless; the counterpart of `AVPlayerItem.duration`.
    public var duration: Duration? { value(\.duration) }

    /// The current item's tags; the counterpart of `AVAsset.metadata`.
    public var metadata: MediaMetadata { value(\.metadata) }

    /// The current item's chapters, sorted by start; empty if there are none.
    ///
    /// The counterpart of `AVAsset.loadChapterMetadataGroups(bestMatchingPreferredLanguages:)`.
    public var chapters: [Chapter] { value(\.chapters) }

    /// The index of the current chapter in ``chapters``; nil for none.
    public var currentChapterIndex: Int? { value(\.currentChapterIndex) }

    /// The current item's audio tracks, in the media's order; empty until they are known.
    ///
    /// The counterpart of `AVMediaSelectionGroup.options`.
    public var audioTracks: [AudioTrack] { value(\.audioTracks) }

    /// The index of the playing track in ``audioTracks``; nil until it is known.
    ///
    /// The counterpart of `AVMediaSelection.selectedMediaOption(in:)`.
    public var audioTrackIndex: Int? { value(\.audioTrackIndex) }

    /// Whether the position can be set.
    ///
    /// The counterpart of `AVPlayerItem.seekableTimeRanges` that is not empty.
    public var isSeekable: Bool { value(\.isSeekable) }

    /// The preferred languages of audio tracks, the most preferred first; the counterpart of
    /// `AVPlayerMediaSelectionCriteria.preferredLanguages`.
    public var preferredAudioLanguages: [String] { value(\.preferredAudioLanguages) }

    /// Whether the position was estimated by the last seek.
    ///
    /// The counterpart of `AVAsset.providesPreciseDurationAndTiming` that is false; see
    /// ``Player/Snapshot/isPositionEstimated``.
    public var isPositionEstimated: Bool { value(\.isPositionEstimated) }

    // MARK: The buffer

    /// The fill level of the network buffer, 0 to 100; 100 for local files.
    public var bufferingPercent: Int { value(\.bufferingPercent) }

    /// Whether the buffer has run dry; the counterpart of `AVPlayerItem.isPlaybackBufferEmpty`.
    public var isPlaybackBufferEmpty: Bool { value(\.isPlaybackBufferEmpty) }

    /// Whether the buffer is full; the counterpart of `AVPlayerItem.isPlaybackBufferFull`.
    public var isPlaybackBufferFull: Bool { value(\.isPlaybackBufferFull) }

    /// Whether playback is likely to reach the end of the item without a stall; the counterpart of
    /// `AVPlayerItem.isPlaybackLikelyToKeepUp`.
    public var isPlaybackLikelyToKeepUp: Bool { value(\.isPlaybackLikelyToKeepUp) }

    /// Whether playback waits for a full buffer; the counterpart of `AVPlayer.automaticallyWaitsToMinimizeStalling`.
    public var automaticallyWaitsToMinimizeStalling: Bool { value(\.automaticallyWaitsToMinimizeStalling) }

    /// The duration of a network stream to buffer ahead of the position, nil for the engine's default; the counterpart
    /// of `AVPlayerItem.preferredForwardBufferDuration`.
    public var preferredForwardBufferDuration: Duration? { value(\.preferredForwardBufferDuration) }

    /// The received ranges of the current item; the counterpart of `AVPlayerItem.loadedTimeRanges`.
    ///
    /// For a network stream they are an estimate from its received bytes, in quarters of a second. While it plays, a range
    /// contains the position, and grows as data arrives; it changes at most four times a second.
    public var loadedTimeRanges: [Range<Duration>] { value(\.loadedTimeRanges) }

    /// The ranges in which the position can be set, empty if it cannot; the counterpart of
    /// `AVPlayerItem.seekableTimeRanges`.
    public var seekableTimeRanges: [Range<Duration>] { value(\.seekableTimeRanges) }

    // MARK: The queue

    /// The loop mode, which decides what follows the end of an item; it replaces `AVPlayerLooper`.
    public var loop: Player.LoopMode { value(\.loop) }

    /// Whether the queue plays in random order.
    public var isShuffled: Bool { value(\.isShuffled) }

    /// Whether ``Player/advanceToNextItem()`` would change the current item.
    public var hasNext: Bool { value(\.hasNext) }

    /// Whether ``Player/returnToPreviousItem()`` would change the current item.
    public var hasPrevious: Bool { value(\.hasPrevious) }

    // MARK: Transactions

    /// The root of the key paths that identify the properties to the registrar.
    private var snapshot: Player.Snapshot { current.withLock { $0.snapshot } }

    private func value<Value: Equatable & Sendable>(
      _ path: any KeyPath<Player.Snapshot, Value> & Sendable
    ) -> Value {
      let value = current.withLock { $0.read(path) }
      access(keyPath: (\Player.State.snapshot).appending(path: path))
      return value
    }

    /// Replaces all values in one transaction; called on the actor of the state only.
    func update(_ new: Player.Snapshot) {
      let (old, properties) = current.withLock { ($0.snapshot, $0.properties.values) }
      replace(with: new, announcing: properties.filter { $0.differs(old, new) }[...])
    }

    private func replace(with new: Player.Snapshot, announcing properties: ArraySlice<Property>) {
      guard let property = properties.first else { return current.withLock { $0.snapshot = new } }
      property.mutate(self) { replace(with: new, announcing: properties.dropFirst()) }
    }

    /// The values of all properties, and the properties that have been read; the others are not observed.
    private struct Values {
      var snapshot: Player.Snapshot
      private(set) var properties: [PartialKeyPath<Player.Snapshot>: Property] = [:]

      init(_ snapshot: Player.Snapshot) { self.snapshot = snapshot }

      /// Returns the value of a property, which is compared in every update from now on.
      mutating func read<Value: Equatable & Sendable>(
        _ path: any KeyPath<Player.Snapshot, Value> & Sendable
      ) -> Value {
        if properties[path] == nil { properties[path] = Property(path) }
        return snapshot[keyPath: path]
      }
    }

    /// An observable property: its comparison and its announced change.
    private struct Property: Sendable {
      let differs: @Sendable (Player.Snapshot, Player.Snapshot) -> Bool
      let mutate: @Sendable (Player.State, () -> Void) -> Void

      init<Value: Equatable & Sendable>(_ path: any KeyPath<Player.Snapshot, Value> & Sendable) {
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        mutate = { state, body in state.withMutation(keyPath: (\Player.State.snapshot).appending(path: path), body) }
      }
    }
  }
}

extension Player {
  /// Updates ``Player/state`` of all players, for observers that are not isolated to another actor.
  ///
  /// It only sets values, so an observer of one player does not delay the observers of another.
  @globalActor
  public actor StateActor {
    /// The shared instance.
    public static let shared = Player.StateActor()
  }

  /// The player's observable state, updated on ``Player/StateActor``; the same as ``state(on:)`` for that actor.
  public var state: Player.State { state(on: Player.StateActor.self) }

  /// Creates or returns the player's observable state that is updated on a global actor, such as `MainActor`.
  ///
  /// The state can be read anywhere, and is observed on that actor. Observation begins with the first call. The values
  /// follow ``snapshot`` after a short delay, as soon as the actor is free. For immediate values or the position, read
  /// ``snapshot``.
  ///
  /// - Parameter actor: The actor. `MainActor` requires a program whose main thread runs its jobs, such as one with an
  ///   async `main`.
  /// - Returns: The state, which is the same object in each call for the same actor.
  public func state<Isolation: GlobalActor>(on actor: Isolation.Type) -> Player.State {
    states.state(on: actor, of: core)
  }

  /// The states of a player by the type of their actor, each created on first use.
  final class States: Sendable {
    /// A state, and the task that applies the events to it until they end; the task is never cancelled, so the events
    /// before the end are applied.
    private typealias Feed = (state: Player.State, consumer: Task<Void, Never>)

    private let feeds = Mutex<[ObjectIdentifier: Feed]>([:])

    /// The tasks that update the states, by the type of their actor.
    var consumers: [ObjectIdentifier: Task<Void, Never>] { feeds.withLock { $0.mapValues(\.consumer) } }

    func state<Isolation: GlobalActor>(on actor: Isolation.Type, of core: PlayerCore) -> Player.State {
      feeds.withLock { feeds in
        if let feed = feeds[ObjectIdentifier(actor)] { return feed.state }
        let new = Self.feed(from: core, on: Isolation.shared)
        feeds[ObjectIdentifier(actor)] = new
        return new.state
      }
    }

    private static func feed(from core: PlayerCore, on actor: any Actor) -> Feed {
      // In this order, so that changes in between are reported.
      let events = core.events()
      let state = Player.State(core.snapshot)
      // An ordinary task would begin on the shared thread pool before it changes to the actor.
      return (state, Task.immediate { await States.apply(events, of: core, to: state, on: actor) })
    }

    private static func apply(
      _ events: AsyncStream<Player.Event>, of core: PlayerCore, to state: Player.State, on actor: isolated any Actor
    ) async {
      for await _ in events { state.update(core.snapshot) }
    }
  }
}
