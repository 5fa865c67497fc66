import Testing

@testable import Playback

/// A scripted machine with time observers, scheduled as in the player.
///
/// As in the player, the one timer fires once per setting, and is set again only to another instant.
struct ObserverHarness {
  /// A notification of an observer, or an event.
  enum ObserverRecord: Equatable, Sendable {
    case tick(Duration)
    case crossing(UInt64, Duration)
    case event(Player.Event)

    static func tick(_ seconds: Double) -> ObserverRecord { .tick(.seconds(seconds)) }
    static func crossing(_ observer: UInt64, _ seconds: Double) -> ObserverRecord {
      .crossing(observer, .seconds(seconds))
    }
  }

  var harness: MachineHarness
  var watch = TimeObserverScheduler()
  private(set) var reported: [ObserverRecord] = []
  private(set) var metadata: [Player.TimedMetadata] = []
  /// The position at which each of them was delivered.
  private(set) var metadataPositions: [Duration] = []
  private(set) var crossings: [Player.BoundaryCrossing] = []
  /// The observers of the ticks.
  private(set) var ticking: [UInt64] = []
  private(set) var wakes = 0
  private var timer: (instant: MonotonicTime?, isSet: Bool) = (nil, false)
  private var lastID: UInt64 = 0

  init(
    _ count: Int = 1, loop: Player.LoopMode = .none, configuration: Player.Configuration = Player.Configuration()
  ) {
    harness = MachineHarness(count, loop: loop, configuration: configuration)
  }

  // MARK: Observers

  /// Adds an observer and returns its number.
  @discardableResult
  mutating func observe(_ kind: TimeObservers.Kind) -> UInt64 {
    lastID += 1
    step { _ in }
    watch.observe(kind, as: lastID)
    step { _ in }
    return lastID
  }

  @discardableResult
  mutating func observe(times: Double...) -> UInt64 { observe(.times(times.map { .seconds($0) })) }

  @discardableResult
  mutating func observe(fractions: Double...) -> UInt64 { observe(.fractions(fractions)) }

  @discardableResult
  mutating func observe(every interval: Double) -> UInt64 { observe(.periodic(.seconds(interval))) }

  // MARK: Steps

  /// The token of the current stream.
  var token: StreamToken { harness.token }

  /// Opens the next item, whose stream is then ready.
  mutating func prepareNext(duration: Double? = 10) throws -> StreamToken {
    let next = try harness.requireOffer().stream
    step { $0.settleNext(next, duration: duration) }
    return next
  }

  /// Reports that the current item has ended at a time of its media; nil if it is unknown.
  mutating func end(at seconds: Double? = nil) {
    let input = PlaybackInput.event(.stream(token, .ended(at: seconds.map { .seconds($0) })))
    step(of: input) { $0.decide(input) }
  }

  /// Reports the end of the current item, and then that the next one is audible.
  mutating func enterNext(_ stream: StreamToken) {
    end()
    step { $0.report(.audible(stream, at: .zero)) }
  }

  /// Performs one step of the script and records the notifications and events that result from it.
  ///
  /// An input is passed if the playhead before it depends on it.
  mutating func step(of input: PlaybackInput? = nil, _ act: (inout MachineHarness) -> Void) {
    let before = harness.machine.playhead(before: input, at: harness.now)
    record(watch.advance(before, now: harness.now))
    let place = harness.effects.count
    act(&harness)
    let after = harness.playhead
    let sample = Effect.command(.samplePosition(of: token))
    for step in watch.steps(for: Array(harness.effects[place...]), from: before, to: after, now: harness.now) {
      switch step {
      // The machine's own queries are recorded by the harness.
      case .effect(let effect) where effect == sample && !harness.effects[place...].contains(sample):
        harness.note(effect)
      case .effect(.emit(.changed)), .effect(.command), .effect(.finishSeek), .effect(.log),
        .effect(.announceFiles), .effect(.requestLoudness):
        break
      case .effect(.emit(let event)): reported.append(.event(event))
      case .notify(let notice): record([notice])
      }
    }
    let wake = [harness.nextWake, watch.nextWake(after, now: harness.now)].compactMap(\.self).min()
    if wake != timer.instant { timer = (wake, wake != nil) }
  }

  /// Advances the clock and fires the timer at its instant.
  mutating func advance(_ seconds: Double) {
    let end = harness.now + .seconds(seconds)
    while timer.isSet, let instant = timer.instant, instant <= end {
      harness.now = max(harness.now, instant)
      timer.isSet = false
      step { $0.decide(.wake) }
      wakes += 1
      guard wakes < 20_000 else {
        Issue.record("twenty thousand wake-ups")
        break
      }
    }
    harness.now = max(harness.now, end)
  }

  /// Advances the clock without a wake-up, as while the process is suspended.
  mutating func stand(_ seconds: Double) { harness.now = harness.now + .seconds(seconds) }

  /// Reports a measured position that equals the machine's own.
  mutating func measure() { step { $0.measure() } }

  private mutating func record(_ notices: [TimeObserverScheduler.Notice]) {
    for notice in notices {
      switch notice.content {
      case .time(let position), .passing(let position):
        reported.append(.tick(position))
        ticking.append(notice.observer)
      case .metadata(let found):
        metadata.append(found)
        metadataPositions.append(harness.position)
      case .crossing(let crossing):
        reported.append(.crossing(notice.observer, crossing.boundary))
        crossings.append(crossing)
      case .event: break
      }
    }
  }

  /// Plays the current item from Stopped until it is audible.
  mutating func start(duration: Double? = 10) {
    step { _ = $0.play() }
    step { $0.settle(duration: duration) }
    step { $0.run() }
  }

  /// Performs a seek that completes at once, and resumes playback if the intent is to play.
  mutating func seek(_ seconds: Double, duration: Double? = 10) {
    step { _ = $0.seek(seconds) }
    step { $0.settle(duration: duration) }
    if harness.isWanted { step { $0.run() } }
  }

  // MARK: Observed state

  /// The boundaries reported so far, in seconds.
  var boundaries: [Double] { crossings.map { $0.boundary / .seconds(1) } }

  /// The positions of the ticks so far, in seconds.
  var ticks: [Double] {
    reported.compactMap { if case .tick(let position) = $0 { position / .seconds(1) } else { nil } }
  }

  /// The instant at which the next observer is due.
  var nextWake: MonotonicTime? {
    var watch = watch
    return watch.nextWake(harness.playhead, now: harness.now)
  }

  /// Clears the record.
  mutating func forget() {
    reported = []
    crossings = []
  }
}
