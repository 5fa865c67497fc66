import Testing

@testable import Playback

/// A machine whose decisions are followed by the logs, as in the player.
private struct LogHarness {
  var harness: MachineHarness
  var log = PlaybackLog()
  private(set) var added: [Player.LogEntry] = []

  init(_ count: Int = 3, configuration: Player.Configuration = Player.Configuration(), scheme: String = "file") {
    harness = MachineHarness(count, configuration: configuration, scheme: scheme)
  }

  mutating func step(_ act: (inout MachineHarness) -> Void) {
    let place = harness.effects.count
    act(&harness)
    added += log.follow(harness.machine, after: Array(harness.effects[place...]), now: harness.now)
  }

  mutating func advance(_ seconds: Double) { step { $0.advance(.seconds(seconds)) } }

  mutating func start() {
    step { _ = $0.play() }
    step { $0.settle() }
    step { $0.run() }
  }

  var access: [Player.AccessLogEntry] { log.access(at: harness.now) }
}

@Suite("Access and error logs") struct PlaybackLogTests {
  @Test("The startup time ends with the first sample, and only played time counts")
  func startup() throws {
    var bench = LogHarness()
    bench.step { _ = $0.play() }
    bench.advance(0.5)
    bench.step { $0.settle() }
    #expect(bench.access.first?.startupTime == nil)
    bench.advance(0.25)
    bench.step { $0.run() }
    bench.advance(2)
    bench.step { _ = $0.pause() }
    bench.advance(1)
    let entry = try #require(bench.access.first)
    #expect(bench.access.count == 1)
    #expect(entry.item == bench.harness.items[0])
    #expect(entry.startupTime == .milliseconds(750))
    #expect(entry.timePlayed == .seconds(2))
    #expect(!entry.isComplete)
    #expect(bench.added.isEmpty)
    bench.step { _ = $0.stop() }
    guard case .access(let last)? = bench.added.first else { return #expect(bench.added.count == 1) }
    #expect(last.isComplete)
    #expect(last.timePlayed == .seconds(2))
    #expect(bench.access == [last])
  }

  @Test("The bit rate is the last one that was known")
  func bitRate() {
    var bench = LogHarness()
    bench.start()
    #expect(bench.access.first?.indicatedBitRate == nil)
    var tags = MediaMetadata()
    tags.bitRate = 128_000
    bench.step { $0.report(.stream($0.token, .tags(tags, about: .stream))) }
    bench.advance(1)
    #expect(bench.access.first?.indicatedBitRate == 128_000)
  }

  @Test("The segments and download times of all streams of a playback are added; another item starts without a value")
  func segments() throws {
    var bench = LogHarness(scheme: "http")
    bench.start()
    #expect(bench.access.first?.mediaRequestCount == nil && bench.access.first?.transferDuration == nil)
    var progress = StreamProgress()
    for count in 1...3 {
      progress.receive(segmentIn: .milliseconds(250))
      bench.step { $0.decide(.progress(progress, of: $0.token)) }
      #expect(bench.access.first?.mediaRequestCount == count)
      #expect(bench.access.first?.transferDuration == .milliseconds(250 * count))
    }
    bench.step { $0.hangOutput() }
    bench.step { $0.decide(.progress(progress, of: $0.token)) }
    bench.step { $0.decide(.advance(by: 1)) }
    #expect(bench.access.map(\.mediaRequestCount) == [6, nil])
    #expect(bench.access.map(\.transferDuration) == [.milliseconds(1500), nil])
  }

  @Test("The startup time of a prepared item begins with the request to play")
  func prepared() {
    var bench = LogHarness()
    bench.step { $0.decide(.prepare) }
    bench.step { $0.settle() }
    bench.advance(3)
    bench.step { _ = $0.play() }
    bench.advance(0.1)
    bench.step { $0.run() }
    #expect(bench.access.first?.startupTime == .milliseconds(100))
  }

  @Test("A gapless change completes one entry and begins the next one, whose startup time is zero")
  func gapless() throws {
    var bench = LogHarness()
    bench.start()
    bench.advance(9)
    var stream: StreamToken?
    bench.step { stream = try? $0.prepareNext() }
    let next = try #require(stream)
    bench.advance(1)
    bench.step { $0.enterNext(next) }
    bench.advance(1)
    #expect(bench.access.map(\.item) == Array(bench.harness.items[..<2]))
    #expect(bench.access.map(\.isComplete) == [true, false])
    #expect(bench.access.last?.startupTime == .zero)
    #expect(bench.access.map(\.timePlayed).reduce(.zero, +) == .seconds(11))
  }

  @Test("Each stall is counted with the time during which the player was to play")
  func stalls() throws {
    var bench = LogHarness(scheme: "http")
    bench.start()
    bench.step { $0.buffer(50, held: 1) }
    for _ in 0..<2 {
      bench.step { $0.buffer(100, held: 1) }
      bench.step { $0.run() }
      bench.advance(1)
      bench.step { $0.buffer(0) }
      bench.advance(2)
    }
    bench.step { _ = $0.pause() }
    bench.advance(5)
    let entry = try #require(bench.access.first)
    #expect(
      entry.stallCount
        == bench.harness.effects.events.filter { if case .playbackStalled = $0 { true } else { false } }.count)
    #expect(entry.stallCount > 0)
    #expect(entry.stallDuration >= .seconds(2))
    #expect(entry.stallDuration < .seconds(5))
  }

  @Test("A failure is logged once, with the position and its consequence, and counted by its playback")
  func failure() throws {
    var bench = LogHarness()
    bench.start()
    bench.advance(4)
    bench.step { $0.fail(.corrupt) }
    let error = try #require(bench.log.errors.first)
    #expect(bench.log.errors.count == 1)
    #expect(error.item == bench.harness.items[0])
    #expect(error.position == .seconds(4))
    #expect(error.outcome == .itemFailed)
    #expect(error.error.code == .corrupt)
    #expect(bench.access.map(\.errorCount) == [1, 0])
    #expect(bench.added.first == .error(error))
  }

  @Test("An error from which the player recovers is logged with the recovery")
  func recovery() {
    var bench = LogHarness()
    bench.start()
    bench.step { $0.fail(.output) }
    #expect(bench.log.errors.map(\.outcome) == [.reopeningOutput])

    var radio = LogHarness(scheme: "http")
    radio.step { _ = $0.play() }
    radio.step { $0.settle(duration: nil, isSeekable: false) }
    radio.step { $0.run() }
    radio.advance(2)
    radio.step { $0.fail(.networkCut) }
    radio.step { $0.end() }
    #expect(radio.log.errors.map(\.outcome) == [.reconnecting])
    #expect(radio.access.first?.stallCount == 1)
  }

  @Test("The bytes of all streams of a playback are added, and the URI after redirects is kept")
  func transfer() {
    var bench = LogHarness(scheme: "http")
    bench.start()
    var progress = StreamProgress()
    progress.receive(from: 0)
    progress.receive(bytes: 1000)
    progress.receive(from: 5000)
    progress.receive(bytes: 500)
    bench.step { $0.decide(.progress(progress, of: $0.token)) }
    bench.step { $0.report(.stream($0.token, .redirected(to: "http://b/"))) }
    #expect(bench.access.first?.bytesReceived == 1500)
    #expect(bench.access.first?.redirectedURI == "http://b/")
    bench.step { $0.hangOutput() }
    bench.step { $0.decide(.progress(progress, of: $0.token)) }
    #expect(bench.access.first?.bytesReceived == 3000)
  }

  @Test("The observed bit rate comes from the last report, and the start position from the first sample")
  func observed() {
    var bench = LogHarness(scheme: "http")
    bench.start()
    #expect(bench.access.first?.observedBitRate == nil && bench.access.first?.startPosition == .zero)
    var progress = StreamProgress()
    for rate in [1_000, 16_000, nil] as [Int64?] {
      progress.bytesPerSecond = rate
      bench.step { $0.decide(.progress(progress, of: $0.token)) }
    }
    #expect(bench.access.first?.observedBitRate == 128_000)
    progress.bytesPerSecond = .max
    bench.step { $0.decide(.progress(progress, of: $0.token)) }
    #expect(bench.access.first?.observedBitRate == .max)

    var prepared = LogHarness()
    prepared.step { $0.decide(.prepare) }
    prepared.step { $0.settle() }
    prepared.step { _ = $0.seek(4) }
    prepared.step { $0.settle() }
    prepared.step { _ = $0.play() }
    prepared.step { $0.run() }
    #expect(prepared.access.first?.startPosition == .seconds(4))
  }

  @Test("The logs keep the last hundred entries")
  func limit() {
    var bench = LogHarness()
    for _ in 0..<(PlaybackLog.limit + 20) {
      bench.start()
      bench.step { _ = $0.stop() }
    }
    #expect(bench.access.count == PlaybackLog.limit)
    #expect(bench.added.count == PlaybackLog.limit + 20)
  }

  @Test("A player publishes both logs and the sequence of their entries, which ends when it is closed")
  func player() async {
    let engine = ScriptedEngine()
    let player = Player(
      configuration: Player.Configuration(), engine: engine, clock: ManualClock(), observers: ImmediateExecutor())
    let entries = player.logEntries()
    let item = Player.Item(uri: "file:///a")
    player.replaceQueue(with: [item])
    player.play()
    #expect(player.accessLog.map(\.item) == [item])
    #expect(player.accessLog.map(\.isComplete) == [false])
    var stream = StreamToken(number: 0)
    for case .open(let request) in engine.commands { stream = request.stream }
    engine.report(.stream(stream, .failed(PlayerError(code: .notFound, message: "scripted"))))
    await player.close()
    var received: [Player.LogEntry] = []
    for await entry in entries { received.append(entry) }
    #expect(received.count == 2)
    #expect(player.errorLog.map(\.error.code) == [.notFound])
    #expect(player.accessLog.map(\.errorCount) == [1])
    #expect(player.accessLog.map(\.isComplete) == [true])
  }

  @Test("The failure of a successor is an error of the successor")
  func failedSuccessor() throws {
    var bench = LogHarness()
    bench.start()
    bench.advance(9)
    var opened: StreamToken?
    bench.step { opened = try? $0.prepareNext() }
    let stream = try #require(opened)
    let error = PlayerError(code: .corrupt, message: "scripted")
    bench.step { $0.report(.stream(stream, .failed(error))) }
    bench.advance(1)
    bench.step { $0.end() }
    // It is opened again, and fails.
    bench.step { $0.fail(.corrupt) }
    #expect(bench.access.map(\.item) == bench.harness.items)
    #expect(bench.access.map(\.errorCount) == [0, 1, 0])
  }
}
