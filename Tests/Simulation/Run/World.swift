import Playback

/// A simulated run: a real player over a model of the engine, under a virtual clock.
///
/// All code of a run is executed on the calling thread. The order is that of the event queue; nothing depends on the
/// time, on other threads or on the order of a dictionary.
final class World {
  /// An event of the queue; indirect, because the queue moves its events often.
  indirect enum Event {
    case engine(EngineModel.Task, thread: Int)
    case deck(DeckModel.Task, UInt64, process: Int)
    case output(OutputModel.Task)
    case step(Int)
    /// The observers' queue continues.
    case observers
    /// The levels of a crossfade are measured.
    case levels(Int)
    case service(SimulatedService.Event)
    case call(() -> Void)
  }

  let scenario: Scenario
  /// Whether the player records its inputs.
  let isRecorded: Bool
  let clock = VirtualClock()
  let engine = SimulatedEngine()
  let loudness = SimulatedLoudness()
  /// The engine of the player, and the URIs of the media, if they are not simulated.
  let substitute: (engine: any PlaybackEngine, uris: [String])?
  let calls = CallQueue()
  let jobs = JobQueue()
  private var events = EventQueue<Event>()
  private(set) var now = VirtualClock.start
  private var uris: [String: Media] = [:]
  /// The last media that was found: several checks look up the current item after each event.
  private var lastMedia: FoundMedia?

  private final class FoundMedia {
    let uri: String
    let media: Media
    init(_ uri: String, _ media: Media) { (self.uri, self.media) = (uri, media) }
  }

  /// The daemon around the player; nil if the player is alone.
  weak var companion: (any WorldCompanion)?
  private(set) lazy var player = PlayerAdapter(scenario, world: self)
  private(set) lazy var model = EngineModel(scenario, world: self)
  private(set) lazy var checker = Checker(world: self)
  /// The service of the player on the bus; nil in a run without steps of clients.
  private(set) var service: SimulatedService?
  private(set) var statistics = Statistics()
  private var pendingCalls: [@Sendable () -> Void] = []
  private var isObserverCallScheduled = false
  private var wakesAtOnce = 0
  private var lastWake: Int64 = 0
  /// Whether something has reached the player since the last check.
  private var isTouched = false
  /// The lines of the trace; nil unless the run is traced.
  private(set) var trace: [String]?

  init(
    _ scenario: Scenario, isTraced: Bool = false, isRecorded: Bool = false,
    substitute: (engine: any PlaybackEngine, uris: [String])? = nil
  ) {
    self.scenario = scenario
    self.substitute = substitute
    self.isRecorded = isRecorded
    trace = isTraced ? [] : nil
    for (index, media) in scenario.media.enumerated() { uris[Self.uri(of: media, index)] = media }
  }

  static func uri(of media: Media, _ index: Int) -> String {
    switch media.source {
    case .file: "file:///simulated/\(index)"
    case .server, .station, .live: "http://server/\(index)"
    }
  }

  /// Returns the URI of the media at an index of the scenario.
  func uri(_ index: Int) -> String { substitute?.uris[index] ?? Self.uri(of: scenario.media[index], index) }

  func media(of uri: String) -> Media? {
    if let lastMedia, lastMedia.uri == uri { return lastMedia.media }
    guard let media = uris[uri] else { return companion?.media(of: uri) }
    lastMedia = FoundMedia(uri, media)
    return media
  }

  func note(_ text: @autoclosure () -> String) {
    guard trace != nil else { return }
    trace?.append(
      "\(Double((now - VirtualClock.start) / 1_000_000) / 1_000) \(text().replacing("Playback.", with: ""))")
  }

  // MARK: The queue

  func schedule(_ event: Event, at instant: Int64) { events.add(event, at: max(now, instant)) }

  /// Runs the whole scenario, then checks that every playable item plays once all faults have ceased.
  func run() {
    var instant = now
    for (index, step) in scenario.steps.enumerated() {
      instant += Int64(step.after) * 1_000_000
      schedule(.step(index), at: instant)
    }
    _ = player
    if scenario.steps.contains(where: \.action.isOfBus) { service = SimulatedService(world: self) }
    settle()
    run(until: instant + 1_000_000_000)
    if checker.breach == nil { recover() }
    if checker.breach == nil { service?.verify() }
    service?.close()
    service = nil
    if checker.breach == nil { close() }
    statistics.virtual = now - VirtualClock.start
  }

  /// Runs the events up to an instant, or until an invariant is broken or `isDone` is true.
  func run(until end: Int64, isDone: () -> Bool = { false }) {
    while checker.breach == nil, !isDone() {
      let wake = clock.wake?.nanoseconds
      let next = events.first
      let instant = min(wake ?? .max, next ?? .max)
      guard instant <= end else { break }
      now = max(now, instant)
      clock.advance(to: MonotonicTime(nanoseconds: now))
      statistics.events += 1
      // Repeated items of a tenth of a second make up to 260 events a second; more come from events that cause each other.
      if Int64(statistics.events) > 2_000_000 + now / 1_000_000 {
        checker.broke(.wakesAdvance, "more than two million events, and a thousand for each second")
      }
      if let next, next <= now, wake.map({ next <= $0 }) ?? true, let event = events.removeFirst() {
        perform(event)
      } else if let body = clock.takeWake() {
        wakeUp(body)
      }
      settle()
      if let companion {
        companion.afterEvent()
      } else if isTouched {
        isTouched = false
        checker.afterEvent()
      }
    }
    if checker.breach == nil, !isDone() {
      now = max(now, end)
      clock.advance(to: MonotonicTime(nanoseconds: now))
    }
  }

  private func wakeUp(_ body: @Sendable () -> Void) {
    statistics.wakes += 1
    isTouched = true
    wakesAtOnce = lastWake == now ? wakesAtOnce + 1 : 0
    lastWake = now
    if wakesAtOnce > 200 { checker.broke(.wakesAdvance, "200 wake-ups at one instant") }
    note("wake-up")
    checker.woke()
    body()
  }

  private func perform(_ event: Event) {
    switch event {
    case .engine(let task, let thread): model.perform(task, thread: thread)
    case .deck(let task, let token, let process): model.deck(token)?.perform(task, process: process)
    case .output(let task): model.output.perform(task)
    case .levels(let number): model.measureLevels(number)
    case .service(.toClient(let name, let message)): service?.perform(.toClient(name, message))
    case .observers:
      isTouched = true
      isObserverCallScheduled = false
      let calls = pendingCalls
      pendingCalls = []
      for call in calls { call() }
    case .service(let event):
      isTouched = true
      service?.perform(event)
    case .call(let body):
      isTouched = true
      body()
    case .step(let index):
      let action = scenario.steps[index].action
      note("\(action)")
      statistics.steps += 1
      isTouched = true
      if let companion { companion.perform(action) } else { checker.perform(action) }
    }
  }

  /// Carries out everything that was requested for now: the commands of the engine, observers' calls and jobs.
  func settle() {
    for _ in 0..<10_000 {
      var isIdle = !jobs.drain()
      if service?.settle() == true { isIdle = false }
      for body in clock.takeDue() {
        isIdle = false
        body()
      }
      for command in engine.takeCommands() {
        isIdle = false
        note("  command \(command)")
        checker.engineCommand(command)
        model.receive(command)
      }
      let calls = calls.take()
      if !calls.isEmpty {
        isIdle = false
        observe(calls)
      }
      if companion?.settle() == true { isIdle = false }
      if isIdle { return }
      isTouched = true
    }
    checker.broke(.wakesAdvance, "the player does not come to rest")
  }

  private func observe(_ calls: [@Sendable () -> Void]) {
    guard scenario.behaviour.slowObservers else {
      for call in calls { call() }
      return
    }
    pendingCalls += calls
    guard !isObserverCallScheduled else { return }
    isObserverCallScheduled = true
    schedule(.observers, at: now + model.delay(400))
  }

  // MARK: Between the player and the engine

  func deliver(_ event: EngineEvent) {
    note("  message \(event)")
    checker.message(event)
    isTouched = true
    let before = checker.beforeProcessMessage(event)
    engine.report(event)
    if let before { checker.checkProcessMessage(event, before) }
  }

  func deliver(_ report: LoudnessReport) {
    note("  loudness \(report)")
    isTouched = true
    loudness.report(report)
  }

  func publish(_ progress: StreamProgress?, of stream: StreamToken) { engine.publish(progress, of: stream) }

  /// Counts a track that has played to its end.
  func noteTrack() {
    statistics.tracks += 1
    checker.ends += 1
  }

  /// Counts time during which the position advanced.
  func noteListening(_ time: Int64) { statistics.listened += max(0, time) }

  /// Counts a crossfade that has ended.
  func noteOverlap(isDisturbed: Bool) {
    statistics.overlaps += 1
    if !isDisturbed { statistics.undisturbedOverlaps += 1 }
  }

  private var lastNumber = 0

  /// Returns a number that is unique in the run.
  func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// The instant at which the process was last resumed.
  private(set) var resumed: Int64 = 0
  /// The length of the last suspension.
  private(set) var suspension: Int64 = 0

  /// Advances the clock without a wake-up, as while the process is suspended.
  func suspend(for time: Int64) {
    now += time
    (resumed, suspension) = (now, time)
    noteFault(until: now)
    clock.advance(to: MonotonicTime(nanoseconds: now))
  }
}

/// The amount of simulated work.
package struct Statistics: Sendable {
  /// The events of the queue and the wake-ups.
  package var events = 0
  package var wakes = 0
  package var steps = 0
  /// The items that began to play.
  package var tracks = 0
  /// The virtual time in nanoseconds.
  package var virtual: Int64 = 0
  /// The virtual time during which audio was played, in nanoseconds.
  package var listened: Int64 = 0
  /// The crossfades, and those that nothing disturbed.
  package var overlaps = 0
  package var undisturbedOverlaps = 0

  package init() {}

  /// The statistics in words.
  package var summary: String {
    let (hours, heard) = (virtual / 3_600_000_000_000, listened / 3_600_000_000_000)
    let work = "\(steps) commands and faults, \(tracks) tracks, \(events) events"
    let fades = "\(overlaps) crossfades, \(undisturbedOverlaps) undisturbed"
    return "\(work), \(hours) hours, \(heard) hours of listening, \(fades)"
  }

  package static func += (left: inout Statistics, right: Statistics) {
    left.events += right.events
    left.wakes += right.wakes
    left.steps += right.steps
    left.tracks += right.tracks
    left.virtual += right.virtual
    left.listened += right.listened
    left.overlaps += right.overlaps
    left.undisturbedOverlaps += right.undisturbedOverlaps
  }
}
