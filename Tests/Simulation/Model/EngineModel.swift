import Playback

/// The model of the engine: its open streams, its plan and output, the thread that carries out commands, and its processes.
final class EngineModel {
  /// Work of the engine that is due at an instant.
  enum Task {
    /// The present call returns.
    case command
    /// A call into the output takes longer than its time limit.
    case overdue(Int)
    /// The next message reaches the player.
    case deliver
  }

  let behaviour: Behaviour
  var random: RandomSource
  /// The run, which owns the model.
  var world: World { unsafe owner }
  private unowned(unsafe) let owner: World
  private(set) var decks: [DeckModel] = []
  private(set) lazy var output = OutputModel(self, fade: fade)
  /// The length of a fade of the whole output, in nanoseconds.
  private let fade: Int64
  /// The last settings.
  private(set) var settings: EngineSettings?

  // MARK: The thread of the engine

  /// The number of the thread; the work of an older one is dropped.
  private var thread = 0
  private var commands: [EngineCommand] = []
  /// The instant until which a call into the output does not return.
  private(set) var busyUntil: Int64 = 0
  private var callCount = 0
  /// The length of the next call, set by a fault.
  var hang: Int64?
  private var messages: [EngineEvent] = []
  private var lastDelivery: Int64 = 0
  /// The instant of the last change of the engine.
  private var lastChange: Int64 = 0

  // MARK: Processes

  /// The instant at which the process of local files has started, and that of streams.
  private var deckStarts: (local: Int64, streams: Int64) = (0, 0)
  /// The instant at which the process of the output has started.
  private(set) var outputStart: Int64 = 0
  /// The number of ends of the output's process since a part became audible.
  var outputEnds = 0
  /// Whether the player knows that a stream waits for the start of its process or for its address.
  private var isStartAwaited = false

  // MARK: Surroundings

  /// The instant until which the output cannot be opened.
  var outputDownUntil: Int64 = 0
  /// The instant until which the output plays nothing although it runs.
  var outputStopsUntil: Int64 = 0
  /// The instant until which no call into the output returns.
  var outputBlockedUntil: Int64 = 0
  /// The instant until which an abandoned thread hangs in the output, which cannot be opened before.
  private(set) var abandonedUntil: Int64 = 0
  var networkDownUntil: Int64 = 0
  var isSilent = false
  /// The longest call so far, in nanoseconds.
  var longestHang: Int64 = 0
  /// The crossfade in progress.
  var overlap: Overlap?
  /// The media time up to which each stream of a URI was played, in the order of the streams.
  private var heard: [String: [(token: UInt64, time: Int64)]] = [:]

  init(_ scenario: Scenario, world: World) {
    behaviour = scenario.behaviour
    fade = Int64(scenario.settings.fade) * 1_000_000
    random = RandomSource(seed: scenario.seed)
    unsafe owner = world
  }

  var now: Int64 { world.now }

  /// Returns a random delay of at most so many milliseconds.
  func delay(_ most: Int) -> Int64 { most <= 0 ? 0 : Int64(random.number(0...most)) * 1_000_000 }

  func noteChange() { lastChange = now }

  func deck(_ token: UInt64) -> DeckModel? { decks.first { $0.token == token } }

  /// Whether nothing is in progress that concerns the audible part: no command, message, opening, start or seek.
  var isCalm: Bool {
    guard
      commands.isEmpty && busyUntil <= now && messages.isEmpty && !output.isStarting
        && output.isCalm
    else { return false }
    return now - lastChange > 1_500_000_000 && now >= outputStopsUntil && now > outputStart
  }

  // MARK: Commands

  func receive(_ command: EngineCommand) {
    noteChange()
    if case .settings(let new) = command, new.sink != settings?.sink {
      // Another output does not block.
      if now < outputBlockedUntil { outputStopsUntil = now }
      (outputBlockedUntil, abandonedUntil) = (0, 0)
    }
    commands.append(command)
    if commands.count == 1 { nextCommand() }
  }

  /// Carries out the commands until one takes some time.
  private func nextCommand() {
    while let command = commands.first {
      if busyUntil > now { return }
      let length = hang ?? (busyUntil == now ? 0 : duration(of: command))
      if hang != nil { world.noteFault(until: now + length) }
      hang = nil
      if length > 0 { return occupy(for: length) }
      commands.removeFirst()
      noteChange()
      carryOut(command)
    }
  }

  /// Keeps the thread in a call into the output.
  private func occupy(for time: Int64) {
    callCount += 1
    busyUntil = now + time
    schedule(.command, at: busyUntil)
    if time > Self.longestCall { schedule(.overdue(callCount), at: now + Self.longestCall) }
  }

  /// Keeps the thread in a call into the output while that is blocked; returns whether it is.
  func isBlocked() -> Bool {
    guard now < outputBlockedUntil else { return false }
    if busyUntil <= now { occupy(for: outputBlockedUntil - now) }
    return true
  }

  private static let longestCall: Int64 = 10_000_000_000

  private func duration(of command: EngineCommand) -> Int64 {
    let blocked = max(0, outputBlockedUntil - now)
    switch command {
    case .setPlaying: return blocked > 0 ? blocked : delay(behaviour.callDuration)
    case .plan, .reopenOutput: return output.isOpen ? blocked : 0
    case .settings(let new): return output.isOpen && new.sink != settings?.sink ? blocked : 0
    default: return 0
    }
  }

  private func carryOut(_ command: EngineCommand) {
    switch command {
    case .open(let request): open(request)
    case .close(let stream):
      guard let index = decks.firstIndex(where: { $0.token == stream.number }) else { return }
      output.remove(decks.remove(at: index))
      world.publish(nil, of: stream)
      output.release()
      reopenNext()
      reportStart()
    case .seek(let stream, let target, let isExact):
      deck(stream.number)?.seek(to: target.wholeNanoseconds, exactly: isExact)
    case .plan(let parts): output.setPlan(parts)
    case .settings(let new):
      let old = settings
      adopt(new)
      if let old, old.sink != new.sink || old.isLowPowerModeEnabled != new.isLowPowerModeEnabled { output.reopen() }
    case .setPlaying(let isPlaying): output.setPlaying(isPlaying)
    case .start(let instant): output.start(at: instant?.nanoseconds)
    case .selectAudioTrack(let track, let stream): deck(stream.number)?.nextTrack = track
    case .fade(let direction): output.fade(direction)
    case .reopenOutput: output.reopen()
    case .samplePosition(let stream): deck(stream.number)?.sample()
    }
  }

  private func adopt(_ new: EngineSettings) {
    settings = new
    output.setRate(new.rate)
  }

  private func open(_ request: StreamRequest) {
    output.resume()
    guard let media = world.media(of: request.uri) else {
      return post(.stream(request.stream, .failed(PlayerError(code: .notFound, message: "simulated"))))
    }
    let deck = DeckModel(request, media, self)
    decks.append(deck)
    deck.open()
  }

  /// Another program has changed the volume.
  func changeVolume(_ volume: Double, isMuted: Bool) {
    settings?.volume = volume
    settings?.isMuted = isMuted
  }

  /// Whether a command waits for the engine.
  var hasCommands: Bool { !commands.isEmpty }

  // MARK: Messages

  /// Sends a message to the player after the earlier ones, at least after a delay.
  func post(_ event: EngineEvent, after time: Int64 = 0) {
    lastDelivery = max(lastDelivery, now + 1_000 + delay(behaviour.messageDelay) + time)
    messages.append(event)
    schedule(.deliver, at: lastDelivery)
  }

  private func schedule(_ task: Task, at instant: Int64) {
    world.schedule(.engine(task, thread: thread), at: instant)
  }

  func perform(_ task: Task, thread number: Int) {
    guard number == thread else { return }
    switch task {
    case .command: nextCommand()
    case .overdue(let number): if number == callCount, busyUntil > now { abandon() }
    case .deliver:
      // The thread also carries out the commands; after a call that does not return, it is abandoned.
      guard busyUntil <= now else { return schedule(.deliver, at: busyUntil) }
      guard !messages.isEmpty else { return }
      noteChange()
      world.deliver(output.atPresentPosition(messages.removeFirst()))
    }
  }

  // MARK: Hangs and ends

  /// Abandons the thread that hangs in the output.
  private func abandon() {
    abandonedUntil = max(abandonedUntil, outputBlockedUntil)
    replace()
    world.deliver(.replaced)
  }

  /// Closes everything but the settings; messages are dropped.
  private func replace() {
    thread += 1
    // The next engine begins with the settings that were sent last.
    for case .settings(let new) in commands { adopt(new) }
    (commands, messages, busyUntil, hang, lastDelivery) = ([], [], 0, nil, now)
    noteChange()
    output.clear()
    for deck in decks { world.publish(nil, of: deck.stream) }
    decks = []
    outputEnds = 0
    reportStart()
  }

  /// Ends a call into the device, which its process has made.
  func endCall() {
    hang = nil
    guard busyUntil > now else { return }
    callCount += 1
    busyUntil = now
    for _ in messages { schedule(.deliver, at: max(now, lastDelivery)) }
    nextCommand()
  }

  /// Returns the instant at which the process of local files has started, or that of streams.
  func start(ofLocal isLocal: Bool) -> Int64 { isLocal ? deckStarts.local : deckStarts.streams }

  func setStart(_ instant: Int64, ofLocal isLocal: Bool) {
    if isLocal { deckStarts.local = instant } else { deckStarts.streams = instant }
  }

  func setOutputStart(_ instant: Int64) { outputStart = instant }

  /// Reports whether a stream waits for the start of its process or for its address, if that has changed.
  func updateStart() {
    let isAwaited = decks.contains { $0.isResolving || start(ofLocal: $0.media.isLocal) > now }
    guard isAwaited != isStartAwaited else { return }
    isStartAwaited = isAwaited
    world.deliver(.starting(isAwaited))
  }

  // MARK: What was played

  /// Returns the media time up to which a URI was played since the last call of `forgetHeard`, by a stream or an earlier one.
  func heard(of uri: String, until token: UInt64) -> Int64 {
    var time = heard[uri]?.reduce(0) { $1.token <= token ? max($0, $1.time) : $0 } ?? 0
    for deck in output.audibleDecks where deck.uri == uri && deck.token <= token { time = max(time, deck.position) }
    return time
  }

  /// Forgets the passages of a URI before the present one, which a stream plays.
  ///
  /// While a call hangs, this stream and its successors may have been played before the player knows of their starts.
  func forgetHeard(of uri: String, before token: UInt64) {
    let audible = output.current?.deck.token ?? 0
    // The ends of these items are yet to be reported.
    let fading = world.checker.fades.outgoing.map(\.stream)
    heard[uri]?.removeAll { !fading.contains($0.token) && ($0.token < token || $0.token >= audible) }
  }

  func noteHeard(_ deck: DeckModel, until time: Int64) {
    var passages = heard[deck.uri] ?? []
    if let last = passages.last, last.token == deck.token {
      passages[passages.count - 1].time = max(last.time, time)
    } else {
      passages.append((deck.token, time))
    }
    heard[deck.uri] = passages
  }
}
