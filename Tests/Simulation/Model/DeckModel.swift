import Playback

/// The model of an open stream: it opens, seeks, receives data and decodes ahead.
///
/// Times are nanoseconds, because a run makes millions of computations. Nothing that a stream does affects another one.
final class DeckModel {
  /// Work of a stream that is due at an instant.
  enum Task {
    /// The present call returns.
    case call
    /// A call takes longer than its time limit.
    case overdue(Int)
    /// The media is open.
    case opened
    /// The seek is done.
    case sought
    /// The file has been measured.
    case measured
    /// Data arrives.
    case network(Int)
    /// The media is open again in another process.
    case reopened
  }

  /// A call into the decoder, which takes some time and may never return.
  enum Call {
    case open
    case seek(to: Int64, exactly: Bool)
  }

  /// The state of the decoder.
  enum Phase {
    case opening
    case settled
    case seeking
    /// The stream could not be opened, or does not respond.
    case failed
  }

  let token: UInt64
  let uri: String
  let media: Media
  /// The media time at which the stream begins.
  private let start: Int64
  /// The engine, which owns the stream.
  var engine: EngineModel { unsafe owner }
  private unowned(unsafe) let owner: EngineModel
  var world: World { engine.world }
  var behaviour: Behaviour { engine.behaviour }
  var now: Int64 { engine.now }
  var stream: StreamToken { StreamToken(number: token) }

  var phase = Phase.opening
  private(set) var calls: [(number: Int, call: Call)] = []
  private var callCount = 0
  /// The instant until which a call does not return.
  private var busyUntil: Int64 = 0
  /// The number of the present process; the work of an earlier one is dropped.
  private var processNumber = 0
  /// What its process has of it.
  var processState = ProcessState.open
  /// Whether its address is being resolved; no process has it.
  private(set) var isResolving = false
  /// Whether its process has begun with it.
  var isBegun = false
  /// Whether it is being opened again in another process.
  var isReopening = false
  /// The media time at which the samples of a process end that has ended; nil while one decodes.
  var tail: Int64?
  /// Whether the output has played all samples before that, and this was reported.
  var hasRunDry = false
  /// Whether it fails when these samples were heard.
  var failsWhenDry = false
  /// The number of processes that have ended while it alone decoded.
  var ends = 0
  /// Whether a process has ended while it decoded, and it has not decoded everything since.
  var isSuspect = false
  /// Whether it has sounded since its opening or the last seek.
  var isHeard = false
  /// Whether its part has ended early, with the process of the output.
  var isCutShort = false
  /// The target of its last seek.
  private(set) var target: (time: Int64, isExact: Bool) = (0, true)
  /// The length of the next call, set by a fault.
  var hang: Int64?

  /// The media time of the next sample at the output, while the stream has no voice there.
  var head: Int64 = 0
  /// Whether the end of its part has been reported.
  var hasEnded = false
  /// The media time at which its part ends; nil for the end of the media.
  var partEnd: Int64?
  /// The number of the song whose title was sent last; nil for none since the opening or the last seek.
  private var sentSong: Int64?
  /// The media time up to which everything was reported as read; nil if nothing was.
  private var readTo: Int64?
  /// Whether all of its data has reached the output, and this was reported.
  var hasRunOut = false
  /// The media time after which a damaged stream has no samples; nil if it is not damaged.
  private(set) var failedAt: Int64?
  /// Whether a seek at the opening was refused.
  private(set) var hasRefusedStart = false
  /// The track that plays, and the one from the next seek on.
  var track: Int
  var nextTrack: Int

  /// The end of the received data in media time.
  var received: Int64 = 0
  /// The media time at which reading began after the opening or the last seek.
  private(set) var base: Int64 = 0
  /// The media time at which the present connection began to send.
  var requested: Int64 = 0
  /// The greatest end of the parsed data so far.
  private var parsed: Int64 = 0
  var receivedAt: Int64 = 0
  /// The instant at which the present connection began to send.
  var connectedAt: Int64 = 0
  /// The end of the decoded data of a station from which on the kept data was removed; nil if it can be played on.
  var lostAt: Int64?
  /// The media time up to which the server keeps ahead of playback until the next computation.
  var assured: Int64 = 0
  var stallsUntil: Int64 = 0
  var hasStalled = false
  /// Whether the server has closed the connection before the end.
  var isCut = false
  var lastPercent = -1
  /// The end of the received data that was reported last.
  var reported: Int64 = 0
  /// Whether the queue fills, and reports each change of its level.
  var isFilling = true
  var networkTick = 0
  let forwardBuffer: Int64

  init(_ request: StreamRequest, _ media: Media, _ engine: EngineModel) {
    (token, uri, self.media) = (request.stream.number, request.uri, media)
    start = request.start.wholeNanoseconds
    (track, nextTrack) = (request.audioTrack ?? 0, request.audioTrack ?? 0)
    forwardBuffer = engine.settings?.forwardBuffer?.wholeNanoseconds ?? 2_000_000_000
    unsafe owner = engine
  }

  var isSettled: Bool { phase == .settled }
  var isSeeking: Bool { phase == .seeking }
  /// Whether the decoder carries out nothing.
  var isCalm: Bool { phase == .settled && calls.isEmpty && tail == nil }

  func after(_ delay: Int64, _ task: Task) {
    world.schedule(.deck(task, token, process: processNumber), at: now &+ delay)
  }

  func post(_ event: StreamEvent) { engine.post(.stream(stream, event)) }

  // MARK: The media

  /// The media time of the last sample.
  var length: Int64 {
    switch media.fault {
    case .silent: 0
    case .farEnd: Int64(media.length + Self.farTime) * 1_000_000
    default: Int64(media.length) * 1_000_000
    }
  }
  /// The time by which the last time stamps jump in media with a far end, in milliseconds.
  private static let farTime = 3_600_000
  /// The media time at which the data stops; nil if it does not.
  var stuckAt: Int64? { if case .stuck(let time) = media.fault { Int64(time) * 1_000_000 } else { nil } }
  /// The media times between which the stream has no sample; nil if it has samples everywhere.
  var gap: Range<Int64>? {
    let (start, length): (Int, Int)
    switch media.fault {
    case .gap(let time, let jump): (start, length) = (time, jump)
    case .farEnd: (start, length) = (media.length, Self.farTime)
    default: return nil
    }
    return Int64(start) * 1_000_000..<Int64(start + length) * 1_000_000
  }
  /// The media time at which the decoder fails; nil if it does not.
  var damagedAt: Int64? {
    switch media.fault {
    case .damaged(let time): Int64(time) * 1_000_000
    case .lostStart: base
    default: nil
    }
  }
  /// The media time at which the part ends, or the media if it ends before.
  var end: Int64 {
    var end = min(length, partEnd ?? .max)
    if isCut { end = min(end, received) }
    if let stuckAt { end = min(end, stuckAt) }
    return end
  }
  /// The media time at which the part ends as far as the engine knows before it has read it.
  var expectedEnd: Int64 {
    let stated = media.stated.map { Int64($0) * 1_000_000 } ?? .max
    return min(partEnd ?? .max, media.isEndless ? .max : stated)
  }
  /// Whether its start at the output is reported: that of a sample, or the end of the media.
  var hasStart: Bool { !hasNothingLeft || head >= end && media.fault != .silent && media.fault != .lostStart }
  /// Whether the part has no further sample.
  var hasNothingLeft: Bool { head >= min(end, failedAt ?? damagedAt ?? .max) }
  /// Whether the part has no sample at all: it overlaps with nothing.
  var isEmpty: Bool { isComplete && head >= end }
  var isNetwork: Bool { media.source == .server || media.source == .station }
  /// Whether all data up to the end of the part has been received.
  var isComplete: Bool {
    if let tail, tail < end { return false }
    return stuckAt == nil && (!isNetwork || isCut || received >= end)
  }
  private var burst: Int64? { media.server.burst.map { Int64($0) * 1_000_000 } }
  /// The URI that the last redirect names; nil if there is none.
  private var redirectedURI: String? {
    switch media.server.redirect {
    case .none, .refused: nil
    case .followed, .endless: "https://mirror\(uri.dropFirst("http://server".count))"
    }
  }

  /// The media time of the audible sample, or of the next one.
  var position: Int64 { engine.output.position(of: token) ?? head }

  // MARK: Work

  func perform(_ task: Task, process number: Int) {
    // A file is measured in another process.
    if case .measured = task {} else if number != processNumber { return }
    switch task {
    case .call: nextCall()
    case .overdue(let number): overdue(number)
    case .opened: opened()
    case .sought: sought()
    case .measured:
      if let silence = media.silence { world.deliver(.silence(from: .milliseconds(silence), of: stream)) }
    case .network(let number): if number == networkTick { networkDue() }
    case .reopened: reopened()
    }
  }

  func open() {
    guard let resolver = media.resolver else { return engine.begin(self) }
    isResolving = true
    engine.reportStart()
    world.schedule(.call { [self] in resolved(resolver) }, at: now + Int64(resolver.time) * 1_000_000)
  }

  /// Opens the media that the resolver has found, unless the stream was closed.
  private func resolved(_ resolver: AddressResolver) {
    guard engine.deck(token) === self else { return }
    engine.noteChange()
    isResolving = false
    if resolver.fails { fail(.resolverFailed) } else { engine.begin(self) }
    engine.reportStart()
  }

  /// Carries out a call in a process that has started.
  func call(_ call: Call) { enqueue(call) }

  /// Drops the work of a process that has ended.
  func dropWork() {
    processNumber += 1
    networkTick += 1
    (calls, busyUntil, hang, isBegun, isReopening) = ([], 0, nil, false, false)
  }

  /// Begins a seek; the samples before it are heard until those after it arrive.
  func seek(to target: Int64, exactly: Bool) {
    guard phase == .settled else { return }
    phase = .seeking
    self.target = (target, exactly)
    engine.output.seekBegins(self)
    (isHeard, isCutShort, hasRunDry, failsWhenDry, tail) = (false, false, false, false, nil)
    if processState == .closed {
      reopen()
    } else if isBegun, !isReopening {
      enqueue(.seek(to: target, exactly: exactly))
    }
  }

  private func enqueue(_ call: Call) {
    callCount += 1
    calls.append((callCount, call))
    after(10_000_000_000, .overdue(callCount))
    if calls.count == 1 { nextCall() }
  }

  /// Carries out the calls until one takes some time.
  private func nextCall() {
    while let (_, call) = calls.first {
      if busyUntil > now { return busyUntil < .max ? after(busyUntil - now, .call) : () }
      if busyUntil != now || hang != nil {
        let length = hang ?? engine.delay(behaviour.callDuration)
        if hang != nil { world.noteFault(until: now + length) }
        hang = nil
        if length > 0 {
          busyUntil = now + length
          continue
        }
      }
      busyUntil = 0
      if media.fault == .hangingOpen {
        busyUntil = .max
        return
      }
      calls.removeFirst()
      engine.noteChange()
      switch call {
      case .open: read()
      case .seek(let target, let exactly): flush(to: target, exactly: exactly)
      }
    }
  }

  /// Gives up a stream whose call takes too long.
  private func overdue(_ number: Int) {
    guard calls.contains(where: { $0.number == number }) else { return }
    calls = []
    let wasHeard = phase == .seeking
    phase = .failed
    post(.failed(PlayerError(code: .loadTimeout, message: "the media does not respond")))
    if wasHeard { engine.output.update() }
  }

  /// Reports a failure, whose further errors are consequences and say less.
  func post(failure code: PlayerError.Code, isFromSource: Bool = false, losesKeptData: Bool = false) {
    for number in 0..<behaviour.errors {
      var error = PlayerError(code: number == 0 ? code : .unknown, message: "simulated")
      (error.isFromSource, error.losesKeptData) = (isFromSource, losesKeptData)
      post(.failed(error))
    }
  }

  // MARK: Opening

  private func read() {
    switch media.fault {
    case .unopenable, .empty, .notMedia: after(engine.delay(2 * behaviour.openDuration), .opened)
    default: after(Int64(media.server.delay) * 1_000_000 + engine.delay(behaviour.openDuration), .opened)
    }
  }

  private func opened() {
    guard phase == .opening else { return }
    engine.noteChange()
    if let failure = openingFailure { return fail(failure) }
    if media.fault == .endlessPreroll { return }
    if isNetwork, now < engine.networkDownUntil { return after(engine.networkDownUntil - now, .opened) }
    if isNetwork, let target = redirectedURI { post(.redirected(to: target)) }
    if isNetwork, media.server.redirect == .endless { return fail(.tooManyRedirects) }
    if isNetwork, media.server.redirect == .refused { return fail(.httpError) }
    describe()
    if start > 0 {
      if media.fault == .endlessSeek || stuckAt.map({ start >= $0 }) ?? false { return }
      hasRefusedStart = media.fault == .refusedSeeks
      base = media.isSeekable && !media.isEndless && !hasRefusedStart ? start : 0
    }
    (head, requested, reported, receivedAt, connectedAt) = (base, min(base, length), min(base, length), now, now)
    received = isNetwork ? min(length, requested + (burst ?? 100_000_000)) : length
    settle()
    if !media.chapters.isEmpty { post(.chapters(media.chapters.map { Chapter(start: .milliseconds($0)) })) }
  }

  /// The failure of a stream that cannot be opened; nil if it can.
  private var openingFailure: PlayerError.Code? {
    switch media.fault {
    case .unopenable: isNetwork ? .httpError : .notFound
    case .empty: .empty
    case .notMedia: .notMedia
    case .damaged(at: 0): .corrupt
    default: nil
    }
  }

  func fail(_ code: PlayerError.Code) {
    phase = .failed
    post(failure: code)
  }

  /// Sends the tags and tracks.
  private func describe() {
    describeMedia()
    if media.silence != nil { after(Int64(behaviour.measurement) * 1_000_000, .measured) }
  }

  /// Sends what each process that opens the media finds.
  func describeMedia() {
    var tags = MediaMetadata()
    if media.hasTitle, media.songTime == nil { tags.title = "title" }
    if media.source == .station { tags.organization = "station" }
    tags.album = media.album.map { "album \($0)" }
    post(.tags(tags, about: .stream))
    describeTracks()
  }

  private func describeTracks() {
    let tracks = (0..<media.audioTracks).map { _ in AudioTrack() }
    post(.audioTracks(tracks, current: min(track, media.audioTracks - 1)))
  }

  /// Reports that the stream is ready at its base.
  private func settle() {
    phase = .settled
    engine.noteChange()
    // The queue after the source fills before the stream is ready.
    if isNetwork { announce() }
    post(.settled(facts))
    engine.output.settled(self)
    noteSong()
    noteRead()
    if isNetwork { networkDue() }
  }

  private var facts: StreamFacts {
    let isLive = media.source == .live
    return StreamFacts(
      duration: isLive ? nil : media.stated.map { .milliseconds($0) },
      isSeekable: media.isSeekable && !isLive && !hasRefusedStart, isLive: isLive, position: .nanoseconds(base),
      progress: progress)
  }

  // MARK: Seeking

  /// Discards the data, and reads from another time on.
  private func flush(to target: Int64, exactly: Bool) {
    guard phase == .seeking else { return }
    if let kept {
      beginPassage(at: max(target, kept.lowerBound))
      return after(2_000_000 + engine.delay(behaviour.callDuration), .sought)
    }
    guard media.isSeekable, !media.isEndless, media.fault != .refusedSeeks else {
      phase = .settled
      post(.seekRefused(position: .nanoseconds(position)))
      return engine.output.seekRefused(self)
    }
    let points = Int64(max(1, media.seekPoints)) * 1_000_000
    beginPassage(at: exactly ? target : min(target / points * points, max(0, length - 1)))
    let wait = isNetwork ? Int64(media.server.delay) * 1_000_000 : 0
    // Without data at the target, the seek does not end.
    if media.fault == .endlessSeek || stuckAt.map({ base >= $0 }) ?? false { return }
    after(2_000_000 + wait + engine.delay(behaviour.callDuration), .sought)
  }

  /// Discards the data of the passage before.
  private func beginPassage(at start: Int64) {
    let played = position
    base = start
    (hasEnded, hasRunOut, readTo, failedAt, lostAt, sentSong) = (false, false, nil, nil, nil, nil)
    if track != nextTrack {
      track = nextTrack
      describeTracks()
    }
    // A seek empties the buffer, and requests the rest again, unless the data is kept.
    if isNetwork, kept == nil {
      requested = min(base, length)
      switch media.server.seekStart {
      case .target: break
      case .parsedEnd:
        parsed = max(parsed, min(received, played + Self.parsedAhead))
        requested = min(requested, parsed)
      case .before(let time): requested = max(0, requested - Int64(time) * 1_000_000)
      }
      (received, reported, receivedAt, isCut) = (requested, requested, now, false)
      // The server sends to the new connection.
      stallsUntil = 0
      announce()
    }
  }

  /// Continues at the target of a seek in a process that has opened the media there.
  func seekInNewProcess() {
    guard media.isSeekable, !media.isEndless, media.fault != .refusedSeeks else {
      phase = .settled
      post(.seekRefused(position: .nanoseconds(position)))
      return engine.output.seekRefused(self)
    }
    beginPassage(at: target.time)
    if media.fault == .endlessSeek || stuckAt.map({ base >= $0 }) ?? false { return }
    receiveBurst()
    head = base
    settle()
  }

  private func sought() {
    guard phase == .seeking, calls.isEmpty else { return }
    if kept != nil {
      head = base
      return settle()
    }
    if isNetwork, now < engine.networkDownUntil { return after(engine.networkDownUntil - now, .sought) }
    if isNetwork, media.server.seekStart != .target {
      receiveBurst()
      arrive()
      if received < base, !isComplete { return after(Int64(behaviour.arrivalInterval) * 1_000_000, .sought) }
    }
    receiveBurst()
    head = base
    settle()
  }

  /// The media time that has been parsed ahead of the position: a second at the output, and half a block of the source.
  private static let parsedAhead: Int64 = 1_500_000_000

  /// Receives the data that the server sends at once after a request.
  func receiveBurst() {
    guard isNetwork, let burst else { return }
    let cut = media.server.cutAt.map { Int64($0) * 1_000_000 } ?? .max
    received = max(received, min(requested + burst, length, cut))
    announce()
  }

  // MARK: Songs

  /// Returns the title of the song at a media time; nil if the station names none.
  func song(at time: Int64) -> String? { songTime.map { "song \(max(0, time) / $0) of \(token)" } }

  /// The media time at which the next song begins; nil if none does.
  var nextSong: Int64? {
    guard isSettled, tail == nil, let songTime else { return nil }
    return (position / songTime + 1) * songTime
  }

  private var songTime: Int64? { media.songTime.map { Int64($0) * 1_000_000 } }

  /// Sends the title of the song at the output, unless it was sent before.
  func noteSong() {
    guard isSettled, tail == nil, let songTime, let title = song(at: position), sentSong != position / songTime else {
      return
    }
    sentSong = position / songTime
    post(.titleStarts(title, at: .nanoseconds(max(base, position / songTime * songTime))))
    var tags = MediaMetadata()
    tags.title = title
    post(.tags(tags, about: .item))
  }

  // MARK: Decoding

  /// The media time up to which a playing stream is decoded when everything up to the end of its part is.
  var readPosition: Int64? {
    guard isSettled, readTo ?? -1 < end, !media.isEndless, stuckAt == nil else { return nil }
    return end - Int64(behaviour.readAhead) * 1_000_000
  }

  /// Reports that everything up to the end of the part is decoded, if so.
  func noteRead() {
    guard let readPosition, isComplete, failedAt == nil, position >= readPosition else { return }
    readTo = end
    post(.read)
  }

  /// The media time at which a settled stream is decoded to the end of its media; nil if it is not before another event.
  var finishPosition: Int64? {
    guard isSettled, tail == nil, stuckAt == nil, failedAt == nil, !media.isEndless,
      !isNetwork || isCut || received >= length
    else { return nil }
    return (isCut ? min(length, received) : length) - Int64(behaviour.readAhead) * 1_000_000
  }

  /// The end of the samples that are decoded ahead of the output.
  var decodedEnd: Int64 {
    let available = min(isNetwork ? received : length, stuckAt ?? .max, lostAt ?? .max)
    return max(position, min(available, position + Int64(behaviour.readAhead) * 1_000_000))
  }

  /// Fails at the present position, or a little ahead of it.
  func failDecoder() {
    guard isSettled, failedAt == nil, tail == nil, processState == .open else { return }
    failedAt = position + 1_000_000_000
    post(failure: .corrupt)
    engine.output.update()
  }

  /// Fails if a position is damaged.
  func noteDamage() {
    guard let damagedAt, isSettled, failedAt == nil, position >= damagedAt else { return }
    failedAt = damagedAt
    post(failure: .corrupt)
  }

  /// Closes the connection: an error at once, and an end when the data has been played.
  func closeConnection() {
    guard isNetwork, isSettled, !isComplete, tail == nil else { return }
    (isCut, assured) = (true, 0)
    engine.noteChange()
    post(failure: .networkCut, isFromSource: true)
    engine.output.update()
  }
}
