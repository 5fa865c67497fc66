import Testing

@testable import Playback

/// A playback machine with a manual clock and a scripted pipeline, and a record of all effects that it requested.
struct MachineHarness {
  var machine: PlaybackMachine
  var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
  /// All effects so far; `lastEffects` contains those of the last step alone.
  private(set) var effects: [Effect] = []
  private(set) var lastEffects: [Effect] = []
  let items: [Player.Item]

  init(
    _ count: Int = 3, at start: Int = 0, loop: Player.LoopMode = .none,
    configuration: Player.Configuration = Player.Configuration(), scheme: String = "file"
  ) {
    items = (0..<count).map { Player.Item(uri: "\(scheme):///\($0)") }
    machine = PlaybackMachine(configuration: configuration)
    machine.replaceQueue(with: items, startingAt: start, now: now)
    machine.queue.loop = loop
    _ = machine.takeEffects()
  }

  // MARK: Steps

  /// Runs one decision of the machine and returns its effects.
  @discardableResult
  mutating func step(_ decide: (inout PlaybackMachine, MonotonicTime) -> Void) -> [Effect] {
    decide(&machine, now)
    lastEffects = machine.takeEffects()
    effects += lastEffects
    return lastEffects
  }

  /// Records an effect that does not come from the machine.
  mutating func note(_ effect: Effect) { effects.append(effect) }

  /// Advances the clock and runs every wake-up at its instant; returns the effects of the wake-ups.
  @discardableResult
  mutating func advance(_ time: Duration) -> [Effect] {
    let end = now + time
    var caused: [Effect] = []
    var wakes = 0
    while let wake = machine.nextWake, wake <= end {
      now = max(now, wake)
      caused += step { $0.wake(now: $1) }
      wakes += 1
      if wakes > 1000 {
        Issue.record("a thousand wake-ups within \(time)")
        break
      }
    }
    now = max(now, end)
    lastEffects = caused
    return caused
  }

  mutating func play() -> [Effect] { step { $0.play(now: $1) } }
  mutating func pause() -> [Effect] { step { $0.pause(now: $1) } }
  mutating func stop() -> [Effect] { step { $0.stop(now: $1) } }
  mutating func next() -> [Effect] { step { $0.decide(.next, now: $1) } }
  mutating func previous() -> [Effect] { step { $0.decide(.previous, now: $1) } }
  mutating func seek(_ seconds: Double, ticket: UInt64? = nil) -> [Effect] {
    step { $0.seek(to: .seconds(seconds), ticket: ticket.map(SeekTicket.init(number:)), now: $1) }
  }

  /// Reads the position as a client does.
  mutating func read() -> [Effect] {
    machine.wantsSample(now: now) ? step { $0.decide(.sampleForReader, now: $1) } : []
  }

  // MARK: The scripted pipeline

  /// Reports the completion of the current stream's preroll or seek.
  @discardableResult
  mutating func settle(duration: Double? = 10, isSeekable: Bool = true, isLive: Bool = false) -> [Effect] {
    step {
      let facts = StreamFacts(
        duration: duration.map { .seconds($0) }, isSeekable: isSeekable, isLive: isLive,
        progress: $0.loaded.buffer.progress)
      $0.settled($0.token, facts, now: $1)
    }
  }

  /// Reports that the pipeline runs, at `measured` seconds or the machine's own position.
  @discardableResult
  mutating func run(measured: Double? = nil) -> [Effect] {
    step {
      let position = measured.map { Duration.seconds($0) } ?? $0.position(at: $1)
      $0.running($0.token, position: position, now: $1)
    }
  }

  @discardableResult
  mutating func end() -> [Effect] { step { $0.endOfStream($0.token, now: $1) } }

  @discardableResult
  mutating func fail(_ code: PlayerError.Code = .notFound) -> [Effect] {
    step { $0.failed($0.token, PlayerError(code: code, message: "scripted"), now: $1) }
  }

  /// Reports the fill level of the pipeline's queue and the decoded time ahead of the position.
  ///
  /// If a position query is due at the same time, it is answered.
  @discardableResult
  mutating func buffer(_ percent: Int, held: Double = 0) -> [Effect] {
    let reported = step {
      $0.buffering($0.token, percent: percent, .decoded(until: $0.position(at: $1) + .seconds(held)), now: $1)
    }
    guard let due = machine.nextWake, due <= now else { return reported }
    lastEffects = reported + advance(.zero).filter { $0 != .command(.samplePosition) } + measure()
    return lastEffects
  }

  /// Reports a measured position that equals the machine's own.
  @discardableResult
  mutating func measure() -> [Effect] {
    step { $0.sampled($0.token, position: $0.position(at: $1), now: $1) }
  }

  /// Reports that the data of the current item has ended at a time, and has reached the output.
  @discardableResult
  mutating func runOut(at seconds: Double) -> [Effect] {
    step { $0.decide(.event(.ranOut($0.token, .ended(at: .seconds(seconds)))), now: $1) }
  }

  /// Advances the clock, and answers each measurement with the machine's position, at most with `limit`.
  ///
  /// `data` is the end of the data at the output; nil if more is decoded. Both are in seconds.
  mutating func advance(_ time: Duration, upTo limit: Double, data: Double?) -> [Effect] {
    let last = now + time
    var caused: [Effect] = []
    let progress = data.map { StreamProgress.ended(at: .seconds($0)) } ?? StreamProgress()
    while let wake = machine.nextWake, wake <= last {
      let effects = advance(wake - now)
      caused += effects
      guard effects.contains(.command(.samplePosition)) else { continue }
      caused += step {
        let position = min(.seconds(limit), $0.timebase.position(at: $1))
        $0.decide(.event(.sampled($0.token, position: position, progress)), now: $1)
      }
    }
    return caused + advance(last - now)
  }

  /// Plays the current item from Stopped until the pipeline runs.
  mutating func start(duration: Double? = 10, isSeekable: Bool = true) {
    step { $0.play(now: $1) }
    settle(duration: duration, isSeekable: isSeekable)
    run()
  }

  /// Plays the current item from Stopped until the pipeline runs, then pauses.
  mutating func startPaused(duration: Double? = 10, isSeekable: Bool = true) {
    start(duration: duration, isSeekable: isSeekable)
    _ = pause()
  }

  /// Reports that all data of the current item has been read; returns the machine's offer of the next stream.
  mutating func offer() -> NextStream? {
    var offer: NextStream?
    step { offer = $0.offerNext(for: $0.token, now: $1) }
    return offer
  }

  mutating func requireOffer() throws -> NextStream {
    let offered = offer()
    return try #require(offered)
  }

  /// Reports that the offered stream is at the output and becomes audible after `delay` seconds.
  @discardableResult
  mutating func startNext(_ stream: StreamToken, in delay: Double, duration: Double? = 10) -> [Effect] {
    step {
      let facts = StreamFacts(duration: duration.map { .seconds($0) })
      $0.nextStarted(stream, in: .seconds(delay), facts, now: $1)
    }
  }

  /// Reports that the next item is at the output and becomes audible after `delay` seconds.
  mutating func prerollNext(_ delay: Double = 1, duration: Double? = 10) throws -> StreamToken {
    let next = try requireOffer()
    startNext(next.stream, in: delay, duration: duration)
    return next.stream
  }

  // MARK: Observed state

  var current: Player.Item? { machine.queue.current }
  var position: Duration { machine.position(at: now) }
  var snapshot: Player.Snapshot { machine.snapshot(at: now) }
  var token: StreamToken { machine.token }
}

extension StreamProgress {
  /// Returns the progress of a stream whose received data is all decoded.
  static func decoded(until time: Duration) -> StreamProgress {
    var progress = StreamProgress()
    progress.decode(from: time)
    return progress
  }

  /// Returns the progress of a stream whose data ends at a time, and has reached the output.
  static func ended(at time: Duration) -> StreamProgress {
    var progress = StreamProgress()
    progress.decode(from: .zero)
    progress.decode(until: time)
    progress.deliver(until: time)
    return progress
  }
}

extension [Effect] {
  /// The events, without `changed`.
  var events: [Player.Event] {
    compactMap { if case .emit(let event) = $0, event != .changed { event } else { nil } }
  }
  /// The commands for the engine.
  var engineCommands: [EngineCommand] { compactMap { if case .command(let command) = $0 { command } else { nil } } }
  /// The URIs of the load commands.
  var loads: [String] { engineCommands.compactMap { if case .load(let uri, _, _) = $0 { uri } else { nil } } }
  /// The results of completed seeks, by ticket.
  var finished: [UInt64: [Bool]] {
    reduce(into: [:]) { if case .finishSeek(let ticket, let done) = $1 { $0[ticket.number, default: []].append(done) } }
  }
  var hasChanged: Bool { contains(.emit(.changed)) }
}

extension PlaybackMachine {
  mutating func insert(_ items: [Player.Item], after id: Player.Item.ID?, now: MonotonicTime) {
    decide(.insert(ItemList(items), after: id), now: now)
  }

  mutating func insertAtStart(_ items: [Player.Item], now: MonotonicTime) {
    decide(.insertAtStart(ItemList(items)), now: now)
  }

  mutating func move(_ id: Player.Item.ID, to index: Int, now: MonotonicTime) { decide(.move(id, to: index), now: now) }

  mutating func remove(_ id: Player.Item.ID, now: MonotonicTime) { remove([id], now: now) }
}

extension PlayQueue {
  /// Removes one item; returns whether the queue contained it.
  @discardableResult
  mutating func remove(_ id: Player.Item.ID) -> Bool {
    defer { remove([id]) }
    return contains(id)
  }
}
