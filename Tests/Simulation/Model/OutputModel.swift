import Playback

/// The model of the output: it plays the parts of the plan through one device.
///
/// A part that is audible, or is the next one to be, has a voice. All voices run and stand together.
final class OutputModel {
  /// Work of the output that is due at an instant.
  enum Task {
    /// The device plays.
    case started(Int)
    /// The device did not play in time.
    case startMissed(Int)
    /// A time of a voice is due.
    case position(Int)
  }

  /// A part at the output.
  struct Voice {
    let deck: DeckModel
    var part: PlannedPart
    /// The media time of the sample at an instant, from which it runs on.
    var anchor: (position: Int64, instant: Int64)
    var fades: [FadeRamp] = []
    /// The end of the samples that are heard while the stream seeks; nil if it does not.
    var lastSample: Int64?
  }

  /// The engine, which owns the output.
  var engine: EngineModel { unsafe owner }
  private unowned(unsafe) let owner: EngineModel
  private var world: World { engine.world }
  private var behaviour: Behaviour { engine.behaviour }
  private var now: Int64 { engine.now }
  /// The length of a fade of the whole output.
  private let fadeLength: Int64

  private(set) var plan: [PlannedPart] = []
  /// The voices in the order of the plan; the last one began last.
  private(set) var voices: [Voice] = []
  private(set) var wantsPlay = false
  private(set) var isOpen = false
  /// Whether the device failed, and is opened again only with another stream, a start or a pause, or another output.
  private var hasFailed = false
  private(set) var isRunning = false
  private(set) var isStarting = false
  /// The stream whose start was missed; nil if there is none, or if another start was requested since.
  private var missedStart: UInt64?
  private var startNumber = 0
  private var positionNumber = 0
  /// The instant at which the audible part continues; nil for as soon as possible.
  private var startInstant: Int64?
  private(set) var rate = 1.0
  /// The instant of its last change.
  private(set) var rateChanged: Int64 = 0
  /// The time of media that the output has played, at an instant.
  private var played: (time: Int64, instant: Int64) = (0, 0)
  /// The instant since which the output runs and has no sample of the audible part; nil while it has one.
  private(set) var silentSince: Int64?

  init(_ engine: EngineModel, fade: Int64) {
    fadeLength = fade
    unsafe owner = engine
  }

  // MARK: State

  /// The voice that began last: the audible one, or the next one to be.
  var current: Voice? { voices.last }

  var audibleDecks: [DeckModel] { voices.map(\.deck) }

  /// Whether the stream of the plan that is due is ready, and its data has not stopped.
  var isCalm: Bool {
    guard voices.allSatisfy({ $0.deck.isCalm && $0.part.fadeOut == nil }) else { return false }
    guard let voice = current else { return plan.isEmpty || plan.allSatisfy { deck(of: $0)?.hasEnded ?? true } }
    // The position that is shown advances for some time.
    return voice.deck.stuckAt == nil || position(of: voice) < voice.deck.end
  }

  private func deck(of part: PlannedPart) -> DeckModel? { engine.deck(part.stream.number) }

  /// Returns the position of a stream that has a voice.
  func position(of token: UInt64) -> Int64? { voices.first { $0.deck.token == token }.map { position(of: $0) } }

  func position(of voice: Voice) -> Int64 {
    guard isRunning else { return voice.anchor.position }
    let position = voice.anchor.position + way(since: voice.anchor.instant)
    return max(voice.anchor.position, min(limit(of: voice), position))
  }

  /// Returns the time of media that the running output has played since an instant.
  private func way(since instant: Int64) -> Int64 {
    let elapsed = max(0, now - max(instant, min(engine.outputStopsUntil, now)))
    let drifted = elapsed + elapsed / 1_000_000 * Int64(behaviour.drift)
    return scaled(drifted)
  }

  /// Returns the time of media in a time of the output.
  func scaled(_ time: Int64) -> Int64 { rate == 1 ? time : Int64(Double(time) * rate) }

  /// The time of media that the output has played; the voices advance with it.
  var time: Int64 { played.time + (isRunning ? way(since: played.instant) : 0) }

  /// Returns the position that a voice reaches without more data.
  private func limit(of voice: Voice) -> Int64 {
    if let last = voice.lastSample { return last }
    let deck = voice.deck
    var limit = min(deck.end, deck.failedAt ?? .max)
    if deck.isNetwork { limit = min(limit, max(deck.received, deck.assured)) }
    if let tail = deck.tail { limit = min(limit, tail) }
    if let lost = deck.lostAt { limit = min(limit, lost) }
    return max(limit, voice.anchor.position)
  }

  /// Whether a voice advances.
  func isAdvancing(_ voice: Voice) -> Bool { isRunning && position(of: voice) < limit(of: voice) }

  /// Whether the current voice advances.
  var isAdvancing: Bool { current.map { isAdvancing($0) } ?? false }

  /// Whether the output runs with a voice of a stream.
  func plays(_ deck: DeckModel) -> Bool { isRunning && voices.contains { $0.deck === deck } }

  /// Whether the output runs, and has played all that a stream has received.
  func isDry(_ deck: DeckModel) -> Bool {
    guard isRunning, let voice = voices.first(where: { $0.deck === deck }), voice.lastSample == nil else {
      return false
    }
    let position = position(of: voice)
    return position >= limit(of: voice) && position < deck.end
  }

  /// Returns the level at which a voice is audible.
  func level(of voice: Voice) -> Double {
    guard isAdvancing(voice) else { return 0 }
    let time = time
    return voice.fades.reduce(1) { $0 * $1.level(at: time) }
  }

  /// Sets the anchors to the present positions, before a change of their limits or of the clock.
  func settle() {
    guard isRunning else { return }
    let positions = voices.map { position(of: $0) }
    for (index, position) in positions.enumerated() {
      voices[index].anchor = (position, max(now, voices[index].anchor.instant))
    }
    played = (time, max(now, played.instant))
  }

  // MARK: Commands

  func setPlan(_ parts: [PlannedPart]) {
    settle()
    plan = parts
    engine.noteChange()
    for deck in engine.decks {
      let end = parts.first { $0.stream == deck.stream }?.end?.wholeNanoseconds
      guard deck.partEnd != end else { continue }
      deck.partEnd = end
      // A part that is extended goes on, unless the next one has begun.
      if deck.hasEnded, !deck.isCutShort, deck.end > deck.head, voices.isEmpty { deck.hasEnded = false }
      deck.noteRead()
      if deck.isNetwork { deck.networkDue() }
    }
    update()
    release()
  }

  func setPlaying(_ isPlaying: Bool) {
    (wantsPlay, missedStart, hasFailed) = (isPlaying, nil, false)
    if isPlaying { return update() }
    stand()
    update()
    for deck in engine.decks where deck.isNetwork { deck.networkDue() }
  }

  func start(at instant: Int64?) {
    startInstant = instant
    guard isStarting else { return }
    beginStart()
  }

  func setRate(_ new: Double) {
    guard rate != new else { return }
    settle()
    (rate, rateChanged) = (new, now)
    engine.overlap?.isCommanded = true
    if isRunning { postAudible() }
    update()
  }

  func fade(_ direction: FadeDirection) {
    if case .out = direction, isRunning {
      engine.post(.output(.fadeOutEnds(in: .nanoseconds(fadeLength))))
    }
  }

  /// Lets a device that has failed be opened again, because a stream is opened.
  func resume() {
    guard hasFailed else { return }
    hasFailed = false
    update()
  }

  /// Continues with a device that is opened again.
  func reopen() {
    stand()
    (isOpen, hasFailed) = (false, false)
    update()
  }

  /// Handles that a stream is closed; the next plan lacks it, and no part after it begins before.
  func remove(_ deck: DeckModel) {
    settle()
    if let index = voices.firstIndex(where: { $0.deck === deck }) { removeVoice(index) }
    update()
  }

  /// Releases the device if nothing needs it.
  func release() {
    guard plan.isEmpty, engine.decks.isEmpty else { return }
    stand()
    hasFailed = false
    guard isOpen else { return }
    isOpen = false
    _ = engine.isBlocked()
  }

  /// Begins again, as a new output.
  func clear() {
    settle()
    while !voices.isEmpty { removeVoice(voices.count - 1) }
    stand()
    (plan, wantsPlay, isOpen, hasFailed, missedStart, startInstant) = ([], false, false, false, nil, nil)
    positionNumber += 1
    silentSince = nil
  }

  // MARK: The process

  /// Handles that the process has ended: of the parts that sound, the last one goes on in the next process.
  func processEnded() {
    settle()
    let newest = voices.last { $0.deck.isHeard && $0.part.fadeOut == nil }?.deck
    stand()
    (isOpen, missedStart) = (false, nil)
    while let index = voices.firstIndex(where: { $0.deck.isHeard && $0.deck !== newest }) { cutShort(index) }
    for index in voices.indices { voices[index].fades = [] }
    if newest != nil { engine.post(.output(.suspended)) }
    for deck in engine.decks where deck.isNetwork { deck.networkDue() }
    update()
  }

  /// Ends a part where it is.
  private func cutShort(_ index: Int) {
    let deck = voices[index].deck
    let position = position(of: voices[index])
    removeVoice(index, hasEnded: true)
    (deck.hasEnded, deck.isCutShort) = (true, true)
    plan.removeAll { $0.stream == deck.stream }
    engine.post(.stream(deck.stream, .ended(at: .nanoseconds(position))))
  }

  // MARK: Streams

  /// Handles that a stream is ready, or that its seek has finished.
  func settled(_ deck: DeckModel) {
    settle()
    if let index = voices.firstIndex(where: { $0.deck === deck }) {
      // The samples before a seek are discarded, and the output begins again.
      voices[index].anchor = (deck.head, now)
      voices[index].lastSample = nil
      voices[index].fades.removeAll { $0.kind == .fadeIn }
      stand()
    }
    update()
  }

  func seekBegins(_ deck: DeckModel) {
    settle()
    guard let place = plan.firstIndex(where: { $0.stream == deck.stream }) else { return }
    if current?.deck === deck { startInstant = nil }
    if let index = voices.firstIndex(where: { $0.deck === deck }) {
      let position = position(of: voices[index])
      engine.noteHeard(deck, until: position)
      voices[index].lastSample = min(limit(of: voices[index]), position + Self.writtenAudio)
    }
    // No part after one that is not settled is played.
    let later = Set(plan[(place + 1)...].map(\.stream.number))
    while let index = voices.firstIndex(where: { later.contains($0.deck.token) }) { removeVoice(index) }
    update()
  }

  /// The audio that has been written to the device.
  private static let writtenAudio: Int64 = 1_000_000_000

  func seekRefused(_ deck: DeckModel) {
    settle()
    if let index = voices.firstIndex(where: { $0.deck === deck }) {
      let hasWaited = isRunning && position(of: voices[index]) >= limit(of: voices[index])
      voices[index].lastSample = nil
      if hasWaited, isAdvancing(voices[index]) { continues(deck) }
    }
    update()
  }

  /// Handles that data of a stream has arrived for which the output has waited.
  func continues(_ deck: DeckModel) {
    settle()
    if current?.deck === deck, isAdvancing { postAudible() }
    update()
  }

  // MARK: Starting and pausing

  /// Lets all voices stand.
  private func stand() {
    settle()
    if isRunning { world.schedule(.call {}, at: now) }
    (isRunning, isStarting) = (false, false)
    startNumber += 1
  }

  private func beginStart() {
    guard let current else { return }
    isStarting = true
    startNumber += 1
    engine.noteChange()
    if current.deck.media.fault == .missedStart {
      after(3_000_000_000, .startMissed(startNumber))
    } else {
      after(1_000_000 + engine.delay(behaviour.startDuration), .started(startNumber))
    }
  }

  private func started() {
    guard isStarting, wantsPlay, let current else { return }
    if engine.isBlocked() { return after(engine.busyUntil - now, .started(startNumber)) }
    guard openDevice() else { return }
    if let startInstant, now < startInstant { return after(startInstant - now, .started(startNumber)) }
    (isStarting, isRunning) = (false, true)
    engine.noteChange()
    let first = now + Int64(behaviour.startDelay) * 1_000_000
    for index in voices.indices {
      voices[index].anchor.instant = first
      if voices[index].deck.isSettled { voices[index].deck.isHeard = true }
    }
    played.instant = first
    world.checker.outputStarts(voices.last)
    if current.deck.hasStart { postAudible() }
    for voice in voices where voice.deck.isNetwork { voice.deck.networkDue() }
    update()
  }

  private func startMissed() {
    guard isStarting, wantsPlay, let current else { return }
    isStarting = false
    missedStart = current.deck.token
    engine.post(.stream(current.deck.stream, .startMissed(position: .nanoseconds(current.anchor.position))))
  }

  /// Opens the device for the first sample; returns false if it fails.
  private func openDevice() -> Bool {
    if isOpen || hasFailed { return isOpen }
    guard now >= engine.outputStart else { return false }
    guard now >= max(engine.outputDownUntil, engine.abandonedUntil) else {
      fail()
      return false
    }
    isOpen = true
    engine.post(.output(.opened(isSilent: engine.isSilent)))
    return true
  }

  /// Closes the device after a failure.
  func fail() {
    stand()
    (isOpen, hasFailed) = (false, true)
    engine.post(.output(.failed(PlayerError(code: .output, message: "simulated"))))
    update()
  }

  /// Reports what is audible from now on.
  private func postAudible() {
    guard let current else { return }
    engine.outputEnds = 0
    engine.post(.audible(current.deck.stream, at: .nanoseconds(position(of: current))))
  }

  /// Returns an event with the position at which it is handled: the engine measures it then.
  func atPresentPosition(_ event: EngineEvent) -> EngineEvent {
    guard let current, !current.deck.isSeeking else { return event }
    let position = Duration.nanoseconds(position(of: current))
    return switch event {
    case .audible(current.deck.stream, .some): .audible(current.deck.stream, at: position)
    case .stream(current.deck.stream, .seekRefused(.some)):
      .stream(current.deck.stream, .seekRefused(position: position))
    default: event
    }
  }

  // MARK: The plan

  private func after(_ delay: Int64, _ task: Task) { world.schedule(.output(task), at: now &+ delay) }

  func perform(_ task: Task) {
    switch task {
    case .started(let number): if number == startNumber { started() }
    case .startMissed(let number): if number == startNumber { startMissed() }
    case .position(let number): if number == positionNumber { update() }
    }
  }

  /// Carries out everything that is due, and computes when something is due next.
  func update() {
    settle()
    while step() {}
    if voices.isEmpty {
      stand()
    } else if wantsPlay, !isRunning, !isStarting, !hasFailed, current?.deck.isSettled == true,
      current?.deck.token != missedStart, now >= engine.outputStart
    {
      beginStart()
    }
    for voice in voices where isRunning { noteFaults(of: voice) }
    if !behaviour.opensOutputLate, current?.deck.isSettled == true, now >= engine.outputBlockedUntil {
      _ = openDevice()
    }
    noteSilence()
    schedule()
  }

  /// Makes one change that is due; returns false if there is none.
  private func step() -> Bool {
    adoptPlan()
    if let index = voices.firstIndex(where: { hasEnded($0) }) {
      end(index)
      return true
    }
    return begin()
  }

  /// Removes the voices that are not at the beginning of the plan, and adopts the parts of the others.
  private func adoptPlan() {
    let parts = plan.filter { part in voices.contains { $0.deck.stream == part.stream } }
    while let index = voices.indices.last(where: { index in
      !parts.indices.contains(index) || parts[index].stream != voices[index].deck.stream
    }) {
      removeVoice(index)
    }
    for (index, part) in parts.enumerated() where voices.indices.contains(index) {
      let isNew = voices[index].part.fadeOut != part.fadeOut
      voices[index].part = part
      guard isNew else { continue }
      voices[index].fades.removeAll { $0.kind == .fadeOut }
      // Of a part that is not audible, nothing is heard.
      if let shape = part.fadeOut { voices[index].fades.append(ramp(.fadeOut, shape, length: isRunning ? nil : 0)) }
    }
  }

  private func ramp(_ kind: FadeRamp.Kind, _ shape: CrossfadeShape, length: Int64? = nil) -> FadeRamp {
    let length = length ?? scaled(shape.length.wholeNanoseconds)
    return FadeRamp(kind: kind, start: time, length: length, curve: shape.curve)
  }

  /// Whether the last sample of a voice has been heard.
  private func hasEnded(_ voice: Voice) -> Bool {
    let time = time
    if voice.fades.contains(where: { $0.kind != .fadeIn && time >= $0.end }) { return true }
    guard isRunning, voice.deck.isSettled, voice.deck.isComplete, voice.deck.failedAt == nil else { return false }
    return position(of: voice) >= voice.deck.end
  }

  /// Ends a part.
  private func end(_ index: Int) {
    let deck = voices[index].deck
    let position = position(of: voices[index])
    removeVoice(index, hasEnded: true)
    deck.hasEnded = true
    engine.noteChange()
    let isLast = plan.last?.stream == deck.stream
    let late = behaviour.lateEnds && isLast ? engine.delay(300) : 0
    let time = deck.media.fault == .silent ? nil : Duration.nanoseconds(position)
    engine.post(.stream(deck.stream, .ended(at: time)), after: late)
  }

  private func removeVoice(_ index: Int, hasEnded: Bool = false) {
    let voice = voices[index]
    voice.deck.head = position(of: voice)
    engine.noteHeard(voice.deck, until: voice.deck.head)
    engine.overlapEnds(voice.deck.token, hasEnded: hasEnded)
    voices.remove(at: index)
    if isRunning, !hasEnded { world.schedule(.call {}, at: now) }
    // Without the next part, the one before continues at the full level.
    if index == voices.count, !hasEnded, index > 0 { voices[index - 1].fades.removeAll { $0.kind == .overlap } }
  }

  /// Lets the next part begin if it is due; returns whether it has begun.
  private func begin() -> Bool {
    let last = current.flatMap { voice in plan.firstIndex { $0.stream == voice.deck.stream } } ?? -1
    guard let place = plan.indices.first(where: { $0 > last && deck(of: plan[$0])?.hasEnded != true }),
      let deck = deck(of: plan[place]), deck.isSettled, current?.deck.isSeeking != true
    else { return false }
    var voice = Voice(deck: deck, part: plan[place], anchor: (deck.head, now))
    let isAlone = voices.isEmpty
    guard isRunning || isAlone else { return false }
    switch plan[place].join {
    case .fadeIn(let shape): voice.fades = [ramp(.fadeIn, shape)]
    case .overlap(let shape) where !isAlone && last == place - 1:
      guard !deck.isEmpty, let first = voices.indices.last, let length = overlap(voices[first], deck, shape) else {
        return false
      }
      voices[first].fades.append(ramp(.overlap, shape, length: length))
      voice.fades = [ramp(.fadeIn, shape, length: length)]
      voices.append(voice)
      engine.overlapBegins(voices[first], voice, shape, length: length)
      return hasBegun(deck)
    case .overlap(let shape):
      guard isAlone else { return false }
      engine.overlapIsMissed(place > 0 ? self.deck(of: plan[place - 1]) : nil, deck, shape)
    case .gapless: guard isAlone || place > 0 && self.deck(of: plan[place - 1])?.hasEnded == true else { return false }
    }
    voices.append(voice)
    return hasBegun(deck)
  }

  private func hasBegun(_ deck: DeckModel) -> Bool {
    engine.noteChange()
    if voices.count > 1 || isRunning { startInstant = nil }
    if isRunning { deck.isHeard = true }
    if isRunning, deck.hasStart { postAudible() }
    if isRunning, deck.isNetwork { deck.networkDue() }
    return true
  }

  /// Returns the length of an overlap that begins now, in time of the media; nil if it does not.
  private func overlap(_ first: Voice, _ second: DeckModel, _ shape: CrossfadeShape) -> Int64? {
    let rest = first.deck.expectedEnd - position(of: first)
    guard isAdvancing(first), rest > 0, rest <= overlapLength(first.deck, second, shape) + 1_000 else { return nil }
    return rest
  }

  /// Returns the length of an overlap if the second stream is ready in time, in time of the media.
  func overlapLength(_ first: DeckModel, _ second: DeckModel, _ shape: CrossfadeShape) -> Int64 {
    let shortest = min(first.expectedEnd - first.base, second.expectedEnd - second.base)
    return min(scaled(shape.length.wholeNanoseconds), shortest / 2)
  }

  // MARK: What is due

  /// Returns the instant at which a voice reaches a position.
  private func instant(of position: Int64, _ voice: Voice) -> Int64 {
    instant(after: position - voice.anchor.position, voice.anchor.instant)
  }

  private func instant(after way: Int64, _ instant: Int64) -> Int64 {
    let way = max(0, way)
    let time = rate == 1 ? way : Int64((Double(way) / rate).rounded(.up))
    let drifted = behaviour.drift == 0 ? time : time - time / 1_000_000 * Int64(behaviour.drift) + 1_000
    return max(now, max(instant, engine.outputStopsUntil) + drifted)
  }

  private func schedule() {
    positionNumber += 1
    guard isRunning else { return }
    var due: [Int64] = []
    for voice in voices {
      let deck = voice.deck
      for fade in voice.fades where fade.kind != .fadeIn {
        due.append(instant(after: fade.end - played.time, played.instant))
      }
      guard deck.isSettled else { continue }
      let position = position(of: voice)
      if let read = deck.readPosition, deck.isComplete, deck.failedAt == nil { due.append(instant(of: read, voice)) }
      if deck.isComplete, deck.failedAt == nil { due.append(instant(of: deck.end, voice)) }
      if let damage = deck.damagedAt, deck.failedAt == nil, damage <= deck.received {
        due.append(instant(of: damage, voice))
      }
      if let song = deck.nextSong { due.append(instant(of: song, voice)) }
      if let tail = deck.tail, !deck.hasRunDry { due.append(instant(of: tail, voice)) }
      if deck.isSuspect, let finish = deck.finishPosition { due.append(instant(of: finish, voice)) }
      if let stuck = deck.stuckAt, !deck.hasRunOut { due.append(instant(of: stuck, voice)) }
      if let gap = deck.gap {
        let places = [gap.lowerBound, gap.upperBound]
        due += places.filter { $0 > position || !deck.hasRunOut }.map { instant(of: $0, voice) }
      }
    }
    if let start = overlapStart, let current { due.append(instant(of: start, current)) }
    // A millisecond at least, because an instant is rounded.
    if let first = due.min() { after(max(1_000_000, first - now), .position(positionNumber)) }
  }

  /// The position of the current voice at which the next part overlaps; nil if none is ready.
  private var overlapStart: Int64? {
    guard let current, let place = plan.firstIndex(where: { $0.stream == current.deck.stream }),
      plan.indices.contains(place + 1), case .overlap(let shape) = plan[place + 1].join,
      let next = deck(of: plan[place + 1]), next.isSettled, !next.hasEnded, !next.isEmpty,
      current.deck.expectedEnd < .max
    else { return nil }
    return current.deck.expectedEnd - overlapLength(current.deck, next, shape)
  }

  /// Reports what a running voice has reached.
  private func noteFaults(of voice: Voice) {
    let deck = voice.deck
    guard deck.isSettled else { return }
    deck.noteDamage()
    deck.noteSong()
    deck.noteRead()
    deck.noteFinished()
    deck.noteDry()
    guard !deck.hasRunOut else { return }
    let position = position(of: voice)
    if let stuck = deck.stuckAt, position >= stuck {
      deck.hasRunOut = true
      deck.post(.ranOut(deck.progress))
    } else if let gap = deck.gap, gap.contains(position) {
      deck.hasRunOut = true
      if behaviour.reportsGaps { deck.post(.ranOut(deck.progress)) }
    }
  }

  /// Notes since when the output has no sample of the current voice, and has that checked later.
  private func noteSilence() {
    guard isRunning, let current, current.deck.isSettled else { return silentSince = nil }
    let position = position(of: current)
    let isStuck = current.deck.stuckAt.map { position >= $0 } ?? false
    guard isStuck || current.deck.gap?.contains(position) == true else { return silentSince = nil }
    guard silentSince == nil else { return }
    silentSince = now
    world.schedule(.call {}, at: now + Checker.longestSilence)
  }
}
