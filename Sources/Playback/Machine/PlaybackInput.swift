/// One input of a ``PlaybackMachine``: a command with its arguments, an event of the engine, a wake-up, or the request
/// of a reader or of a streaming thread.
///
/// The machine changes only by inputs, so the inputs and their instants determine its later states.
enum PlaybackInput: Codable, Sendable {
  case play, prepare, stop, next, previous
  case pause(fading: Bool)
  case playItem(Player.Item.ID)
  case playImmediately(rate: Double)
  case seek(to: Duration, within: Player.SeekTolerance, SeekTicket)
  case cancelPendingSeeks
  // Settings; the caller has checked their ranges.
  case setRate(Double)
  case setDefaultRate(Double?)
  case setVolume(Double)
  case setMuted(Bool)
  case setAudioOutput(AudioOutput?)
  case setLoop(Player.LoopMode)
  case setShuffled(Bool)
  case setActionAtItemEnd(Player.ActionAtItemEnd)
  case setAutomaticallyWaits(Bool)
  case setForwardBuffer(Duration?)
  case setNetworkTimeout(Duration)
  case setAudioLanguages([String])
  case setLowPowerMode(Bool)
  case selectAudioTrack(Int)
  // Edits of the queue.
  case replaceQueue(ItemList, startingAt: Int, playOrder: [Int]?)
  case insert(ItemList, after: Player.Item.ID?)
  case insertAtStart(ItemList)
  case remove(Set<Player.Item.ID>)
  case move(Player.Item.ID, to: Int)
  // The engine, the clock and readers.
  case event(EngineEvent)
  case wake
  /// A reader needs a newer measurement of the position.
  case sampleForReader
  /// A reader has received the progress of a network stream.
  case progress(StreamProgress, of: StreamToken)
  /// A streaming thread requests the stream after this one.
  case offerNext(after: StreamToken)
}

extension PlaybackMachine {
  /// Makes the decision on an input; returns the next stream, if the input requests one.
  @discardableResult
  mutating func decide(_ input: PlaybackInput, now: MonotonicTime) -> NextStream? {
    defer {
      requestLoudness()
      describeStream()
    }
    switch input {
    case .play: play(now: now)
    case .prepare: prepare(now: now)
    case .stop: stop(now: now)
    case .next: select(queue.next, now: now)
    case .previous: select(queue.previous, isBackward: true, now: now)
    case .pause(let isFading): pause(fading: isFading, now: now)
    case .playItem(let id): play(id, now: now)
    case .playImmediately(let rate): playImmediately(atRate: rate, now: now)
    case .seek(let target, let tolerance, let ticket): seek(to: target, within: tolerance, ticket: ticket, now: now)
    case .cancelPendingSeeks: cancelPendingSeeks()
    case .setRate(let rate): setRate(rate, now: now)
    case .setDefaultRate(let rate): change { $0.defaultRate = rate }
    case .setVolume(let volume): change { $0.volume = volume }
    case .setMuted(let isMuted): change { $0.isMuted = isMuted }
    case .setAudioOutput(let output): setAudioOutput(output, now: now)
    case .setLoop(let loop): setLoop(loop, now: now)
    case .setShuffled(let isShuffled): editQueue(now: now) { $0.setShuffled(isShuffled) }
    case .setActionAtItemEnd(let action): setActionAtItemEnd(action, now: now)
    case .setAutomaticallyWaits(let waits): setAutomaticallyWaits(waits, now: now)
    case .setForwardBuffer(let duration): change { $0.forwardBuffer = duration }
    case .setNetworkTimeout(let timeout): settings.networkTimeout = timeout
    case .setAudioLanguages(let languages): change { $0.audioLanguages = languages }
    case .setLowPowerMode(let isEnabled): change { $0.isLowPowerModeEnabled = isEnabled }
    case .selectAudioTrack(let index): selectAudioTrack(index, now: now)
    case .replaceQueue(let list, let start, let order):
      replaceQueue(with: list.items, startingAt: start, playOrder: order, now: now)
    case .insert(let list, let id): editQueue(now: now) { $0.insert(list.items, after: id) }
    case .insertAtStart(let list): editQueue(now: now) { $0.insertAtStart(list.items) }
    case .remove(let ids): remove(ids, now: now)
    case .move(let id, let index): editQueue(now: now) { $0.move(id, to: index) }
    case .event(let event): handle(event, now: now)
    case .wake: wake(now: now)
    case .sampleForReader:
      timebase.lastSample = now
      perform(.samplePosition)
    case .progress(let progress, let stream): follow(progress, of: stream)
    case .offerNext(let stream): return offerNext(for: stream, now: now)
    }
    return nil
  }
}
