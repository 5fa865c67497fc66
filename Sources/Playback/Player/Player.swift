/// A player for a queue of items: the counterpart of `AVQueuePlayer`, on any engine.
///
/// All methods may be called from any thread; the synchronous ones return at once and never wait for the pipeline. When
/// a command or a setter returns, the properties and ``snapshot`` show its effect, and the pipeline follows. A change
/// such as `player.volume += 0.1` reads and then sets; it is not one step for other threads. Releasing the last
/// reference closes the player; its settings can still be read, and setting them does nothing.
public final class Player: Sendable {
  let core: PlayerCore
  let states = States()

  /// Creates a player with an empty queue on an engine, which starts in the background.
  ///
  /// - Parameters:
  ///   - configuration: The output, initial volume and time limits.
  ///   - engine: The engine, which no other player uses.
  ///   - clock: The clock, which no other player uses.
  ///   - observers: The executor on which observers are called.
  public convenience init(
    configuration: Player.Configuration, engine: any PlaybackEngine, clock: any PlaybackClock,
    observers: any ObserverExecutor
  ) {
    self.init(configuration: configuration, engine: engine, loudness: nil, clock: clock, observers: observers)
  }

  /// Creates a player that also has measurements of local files, which no other player uses; nil measures nothing.
  package init(
    configuration: Player.Configuration, engine: any PlaybackEngine, loudness: (any LoudnessSource)?,
    clock: any PlaybackClock, observers: any ObserverExecutor
  ) {
    core = PlayerCore(
      configuration: configuration, engine: engine, loudness: loudness, clock: clock, observers: observers)
  }

  deinit { core.close() }

  /// Ends playback and releases the pipeline; returns when that is done.
  ///
  /// Every event stream finishes, and every pending seek returns false.
  public func close() async { await core.closed() }

  // MARK: State

  /// A consistent view of the player with an up-to-date position.
  ///
  /// Reading it never blocks on the pipeline.
  public var snapshot: Snapshot { core.snapshot }

  /// Returns a new stream of the events from now on, in order.
  ///
  /// If a stream is not read, it keeps the latest 1,024 events. It does not contain snapshots, because each of them would keep the
  /// pictures of its item. A reader at its own pace reads the present ``snapshot``.
  public func events() -> AsyncStream<Player.Event> { core.events() }

  /// The ID of the process in which the engine runs; nil while there is none, and for an engine in this process.
  package var engineProcessID: Int32? { core.engine.processID }

  /// The restrictions of that process, such as `Landlock 7, seccomp`, or `off`; nil while there is none.
  package var engineRestrictions: String? { core.engine.restrictions }

  /// The last 100 playbacks of items and the one in progress, the oldest first; the counterpart of
  /// `AVPlayerItem.accessLog()`.
  ///
  /// The playback in progress has its present values. To find the playbacks of one item, compare
  /// ``Player/AccessLogEntry/item``.
  public var accessLog: [Player.AccessLogEntry] { core.accessLog }

  /// The last 100 errors, the oldest first, including those from which the player recovered; the counterpart of
  /// `AVPlayerItem.errorLog()`.
  public var errorLog: [Player.ErrorLogEntry] { core.errorLog }

  /// Returns the entries of both logs from now on as a sequence: each error when it occurs, and each playback when it is
  /// complete.
  ///
  /// If it is not read, it keeps the latest 1,024 entries. It ends when the player is closed. The counterpart of
  /// `AVPlayerItem.newAccessLogEntryNotification` and `newErrorLogEntryNotification`.
  public func logEntries() -> AsyncStream<Player.LogEntry> { core.logEntries() }

  /// Carries out several commands as one change: their events are reported together, with the snapshot after the last.
  ///
  /// Readers see each command at once. Events of other causes during the call are reported after it too.
  ///
  /// - Parameter commands: The commands; it must not block.
  /// - Returns: The result of the commands.
  package func transaction<Result>(_ commands: () -> Result) -> Result { core.transaction(commands) }

  // MARK: Transport

  /// Plays; from Stopped, or if the current item has ended, from the start of the current item.
  ///
  /// Playback resumes at the default rate if one is set, see ``defaultRate``. The call does nothing while
  /// playing or with an empty queue.
  public func play() { core.apply(.play) }

  /// Plays so that the first sample is audible at an instant.
  ///
  /// Until then the position stands, and ``Snapshot/timeControlStatus`` is waiting. An item that plays pauses until then.
  /// Players that start at one instant are synchronous, also in several processes, if their items can seek and are ready
  /// about a second before. Otherwise the output is started at the instant, or when the item is ready. A pause, a stop, a
  /// seek, ``play()``, another item and the end of the engine's process cancel the start; a player that still plays then plays
  /// at once. The counterpart of `AVPlayer.setRate(_:time:atHostTime:)`.
  ///
  /// - Parameter instant: A time of `CLOCK_MONOTONIC`; one that has passed is at once.
  public func play(at instant: MonotonicTime) { core.apply(.playAt(instant)) }

  /// Loads the current item and holds it, paused, at its start.
  ///
  /// The call does nothing unless stopped, or with an empty queue. ``prepare()`` also waits until the item is ready.
  public func load() { core.apply(.prepare) }

  /// Loads the current item, and waits until it is ready to play; it is then held, paused, at its start.
  ///
  /// If the player is not stopped, the call only waits. A cancelled call returns early, and the item is still loaded.
  /// If the audio output is unavailable, the call waits until it can be opened. ``load()`` does the same without
  /// waiting. The counterpart of `AVPlayer.preroll(atRate:)`.
  ///
  /// - Throws: The item's ``PlayerError`` if it fails, and ``PlayerError`` with the code `invalid-argument` if the queue
  ///   is empty. The code is `cancelled` if another item becomes current, playback is stopped, or the player is closed.
  ///   `CancellationError` if the task is cancelled.
  public func prepare() async throws { try await core.prepare() }

  /// Plays one item of the queue, and makes it current.
  ///
  /// The call does nothing if the queue does not contain the item.
  public func play(item: Player.Item.ID) { core.apply(.playItem(item)) }

  /// Pauses at the current position, or after the fade-out, see ``Player/Configuration/fade``.
  ///
  /// The call does nothing unless playing, except that a pause without a fade cuts off a fade-out in progress.
  ///
  /// - Parameter fading: Whether to fade out first if the player is configured to; false pauses at once.
  public func pause(fading: Bool = true) { core.apply(.pause(fading: fading)) }

  /// Stops and releases the media and the output; the queue and its current item stay.
  ///
  /// With a fade, they are released when the fade-out has been played.
  public func stop() { core.apply(.stop) }

  /// Selects the next item; the player stays playing, paused or stopped.
  ///
  /// The call does nothing if there is none.
  public func advanceToNextItem() { advance(by: 1) }

  /// Selects the previous item; the player stays playing, paused or stopped.
  ///
  /// The call does nothing if there is none.
  public func returnToPreviousItem() { advance(by: -1) }

  /// Selects the item at a distance from the current one in the order of play, negative for an earlier one; the player stays
  /// playing, paused or stopped.
  ///
  /// The call does nothing if there is none. With the loop mode `playlist`, the first item follows the last one.
  package func advance(by distance: Int) { core.apply(.advance(by: distance)) }

  /// Sets the position of the current item, clamped to 0…duration, and returns at once; of several requests, the
  /// latest applies.
  ///
  /// Until the seek is done, ``Snapshot/position`` is the target. The call does nothing while stopped, or if the item
  /// is not seekable. The result shows whether the seek was completed, and waits for that if it is read:
  ///
  /// ```swift
  /// player.seek(to: .seconds(90))
  /// let hasArrived = await player.seek(to: .seconds(120)).isCompleted
  /// ```
  ///
  /// The counterpart of `AVPlayer.seek(to:toleranceBefore:toleranceAfter:)`, and of `AVPlayer.seek(to:)`, which is not
  /// exact.
  ///
  /// - Parameters:
  ///   - position: The target.
  ///   - tolerance: The permitted difference; ``SeekTolerance/zero`` is exact. With a tolerance, a seek in a compressed
  ///     stream without an index may end at the nearest position that is quick to reach. That position becomes the
  ///     current one. If the stream has no such position within the tolerance, the seek is exact.
  /// - Returns: The seek, which may be discarded.
  @discardableResult
  public func seek(to position: Duration, within tolerance: SeekTolerance = .zero) -> Seek {
    core.seek(to: position, within: tolerance) { _ in true }
  }

  /// Seeks exactly, if `isExpected` accepts the current item and its loop count; it is called under the player's lock.
  package func seek(to position: Duration, if isExpected: (Player.Item.ID, _ loopCount: Int) -> Bool) {
    _ = core.seek(to: position, within: .zero) { machine in
      machine.queue.current.map { isExpected($0.id, machine.current.loopCount) } ?? false
    }
  }

  /// Finishes every pending seek with false; the counterpart of `AVPlayerItem.cancelPendingSeeks()`.
  ///
  /// A seek that the pipeline has begun, and the start position of an item that is being opened, are still carried out.
  /// Seeks that were to follow them are dropped.
  public func cancelPendingSeeks() { core.apply(.cancelPendingSeeks) }

  // MARK: Queue

  /// The maximum length of the queue; items inserted beyond it are dropped.
  public static let itemLimit = PlayQueue.limit

  /// The items of the queue in list order, including those already played.
  public var items: [Player.Item] { core.value { $0.queue.items } }

  /// Whether an item is in the queue.
  package func contains(_ item: Player.Item.ID) -> Bool { core.value { $0.queue.contains(item) } }

  /// The items and the index of the current one, read together; the cost does not depend on the length.
  public var queue: (items: [Player.Item], currentIndex: Int?) {
    core.value { ($0.queue.items, $0.queue.currentIndex) }
  }

  /// The playback order of a shuffled queue, as indices into ``items``; nil in list order.
  public var playOrder: [Int]? { core.value { $0.queue.order } }

  /// The item that ``advanceToNextItem()`` selects; nil if there is none.
  package var nextItem: Player.Item? { core.value { $0.queue.next } }

  /// Whether an item precedes another one in the order of play; false if one of them is not in the queue.
  package func plays(_ item: Player.Item.ID, before other: Player.Item.ID) -> Bool {
    core.value { $0.queue.plays(item, before: other) }
  }

  /// Whether ``advance(by:)`` selects an item.
  package func canAdvance(by distance: Int) -> Bool { core.value { $0.queue.item(at: distance) != nil } }

  /// Replaces the queue; a playing or paused player continues with the new current item at its start.
  ///
  /// - Parameters:
  ///   - items: The new queue; items beyond a million are dropped.
  ///   - start: The index of the item that becomes current.
  ///   - playOrder: An earlier shuffled order to continue, from ``playOrder``; an order that does not contain each
  ///     index exactly once is ignored.
  public func replaceQueue(with items: [Player.Item], startingAt start: Int = 0, playOrder: [Int]? = nil) {
    core.apply(.replaceQueue(ItemList(items), startingAt: start, playOrder: playOrder))
  }

  /// Replaces the items around the current one, which continues, and the order of play.
  ///
  /// The call does nothing if the current item is not among the items.
  ///
  /// - Parameters:
  ///   - items: The new queue.
  ///   - playOrder: The shuffled order, see ``replaceQueue(with:startingAt:playOrder:)``; nil for list order.
  ///   - keepsAlbums: Whether a shuffled order keeps albums together.
  package func rearrangeQueue(with items: [Player.Item], playOrder: [Int]?, keepsAlbums: Bool) {
    core.apply(.rearrange(ItemList(items), playOrder: playOrder, keepsAlbums: keepsAlbums))
  }

  /// Adds items at the end; in an empty queue, the first becomes current.
  public func append(contentsOf items: [Player.Item]) { core.apply(.insert(ItemList(items), after: nil)) }

  /// Inserts items after another, or at the end if that is nil; in an empty queue, the first becomes current.
  public func insert(contentsOf items: [Player.Item], after item: Player.Item.ID?) {
    core.apply(.insert(ItemList(items), after: item))
  }

  /// Inserts items before all others; in an empty queue, the first becomes current.
  public func prepend(contentsOf items: [Player.Item]) { core.apply(.insertAtStart(ItemList(items))) }

  /// Removes an item; if it is current, the next one becomes current.
  public func remove(_ item: Player.Item.ID) { remove(contentsOf: [item]) }

  /// Removes items; if the current one is among them, the next remaining item becomes current, or playback stops if
  /// there is none.
  public func remove(contentsOf items: Set<Player.Item.ID>) { core.apply(.remove(items)) }

  /// Moves an item to another index in list order; playback and a shuffled order do not change.
  ///
  /// - Parameters:
  ///   - item: The item; one that the queue does not contain is ignored.
  ///   - index: The new index of the item in ``items``; an index beyond the last one moves the item to the end.
  public func move(_ item: Player.Item.ID, to index: Int) { core.apply(.move(item, to: index)) }
}
