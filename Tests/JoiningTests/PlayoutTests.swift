import Joining
import Playback
import Testing

/// Tests of the policy of an engine, without any process, deck or output.
@Suite("The playout") struct PlayoutTests {
  private static let first = StreamToken(number: 1)
  private static let second = StreamToken(number: 2)
  private static let third = StreamToken(number: 3)

  /// A playout whose decks and output are played by the test, and what it has asked for since it was asked last.
  private struct Played {
    var playout = Playout(Player.Configuration(), EngineSettings(Player.Configuration()))
    var commands: [OutputCommand] = []
    var deckCommands: [(stream: StreamToken, command: DeckCommand)] = []
    var events: [EngineEvent] = []
    /// The judgements of processes; nil for one that is withdrawn.
    var judgements: [Duration?] = []
    /// The parts that the output has.
    var parts: [Part] = []

    /// Changes the playout; what it asked for before is dropped.
    mutating func change(_ body: (inout Playout) -> Void) {
      (commands, deckCommands, events, judgements) = ([], [], [], [])
      body(&playout)
      for effect in playout.takeEffects() {
        switch effect {
        case .deck(let stream, let command): deckCommands.append((stream, command))
        case .output(let command):
          if case .plan(let new, _) = command { parts = new }
          commands.append(command)
        case .report(let event): events.append(event)
        case .judge(_, let time, _): judgements.append(time)
        }
      }
    }

    mutating func perform(_ command: EngineCommand) { change { $0.perform(command) } }
    mutating func take(_ report: OutputReport) { change { $0.take(report) } }
    mutating func take(_ report: DeckReport, of stream: StreamToken) { change { $0.take(report, of: stream) } }

    /// Opens streams in the order of a plan, whose decks settle at once.
    mutating func open(_ plan: [PlannedPart], isSeekable: Bool = true) {
      for part in plan {
        perform(.open(StreamRequest(uri: "file:///\(part.stream.number)", stream: part.stream)))
        take(
          .event(.settled(StreamFacts(duration: .seconds(60), isSeekable: isSeekable, position: .zero))),
          of: part.stream)
      }
      perform(.plan(plan))
    }

    mutating func advance(_ time: Duration) { playout.now = playout.now + time }

    func part(of stream: StreamToken) throws -> Part {
      try #require(parts.last { $0.passage.stream == stream })
    }

    /// Lets the part of a stream begin to sound.
    mutating func begin(_ stream: StreamToken, at time: Duration = .zero) throws {
      take(.began(OutputReport.Position(try part(of: stream).id, time)))
    }

    /// The streams whose tails were asked for.
    var tails: [Passage] {
      commands.compactMap { if case .tail(let passage) = $0 { passage } else { nil } }
    }

    /// The requests with which decks were opened.
    var openings: [DeckRequest] {
      deckCommands.compactMap { if case .open(let request) = $0.command { request } else { nil } }
    }

    /// The failures of streams.
    var failures: [(stream: StreamToken, error: PlayerError)] {
      events.compactMap { if case .stream(let stream, .failed(let error)) = $0 { (stream, error) } else { nil } }
    }

    /// The streams that were reported as interrupted.
    var interrupted: [StreamToken] {
      events.compactMap { if case .stream(let stream, .interrupted) = $0 { stream } else { nil } }
    }

    /// The failures of the output.
    var outputFailures: [PlayerError] {
      events.compactMap { if case .output(.failed(let error)) = $0 { error } else { nil } }
    }

    /// The streams that became audible, and where.
    var audible: [String] {
      events.compactMap {
        if case .audible(let stream, let time) = $0 {
          "\(stream.number) at \(time.map { "\($0)" } ?? "?")"
        } else {
          nil
        }
      }
    }

    /// The streams whose ends were reported, and where.
    var ends: [String] {
      events.compactMap {
        if case .stream(let stream, .ended(let time)) = $0 {
          "\(stream.number) at \(time.map { "\($0)" } ?? "?")"
        } else {
          nil
        }
      }
    }
  }

  private static func gapless(_ streams: StreamToken...) -> [PlannedPart] { streams.map { PlannedPart($0) } }

  // MARK: Order of reports

  @Test("What the output reports before the deck has settled is reported after it")
  func early() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    try played.begin(Self.first)
    #expect(played.audible == ["1 at 0.0 seconds"])
    played.perform(.seek(Self.first, to: .seconds(5)))
    let part = try played.part(of: Self.first)
    #expect(part.start == .seconds(5) && part.passage.seek == 1)
    played.take(.began(OutputReport.Position(part.id, .seconds(5))))
    #expect(played.events.isEmpty)
    played.take(.ended(part.passage, at: .seconds(60)), of: Self.first)
    #expect(played.events.isEmpty)
    played.take(.ended(OutputReport.Position(part.id, .seconds(60))))
    #expect(played.events.isEmpty)
    played.take(.event(.settled(StreamFacts(duration: .seconds(60), position: .seconds(5)))), of: Self.first)
    let order = played.events.map { event in
      switch event {
      case .stream(Self.first, .settled): "settled"
      case .stream(Self.first, .read): "read"
      case .audible(Self.first, .seconds(5)): "audible"
      default: "\(event)"
      }
    }
    #expect(order == ["settled", "read", "audible"])
    played.take(.playedOut)
    #expect(played.ends == ["1 at 60.0 seconds"])
  }

  @Test("Fades have the length of the settings; audio that was faded out returns although fades were turned off")
  func fades() {
    var played = Played()
    var settings = EngineSettings(Player.Configuration())
    settings.fade = .seconds(2)
    played.perform(.settings(settings))
    played.perform(.fade(.out))
    #expect(played.commands == [.fade(from: nil, to: 0, over: .seconds(2))])
    settings.fade = .zero
    played.perform(.settings(settings))
    played.perform(.fade(.in))
    #expect(played.commands == [.fade(from: nil, to: 1, over: .zero)])
  }

  @Test("An output that begins gets the last plan, settings and state, and the volume that another program has set")
  func outputBegins() throws {
    var played = Played()
    var settings = EngineSettings(Player.Configuration())
    for rate in [0.5, 2] {
      settings.rate = rate
      played.perform(.settings(settings))
    }
    played.perform(.setPlaying(true))
    played.change { $0.outputBegan() }
    #expect(played.commands.isEmpty)
    played.take(.event(.volumeChanged(volume: 0.25, isMuted: true)))
    (settings.volume, settings.isMuted) = (0.25, true)
    #expect(played.playout.settings == settings)
    played.open(Self.gapless(Self.first, Self.second))
    let parts = played.parts
    #expect(parts.map(\.passage.stream) == [Self.first, Self.second])
    played.change { $0.outputBegan() }
    #expect(played.commands == [.plan(parts, from: .now), .setPlaying(true), .start(at: nil, parts)])
    played.perform(.setPlaying(false))
    played.change { $0.outputBegan() }
    // It may be one that has played until now.
    #expect(played.commands == [.plan(parts, from: .now), .setPlaying(false), .start(at: nil, parts)])
  }

  // MARK: Ends of decks

  @Test("A deck whose process has ended begins again where its samples end, and only that is reported")
  func alone() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    try played.begin(Self.first)
    #expect(played.playout.isDecoding(Self.first))
    played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
    #expect(played.tails == [Passage(Self.first)])
    #expect(played.interrupted == [Self.first] && played.events.count == 1 && played.openings.isEmpty)
    #expect(played.playout.openRequest(of: Self.first) == nil)
    // The answer for another passage is none.
    played.take(.tail(Passage(Self.first, seek: 1), .seconds(9)))
    #expect(played.openings.isEmpty)
    played.take(.tail(Passage(Self.first), .seconds(7)))
    let request = try #require(played.openings.first)
    #expect(request.start == .seconds(7) && request.passage == Passage(Self.first))
    #expect(request.uri == "file:///1")
    #expect(played.playout.openRequest(of: Self.first) == request)
    #expect(!played.commands.contains { if case .discard = $0 { true } else { false } })
    played.take(.event(.settled(StreamFacts(duration: .seconds(60), position: .seconds(7)))), of: Self.first)
    #expect(played.events.isEmpty)
    played.take(.ended(Passage(Self.first), at: .seconds(60)), of: Self.first)
    #expect(played.events.count == 1)
    if case .stream(Self.first, .read)? = played.events.first {} else { Issue.record("\(played.events)") }
    #expect(!played.playout.isDecoding(Self.first))
  }

  @Test("A deck without samples begins again at its start, and reports when it is ready")
  func withoutSamples() throws {
    var played = Played()
    let start = StreamRequest(uri: "file:///1", stream: Self.first, start: .seconds(3))
    played.perform(.open(start))
    played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
    played.take(.tail(Passage(Self.first), .zero))
    #expect(played.openings.map(\.start) == [.seconds(3)])
    played.take(.event(.settled(StreamFacts(position: .seconds(3)))), of: Self.first)
    #expect(played.events.count == 1)
  }

  @Test(
    "Of several decks whose process has ended, each begins again when the one before it decodes again",
    arguments: [true, false])
  func several(isRefused: Bool) throws {
    var played = Played()
    played.open(Self.gapless(Self.second, Self.first))
    try played.begin(Self.second)
    played.perform(.open(StreamRequest(uri: "file:///3", stream: Self.third)))
    played.change { $0.decksEnded([Self.first, Self.second, Self.third], of: "decoding", because: "signal 9") }
    for token in [Self.second, Self.first] {
      #expect(played.tails == [Passage(token)])
      #expect(played.playout.openRequest(of: token) == nil)
      played.take(.tail(Passage(token), .seconds(7)))
      #expect(played.openings.map(\.passage) == [Passage(token)])
      #expect(played.tails.isEmpty)
      let facts = StreamFacts(duration: .seconds(60), position: .seconds(7))
      played.take(.event(isRefused ? .seekRefused(position: nil) : .settled(facts)), of: token)
    }
    #expect(played.tails == [Passage(Self.third)])
    #expect(played.failures.isEmpty)
  }

  @Test("If the next process ends too, each deck begins again when the one before it has decoded everything")
  func severalAgain() throws {
    var played = Played()
    played.open(Self.gapless(Self.second, Self.first))
    try played.begin(Self.second)
    for end in 1...3 {
      played.change { $0.decksEnded([Self.first, Self.second], of: "decoding", because: "signal 9") }
      #expect(played.tails == [Passage(Self.second)])
      played.take(.tail(Passage(Self.second), .seconds(7)))
      played.take(.event(.settled(StreamFacts(duration: .seconds(60), position: .seconds(7)))), of: Self.second)
      guard end == 1 else {
        #expect(played.tails.isEmpty && played.playout.openRequest(of: Self.first) == nil)
        continue
      }
      #expect(played.tails == [Passage(Self.first)])
      played.take(.tail(Passage(Self.first), .zero))
    }
    #expect(played.failures.isEmpty)
    played.take(.ended(Passage(Self.second), at: .seconds(60)), of: Self.second)
    #expect(played.tails == [Passage(Self.first)])
    played.take(.tail(Passage(Self.first), .zero))
    played.take(.ended(Passage(Self.first), at: .seconds(60)), of: Self.first)
    // Nothing is suspected any more.
    played.perform(.seek(Self.second, to: .seconds(1)))
    played.perform(.seek(Self.first, to: .seconds(1)))
    played.change { $0.decksEnded([Self.first, Self.second], of: "decoding", because: "signal 9") }
    played.take(.tail(Passage(Self.second, seek: 1), .seconds(2)))
    played.take(.event(.settled(StreamFacts(duration: .seconds(60), position: .seconds(2)))), of: Self.second)
    #expect(played.tails == [Passage(Self.first, seek: 1)])
  }

  @Test("A deck whose media was heard beyond the end of its process is not suspected any more")
  func severalLater() throws {
    var played = Played()
    played.open(Self.gapless(Self.second, Self.first, Self.third))
    played.perform(.setPlaying(true))
    try played.begin(Self.second)
    for (current, next) in [(Self.second, Self.first), (Self.first, Self.third)] {
      played.change { $0.decksEnded([current, next], of: "decoding", because: "signal 9") }
      for token in [current, next] {
        #expect(played.tails == [Passage(token)])
        let tail = Duration.seconds(token == current ? 6 : 0)
        played.take(.tail(Passage(token), tail))
        played.take(.event(.settled(StreamFacts(duration: .seconds(60), position: tail))), of: token)
      }
      played.take(.ended(Passage(current), at: .seconds(60)), of: current)
      try played.begin(next)
      played.advance(.seconds(2))
    }
    #expect(played.failures.isEmpty)
  }

  @Test("The deck that waits for another one begins again when that is closed or fails")
  func waitsForClosed() throws {
    for fails in [true, false] {
      var played = Played()
      played.open(Self.gapless(Self.first, Self.second))
      played.change { $0.decksEnded([Self.first, Self.second], of: "decoding", because: "signal 9") }
      played.take(.tail(Passage(Self.first), .zero))
      if fails {
        for _ in 0..<2 {
          #expect(played.failures.isEmpty)
          played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
          if played.tails == [Passage(Self.first)] { played.take(.tail(Passage(Self.first), .zero)) }
        }
        #expect(played.failures.map(\.stream) == [Self.first])
      } else {
        played.perform(.close(Self.first))
      }
      #expect(played.tails == [Passage(Self.second)])
    }
  }

  @Test("A stream fails when two processes have ended while its deck alone decoded, with the reason of the second end")
  func twice() throws {
    var played = Played()
    played.open(Self.gapless(Self.first, Self.second))
    // The other one has decoded everything, and is not at fault.
    played.take(.ended(Passage(Self.second), at: .seconds(60)), of: Self.second)
    for reason in ["signal 9", "signal 11"] {
      #expect(played.failures.isEmpty)
      played.change { $0.decksEnded([Self.first, Self.second], of: "decoding", because: reason) }
      if reason == "signal 9" { played.take(.tail(Passage(Self.first), .seconds(1))) }
    }
    #expect(played.failures.map(\.stream) == [Self.first])
    let error = PlayerError(code: .engineEnded, message: "the decoding process ended twice: signal 11")
    #expect(played.failures.first?.error == error)
    #expect(played.tails.isEmpty)
    #expect(played.playout.openRequest(of: Self.first) == nil && played.playout.openRequest(of: Self.second) == nil)
  }

  @Test("A stream whose URI has expired begins again where its samples end; one that was never open does not")
  func renews() throws {
    var played = Played()
    played.perform(.open(StreamRequest(uri: "https://server/1", stream: Self.first)))
    #expect(
      !played.playout.canRenew(Self.first, isUntried: true) && played.playout.canRenew(Self.first, isUntried: false))
    played.take(
      .event(.settled(StreamFacts(duration: .seconds(60), isSeekable: true, position: .zero))), of: Self.first)
    played.perform(.plan(Self.gapless(Self.first)))
    try played.begin(Self.first)
    #expect(played.playout.canRenew(Self.first, isUntried: true))
    played.change { $0.renew(Self.first, because: "expired") }
    #expect(played.tails == [Passage(Self.first)] && played.failures.isEmpty)
    #expect(played.playout.openRequest(of: Self.first) == nil)
    played.take(.tail(Passage(Self.first), .seconds(7)))
    #expect(played.openings.map(\.start) == [.seconds(7)])
    // The new URI was not accepted yet.
    #expect(!played.playout.canRenew(Self.first, isUntried: true))
    played.take(
      .event(.settled(StreamFacts(duration: .seconds(60), isSeekable: true, position: .seconds(7)))), of: Self.first)
    #expect(played.playout.canRenew(Self.first, isUntried: true))
  }

  @Test("A stream that is audible fails when its samples were heard, unless it is seeked before")
  func failsLate() throws {
    for isSeeked in [false, true] {
      var played = Played()
      played.open(Self.gapless(Self.first))
      try played.begin(Self.first)
      for _ in 0..<2 {
        played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
        #expect(played.failures.isEmpty)
        if played.tails == [Passage(Self.first)] { played.take(.tail(Passage(Self.first), .seconds(7))) }
      }
      if isSeeked {
        played.perform(.seek(Self.first, to: .seconds(1)))
        #expect(played.openings.map(\.start) == [.seconds(1)])
      }
      played.take(.dry(Passage(Self.first)))
      #expect(played.failures.map(\.stream) == (isSeeked ? [] : [Self.first]))
    }
  }

  @Test(
    "A deck whose samples are missing is judged before the output has no more, and not once it has decoded everything")
  func judged() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    try played.begin(Self.first)
    played.take(.owed(Passage(Self.first), rest: .seconds(2), isDecoding: true))
    #expect(played.judgements == [.milliseconds(1_600)])
    played.take(.supplied(Passage(Self.first)))
    #expect(played.judgements == [nil])
    // A slow machine has some time in any case.
    played.take(.owed(Passage(Self.first), rest: .zero, isDecoding: true))
    #expect(played.judgements == [.milliseconds(800)])
    // Those of another passage, and those of a deck whose process has ended, are not missing.
    played.take(.owed(Passage(Self.first, seek: 7), rest: .zero, isDecoding: true))
    #expect(played.judgements.isEmpty)
    played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
    played.take(.owed(Passage(Self.first), rest: .zero, isDecoding: true))
    #expect(played.judgements.isEmpty)
    played.take(.tail(Passage(Self.first), .seconds(7)))
    played.take(.ended(Passage(Self.first), at: .seconds(60)), of: Self.first)
    played.take(.owed(Passage(Self.first), rest: .zero, isDecoding: true))
    #expect(played.judgements.isEmpty)
  }

  @Test("After a refused seek, a deck whose process ends begins again where the samples before the seek end")
  func refusedSeek() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    try played.begin(Self.first)
    played.perform(.seek(Self.first, to: .seconds(30)))
    played.take(.refused(Passage(Self.first, seek: 1)), of: Self.first)
    played.take(.event(.seekRefused(position: nil)), of: Self.first)
    played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
    #expect(played.tails == [Passage(Self.first)])
    played.take(.tail(Passage(Self.first), .seconds(7)))
    #expect(played.openings.map(\.passage) == [Passage(Self.first)] && played.openings.map(\.start) == [.seconds(7)])
  }

  @Test("While the output is silent, the position at which the next one continues stands", arguments: [0, 1, 2])
  func standing(reason: Int) throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    played.perform(.setPlaying(true))
    try played.begin(Self.first)
    played.advance(.seconds(2))
    switch reason {
    case 0: played.take(.dry(Passage(Self.first)))
    case 1: played.take(.event(.suspended))
    default: break
    }
    played.advance(.seconds(20))
    // An output that has not answered for 20 s may have played nothing.
    played.change { $0.outputEnded(because: "signal 9", after: reason == 2 ? .seconds(20) : .zero) }
    played.change { $0.outputBegan() }
    #expect(try played.part(of: Self.first).start == .seconds(2))
  }

  @Test("A part that has ended with the process of the output is not played again by a plan that still has it")
  func cutOverlap() throws {
    var played = Played()
    let shape = CrossfadeShape(length: .seconds(3), curve: .linear)
    let plan = [PlannedPart(Self.first), PlannedPart(Self.second, join: .overlap(shape))]
    played.open(plan)
    played.perform(.setPlaying(true))
    for stream in [Self.first, Self.second] { try played.begin(stream) }
    played.change { $0.outputEnded(because: "signal 9") }
    played.perform(.plan(plan))
    played.change { $0.outputBegan() }
    #expect(played.parts.map(\.passage.stream) == [Self.second])
  }

  @Test("Ends during which several decks decoded make no stream fail")
  func notAlone() throws {
    var played = Played()
    played.open(Self.gapless(Self.first, Self.second))
    for token in [Self.first, Self.second] {
      played.change { $0.decksEnded([Self.first, Self.second], of: "decoding", because: "signal 9") }
      #expect(played.failures.isEmpty)
      played.take(.tail(Passage(token), .zero))
      played.take(.ended(Passage(token), at: .seconds(60)), of: token)
    }
    #expect(played.failures.isEmpty)
  }

  @Test("A stream that cannot be seeked is cut when its process ends, each of several")
  func unseekable() throws {
    var played = Played()
    played.open(Self.gapless(Self.first), isSeekable: false)
    try played.begin(Self.first)
    played.perform(.open(StreamRequest(uri: "http://a.example/", stream: Self.second)))
    played.take(.event(.settled(StreamFacts(isSeekable: false, isLive: true))), of: Self.second)
    played.perform(.plan(Self.gapless(Self.first, Self.second)))
    played.change { $0.decksEnded([Self.first, Self.second], of: "decoding", because: "signal 9") }
    #expect(played.failures.map(\.stream) == [Self.first, Self.second])
    for failure in played.failures {
      #expect(failure.error.code == .networkCut && failure.error.isFromSource && failure.error.losesKeptData)
      #expect(failure.error.message == "the decoding process ended: signal 9")
    }
    #expect(played.tails.isEmpty && played.openings.isEmpty)
  }

  @Test("A warning of a deck is one about its stream, also after the stream was closed")
  func warning() {
    var played = Played()
    played.open(Self.gapless(Self.first))
    for report in [DeckReport.warning("a"), .abandoned("a")] {
      played.take(report, of: Self.first)
      guard case .warning("a", of: Self.first)? = played.events.first else {
        Issue.record("\(played.events)")
        continue
      }
      played.perform(.close(Self.first))
    }
  }

  @Test("A deck that has decoded everything is opened again by the next seek, and not before")
  func complete() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    try played.begin(Self.first)
    played.take(.ended(Passage(Self.first), at: .seconds(60)), of: Self.first)
    played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
    #expect(played.commands.isEmpty && played.deckCommands.isEmpty)
    #expect(played.interrupted.isEmpty && played.events.count == 1)
    if case .warning(let text, nil)? = played.events.first { #expect(text == "the decoding process ended: signal 9") }
    #expect(played.playout.openRequest(of: Self.first) == nil)
    played.perform(.selectAudioTrack(1, of: Self.first))
    #expect(played.openings.isEmpty)
    played.perform(.seek(Self.first, to: .seconds(5)))
    let request = try #require(played.openings.first)
    #expect(request.start == .seconds(5) && request.passage == Passage(Self.first, seek: 1))
    #expect(request.audioTrack == 1)
    played.take(.event(.settled(StreamFacts(duration: .seconds(60), position: .seconds(5)))), of: Self.first)
    #expect(played.events.count == 1)
    played.perform(.seek(Self.first, to: .seconds(6)))
    #expect(played.openings.isEmpty && played.deckCommands.count == 1)
  }

  @Test(
    "A seek while a deck waits to begin again opens it at the target, after those before it", arguments: [true, false])
  func seekBeforeTail(isHeldBack: Bool) throws {
    var played = Played()
    played.open(isHeldBack ? Self.gapless(Self.second, Self.first) : Self.gapless(Self.first))
    played.change { $0.decksEnded([Self.first, Self.second], of: "decoding", because: "signal 9") }
    let asked = played.tails
    #expect(asked == [Passage(isHeldBack ? Self.second : Self.first)])
    played.perform(.seek(Self.first, to: .seconds(5)))
    if isHeldBack {
      #expect(played.openings.isEmpty)
      played.take(.tail(asked[0], .seconds(7)))
      played.take(.ended(asked[0], at: .seconds(60)), of: Self.second)
      #expect(played.tails == [Passage(Self.first, seek: 1)])
      played.take(.tail(Passage(Self.first, seek: 1), .zero))
    }
    #expect(played.openings.map(\.passage) == [Passage(Self.first, seek: 1)])
    #expect(played.openings.map(\.start) == [.seconds(5)])
    // The answer about the passage before is late.
    if !isHeldBack { played.take(.tail(asked[0], .seconds(7))) }
    if !isHeldBack { #expect(played.openings.isEmpty) }
    played.take(.event(.settled(StreamFacts(duration: .seconds(60), position: .seconds(5)))), of: Self.first)
    if case .stream(Self.first, .settled)? = played.events.first {} else { Issue.record("\(played.events)") }
  }

  // MARK: Ends of the output

  @Test(
    "The next output continues where the last one was, at each speed, and while it is paused",
    arguments: [(1, true, 4), (2, true, 7), (0.5, true, 2.5), (1, false, 1)] as [(Double, Bool, Double)])
  func outputEnded(rate: Double, isPlaying: Bool, position: Double) throws {
    var played = Played()
    var settings = EngineSettings(Player.Configuration())
    settings.rate = rate
    played.perform(.settings(settings))
    played.open(Self.gapless(Self.first))
    played.perform(.setPlaying(isPlaying))
    let old = try played.part(of: Self.first)
    try played.begin(Self.first, at: .seconds(1))
    played.advance(.seconds(3))
    played.change { $0.outputEnded(because: "signal 9") }
    #expect(played.events.count == 1)
    if case .output(.suspended)? = played.events.first {} else { Issue.record("\(played.events)") }
    // Nothing sounds until the next one begins.
    played.advance(.seconds(20))
    played.change { $0.outputBegan() }
    let part = try played.part(of: Self.first)
    #expect(part.start == .seconds(position))
    #expect(part.id != old.id && part.passage == old.passage && part.continues == nil && part.join == .gapless)
    #expect(played.commands == [.plan([part], from: .now), .setPlaying(isPlaying), .start(at: nil, [part])])
    #expect(played.deckCommands.isEmpty)
    // The former one does not report any more.
    played.take(.began(OutputReport.Position(old.id, .seconds(30))))
    #expect(played.events.isEmpty)
    try played.begin(Self.first, at: .seconds(position))
    #expect(played.audible == ["1 at \(Duration.seconds(position))"])
  }

  @Test("The position is computed for each speed that the output had, without the time of pauses, to the end at most")
  func speeds() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    played.perform(.setPlaying(true))
    try played.begin(Self.first)
    played.advance(.seconds(3))
    var settings = played.playout.settings
    settings.rate = 2
    played.perform(.settings(settings))
    played.advance(.seconds(2))
    played.perform(.setPlaying(false))
    played.advance(.seconds(5))
    played.perform(.setPlaying(true))
    played.advance(.seconds(1))
    var last = played
    played.change { $0.outputEnded(because: "signal 9") }
    played.change { $0.outputBegan() }
    #expect(try played.part(of: Self.first).start == .seconds(9))
    last.take(.ended(Passage(Self.first), at: .milliseconds(8_500)), of: Self.first)
    last.change { $0.outputEnded(because: "signal 9") }
    last.change { $0.outputBegan() }
    #expect(try last.part(of: Self.first).start == .milliseconds(8_500))
    // A report is more exact.
    played.take(.resumed([OutputReport.Position(try played.part(of: Self.first).id, .seconds(20))]))
    try played.begin(Self.first, at: .seconds(20))
    played.advance(.seconds(1))
    played.take(.sampled(OutputReport.Position(try played.part(of: Self.first).id, .seconds(30))))
    played.advance(.seconds(1))
    played.change { $0.outputEnded(because: "signal 9") }
    played.change { $0.outputBegan() }
    #expect(try played.part(of: Self.first).start == .seconds(32))
  }

  @Test("Samples that were in the process of the output alone are decoded again")
  func samplesLost() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    played.perform(.setPlaying(true))
    try played.begin(Self.first)
    played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
    played.take(.tail(Passage(Self.first), .seconds(7)))
    played.take(.event(.settled(StreamFacts(duration: .seconds(60), position: .seconds(7)))), of: Self.first)
    played.advance(.seconds(4))
    var later = played
    played.change { $0.outputEnded(because: "signal 9") }
    #expect(
      played.deckCommands.map(\.command) == [
        .seek(Passage(Self.first, seek: 1), to: .seconds(4), exactly: true, as: nil)
      ])
    played.change { $0.outputBegan() }
    let part = try played.part(of: Self.first)
    #expect(part.start == .seconds(4) && part.passage == Passage(Self.first, seek: 1))
    later.advance(.seconds(4))
    later.change { $0.outputEnded(because: "signal 9") }
    #expect(later.deckCommands.isEmpty)
  }

  @Test("The output has failed when three processes have ended before anything sounded")
  func outputFails() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    played.perform(.setPlaying(true))
    // After two ends something sounds, and the count begins again.
    for _ in 0..<2 {
      try played.begin(Self.first)
      for count in 1...2 {
        played.change { $0.outputEnded(because: "signal \(count)") }
        #expect(played.outputFailures.isEmpty && played.playout.needsOutput)
        played.change { $0.outputBegan() }
      }
    }
    played.change { $0.outputEnded(because: "signal 3") }
    #expect(played.outputFailures == [PlayerError(code: .output, message: "the output process ended: signal 3")])
    #expect(!played.playout.needsOutput)
  }

  @Test("Of two parts that overlap, the later one continues after the end of the output, and the other one has ended")
  func overlap() throws {
    let shape = CrossfadeShape(length: .seconds(6), curve: .linear)
    var played = Played()
    played.open([PlannedPart(Self.first), PlannedPart(Self.second, join: .overlap(shape))])
    #expect(played.parts.last?.join == .overlap(shape))
    played.perform(.setPlaying(true))
    try played.begin(Self.first, at: .seconds(50))
    played.advance(.seconds(4))
    try played.begin(Self.second)
    played.advance(.seconds(2))
    played.change { $0.outputEnded(because: "signal 9") }
    #expect(played.ends == ["1 at 56.0 seconds"])
    played.perform(.plan(Self.gapless(Self.second)))
    played.change { $0.outputBegan() }
    #expect(played.parts.map(\.passage.stream) == [Self.second])
    let part = try played.part(of: Self.second)
    #expect(part.start == .seconds(2) && part.join == .gapless)
    try played.begin(Self.second, at: .seconds(2))
    #expect(played.audible == ["2 at 2.0 seconds"] && played.ends.isEmpty)
  }

  @Test("A part that was played to its end before the output ended is neither played nor reported again")
  func playedOut() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    played.perform(.setPlaying(true))
    try played.begin(Self.first)
    played.take(.ended(Passage(Self.first), at: .seconds(60)), of: Self.first)
    played.take(.ended(OutputReport.Position(try played.part(of: Self.first).id, .seconds(60))))
    played.take(.playedOut)
    #expect(played.ends == ["1 at 60.0 seconds"])
    played.change { $0.outputEnded(because: "signal 9") }
    #expect(played.events.isEmpty)
    played.change { $0.outputBegan() }
    let part = try played.part(of: Self.first)
    #expect(part.start == .seconds(60))
    played.take(.ended(OutputReport.Position(part.id, .seconds(60))))
    played.take(.playedOut)
    #expect(played.ends.isEmpty)
  }

  @Test("The tail that an output did not report is asked for again when the next one begins")
  func tailAgain() throws {
    var played = Played()
    played.open(Self.gapless(Self.first))
    played.change { $0.decksEnded([Self.first], of: "decoding", because: "signal 9") }
    #expect(played.tails == [Passage(Self.first)])
    played.change { $0.outputEnded(because: "signal 9") }
    #expect(played.openings.isEmpty)
    played.change { $0.outputBegan() }
    #expect(played.tails == [Passage(Self.first)])
    played.take(.tail(Passage(Self.first), .seconds(2)))
    #expect(played.openings.map(\.start) == [.seconds(2)])
  }
}
