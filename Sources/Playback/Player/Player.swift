import Synchronization

/// Plays a queue of items: the counterpart of `AVQueuePlayer`, over any engine.
///
/// Every call may be made from any thread, returns at once and never waits for the pipeline: the command is applied to
/// ``snapshot`` when the call returns, and the pipeline follows. A player whose last reference goes is closed.
public final class Player: Sendable {
  let core: PlayerCore
  /// Made when ``state`` is first asked for.
  let stateFeed = Mutex<PlayerStateFeed?>(nil)

  /// Makes a player with an empty queue over an engine, which starts in the background.
  ///
  /// - Parameters:
  ///   - configuration: Output, initial volume and time limits.
  ///   - engine: The engine, which no other player uses.
  ///   - clock: The clock, which no other player uses.
  ///   - observers: Where observers are called.
  public init(
    configuration: PlayerConfiguration, engine: any PlaybackEngine, clock: any PlaybackClock,
    observers: any ObserverExecutor
  ) {
    core = PlayerCore(configuration: configuration, engine: engine, clock: clock, observers: observers)
    core.open()
  }

  deinit { core.close() }

  /// Ends playback and releases the pipeline; returns when that is done.
  ///
  /// Every event stream finishes, every waiting seek returns false.
  public func close() async {
    await core.closed()
  }

  // MARK: State

  /// One consistent view of the player, its position fresh.
  ///
  /// Never blocks on the pipeline.
  public var snapshot: Snapshot { core.snapshot }

  /// What happens from now on, in order; each call gives a stream of its own.
  ///
  /// A stream that is not read keeps the newest 1 024 events.
  public func events() -> AsyncStream<PlayerEvent> { core.events() }

  // MARK: Transport

  /// Plays; from Stopped, and at its end, the current item from its start.
  ///
  /// Resumes at the default rate when one is set, see ``setDefaultRate(_:)``. Does nothing while playing or with an empty
  /// queue.
  public func play() { core.apply { $0.play(now: $1) } }

  /// Loads the current item and holds it, paused, at its start.
  ///
  /// Does nothing unless stopped, or with an empty queue.
  public func prepare() { core.apply { $0.prepare(now: $1) } }

  /// Plays one item of the queue, and makes it current.
  ///
  /// Does nothing when the queue has no such item.
  public func play(_ item: PlayerItem.ID) { core.apply { $0.play(item, now: $1) } }

  /// Holds the position where it is, or where the sound has faded, see ``PlayerConfiguration/fade``.
  ///
  /// Does nothing unless playing.
  public func pause() { core.apply { $0.pause(now: $1) } }

  /// The same without a fade; one that is heard is cut off.
  public func pauseAtOnce() { core.apply { $0.pause(fading: false, now: $1) } }

  /// Stops and lets go of the media and the output; the queue and its current item stay.
  ///
  /// Where there is a fade, they are let go when it has been heard.
  public func stop() { core.apply { $0.stop(now: $1) } }

  /// Goes to the next item; playing, paused and stopped stay what they are.
  ///
  /// Does nothing when there is none.
  public func next() { core.apply { $0.next(now: $1) } }

  /// Goes to the previous item; playing, paused and stopped stay what they are.
  ///
  /// Does nothing when there is none.
  public func previous() { core.apply { $0.previous(now: $1) } }

  /// Sets the position of the current item, clamped to 0…duration; the newest of several wins.
  ///
  /// Until it is done ``Snapshot/position`` is the target. Does nothing while stopped or when the item cannot be
  /// sought.
  public func seek(to position: Duration) { core.apply { $0.seek(to: position, ticket: nil, now: $1) } }

  /// Sets the position and waits until it is so; the counterpart of `AVPlayer.seek(to:toleranceBefore:toleranceAfter:)`.
  ///
  /// A tolerance lets a compressed stream without an index be entered at the nearest place where that is quick; the
  /// position is then the one where it was entered. Where the stream has no such place within the tolerance, the seek is
  /// exact.
  ///
  /// - Returns: False when another seek, another item or a stop came first, or when the item cannot be sought.
  @discardableResult
  public func seek(to position: Duration, within tolerance: SeekTolerance = .zero) async -> Bool {
    await core.seek(to: position, within: tolerance)
  }

  /// Answers every seek that is waited for with false; the counterpart of `AVPlayerItem.cancelPendingSeeks()`.
  ///
  /// One that the pipeline has begun, or that an item is opened at, is carried out; what was to follow it is dropped.
  public func cancelPendingSeeks() { core.apply { machine, _ in machine.cancelPendingSeeks() } }

  /// The volumes that can be set, linear; 1 is unchanged.
  public static let volumeRange = PlayerConfiguration.volumeRange

  /// Sets the volume.
  ///
  /// - Parameter volume: Within ``volumeRange``; a volume beyond it is clamped, and one that is not finite is ignored.
  public func setVolume(_ volume: Double) {
    guard let volume = PlayerConfiguration.clamped(volume: volume) else { return }
    core.apply { machine, _ in machine.setVolume(volume) }
  }

  /// Plays on through another device, from the same place; the counterpart of `AVPlayer.audioOutputDeviceUniqueID`.
  ///
  /// A device that cannot be opened is waited for like one that has gone, with the position held.
  ///
  /// - Parameter output: One of ``AudioOutput/all()``; nil for what was configured.
  public func setAudioOutput(_ output: AudioOutput?) { core.apply { $0.setAudioOutput(output, now: $1) } }

  /// Turns the sound off or on again, at the same volume.
  public func setMuted(_ isMuted: Bool) { core.apply { machine, _ in machine.setMuted(isMuted) } }

  // MARK: Queue

  /// The longest queue; what is inserted beyond it is left out.
  public static let itemLimit = PlayQueue.limit

  /// The items of the queue in list order, played ones included.
  public var items: [PlayerItem] { core.items }

  /// The items and the current one's place among them, of one moment; it costs the same for any length.
  public var queue: (items: [PlayerItem], currentIndex: Int?) { core.queue }

  /// The order that a shuffled queue plays in, as indices into ``items``; nil in list order.
  public var playOrder: [Int]? { core.playOrder }

  /// Replaces the queue; playing and paused go on with the new current item, at its start.
  ///
  /// - Parameters:
  ///   - items: The new queue; what is beyond a million items is left out.
  ///   - start: The index of the item that becomes current.
  ///   - playOrder: A shuffled order to go on with, as ``playOrder`` told it; one that does not name each item once is
  ///     left out.
  public func replaceQueue(with items: [PlayerItem], startingAt start: Int = 0, playOrder: [Int]? = nil) {
    core.apply { $0.replaceQueue(with: items, startingAt: start, playOrder: playOrder, now: $1) }
  }

  /// Inserts items after another, or at the end; into an empty queue, the first becomes current.
  public func insert(_ items: [PlayerItem], after item: PlayerItem.ID? = nil) {
    core.apply { $0.insert(items, after: item, now: $1) }
  }

  /// Inserts items before all others; into an empty queue, the first becomes current.
  public func insertAtStart(_ items: [PlayerItem]) { core.apply { $0.insertAtStart(items, now: $1) } }

  /// Removes an item; when it was current, its follower takes its place.
  public func remove(_ item: PlayerItem.ID) { remove([item]) }

  /// Removes items; when the current one is among them, the next that stays takes its place, and if there is none,
  /// playback stops.
  public func remove(_ items: Set<PlayerItem.ID>) { core.apply { $0.remove(items, now: $1) } }

  /// Moves an item to another place in list order; playback and a shuffled order continue as they are.
  ///
  /// - Parameters:
  ///   - item: The item; one that the queue does not contain is ignored.
  ///   - index: The new index of the item in ``items``; one beyond the last is the last.
  public func move(_ item: PlayerItem.ID, to index: Int) { core.apply { $0.move(item, to: index, now: $1) } }

  /// What follows the end of an item.
  public func setLoop(_ loop: LoopMode) { core.apply { $0.setLoop(loop, now: $1) } }

  /// Plays the queue in a random order, the current item first, or in list order.
  public func setShuffled(_ isShuffled: Bool) {
    core.apply { machine, now in
      guard machine.queue.isShuffled != isShuffled else { return }
      machine.editQueue(now: now) { $0.setShuffled(isShuffled) }
    }
  }
}
