import Glibc
package import Playback

/// Carries out the commands of a player: opens decks, sends the plan to the output, and reports the events.
///
/// The plan is a list of parts of open streams. When the plan or one of its streams changes, the output gets the complete list of
/// parts again. The playout is a value; it has no clock, threads or devices. Each call adds to its ``effects``, which the owner
/// takes and performs in order.
///
/// Invariants:
/// - The output has a part for a stream from the stream's first ``StreamEvent/settled(_:)`` on.
/// - The output's reports about a stream are passed on only after the stream has settled, because reports of decks and of the
///   output arrive in any order.
package struct Playout: Sendable {
  /// An effect that the owner has to carry out.
  package enum Effect: Sendable {
    /// Sends a command to the deck of a stream; with ``DeckCommand/open(_:)``, it makes the deck.
    case deck(StreamToken, DeckCommand)
    case output(OutputCommand)
    case report(EngineEvent)
    /// Judges the process of the deck of a stream, whose samples are missing, after a time; nil if they have arrived.
    ///
    /// A deck that `isDecoding` has delivered samples since its opening or its last seek; any other may have to read for long.
    case judge(StreamToken, after: Duration?, isDecoding: Bool)
  }

  /// The state of the deck of an open stream.
  private enum DeckState {
    case open
    /// Its process has ended, and it begins again when the end of its samples is known.
    case awaitsTail
    /// Its process has ended, and it begins again when those before it have decoded everything.
    case heldBack
    /// Its process has ended, and it is not needed before the next seek.
    case closed
  }

  /// An open stream.
  private struct Stream {
    /// The request with which its deck begins: the first one, or after the end of a process another one.
    var request: DeckRequest
    /// The state of its deck.
    var deck = DeckState.open
    /// The number of processes that have ended while its deck was the only one that decoded.
    var ends = 0
    /// The failure that is reported when its samples have been played.
    var failure: PlayerError?
    /// Whether a process has ended while it decoded, perhaps because of it, and it has not decoded everything since.
    var isSuspect = false
    /// The position that was reported last, and its instant; nil while it does not sound.
    var anchor: (position: Duration, at: MonotonicTime)?
    /// Its part, without the values that the plan sets.
    var part: Part
    /// The number of the newest seek.
    var lastSeek = 0
    /// Whether this part continues one that was audible, and joins without a fade.
    var isContinued = false
    /// The properties that the deck has reported last.
    var facts: StreamFacts?
    /// Whether the deck has refused to begin at the start of the request.
    var isStartRefused = false
    /// Whether its opening, or its last seek, has been reported as done.
    var isSettled = false
    /// The end of its passage that was reported before that.
    var earlyEnd: Duration?
    /// The reports of the output before that.
    var early: [OutputReport] = []
    /// The media time up to which its passage is decoded, as far as it was reported.
    var decoded = Duration.zero
    /// The media time at which its passage ends; nil while it is not decoded to its end.
    var mediaEnd: Duration?
    /// Whether all of its part was reported as decoded.
    var isReadReported = false
    /// Whether its present part is audible, or was.
    var isHeard = false
    /// The media time at which its last sample was played.
    var heardEnd: Duration?
    /// Whether its end was reported.
    var isEndReported = false
    var tags = GainTags()
    /// The part before the last seek, until the seek is done, and the end of its passage.
    var beforeSeek: (part: Part, mediaEnd: Duration?, request: DeckRequest)?
    /// Whether it has ended before the end of its part, because the process of the output has ended in an overlap.
    var isCut = false
    /// The format in which it begins again for an overlap.
    var converted: PCMFormat?
    /// Whether it begins again without a command, which is not reported.
    var isRestarting = false
    /// The positions that wait for a measurement of the progress, in order; nil for ``StreamEvent/ranOut(_:)``.
    var measurements: [Duration?] = []
    /// The progress as it was measured last.
    var progress: StreamProgress?

    /// Begins another part, which is not audible yet.
    mutating func begin(_ new: Part) {
      let old = part
      part = new
      (part.gain, part.peak) = (old.gain, old.peak)
      (isHeard, heardEnd, isEndReported, isContinued) = (false, nil, false, false)
      (anchor, early) = (nil, [])
    }

    /// Whether its part has been played to its end, and now has more samples after that end.
    func isExtended(to end: Duration?) -> Bool {
      guard let heardEnd else { return false }
      return [end, mediaEnd].compactMap(\.self).allSatisfy { $0 > heardEnd + Playout.leastExtension }
    }

    /// Returns the command that begins the next passage.
    mutating func nextPassage(at target: Duration, exactly: Bool, as format: PCMFormat?) -> DeckCommand {
      lastSeek += 1
      let passage = Passage(part.passage.stream, seek: lastSeek)
      (request.passage, request.start, request.format) = (passage, target, format)
      // The end of the samples of the passage before is of no use any more.
      guard [.closed, .awaitsTail].contains(deck) else {
        return .seek(passage, to: target, exactly: exactly, as: format)
      }
      deck = .open
      return .open(request)
    }
  }

  /// The present instant, which the owner sets before each call.
  package var now = MonotonicTime(nanoseconds: 0)
  /// The effects that were not taken, in order.
  private var effects: [Effect] = []
  private let replayGain: Player.Configuration.ReplayGain?
  package private(set) var settings: EngineSettings
  private var streams: [StreamToken: Stream] = [:]
  private var plan: [PlannedPart] = []
  /// The last part that the output has.
  private var last: Part.ID?
  private var lastID: UInt64 = 0
  /// Whether the audio was faded out, so that the next stream or seek begins with a fade-in.
  private var isFadedOut = false
  /// Whether the present audio is faded out, or fades out.
  private var isSilent = false
  private var isPlaying = false
  /// Whether the output is silent until it reports a start.
  private var isStanding = false
  /// The instant at which the audible part is to continue.
  private var startInstant: MonotonicTime?
  /// Whether a deck that waits for another one begins again only when that one has decoded everything.
  private var isCautious = false
  /// The number of processes of the output that have ended since a part has begun to sound.
  private var outputEnds = 0

  /// The time in which a deck begins again in another process.
  private static let reopeningTime = Duration.milliseconds(400)
  /// The least time without samples after which a deck is judged.
  private static let leastPatience = Duration.milliseconds(800)
  /// The least extension of a part that has ended; a shorter one may be the rest of its last frame.
  private static let leastExtension = Duration.milliseconds(1)

  /// Creates a playout without a stream.
  package init(_ configuration: Player.Configuration, _ settings: EngineSettings) {
    (replayGain, self.settings) = (configuration.replayGain, settings)
  }

  /// Removes and returns the effects.
  package mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  private mutating func report(_ event: EngineEvent) { effects.append(.report(event)) }
  private mutating func send(_ command: OutputCommand) { effects.append(.output(command)) }
  private mutating func send(_ command: DeckCommand, to token: StreamToken) { effects.append(.deck(token, command)) }

  // MARK: Commands

  /// Carries out a command of the player.
  package mutating func perform(_ command: EngineCommand) {
    switch command {
    case .open(let request): open(request)
    // A plan without it follows.
    case .close(let stream):
      guard streams.removeValue(forKey: stream) != nil else { return }
      send(.close, to: stream)
      reopenNext()
    case .seek(let stream, let target, let exactly): seek(stream, to: target, exactly: exactly)
    case .plan(let plan): replacePlan(with: plan)
    case .settings(let settings): apply(settings)
    case .setPlaying(let isPlaying): setPlaying(isPlaying)
    case .start(let instant): start(at: instant)
    case .selectAudioTrack(let index, let stream):
      guard streams[stream] != nil else { return }
      streams[stream]?.request.audioTrack = index
      send(.selectAudioTrack(index), to: stream)
    case .fade(let direction): fade(direction)
    case .reopenOutput: send(.reopen)
    case .samplePosition(let stream): if let part = streams[stream]?.part.id { send(.sample(part)) }
    }
  }

  private mutating func apply(_ new: EngineSettings) {
    let old = settings
    if new.rate != old.rate { moveAnchors() }
    settings = new
    send(.settings(new))
    // The lengths of fades are times of the output.
    if new.rate != old.rate { setPlan() }
  }

  private mutating func setPlaying(_ isPlaying: Bool) {
    // A part that is played at its end ends again.
    if isPlaying, let stream = streams.first(where: { $0.value.part.id == last })?.key {
      streams[stream]?.isEndReported = false
    }
    moveAnchors()
    self.isPlaying = isPlaying
    send(.setPlaying(isPlaying))
  }

  /// Computes the positions of the audible parts, before the speed of playback changes.
  private mutating func moveAnchors() {
    for token in Array(streams.keys) {
      let position = position(of: token)
      streams[token]?.anchor = position.map { ($0, now) }
    }
  }

  /// Notes that the output is silent.
  private mutating func stand() {
    moveAnchors()
    isStanding = true
  }

  /// Returns the position of a stream that sounds, from the last report; nil while it does not sound.
  private func position(of token: StreamToken) -> Duration? {
    guard let stream = streams[token], let anchor = stream.anchor, isAudible(token) else { return nil }
    guard isPlaying, !isStanding else { return anchor.position }
    let position = anchor.position + max(.zero, now - anchor.at) * settings.rate
    return stream.mediaEnd.map { min($0, position) } ?? position
  }

  /// Lets the audible part, or the next one, continue at an instant.
  private mutating func start(at instant: MonotonicTime?) {
    // Another part, whose start is reported when it is audible, and not when the output begins.
    if instant != nil, let stream = audible, let part = streams[stream]?.part { playOn(stream, after: part) }
    startInstant = instant
    send(.start(at: instant, makeParts()))
  }

  /// Begins the next stream or position with a fade-in, or at the full level, if the audio was faded out.
  ///
  /// It follows the change of the plan, which discards samples that were written and are not audible yet.
  private mutating func fadeIn() {
    guard isFadedOut || isSilent else { return }
    isSilent = false
    let (start, time) = isFadedOut ? (0.0, settings.fade) : (1, .zero)
    send(.fade(from: start, to: 1, over: time))
  }

  private mutating func fade(_ direction: FadeDirection) {
    isFadedOut = direction == .out
    if direction != .none { isSilent = isFadedOut }
    switch direction {
    case .out: send(.fade(from: nil, to: 0, over: settings.fade))
    case .in: send(.fade(from: nil, to: 1, over: settings.fade))
    case .none: break
    }
  }

  // MARK: Streams

  private mutating func open(_ request: StreamRequest) {
    let token = request.stream
    guard streams[token] == nil else { return }
    let deckRequest = DeckRequest(request, settings: settings)
    streams[token] = Stream(request: deckRequest, part: makePart(Passage(token), from: request.start))
    send(.open(deckRequest), to: token)
  }

  private mutating func makePart(_ passage: Passage, from start: Duration) -> Part {
    lastID += 1
    return Part(id: Part.ID(lastID), passage, from: start)
  }

  private mutating func seek(_ token: StreamToken, to target: Duration, exactly: Bool) {
    guard var stream = streams[token] else { return }
    let isCurrent = token == current
    // After a seek, a deck may have to read for long.
    effects.append(.judge(token, after: nil, isDecoding: false))
    if stream.beforeSeek == nil {
      stream.beforeSeek = (stream.part, stream.mediaEnd, stream.request)
    } else {
      send(.discard(stream.part.passage))
    }
    send(stream.nextPassage(at: target, exactly: exactly, as: nil), to: token)
    // Another seek begins at a sample that may be earlier, and is the first one of its passage.
    stream.begin(makePart(stream.request.passage, from: exactly ? target : .zero))
    (stream.decoded, stream.mediaEnd, stream.isReadReported) = (.zero, nil, false)
    (stream.isSettled, stream.earlyEnd, stream.isRestarting, stream.converted) = (false, nil, false, nil)
    (stream.failure, stream.isCut) = (nil, false)
    streams[token] = stream
    // The streams behind it that were audible are played again after it.
    for later in plan.drop(while: { $0.stream != token }).dropFirst() where streams[later.stream]?.isHeard == true {
      restart(later.stream)
    }
    setPlan()
    guard isCurrent else { return }
    startInstant = nil
    send(.start(at: nil, makeParts()))
    fadeIn()
  }

  /// Restarts a stream at its start, in a given format; nil for the format of its decoder.
  private mutating func restart(_ token: StreamToken, as format: PCMFormat? = nil) {
    guard var stream = streams[token], stream.facts?.isSeekable == true else { return }
    send(.discard(stream.part.passage))
    send(stream.nextPassage(at: stream.part.start, exactly: true, as: format), to: token)
    stream.begin(makePart(stream.request.passage, from: stream.part.start))
    (stream.converted, stream.isRestarting) = (format, true)
    (stream.decoded, stream.mediaEnd) = (.zero, nil)
    streams[token] = stream
  }

  /// Lets a stream continue as another part of its passage, at a time, or where a part was audible last.
  private mutating func playOn(_ token: StreamToken, from time: Duration? = nil, after old: Part) {
    var part = makePart(old.passage, from: time ?? old.start)
    if time == nil { part.continues = old.id }
    streams[token]?.begin(part)
    streams[token]?.isContinued = true
  }

  // MARK: Plan

  /// The part that is audible; of two that overlap, the later one.
  private var audible: StreamToken? {
    plan.last { $0.fadeOut == nil && isAudible($0.stream) }?.stream
  }

  /// The part that is audible, or the next one that will be.
  private var current: StreamToken? { audible ?? plan.first { $0.fadeOut == nil }?.stream }

  private mutating func replacePlan(with new: [PlannedPart]) {
    let old = plan
    for part in new {
      if let end = old.first(where: { $0.stream == part.stream })?.end, part.end.map({ $0 > end }) ?? true {
        streams[part.stream]?.isReadReported = false
      }
    }
    // A part that has faded out is not played again.
    plan = new.filter { part in
      guard let stream = streams[part.stream] else { return true }
      return !stream.isCut && (part.fadeOut == nil || !stream.isEndReported)
    }
    if plan.isEmpty, streams.isEmpty {
      last = nil
      return send(.end)
    }
    for part in plan { updateGain(of: part.stream) }
    extend()
    setPlan(old.compactMap(\.shaped) == plan.compactMap(\.shaped) ? .difference : .now)
    for part in plan { noteRead(part.stream) }
    if let first = plan.first?.stream, first != old.first?.stream, streams[first]?.isHeard == false { fadeIn() }
  }

  /// Continues a part that was played to its former end, unless a later part is audible.
  private mutating func extend() {
    for (index, part) in plan.enumerated() where part.fadeOut == nil {
      guard let stream = streams[part.stream], let end = stream.heardEnd, stream.isExtended(to: part.end),
        !plan.dropFirst(index + 1).contains(where: { streams[$0.stream]?.isHeard == true })
      else { continue }
      playOn(part.stream, from: end, after: stream.part)
    }
  }

  /// Returns the parts that can be played, for the output.
  private mutating func makeParts() -> [Part] {
    var parts: [Part] = []
    for planned in plan {
      guard let stream = streams[planned.stream] else { continue }
      // A part opens the output only when it is known to be ready. The parts after it wait too.
      guard stream.facts != nil || stream.isHeard else { break }
      var part = stream.part
      (part.end, part.curve) = (planned.end, planned.curve)
      if !stream.isContinued { part.join = scaled(planned.join) }
      part.fadeOut = planned.fadeOut.map(scaled)
      parts.append(part)
    }
    last = parts.last?.id
    return parts
  }

  /// Returns a shape, whose length is a time of the output, with a length in time of the media.
  private func scaled(_ shape: CrossfadeShape) -> CrossfadeShape {
    CrossfadeShape(length: shape.length * settings.rate, curve: shape.curve)
  }

  private func scaled(_ join: PartJoin) -> PartJoin {
    switch join {
    case .gapless: .gapless
    case .overlap(let shape): .overlap(scaled(shape))
    case .fadeIn(let shape): .fadeIn(scaled(shape))
    }
  }

  private mutating func setPlan(_ edit: PlanEdit = .difference) { send(.plan(makeParts(), from: edit)) }

  // MARK: Reports of decks

  /// Handles a report of the deck of a stream, which may be closed.
  package mutating func take(_ deckReport: DeckReport, of token: StreamToken) {
    // A closed stream may not respond.
    switch deckReport {
    case .warning(let text), .abandoned(let text): return report(.warning(text, of: token))
    default: break
    }
    guard let stream = streams[token] else { return }
    switch deckReport {
    case .ended(let passage, let time):
      if passage == stream.beforeSeek?.part.passage { streams[token]?.beforeSeek?.mediaEnd = time }
      guard passage == stream.part.passage else { return }
      // The end is reported after the seek.
      guard stream.isSettled else {
        streams[token]?.earlyEnd = time
        return
      }
      noteEnd(of: token, at: time)
    case .refused(let passage): refused(passage, of: token)
    case .loudness(let tags):
      streams[token]?.tags.add(tags)
      if updateGain(of: token) { setPlan(.now) }
    case .measured(let progress):
      streams[token]?.progress = progress
      guard let waiting = stream.measurements.first else { return }
      streams[token]?.measurements.removeFirst()
      measured(token, waiting, progress)
    case .event(let event): take(event, of: token)
    case .warning, .abandoned: break
    }
  }

  /// Notes that the passage of a stream is decoded to the end of its media.
  private mutating func noteEnd(of token: StreamToken, at time: Duration) {
    streams[token]?.mediaEnd = time
    streams[token]?.isSuspect = false
    noteRead(token)
    reopenNext()
  }

  /// Reports once that all of a stream's part is decoded.
  private mutating func noteRead(_ token: StreamToken) {
    guard let stream = streams[token], stream.isSettled, !stream.isReadReported else { return }
    let end = plan.first { $0.stream == token }?.end
    guard stream.mediaEnd != nil || end.map({ stream.decoded >= $0 }) ?? false else { return }
    streams[token]?.isReadReported = true
    report(.stream(token, .read))
  }

  /// Continues with the samples before a seek, or at the start of media that cannot begin elsewhere.
  private mutating func refused(_ passage: Passage, of token: StreamToken) {
    guard let stream = streams[token], stream.part.passage == passage else { return }
    guard let before = stream.beforeSeek else {
      guard stream.facts == nil else { return }
      streams[token]?.isStartRefused = true
      streams[token]?.part.start = .zero
      return
    }
    playOn(token, after: before.part)
    streams[token]?.mediaEnd = before.mediaEnd
    streams[token]?.request = before.request
    streams[token]?.beforeSeek = nil
    setPlan()
  }

  /// Sets the gain by the tags of a stream, or else the measured one of the plan; returns whether it has changed.
  @discardableResult
  private mutating func updateGain(of token: StreamToken) -> Bool {
    guard let setting = replayGain, let stream = streams[token] else { return false }
    var part = stream.part
    (part.gain, part.peak) = (1, 1)
    if let loudness = stream.tags.gain(setting.mode) ?? plan.first(where: { $0.stream == token })?.measured {
      (part.gain, part.peak) = setting.levels(of: loudness)
    }
    guard part != stream.part else { return false }
    streams[token]?.part = part
    return true
  }

  private mutating func take(_ event: StreamEvent, of token: StreamToken) {
    guard let stream = streams[token] else { return }
    switch event {
    case .settled(var facts):
      if stream.isStartRefused { facts.isSeekable = false }
      if stream.isStartRefused, stream.facts == nil, !facts.isLive { facts.position = .zero }
      streams[token]?.facts = facts
      streams[token]?.isRestarting = false
      if !stream.isRestarting { report(.stream(token, .settled(facts))) }
      if stream.facts == nil { setPlan() }
      settled(token)
    // The opening continues, and is reported when it is done.
    case .seekRefused where stream.facts == nil && stream.isStartRefused: break
    case .seekRefused:
      streams[token]?.isRestarting = false
      if !stream.isRestarting { report(.stream(token, event)) }
      settled(token)
    case .songEnded:
      streams[token]?.tags = GainTags()
      if updateGain(of: token) { setPlan(.now) }
      report(.stream(token, event))
    default: report(.stream(token, event))
    }
  }

  /// Notes that an opening or a seek is done, and handles the reports that arrived before that.
  private mutating func settled(_ token: StreamToken) {
    guard let stream = streams[token] else { return }
    streams[token]?.isSettled = true
    streams[token]?.early = []
    if let before = stream.beforeSeek, before.part.passage != stream.part.passage {
      streams[token]?.beforeSeek = nil
      send(.discard(before.part.passage))
    }
    streams[token]?.earlyEnd = nil
    if let end = stream.earlyEnd { noteEnd(of: token, at: end) } else { noteRead(token) }
    for report in stream.early { take(report) }
    reopenNext()
  }

  // MARK: Reports of the output

  /// Handles a report of the output.
  package mutating func take(_ outputReport: OutputReport) {
    switch outputReport {
    case .began(let position), .ended(let position):
      guard let token = token(of: position.part) else { return }
      guard streams[token]?.isSettled == true else {
        streams[token]?.early.append(outputReport)
        return
      }
      if case .began = outputReport { began(token, at: position.time) } else { ended(token, at: position.time) }
    case .silent(let part, let time):
      guard let token = token(of: part), plan.contains(where: { $0.stream == token && $0.fadeOut != nil }) else {
        return
      }
      plan.removeAll { $0.stream == token }
      guard streams[token]?.isEndReported == false else { return }
      streams[token]?.isEndReported = true
      report(.stream(token, .ended(at: time)))
    case .resumed(let positions):
      isStanding = false
      for position in positions { note(position) }
      if let audible { report(.audible(audible, at: time(of: audible, in: positions))) }
    case .startMissed(let positions):
      if let current { report(.stream(current, .startMissed(position: time(of: current, in: positions)))) }
    case .playedOut: for part in plan { reportEnd(of: part.stream) }
    case .dry(let passage):
      stand()
      guard let stream = streams[passage.stream], stream.part.passage == passage else { return }
      guard let failure = stream.failure else { return measure(passage.stream, for: nil) }
      streams[passage.stream]?.failure = nil
      report(.stream(passage.stream, .failed(failure)))
    case .owed(let passage, let rest, let isDecoding):
      guard let stream = streams[passage.stream], stream.part.passage == passage, stream.deck == .open,
        stream.mediaEnd == nil
      else { return }
      let time = max(rest - Self.reopeningTime, Self.leastPatience)
      effects.append(.judge(passage.stream, after: time, isDecoding: isDecoding))
    case .supplied(let passage): effects.append(.judge(passage.stream, after: nil, isDecoding: true))
    case .decoded(let passage, let time):
      guard streams[passage.stream]?.part.passage == passage else { return }
      streams[passage.stream]?.decoded = time
      noteRead(passage.stream)
    case .sampled(let position):
      note(position)
      if let token = token(of: position.part) { measure(token, for: position.time) }
    case .tail(let passage, let time): reopen(passage, at: time)
    case .conversion(let passage, let format): convert(passage, to: format)
    case .event(let event):
      if case .volumeChanged(let volume, let isMuted) = event {
        (settings.volume, settings.isMuted) = (volume, isMuted)
      }
      switch event {
      case .suspended, .failed: stand()
      default: break
      }
      report(.output(event))
    case .warning(let text): report(.warning(text))
    }
  }

  /// Measures the progress of a stream for the report of a position; nil for the report that its samples are missing.
  private mutating func measure(_ token: StreamToken, for position: Duration?) {
    // The process of the deck may have ended.
    guard streams[token]?.deck == .open else { return measured(token, position, streams[token]?.progress) }
    streams[token]?.measurements.append(position)
    send(.measure, to: token)
  }

  /// Reports the position or the missing samples for which the progress was measured.
  private mutating func measured(_ token: StreamToken, _ position: Duration?, _ progress: StreamProgress?) {
    let progress = progress ?? StreamProgress()
    report(.stream(token, position.map { .sampled(position: $0, progress) } ?? .ranOut(progress)))
  }

  private func token(of part: Part.ID) -> StreamToken? { streams.first { $0.value.part.id == part }?.key }

  private func time(of token: StreamToken, in positions: [OutputReport.Position]) -> Duration? {
    positions.first { $0.part == streams[token]?.part.id }?.time
  }

  /// Notes the position of a part that sounds.
  private mutating func note(_ position: OutputReport.Position) {
    if let token = token(of: position.part) { streams[token]?.anchor = (position.time, now) }
  }

  private mutating func began(_ token: StreamToken, at time: Duration) {
    streams[token]?.isHeard = true
    streams[token]?.anchor = (time, now)
    (outputEnds, startInstant, isStanding) = (0, nil, false)
    guard let place = plan.firstIndex(where: { $0.stream == token }) else { return }
    for before in plan[..<place] { reportEnd(of: before.stream) }
    report(.audible(token, at: time))
  }

  /// Notes that the last sample of a part was played.
  private mutating func ended(_ token: StreamToken, at time: Duration) {
    streams[token]?.heardEnd = time
    guard let part = plan.first(where: { $0.stream == token }) else { return }
    // A change of the plan may have come after the last sample.
    if part.fadeOut == nil, streams[token]?.isExtended(to: part.end) == true {
      extend()
      return setPlan()
    }
    // The last part has ended when the output has played all of it, unless a part still fades out.
    if streams[token]?.part.id != last || plan.contains(where: { isAudible($0.stream) }) { reportEnd(of: token) }
  }

  private func isAudible(_ token: StreamToken) -> Bool {
    streams[token].map { $0.isHeard && $0.heardEnd == nil } ?? false
  }

  /// Reports the end of a part whose last sample was played.
  private mutating func reportEnd(of token: StreamToken) {
    guard let stream = streams[token], let end = stream.heardEnd, !stream.isEndReported else { return }
    streams[token]?.isEndReported = true
    report(.stream(token, .ended(at: end)))
  }

  // MARK: Ends of processes

  /// Handles that the process of some decks has ended.
  ///
  /// Their samples continue to play. The first deck that has not decoded everything restarts at the end of its samples. The other
  /// decks follow, each when the deck before it decodes again. If the next process ends too, each deck waits until the deck before
  /// it has decoded everything; this shows which deck is at fault. A stream fails if two processes have ended while only its deck
  /// decoded.
  ///
  /// - Parameters:
  ///   - tokens: Their streams.
  ///   - process: The name of the process, for users.
  ///   - reason: The signal, the status or the limit.
  package mutating func decksEnded(_ tokens: [StreamToken], of process: String, because reason: String) {
    let text = "the \(process) process ended: \(reason)"
    let tokens = tokens.filter { streams[$0] != nil }.sorted { order(of: $0) < order(of: $1) }
    for token in tokens {
      for waiting in streams[token]?.measurements ?? [] { measured(token, waiting, streams[token]?.progress) }
      streams[token]?.measurements = []
    }
    let unfinished = tokens.filter { streams[$0].map { $0.mediaEnd == nil && $0.deck == .open } ?? false }
    for token in tokens where !unfinished.contains(token) {
      if streams[token]?.deck == .open { streams[token]?.deck = .closed }
    }
    // The media at which a process has ended was decoded again since, and is audible.
    for (token, stream) in streams where stream.isSuspect {
      guard let position = position(of: token), position > (stream.request.start ?? .zero) + Self.reopeningTime else {
        continue
      }
      streams[token]?.isSuspect = false
    }
    let isRepeated = unfinished.contains { streams[$0]?.isSuspect == true }
    isCautious = unfinished.count > 1 && isRepeated || isCautious && streams.values.contains { $0.isSuspect }
    for token in unfinished {
      streams[token]?.deck = .heldBack
      streams[token]?.isSuspect = true
    }
    if unfinished.isEmpty { report(.warning(text)) }
    if unfinished.count == 1, let token = unfinished.first { streams[token]?.ends += 1 }
    for token in unfinished {
      guard let stream = streams[token] else { continue }
      if stream.ends > 1 {
        fail(token, PlayerError(code: .engineEnded, message: "the \(process) process ended twice: \(reason)"))
      } else if stream.facts?.isSeekable == false {
        fail(token, .cut(text))
      } else {
        report(.stream(token, .interrupted(text)))
      }
    }
    reopenNext()
  }

  /// Whether the deck of a stream can begin again where its samples end, at another URI.
  ///
  /// A URI that `isUntried` must have opened: another one would not open either.
  package func canRenew(_ token: StreamToken, isUntried: Bool) -> Bool {
    guard let stream = streams[token], stream.deck == .open, stream.mediaEnd == nil else { return false }
    guard let facts = stream.facts else { return !isUntried }
    return facts.isSeekable && !(isUntried && stream.isRestarting)
  }

  /// Lets the deck of a stream, which is closed, begin again where its samples end, because its URI is not valid any more.
  package mutating func renew(_ token: StreamToken, because text: String) {
    for waiting in streams[token]?.measurements ?? [] { measured(token, waiting, streams[token]?.progress) }
    streams[token]?.measurements = []
    streams[token]?.deck = .heldBack
    report(.stream(token, .interrupted(text)))
    reopenNext()
  }

  /// The index of a stream in the plan; streams outside the plan follow, in the order of their openings.
  private func order(of token: StreamToken) -> (Int, UInt64) {
    (plan.firstIndex { $0.stream == token } ?? .max, token.number)
  }

  /// Fails a stream; if it is audible, after its samples have been played.
  private mutating func fail(_ token: StreamToken, _ error: PlayerError) {
    streams[token]?.deck = .closed
    streams[token]?.isSuspect = false
    if isAudible(token), !error.isFromSource {
      streams[token]?.failure = error
    } else {
      report(.stream(token, .failed(error)))
    }
  }

  /// Lets the next deck begin again that waits for that, unless it waits for another one.
  private mutating func reopenNext() {
    let waiting = streams.filter { $0.value.deck == .heldBack }.keys.sorted { order(of: $0) < order(of: $1) }
    guard let token = waiting.first, let stream = streams[token] else { return }
    let isBusy = streams.values.contains { other in
      guard other.isSuspect, other.deck == .open || other.deck == .awaitsTail else { return false }
      return isCautious || other.deck == .awaitsTail || other.isRestarting || !other.isSettled
    }
    guard !isBusy else { return }
    streams[token]?.deck = .awaitsTail
    send(.tail(stream.request.passage))
  }

  /// Lets a deck begin again where its samples end.
  private mutating func reopen(_ passage: Passage, at tail: Duration) {
    guard var stream = streams[passage.stream], stream.deck == .awaitsTail, stream.request.passage == passage else {
      return
    }
    if tail > .zero, tail > stream.request.start ?? .zero { stream.request.start = tail }
    stream.request.settings = settings
    stream.isRestarting = stream.isSettled
    stream.deck = .open
    streams[passage.stream] = stream
    send(.open(stream.request), to: passage.stream)
  }

  /// Returns the request with which the deck of a stream begins in a process; nil if it waits, or is not needed.
  package func openRequest(of token: StreamToken) -> DeckRequest? {
    streams[token].flatMap { $0.deck == .open ? $0.request : nil }
  }

  /// The number of measurements that were requested of a deck, and not answered.
  package func measurementCount(of token: StreamToken) -> Int { streams[token]?.measurements.count ?? 0 }

  /// Whether the deck of a stream has not decoded everything.
  package func isDecoding(_ token: StreamToken) -> Bool {
    streams[token].map { $0.deck == .open && $0.mediaEnd == nil } ?? false
  }

  /// Handles that the process of the output has ended: the audible part continues where it was.
  ///
  /// Of two parts that overlap, the later one continues.
  ///
  /// - Parameters:
  ///   - reason: The signal, the status or the limit.
  ///   - silence: The time in which it may have played nothing.
  package mutating func outputEnded(because reason: String, after silence: Duration = .zero) {
    outputEnds += 1
    now = now + (.zero - silence)
    moveAnchors()
    isStanding = true
    let newest = audible
    for part in plan {
      guard let stream = streams[part.stream], stream.isHeard else { continue }
      if part.stream == newest, let position = stream.anchor?.position {
        playOn(part.stream, from: position, after: stream.part)
        // The samples before the start of its present deck were in the process that has ended.
        if position < stream.request.start ?? .zero { restart(part.stream) }
      } else if stream.heardEnd == nil, part.stream != newest {
        streams[part.stream]?.heardEnd = stream.anchor?.position ?? stream.part.start
        streams[part.stream]?.isCut = true
        reportEnd(of: part.stream)
        plan.removeAll { $0.stream == part.stream }
      }
    }
    if newest != nil { report(.output(.suspended)) }
    guard outputEnds > Self.outputLimit else { return }
    report(.output(.failed(PlayerError(code: .output, message: "the output process ended: \(reason)"))))
  }

  /// The number of processes of the output after whose ends the output has failed.
  private static let outputLimit = 2

  /// Whether another process of the output is of use.
  package var needsOutput: Bool { !streams.isEmpty && outputEnds <= Self.outputLimit }

  /// Sends the state to a process of the output that begins.
  package mutating func outputBegan() {
    guard !streams.isEmpty else { return }
    for part in plan where streams[part.stream]?.heardEnd != nil {
      guard let stream = streams[part.stream], let end = stream.heardEnd else { continue }
      // No sample of it is left, and its end is not reported twice.
      let isReported = stream.isEndReported
      playOn(part.stream, from: end, after: stream.part)
      streams[part.stream]?.isEndReported = isReported
    }
    setPlan(.now)
    let isHeard = current.flatMap { streams[$0]?.isHeard } ?? false
    if isSilent {
      send(.fade(from: 0, to: 0, over: .zero))
    } else if isFadedOut, !isHeard {
      fadeIn()
    } else if settings.fade > .zero {
      send(.fade(from: nil, to: 1, over: .zero))
    }
    send(.setPlaying(isPlaying))
    send(.start(at: startInstant.flatMap { $0 > now ? $0 : nil }, makeParts()))
    for stream in streams.values where stream.deck == .awaitsTail { send(.tail(stream.request.passage)) }
  }

  /// Lets the next stream begin again in the format of the one before, if both are to overlap in one output.
  private mutating func convert(_ passage: Passage, to format: PCMFormat) {
    guard let stream = streams[passage.stream], stream.part.passage == passage, !stream.isHeard,
      stream.facts?.isSeekable == true, stream.converted != format
    else { return }
    restart(passage.stream, as: format)
    setPlan()
  }
}

extension PlannedPart {
  /// The part without its end and its gain, if its volume changes over time; nil for any other.
  fileprivate var shaped: PlannedPart? {
    var part = self
    (part.end, part.measured) = (nil, nil)
    return part == PlannedPart(stream) ? nil : part
  }
}

extension PlayerError {
  /// The error of a stream that cannot continue where its samples end, such as a station, whose process has ended.
  fileprivate static func cut(_ reason: String) -> PlayerError {
    var error = PlayerError(code: .networkCut, message: reason)
    (error.isFromSource, error.losesKeptData) = (true, true)
    return error
  }
}

extension Player.Configuration.ReplayGain {
  /// Returns the factor for media, and its greatest sample.
  fileprivate func levels(of loudness: LoudnessGain) -> (gain: Double, peak: Double) {
    let peak = max(loudness.peak, 1e-6)
    let gain = pow(10, (loudness.gain + preAmp) / 20)
    return (preventsClipping ? min(gain, 1 / peak) : gain, peak)
  }
}
