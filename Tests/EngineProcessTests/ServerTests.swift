import CLinux
import Glibc
import Joining
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import EventLoop
@testable import Playback

@Suite("The engine's side of the socket") struct ServerTests {
  /// The part of an engine that a server serves.
  enum Role: CaseIterable { case output, decks }

  /// A host whose time is set.
  private final class ManualHost: LoopHost {
    private let thread = LoopThread(name: "server-test")
    private let time = Mutex(SuspendingClock.now)
    var now: SuspendingClock.Instant { time.withLock { $0 } }
    var isCurrent: Bool { thread.isCurrent }
    func start(_ loop: PollLoop) { thread.start(loop) }
    func wake() { thread.wake() }
    func advance(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
  }

  /// A server with scripted parts, and the player's channel to it.
  private final class Ends: Sendable {
    let role: Role
    let parts = ScriptedParts()
    let host = ManualHost()
    let loop: PollLoop
    let reports = EventLog<EngineReport>()
    let ends = EventLog<String?>()
    let limits = EventLog<Int>()
    let times = EventLog<Duration>()
    let server: EngineServer
    let player: EngineChannel
    private let lastPing = Atomic(0)

    init(_ role: Role = .output) throws {
      let (one, other) = try #require(EngineChannel.makeSockets())
      let (reports, ends, limits, times) = (reports, ends, limits, times)
      (self.role, loop) = (role, PollLoop(name: "server-test", on: host))
      server = EngineServer(
        on: loop, parts: parts.parts, service: ScriptedService(), limit: { limits.append($0) },
        allowTime: { times.append($0) }, ended: { ends.append($0) })
      server.serve(one)
      player = EngineChannel(
        other, on: loop, receive: { reports.append(try EngineProtocol.decode(EngineReport.self, from: $0)) },
        ended: { _ in })
      player.open()
    }

    func send(_ request: EngineRequest, with file: OwnedDescriptor? = nil) throws {
      player.send(try EngineProtocol.encode(request), with: file)
    }

    /// Sends the first message.
    func start() throws {
      switch role {
      case .output: try send(.startOutput(Player.Configuration(), Samples.settings))
      case .decks: try send(.startDecks(Player.Configuration()))
      }
    }

    /// Gives a part of a ring.
    func give(_ part: RingPart, _ ring: RingFiles, of stream: StreamToken = Samples.token) throws {
      try send(.ring(part, of: stream), with: OwnedDescriptor(dup(ring.number(part, role))))
    }

    func give(_ ring: RingFiles, of stream: StreamToken = Samples.token) throws {
      for part in RingPart.allCases { try give(part, ring, of: stream) }
    }

    /// Sends a ping, and waits for its answer: earlier messages are handled by then.
    func ping() async throws {
      let number = lastPing.add(1, ordering: .relaxed).newValue
      try send(.ping(number))
      try await reports.first("the answer") { if case .answer(number) = $0 { true } else { false } }
    }

    /// Waits for a call of a part; returns its index.
    @discardableResult
    func call(_ call: ScriptedParts.Call, from start: Int = 0) async throws -> Int {
      try await parts.calls.first("\(call)", from: start) { $0 == call }.index
    }

    func count(_ call: ScriptedParts.Call) -> Int { parts.calls.elements.count { $0 == call } }

    func close() {
      player.close()
      loop.stop()
    }
  }

  /// The parts of a ring, and a view of its memory.
  private final class RingFiles: Sendable {
    let memory: RingMemory
    /// The pipe that wakes the output, and the one that wakes the deck.
    let output: (reading: RingSignal, writing: RingSignal)
    let deck: (reading: RingSignal, writing: RingSignal)
    private let file: OwnedDescriptor

    init() throws {
      file = OwnedDescriptor(try #require(RingMemory.makeShared()))
      memory = try #require(RingMemory(descriptor: file.number))
      (output, deck) = (try #require(RingSignal.makeEnds()), try #require(RingSignal.makeEnds()))
    }

    func number(_ part: RingPart, _ role: Role) -> CInt {
      switch part {
      case .memory: file.number
      case .own: role == .output ? output.reading.descriptor : deck.reading.descriptor
      case .other: role == .output ? deck.writing.descriptor : output.writing.descriptor
      }
    }
  }

  private static let stream = Samples.token
  private static let passage = Passage(stream)

  private static func block(first: Int64, frames: Int, of passage: Passage = passage) throws -> Block {
    let format = try #require(PCMFormat(.int16, rate: 1_000, channels: 1))
    let bytes = (0..<frames * 2).map { UInt8(truncatingIfNeeded: Int(first) + $0) }
    return try #require(Block(passage, format, first: first, bytes: bytes))
  }

  // MARK: Requests

  @Test("Commands arrive in order, and pings are answered after them", arguments: Role.allCases)
  func commands(role: Role) async throws {
    let ends = try Ends(role)
    defer { ends.close() }
    try ends.start()
    let calls: [ScriptedParts.Call] =
      role == .output
      ? Samples.outputCommands.map { .output($0) } : Samples.deckCommands.map { .deck(Self.stream, $0) }
    for call in calls {
      switch call {
      case .output(let command): try ends.send(.output(command))
      case .deck(let stream, let command): try ends.send(.deck(stream, command))
      default: break
      }
    }
    try await ends.ping()
    #expect(ends.parts.calls.elements == calls)
    #expect(ends.limits.elements == [512 << 20])
  }

  @Test("The reports of the parts reach the player")
  func reports() async throws {
    let (output, decks) = (try Ends(.output), try Ends(.decks))
    defer { for ends in [output, decks] { ends.close() } }
    for ends in [output, decks] { try ends.start() }
    let made = try await output.parts.output.first("the output").element
    for report in Samples.outputReports { made.report(report) }
    made.hangs()
    let report = try await decks.parts.decks.first("the decks").element
    for sample in Samples.deckReports { report(Self.stream, sample) }
    for ends in [output, decks] { try await ends.ping() }
    let expected: [[EngineReport]] = [
      Samples.outputReports.map { .output($0) } + [.outputHangs], Samples.deckReports.map { .deck(Self.stream, $0) },
    ]
    for (ends, expected) in zip([output, decks], expected) {
      let received = ends.reports.elements.filter {
        if case .started = $0 { false } else if case .answer = $0 { false } else { true }
      }
      #expect(received.map { "\($0)" } == expected.map { "\($0)" })
    }
  }

  @Test(
    "A command allows more CPU time, and samples do at most every ten seconds; a ping does not",
    arguments: Role.allCases)
  func time(role: Role) async throws {
    let ends = try Ends(role)
    let ring = try RingFiles()
    defer { ends.close() }
    try ends.start()
    try ends.give(ring)
    try await ends.ping()
    #expect(ends.times.count == 0)
    let command = EngineRequest.output(.setPlaying(true))
    for count in 1...2 {
      try ends.send(role == .output ? command : .deck(Self.stream, .measure))
      try await ends.ping()
      #expect(ends.times.count == count)
    }
    /// Gives the signal that the other side of the ring gives, and waits until it was handled.
    func signal() async throws {
      let signal = role == .output ? ring.output.writing : ring.deck.writing
      signal.signal()
      // The loop takes the signal back on its thread.
      try await deadline(10, "the signal is taken back") {
        var source = pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&source, 1, 0) > 0 { try await ends.ping() }
      }
      try await ends.ping()
    }
    try await signal()
    #expect(ends.times.count == 3)
    ends.host.advance(.milliseconds(9_999))
    try await signal()
    try await ends.ping()
    #expect(ends.times.count == 3)
    ends.host.advance(.milliseconds(1))
    try await ends.ping()
    #expect(ends.times.count == 3)
    try await signal()
    #expect(ends.times.count == 4)
    #expect(Set(ends.times.elements) == [.seconds(60)])
  }

  @Test("Of a flood of messages of a library, the first ones are sent, and one that ends the process")
  func floodOfMessages() async throws {
    let ends = try Ends()
    defer { ends.close() }
    for number in 0..<LogLimit.count * 5 { ends.server.log("\(number)", isFatal: false) }
    ends.server.log("the last one", isFatal: true)
    try await ends.reports.first("the last message") { if case .log(_, isFatal: true) = $0 { true } else { false } }
    let messages = ends.reports.elements.compactMap { if case .log(let text, _) = $0 { text } else { nil } }
    #expect(messages == (0..<LogLimit.count).map(String.init) + ["the last one"])
  }

  /// Returns the bytes of a plan whose gain has bits that no sender gives it.
  private static func plan(gain bits: UInt64) throws -> [UInt8] {
    let gain = 0.123_456_789
    let bytes = try EngineProtocol.encode(
      EngineRequest.output(.plan([Part(id: Samples.part, passage, gain: gain)], from: .now)))
    func words(_ bits: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) } }
    let place = try #require(bytes.firstRange(of: words(gain.bitPattern)))
    return Array(bytes[..<place.lowerBound] + words(bits) + bytes[place.upperBound...])
  }

  @Test(
    "An unknown message, a second start, a command before the start, to another part, or with wrong values end the connection with the reason"
  )
  func wrongMessages() async throws {
    let wrong: [(role: Role, [EngineRequest])] =
      Role.allCases.flatMap { role in
        [
          .startOutput(Player.Configuration(), Samples.settings), .startDecks(Player.Configuration()),
          .startInspection(memoryLimit: 1),
        ].map { (role, [$0]) }
      } + [
        (.output, [.deck(Self.stream, .measure)]), (.decks, [.output(.plan([], from: .now))]),
        (.output, [.ring(.memory, of: Self.stream)]),
      ] + Samples.impossibleOutputCommands.map { (.output, [.output($0)]) }
      + Samples.impossibleDeckCommands.map { (.decks, [.deck(Self.stream, $0)]) }
    for (role, requests) in wrong {
      let ends = try Ends(role)
      try ends.start()
      for request in requests { try ends.send(request) }
      let reason = try await ends.ends.first("the end: \(requests)").element
      #expect(reason?.hasPrefix("it sent an invalid message: ") == true)
      #expect(ends.parts.calls.count == 0)
      ends.close()
    }
    for request in [EngineRequest.output(.plan([], from: .now)), .deck(Self.stream, .measure)] {
      let ends = try Ends()
      try ends.send(request)
      let reason = try await ends.ends.first("the end").element
      #expect(reason == "it sent an invalid message: a command before the start")
      ends.close()
    }
    let gains = [Double.nan, .infinity, -.infinity, -1].map(\.bitPattern)
    for bytes in try gains.map({ try Self.plan(gain: $0) }) + [[1, 2, 3]] {
      let ends = try Ends()
      try ends.start()
      ends.player.send(bytes)
      let reason = try await ends.ends.first("the end").element
      #expect(reason?.hasPrefix("it sent an invalid message: ") == true)
      #expect(ends.parts.calls.count == 0)
      ends.close()
    }
    // The bytes themselves are right.
    let ends = try Ends()
    defer { ends.close() }
    try ends.start()
    ends.player.send(try Self.plan(gain: 0.5.bitPattern))
    try await ends.ping()
    #expect(
      ends.parts.calls.elements == [.output(.plan([Part(id: Samples.part, Self.passage, gain: 0.5)], from: .now))])
  }

  @Test("The request to close closes the part of the engine before the end", arguments: Role.allCases)
  func close(role: Role) async throws {
    let ends = try Ends(role)
    defer { ends.close() }
    try ends.start()
    try ends.send(.close)
    let reason = try await ends.ends.first("the end").element
    #expect(reason == nil)
    #expect(ends.parts.calls.elements == [.close])
  }

  @Test("The end of the player's socket ends the server")
  func playerGone() async throws {
    let ends = try Ends()
    try ends.start()
    ends.player.close()
    let reason = try await ends.ends.first("the end").element
    #expect(reason == nil)
    ends.loop.stop()
  }

  // MARK: Rings

  @Test(
    "A ring is connected when all of its parts have arrived, in any order, and replaced by another one",
    arguments: Role.allCases)
  func rings(role: Role) async throws {
    let ends = try Ends(role)
    defer { ends.close() }
    try ends.start()
    for (number, order) in [[RingPart.memory, .own, .other], [.other, .memory, .own]].enumerated() {
      let ring = try RingFiles()
      for part in order.dropLast() {
        try ends.give(part, ring)
        // The parts of another stream are not confused with them.
        try ends.give(part, ring, of: StreamToken(number: UInt64(100 + number)))
      }
      try await ends.ping()
      #expect(ends.count(.attach(Self.stream)) == number)
      try ends.give(try #require(order.last), ring)
      try await ends.ping()
      #expect(ends.count(.attach(Self.stream)) == number + 1)
      switch role {
      case .output:
        let writer = RingWriter(ring.memory, stream: Self.stream, limit: .seconds(4)) { ring.output.writing.signal() }
        let block = try Self.block(first: Int64(number), frames: 3)
        let place = ends.parts.calls.count
        #expect(writer.write(Self.passage, block.format, first: block.first, bytes: block.bytes[...]))
        try await ends.call(.arrived(Self.stream), from: place)
        let source = try #require(ends.parts.source(Self.stream))
        #expect(source.take().map(Self.text) == ["\(number)..<\(number + 3)"])
      case .decks:
        let reader = RingReader(ring.memory, stream: Self.stream) { ring.deck.writing.signal() }
        let target = try #require(ends.parts.target(Self.stream))
        target.put(.block(try Self.block(first: Int64(number), frames: 3)))
        #expect(reader.take().map(Self.text) == ["\(number)..<\(number + 3)"])
        let place = ends.parts.calls.count
        reader.use(Self.passage, before: Int64(number) + 3)
        try await ends.call(.used(Self.passage, before: Int64(number) + 3), from: place)
      }
    }
    #expect(ends.ends.count == 0)
    #expect(
      ends.parts.calls.elements.allSatisfy { if case .attach(let stream) = $0 { stream == Self.stream } else { true } })
  }

  /// The frames of an entry, or the number of the passage that ends.
  private static func text(_ entry: SampleEntry) -> String {
    switch entry {
    case .block(let block): "\(block.first)..<\(block.end)"
    case .ended(let passage): "end \(passage.seek)"
    }
  }

  @Test("A ring with an invalid part ends the connection", arguments: Role.allCases)
  func wrongRings(role: Role) async throws {
    func fails(_ reason: String, _ give: (Ends, RingFiles) throws -> Void) async throws {
      let ends = try Ends(role)
      try give(ends, try RingFiles())
      let text = try await ends.ends.first("the end: \(reason)").element
      #expect(text == "it sent an invalid message: \(reason)")
      #expect(ends.parts.calls.count == 0)
      ends.close()
    }
    for part in RingPart.allCases {
      // A file, and a part of another kind.
      for other in [0, 1] {
        try await fails("a ring that is not one") { ends, ring in
          try ends.start()
          for given in RingPart.allCases {
            guard given == part else {
              try ends.give(given, ring)
              continue
            }
            let number =
              other == 0
              ? unsafe open("/dev/null", O_RDWR | O_CLOEXEC) : dup(ring.number(part == .memory ? .own : .memory, role))
            try ends.send(.ring(part, of: Self.stream), with: OwnedDescriptor(number))
          }
        }
      }
      try await fails("a ring is given twice") { ends, ring in
        try ends.start()
        for _ in 0..<2 { try ends.give(part, ring) }
      }
    }
    try await fails("a ring before the start") { ends, ring in try ends.give(ring) }
    try await fails("no file descriptor is left") { ends, _ in
      try ends.start()
      try ends.send(.ring(.memory, of: Self.stream))
    }
    try await fails("it has a descriptor") { ends, ring in
      try ends.start()
      try ends.send(.ping(1), with: OwnedDescriptor(dup(ring.number(.memory, .output))))
    }
  }

  @Test("Samples of a deck reach the source of the output, and the deck learns which were used")
  func samples() async throws {
    let (output, decks) = (try Ends(.output), try Ends(.decks))
    defer { for ends in [output, decks] { ends.close() } }
    let ring = try RingFiles()
    for ends in [output, decks] {
      try ends.start()
      try ends.give(ring)
      try await ends.call(.attach(Self.stream))
    }
    let target = try #require(decks.parts.target(Self.stream))
    let source = try #require(output.parts.source(Self.stream))
    let blocks = try (0..<6).map { try Self.block(first: $0 * 500, frames: 500) }
    for block in blocks { target.put(.block(block)) }
    target.put(.ended(Self.passage))
    try await output.call(.arrived(Self.stream))
    var received: [UInt8] = []
    let end = Mutex(false)
    while !end.withLock(\.self) {
      let place = output.parts.calls.count
      for entry in source.take() {
        switch entry {
        case .block(let block):
          #expect(block.passage == Self.passage && block.first == Int64(received.count / 2))
          received += block.bytes
        case .ended(Self.passage): end.withLock { $0 = true }
        case .ended: Issue.record("another passage")
        }
      }
      // The reader holds enough samples, and takes the rest when it has used some.
      let used = decks.parts.calls.count
      source.use(Self.passage, before: Int64(received.count / 2))
      try await decks.call(.used(Self.passage, before: Int64(received.count / 2)), from: used)
      if !end.withLock(\.self), source.take().isEmpty { try await output.call(.arrived(Self.stream), from: place) }
    }
    #expect(received == blocks.flatMap(\.bytes))
  }

  @Test("The measured progress includes the used samples, although their use is reported later")
  func measured() async throws {
    let ends = try Ends(.decks)
    defer { ends.close() }
    let ring = try RingFiles()
    try ends.start()
    try ends.give(ring)
    try await ends.call(.attach(Self.stream))
    let target = try #require(ends.parts.target(Self.stream))
    let reader = RingReader(ring.memory, stream: Self.stream) { ring.deck.writing.signal() }
    for index in 0..<8 { target.put(.block(try Self.block(first: Int64(index) * 500, frames: 500))) }
    let held = reader.take()
    reader.use(Self.passage, before: 700)
    try await ends.ping()
    #expect(ends.parts.calls.elements == [.attach(Self.stream)])
    try ends.send(.deck(Self.stream, .measure))
    try await ends.ping()
    #expect(
      ends.parts.calls.elements.dropFirst() == [.used(Self.passage, before: 500), .deck(Self.stream, .measure)])
    withExtendedLifetime(held) {}
  }

  @Test("A ring whose writer writes what no deck does is reported with the reason")
  func fault() async throws {
    let ends = try Ends(.output)
    defer { ends.close() }
    let ring = try RingFiles()
    try ends.start()
    try ends.give(ring)
    try await ends.call(.attach(Self.stream))
    ring.memory.store(RingRecord.Words(9, 0, 0, 0, 0, 0, 0, 0), to: 0)
    ring.memory.store(1, to: .written)
    let source = try #require(ends.parts.source(Self.stream))
    ring.output.writing.signal()
    try await ends.call(.arrived(Self.stream))
    #expect(source.take().isEmpty)
    let report = try await ends.reports.first("the fault") { if case .ringFault = $0 { true } else { false } }.element
    #expect("\(report)" == "\(EngineReport.ringFault(Self.stream, "kind 9"))")
  }

  @Test("The end of a stream releases its ring, and its signals are ignored", arguments: Role.allCases)
  func release(role: Role) async throws {
    let ends = try Ends(role)
    defer { ends.close() }
    let ring = try RingFiles()
    try ends.start()
    try ends.give(ring)
    try await ends.call(.attach(Self.stream))
    let held = Held()
    held.set(role == .output ? ends.parts.source(Self.stream) : ends.parts.target(Self.stream))
    #expect(held.exists)
    try ends.send(role == .output ? .detach(Self.stream) : .deck(Self.stream, .close))
    // The loop may still poll the descriptor.
    try await deadline(10, "the ring is released") { while held.exists { try await ends.ping() } }
    let calls = ends.parts.calls.elements
    #expect(calls.last == (role == .output ? .detach(Self.stream) : .deck(Self.stream, .close)))
    for signal in [ring.output, ring.deck] { signal.writing.signal() }
    for _ in 0..<2 { try await ends.ping() }
    #expect(ends.parts.calls.elements == calls)
    #expect(ring.output.reading.drain() && ring.deck.reading.drain())
    // Another ring of a stream with the same token is connected again.
    try ends.give(try RingFiles())
    try await ends.ping()
    #expect(ends.parts.calls.elements == calls + [.attach(Self.stream)])
  }

  /// A weak reference.
  private final class Held: Sendable {
    private struct Reference: Sendable { weak var object: (any AnyObject & Sendable)? }
    private let reference = Mutex(Reference())
    func set(_ object: (any AnyObject & Sendable)?) { reference.withLock { $0.object = object } }
    var exists: Bool { reference.withLock { $0.object != nil } }
  }
}
