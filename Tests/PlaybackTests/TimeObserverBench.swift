import Testing

@testable import Playback

/// A scripted machine with time observers, watched as the player watches its own.
///
/// The one timer fires once for each time it is set, and is set again only to another instant, as the real one.
struct ObserverBench {
  /// What was told, and in which order.
  enum Told: Equatable, Sendable {
    case tick(Duration)
    case crossing(UInt64, Duration)
    case event(PlayerEvent)

    static func tick(_ seconds: Double) -> Told { .tick(.seconds(seconds)) }
    static func crossing(_ observer: UInt64, _ seconds: Double) -> Told { .crossing(observer, .seconds(seconds)) }
  }

  var bench: Bench
  var watch = CourseWatch()
  private(set) var told: [Told] = []
  private(set) var crossings: [BoundaryCrossing] = []
  /// Whom the ticks were for.
  private(set) var ticking: [UInt64] = []
  private(set) var wakes = 0
  private var timer: (instant: MonotonicTime?, isSet: Bool) = (nil, false)
  private var lastID: UInt64 = 0

  init(_ count: Int = 1, loop: LoopMode = .none) { bench = Bench(count, loop: loop) }

  // MARK: Observers

  /// Adds an observer, and returns its number.
  @discardableResult
  mutating func observe(_ kind: TimeObservers.Kind) -> UInt64 {
    lastID += 1
    step { _ in }
    watch.observers.add(kind, as: TimeObservers.ID(number: lastID))
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

  /// One step of the script; what it lets be told is on record.
  mutating func step(_ act: (inout Bench) -> Void) {
    let before = bench.machine.course(at: bench.now)
    record(watch.advance(before, now: bench.now))
    let place = bench.effects.count
    act(&bench)
    let after = bench.machine.course(at: bench.now)
    for step in watch.steps(for: Array(bench.effects[place...]), from: before, to: after, now: bench.now) {
      switch step {
      // The machine's own are on the bench's record.
      case .command(.samplePosition) where !bench.effects[place...].contains(.command(.samplePosition)):
        bench.note(.command(.samplePosition))
      case .tell(.changed), .command, .finishSeek: break
      case .tell(let event): told.append(.event(event))
      case .notify(let notice): record([notice])
      }
    }
    let wake = [bench.machine.nextWake, watch.nextWake(after, now: bench.now)].compactMap(\.self).min()
    if wake != timer.instant { timer = (wake, wake != nil) }
  }

  /// Lets time pass; the timer fires at its instant.
  mutating func pass(_ seconds: Double) {
    let end = bench.now + .seconds(seconds)
    while timer.isSet, let instant = timer.instant, instant <= end {
      bench.now = max(bench.now, instant)
      timer.isSet = false
      step { bench in bench.step { $0.wake(now: $1) } }
      wakes += 1
      guard wakes < 20_000 else {
        Issue.record("twenty thousand wake-ups")
        break
      }
    }
    bench.now = max(bench.now, end)
  }

  /// Lets time pass in which nobody is woken, as while the process is stopped.
  mutating func stand(_ seconds: Double) { bench.now = bench.now + .seconds(seconds) }

  /// The pipeline says that the position is what the machine takes it for.
  mutating func measure() { step { $0.step { $0.sampled($0.token, position: $0.position(at: $1), now: $1) } } }

  private mutating func record(_ notices: [CourseWatch.Notice]) {
    for notice in notices {
      switch notice {
      case .tick(let id, let position), .passing(let id, let position):
        told.append(.tick(position))
        ticking.append(id.number)
      case .crossing(let id, let crossing):
        told.append(.crossing(id.number, crossing.boundary))
        crossings.append(crossing)
      }
    }
  }

  /// Plays the current item from Stopped, until it runs.
  mutating func start(duration: Double? = 10) {
    step { _ = $0.play() }
    step { $0.settle(duration: duration) }
    step { $0.run() }
  }

  /// A seek that is done at once, and runs on when it ran.
  mutating func seek(_ seconds: Double, duration: Double? = 10) {
    step { _ = $0.seek(seconds) }
    step { $0.settle(duration: duration) }
    if bench.machine.loaded.isWanted { step { $0.run() } }
  }

  // MARK: What is seen

  /// The boundaries told so far, in seconds.
  var boundaries: [Double] { crossings.map { $0.boundary / .seconds(1) } }

  /// The positions told so far, in seconds.
  var ticks: [Double] { told.compactMap { if case .tick(let position) = $0 { position / .seconds(1) } else { nil } } }

  /// When the next observer is due.
  var nextWake: MonotonicTime? {
    var watch = watch
    return watch.nextWake(bench.machine.course(at: bench.now), now: bench.now)
  }

  /// Forgets what was told.
  mutating func forget() {
    told = []
    crossings = []
  }
}
