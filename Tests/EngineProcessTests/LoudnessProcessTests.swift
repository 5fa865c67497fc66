import EventLoop
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import Playback

/// Tests of the measurements that an engine requests, and that another process carries out.
@Suite("The measurement of loudness in a process", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LoudnessProcessTests {
  private static let replayGain: Player.Configuration.ReplayGain = {
    var replayGain = Player.Configuration.ReplayGain(mode: .track)
    replayGain.measurement = Player.Configuration.ReplayGain.Measurement()
    return replayGain
  }()

  private static let crash = "the inspection process ended: signal 11 (SIGSEGV)"

  /// Writes a program that starts one program as the engine, and another one for measurements.
  private static func program(
    _ engine: String, measuring other: String, in directory: TemporaryDirectory
  ) async throws -> String {
    let text = "#!/bin/sh\ncase \"$*\" in *--no-sockets*) exec '\(other)' \"$@\" ;; esac\nexec '\(engine)' \"$@\"\n"
    let path = directory.file("program")
    // A program that this process has written cannot be executed while a child that was started meanwhile has it open.
    let result = try await run(["install", "-m", "755", try directory.write(text, to: "program.txt"), path])
    try #require(result.succeeded, "\(result.error)")
    return path
  }

  /// Runs `body` with the folders of an engine and of a program for measurements, and that of both.
  private static func withFolders(
    _ body: (_ engine: TemporaryDirectory, _ measuring: TemporaryDirectory, _ both: TemporaryDirectory) async throws
      -> Void
  ) async throws {
    try await withTemporaryDirectory { engine in
      try await withTemporaryDirectory { measuring in
        try await withTemporaryDirectory { both in try await body(engine, measuring, both) }
      }
    }
  }

  @Test("A file without loudness tags plays with the gain that another process has measured")
  func measured() async throws {
    // A sine of 997 Hz with a peak of half of full scale has −6.02 LUFS.
    let files = [
      try await Media.sine(seconds: 60, frequency: 440, format: .flac),
      try await Media.sine(seconds: 1, frequency: 997, format: .wav),
    ]
    try await withTemporaryDirectory { directory in
      let cache = try directory.makeDirectory("cache")
      var replayGain = Self.replayGain
      replayGain.measurement?.cacheFolder = cache
      let path = directory.file("heard.raw")
      try await withProcessPlayer(files, sink: Ramp.sink(path), replayGain: replayGain) { player in
        let results = EventLog<String>()
        let watch = FolderWatch(Array(cache.utf8), on: player.engine.loop) {
          let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
          // A draft has a longer name.
          for name in names where name.utf8.count == 64 { results.append(name) }
        }
        player.player.play()
        // The next item is measured before the current one.
        try await results.first("the result of the next item", within: 40)
        withExtendedLifetime(watch) {}
        player.player.advanceToNextItem()
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.engine.measurements.count > 0)
      }
      // The output may have begun with the end of the first item.
      let heard = try Ramp.samples(path).suffix(30_000).dropLast(4_000)
      let level = 20 * log10(Double(heard.reduce(0) { max($0, abs(Int($1))) }) / 32_768)
      #expect(abs(level + 18) <= 0.1, "\(level) dBFS")
    }
  }

  @Test("A file that ends the process during its measurement interrupts nothing, and plays later without a gain")
  func crash() async throws {
    let music = Array(try Data(contentsOf: URL(filePath: try await Media.sine(seconds: 0.5, format: .wav))))
    let first = try await Media.sine(seconds: 60, format: .flac)
    try await Self.withFolders { _, measuring, both in
      let file = try both.write(music, to: "\(ScriptedProgram.crash).wav")
      let scripted = try await ScriptedProgram(in: measuring) { .media(.answer(.loudness(nil), number: $0)) }
      let program = try await Self.program(
        try Tool.built("mpris-playerd-engine"), measuring: scripted.path, in: both)
      try await withProcessPlayer([first, file], replayGain: Self.replayGain) {
        $0.path = program
      } _: { player in
        try await player.playing(until: .milliseconds(100))
        try await player.warning("the loudness of \(player.items[1].uri) is not measured: \(Self.crash)")
        let engine = player.engine.processID
        #expect(engine != nil)
        player.player.advanceToNextItem()
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[1])))
        #expect(player.engine.processID == engine)
        let warnings = player.events.elements.count {
          if case .warning(let text, _) = $0 { text.contains("loudness") } else { false }
        }
        #expect(warnings == 1)
      }
    }
  }

  // MARK: The player's side

  private static let next = EngineReport.event(.warning("next"))

  /// Runs `body` with an engine that has received the files to measure.
  ///
  /// It sends one of the prepared messages after each announcement of files that follows, and after each answer.
  private static func withScriptedEngine(
    of uris: [String], _ messages: [EngineReport], loudness: TrackLoudness? = Samples.loudness,
    _ body: (_ engine: ProcessEngine, _ events: EventLog<EngineEvent>, _ folders: Folders) async throws -> Void
  ) async throws {
    try await withFolders { folder, measuring, both in
      let engineProgram = try await ScriptedProgram(in: folder, isEngine: true) { number in
        ([next] + messages + [next]).dropFirst(number - 1).first ?? next
      }
      let scripted = try await ScriptedProgram(in: measuring) { .media(.answer(.loudness(loudness), number: $0)) }
      var configuration = Player.Configuration()
      configuration.engine = .process(
        at: try await Self.program(engineProgram.path, measuring: scripted.path, in: both))
      configuration.engine.answerTime = .seconds(60)
      let engine = ProcessEngine(configuration: configuration)
      let events = EventLog<EngineEvent>()
      engine.open(EngineClient { events.append($0) })
      engine.prepare()
      let result: Result<Void, any Error>
      do {
        engine.perform(.measureLoudness(of: [uris]))
        try await Self.next(events)
        result = .success(try await body(engine, events, Folders(engine: folder, measuring: scripted)))
      } catch { result = .failure(error) }
      engine.close()
      await engine.closed()
      try result.get()
    }
  }

  private struct Folders {
    let engine: TemporaryDirectory
    let measuring: ScriptedProgram

    /// The answers to measurements that the engine has received, in their order.
    func answers() throws -> [(loudness: TrackLoudness?, request: Int)] {
      try FileManager.default.contentsOfDirectory(atPath: engine.path).filter { $0.hasPrefix("packet.") }
        .sorted { (Int($0.split(separator: ".").last ?? "") ?? 0) < (Int($1.split(separator: ".").last ?? "") ?? 0) }
        .compactMap { name in
          let bytes = Array(try Data(contentsOf: URL(filePath: engine.file(name))))
          guard case .measured(let loudness, let request)? = try? EngineProtocol.decode(EngineRequest.self, from: bytes)
          else { return nil }
          return (loudness, request)
        }
    }

    /// The number of processes that have measured files.
    var measuringCount: Int { (try? measuring.processCount) ?? 0 }
  }

  /// Waits for the message “next” of the engine.
  private static func next(_ events: EventLog<EngineEvent>, count: Int = 1) async throws {
    var start = 0
    for _ in 0..<count {
      let entry = try await events.first("the next message", from: start, within: 20) {
        if case .warning("next") = $0 { true } else { false }
      }
      start = entry.index + 1
    }
  }

  private static func warnings(_ events: EventLog<EngineEvent>) -> [String] {
    events.elements.compactMap { if case .warning(let text) = $0 { text } else { nil } }
  }

  @Test("A request of the engine is carried out by the process for measurements, and the engine gets the answer")
  func request() async throws {
    let uri = "file:///1"
    try await Self.withScriptedEngine(of: [uri], [.measure(uri: uri, request: 5)]) { engine, events, folders in
      engine.perform(.measureLoudness(of: [[uri]]))
      try await Self.next(events, count: 2)
      let answers = try folders.answers()
      #expect(answers.map(\.loudness) == [Samples.loudness])
      #expect(answers.map(\.request) == [5])
      #expect(folders.measuringCount == 1)
      #expect(Self.warnings(events) == ["next", "next"])
    }
  }

  @Test("A file that has ended the process is not measured again, and is reported once")
  func marked() async throws {
    let uri = "file:///\(ScriptedProgram.crash)"
    try await Self.withScriptedEngine(of: [uri], [.measure(uri: uri, request: 1), .measure(uri: uri, request: 2)]) {
      engine, events, folders in
      engine.perform(.measureLoudness(of: [[uri]]))
      try await Self.next(events, count: 2)
      let answers = try folders.answers()
      #expect(answers.map(\.loudness) == [nil, nil])
      #expect(answers.map(\.request) == [1, 2])
      #expect(folders.measuringCount == 1)
      #expect(Self.warnings(events) == ["next", "the loudness of \(uri) is not measured: \(Self.crash)", "next"])
    }
  }

  @Test("A cancelled measurement is not answered, and the next one begins")
  func cancelled() async throws {
    let uris = ["file:///\(ScriptedProgram.silence)", "file:///2"]
    try await Self.withScriptedEngine(
      of: uris,
      [
        .measure(uri: uris[0], request: 1), .cancelMeasurement(request: 1), .measure(uri: uris[1], request: 2),
      ]
    ) { engine, events, folders in
      for _ in 0..<3 { engine.perform(.measureLoudness(of: [uris])) }
      try await Self.next(events, count: 2)
      let answers = try folders.answers()
      #expect(answers.map(\.request) == [2])
      #expect(answers.map(\.loudness) == [Samples.loudness])
    }
  }

  @Test("A file that the player has not announced is not measured")
  func unannounced() async throws {
    let uris = ["file:///1", "http://a.example/"]
    try await Self.withScriptedEngine(
      of: uris, [.measure(uri: "file:///etc/passwd", request: 1)]
    ) { engine, events, folders in
      engine.perform(.measureLoudness(of: [uris]))
      try await Self.next(events, count: 2)
      let answers = try folders.answers()
      #expect(answers.map(\.loudness) == [nil])
      #expect(folders.measuringCount == 0)
    }
  }

  @Test("A second measurement at the same time ends the process of the engine with the reason")
  func second() async throws {
    let uri = "file:///\(ScriptedProgram.silence)"
    let measure = EngineReport.measure(uri: uri, request: 1)
    try await Self.withScriptedEngine(of: [uri], [measure, measure]) { engine, events, _ in
      engine.perform(.measureLoudness(of: [[uri]]))
      engine.perform(.measureLoudness(of: [[uri]]))
      let end = try await events.first("the end of the process", within: 20) {
        if case .replaced = $0 { true } else { false }
      }.element
      guard case .replaced(after: .process(let end)) = end else { return }
      #expect(end.reason == "it sent an invalid message: a second measurement")
    }
  }

  @Test("Values that no measurement has are refused, and the engine gets none", arguments: Samples.impossibleLoudness)
  func impossible(loudness: TrackLoudness) async throws {
    let uri = "file:///1"
    try await Self.withScriptedEngine(of: [uri], [.measure(uri: uri, request: 1)], loudness: loudness) {
      engine, events, folders in
      engine.perform(.measureLoudness(of: [[uri]]))
      try await Self.next(events, count: 2)
      let answers = try folders.answers()
      #expect(answers.map(\.loudness) == [nil])
      let reason = "the inspection process ended: it sent an invalid message: a loudness beyond the limits"
      // It is another process than the engine, so the order of their messages is not defined.
      try await events.first("the warning of the measurement", within: 20) {
        if case .warning("the loudness of \(uri) is not measured: \(reason)") = $0 { true } else { false }
      }
    }
  }
}
