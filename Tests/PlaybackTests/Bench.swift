import Testing

@testable import Playback

/// A machine with a clock moved by hand and a scripted pipeline, and a record of all that the machine wanted done.
struct Bench {
  var machine: PlaybackMachine
  var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
  /// Every effect so far, and those of the last step alone.
  private(set) var effects: [Effect] = []
  private(set) var lastEffects: [Effect] = []
  let items: [PlayerItem]

  init(
    _ count: Int = 3, at start: Int = 0, loop: LoopMode = .none,
    configuration: PlayerConfiguration = PlayerConfiguration(), scheme: String = "file"
  ) {
    items = (0..<count).map { PlayerItem(uri: "\(scheme):///\($0)") }
    machine = PlaybackMachine(configuration: configuration)
    machine.replaceQueue(with: items, startingAt: start, now: now)
    machine.queue.loop = loop
    _ = machine.takeEffects()
  }

  // MARK: Steps

  /// One decision of the machine; returns what it wants done.
  @discardableResult
  mutating func step(_ decide: (inout PlaybackMachine, MonotonicTime) -> Void) -> [Effect] {
    decide(&machine, now)
    lastEffects = machine.takeEffects()
    effects += lastEffects
    return lastEffects
  }

  /// Puts an effect on record that another than the machine wanted.
  mutating func note(_ effect: Effect) { effects.append(effect) }

  /// Lets time pass, with every wake-up on the way at its instant; returns what the wake-ups want done.
  @discardableResult
  mutating func pass(_ time: Duration) -> [Effect] {
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
  mutating func next() -> [Effect] { step { $0.next(now: $1) } }
  mutating func previous() -> [Effect] { step { $0.previous(now: $1) } }
  mutating func seek(_ seconds: Double, ticket: UInt64? = nil) -> [Effect] {
    step { $0.seek(to: .seconds(seconds), ticket: ticket.map(SeekTicket.init(number:)), now: $1) }
  }

  /// Somebody reads the position.
  mutating func read() -> [Effect] {
    machine.wantsSample(now: now) ? step { $0.sampleForReader(now: $1) } : []
  }

  // MARK: The scripted pipeline

  /// The pipeline says that the preroll or the seek of the current stream is done.
  @discardableResult
  mutating func settle(duration: Double? = 10, isSeekable: Bool = true, isLive: Bool = false) -> [Effect] {
    step {
      let facts = StreamFacts(
        duration: duration.map { .seconds($0) }, isSeekable: isSeekable, isLive: isLive,
        progress: $0.loaded.buffer.progress)
      $0.settled($0.token, facts, now: $1)
    }
  }

  /// The pipeline says that it runs; the position it measured is the machine's own unless given.
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
    step { $0.failed($0.token, PlayerError(code, "scripted"), now: $1) }
  }

  /// The pipeline tells how full its queue is, with so many seconds decoded ahead of the position; a look at the buffer
  /// that is due with it is answered.
  @discardableResult
  mutating func buffer(_ percent: Int, held: Double = 0) -> [Effect] {
    let told = step {
      $0.buffering($0.token, percent: percent, .decoded(until: $0.position(at: $1) + .seconds(held)), now: $1)
    }
    guard let due = machine.nextWake, due <= now else { return told }
    lastEffects = told + pass(.zero).filter { $0 != .command(.samplePosition) } + measure()
    return lastEffects
  }

  /// The pipeline tells the position, which is the machine's own.
  @discardableResult
  mutating func measure() -> [Effect] {
    step { $0.sampled($0.token, position: $0.position(at: $1), now: $1) }
  }

  /// Plays the current item from Stopped, until it runs.
  mutating func start(duration: Double? = 10, isSeekable: Bool = true) {
    step { $0.play(now: $1) }
    settle(duration: duration, isSeekable: isSeekable)
    run()
  }

  /// The same, then paused.
  mutating func startPaused(duration: Double? = 10, isSeekable: Bool = true) {
    start(duration: duration, isSeekable: isSeekable)
    _ = pause()
  }

  /// The data of the current item has been read: the offer for what follows.
  mutating func offer() -> NextStream? {
    var offer: NextStream?
    step { offer = $0.offerNext(for: $0.token, now: $1) }
    return offer
  }

  mutating func takeOffer() throws -> NextStream {
    let offered = offer()
    return try #require(offered)
  }

  /// The offered stream is at the output, heard after `delay` seconds.
  @discardableResult
  mutating func startNext(_ stream: StreamToken, in delay: Double, duration: Double? = 10) -> [Effect] {
    step {
      let facts = StreamFacts(duration: duration.map { .seconds($0) })
      $0.nextStarted(stream, in: .seconds(delay), facts, now: $1)
    }
  }

  /// Until the current item is in its tail: its successor is heard after `delay` seconds.
  mutating func enterTail(_ delay: Double = 1, duration: Double? = 10) throws -> StreamToken {
    let next = try takeOffer()
    startNext(next.stream, in: delay, duration: duration)
    return next.stream
  }

  // MARK: What is seen

  var current: PlayerItem? { machine.queue.current }
  var position: Duration { machine.position(at: now) }
  var snapshot: Player.Snapshot { machine.snapshot(at: now) }
  var token: StreamToken { machine.token }
}

extension StreamProgress {
  /// All that has arrived is decoded.
  static func decoded(until time: Duration) -> StreamProgress {
    var progress = StreamProgress()
    progress.decode(from: time)
    return progress
  }
}

extension [Effect] {
  /// The events, without the bare news that something has changed.
  var events: [PlayerEvent] {
    compactMap { if case .emit(let event) = $0, event != .changed { event } else { nil } }
  }
  /// What the engine has to do.
  var orders: [EngineCommand] { compactMap { if case .command(let command) = $0 { command } else { nil } } }
  /// The URIs that are loaded.
  var loads: [String] { orders.compactMap { if case .load(let uri, _) = $0 { uri } else { nil } } }
  /// The ends of waiting seeks, by ticket.
  var finished: [UInt64: [Bool]] {
    reduce(into: [:]) { if case .finishSeek(let ticket, let done) = $1 { $0[ticket.number, default: []].append(done) } }
  }
  var isNews: Bool { contains(.emit(.changed)) }
}

extension PlaybackMachine {
  mutating func remove(_ id: PlayerItem.ID, now: MonotonicTime) { remove([id], now: now) }
}

extension PlayQueue {
  /// Removes one item; returns whether the queue contained it.
  @discardableResult
  mutating func remove(_ id: PlayerItem.ID) -> Bool {
    defer { remove([id]) }
    return contains(id)
  }
}
