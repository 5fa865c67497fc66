import EventLoop
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer
@testable import Playback

/// Tests of the measurements of a player, which a separate process carries out.
@Suite("The measurement of loudness in a process", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct LoudnessProcessTests {
  private static let replayGain: Player.Configuration.ReplayGain = {
    var replayGain = Player.Configuration.ReplayGain(mode: .track)
    replayGain.measurement = Player.Configuration.ReplayGain.Measurement()
    return replayGain
  }()

  private static let crash = "the inspection process ended: signal 11 (SIGSEGV)"

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
    try await withTemporaryDirectory { directory in
      let file = try directory.write(music, to: "\(ScriptedProgram.crash).wav")
      let scripted = try await ScriptedProgram(in: directory) { .media(.answer(.loudness(nil), number: $0)) }
      try await withProcessPlayer([first, file], replayGain: Self.replayGain, measuring: scripted.path) { player in
        try await player.playing(until: .milliseconds(100))
        try await player.warning("the loudness of \(player.items[1].uri) is not measured: \(Self.crash)")
        let processes = [player.engine.processID] + player.engine.deckProcessIDs
        #expect(processes.count == 2 && processes[0] != nil)
        player.player.advanceToNextItem()
        try await player.queueEnds()
        #expect(player.failures.isEmpty)
        #expect(player.events.elements.contains(.itemDidPlayToEnd(player.items[1])))
        #expect([player.engine.processID] + player.engine.deckProcessIDs == processes)
        let warnings = player.events.elements.count {
          if case .warning(let text, _) = $0 { text.contains("loudness") } else { false }
        }
        #expect(warnings == 1)
      }
    }
  }

  // MARK: The service

  /// Runs `body` with a service whose process answers each request with a loudness.
  private static func withService(
    loudness: TrackLoudness? = Samples.loudness,
    _ body: (_ service: LoudnessService, _ reports: EventLog<LoudnessReport>, _ program: ScriptedProgram) async throws
      -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let program = try await ScriptedProgram(in: directory) { .media(.answer(.loudness(loudness), number: $0)) }
      var configuration = Player.Configuration(replayGain: replayGain)
      configuration.silenceTrimming = .init()
      configuration.engine = .process(at: program.path)
      configuration.engine.answerTime = .seconds(60)
      let service = try #require(LoudnessService(configuration, digest: GLib.sha256))
      let reports = EventLog<LoudnessReport>()
      service.open { reports.append($0) }
      let result: Result<Void, any Error>
      do { result = .success(try await body(service, reports, program)) } catch { result = .failure(error) }
      service.close()
      await service.closed()
      try result.get()
    }
  }

  /// Opens a file; returns the gain that is reported for it.
  private static func gain(
    of uri: String, _ service: LoudnessService, _ reports: EventLog<LoudnessReport>
  ) async throws -> LoudnessGain? {
    let (stream, start) = (StreamToken(number: UInt64(reports.count) + 1), reports.count)
    service.request(uri, for: stream, asSuccessor: false)
    let report = try await reports.first("the gain of \(uri)", from: start, within: 20) {
      if case .gain(_, stream) = $0 { true } else { false }
    }.element
    return if case .gain(let gain, _) = report { gain } else { nil }
  }

  private static let measuredGain = LoudnessGain(gain: 12.25, peak: 0.75)

  @Test("An announced file is measured by the process, and its gain and its silence are reported")
  func request() async throws {
    try await Self.withService { service, reports, program in
      let (uri, stream) = ("file:///1", StreamToken(number: 100))
      service.request(uri, for: stream, asSuccessor: false)
      try await reports.first("no gain") { $0 == .gain(nil, of: stream) }
      service.announce([[uri]])
      let silence = try #require(Samples.loudness.silence)
      try await reports.first("the silence", within: 20) { $0 == .silence(from: silence, of: stream) }
      // Another file keeps the first one from being one that is opened again.
      #expect(try await Self.gain(of: "file:///2", service, reports) == nil)
      #expect(try await Self.gain(of: uri, service, reports) == Self.measuredGain)
      #expect(try program.processCount == 1)
    }
  }

  @Test("A file that has ended the process is not measured again, and is reported once")
  func marked() async throws {
    let uri = "file:///\(ScriptedProgram.crash)"
    try await Self.withService { service, reports, program in
      service.announce([[uri], ["file:///2"]])
      let warning = LoudnessReport.warning("the loudness of \(uri) is not measured: \(Self.crash)")
      try await reports.first("the warning", within: 20) { $0 == warning }
      // The next files are measured by another process.
      try await Self.measured("file:///2", service, reports)
      service.announce([[uri], ["file:///3"]])
      try await Self.measured("file:///3", service, reports)
      #expect(try program.processCount == 2)
      #expect(reports.elements.count { if case .warning = $0 { true } else { false } } == 1)
      #expect(try await Self.gain(of: uri, service, reports) == nil)
    }
  }

  @Test("A measurement is cancelled by another announcement, and the next one begins")
  func cancelled() async throws {
    let uris = ["file:///\(ScriptedProgram.silence)", "file:///2"]
    try await Self.withService { service, reports, program in
      service.announce([[uris[0]]])
      service.announce([[uris[1]]])
      try await Self.measured(uris[1], service, reports)
      #expect(try await Self.gain(of: uris[0], service, reports) == nil)
      #expect(try await Self.gain(of: uris[1], service, reports) == Self.measuredGain)
    }
  }

  /// Waits until an announced file is measured, whose silence is then reported.
  private static func measured(
    _ uri: String, _ service: LoudnessService, _ reports: EventLog<LoudnessReport>
  ) async throws {
    let (stream, start) = (StreamToken(number: 1_000), reports.count)
    service.request(uri, for: stream, asSuccessor: true)
    try await reports.first("the silence of \(uri)", from: start, within: 20) {
      if case .silence(_, stream) = $0 { true } else { false }
    }
  }

  @Test("Values that no measurement has are refused, and the file gets no gain", arguments: Samples.impossibleLoudness)
  func impossible(loudness: TrackLoudness) async throws {
    let uri = "file:///1"
    try await Self.withService(loudness: loudness) { service, reports, _ in
      service.announce([[uri]])
      let reason = "the inspection process ended: it sent an invalid message: a loudness beyond the limits"
      try await reports.first("the warning", within: 20) {
        $0 == .warning("the loudness of \(uri) is not measured: \(reason)")
      }
      #expect(try await Self.gain(of: uri, service, reports) == nil)
    }
  }
}
