import Playback
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer

/// Tests of the order, the cancellation and the cache of measurements, with measurements that the test ends.
@Suite("Loudness service")
struct LoudnessServiceTests {
  private typealias Report = @Sendable (LoudnessPlan.Outcome) -> Void

  private enum Step: Equatable, Sendable {
    case began(String)
    case cancelled(String)
  }

  /// A service whose measurements end when the test reports their outcome.
  private final class Bench: Sendable {
    let steps = EventLog<Step>()
    private let reports = Mutex<[String: Report]>([:])

    func service(
      _ mode: Player.Configuration.ReplayGain.Mode? = .track, cache: String? = nil, trimsSilence: Bool = false
    ) throws -> LoudnessService {
      var configuration = Player.Configuration()
      let measurement = Player.Configuration.ReplayGain.Measurement(cacheFolder: cache)
      configuration.replayGain = mode.map { Player.Configuration.ReplayGain(mode: $0) }
      configuration.replayGain?.measurement = measurement
      if trimsSilence { configuration.silenceTrimming = measurement }
      let service = LoudnessService(configuration) { [self] uri, report in
        reports.withLock { $0[uri] = report }
        steps.append(.began(uri))
        return { [self] in steps.append(.cancelled(uri)) }
      }
      return try #require(service)
    }

    func end(_ uri: String, _ outcome: LoudnessPlan.Outcome) throws {
      let report = try #require(reports.withLock { $0[uri] })
      report(outcome)
    }

    func step(_ step: Step) async throws { try await steps.first("\(step)") { $0 == step } }
  }

  private static func track(_ loudness: Double) -> LoudnessPlan.Outcome {
    .measured(
      TrackLoudness(
        integrated: loudness, peak: 0.5, histogram: [Int((loudness + 70) / LoudnessGate.step): 9], album: nil))
  }

  @Test("One file is measured after the other, in the announced order; then nothing is")
  func order() async throws {
    let bench = Bench()
    let service = try bench.service()
    service.announce([["file:///a"], ["file:///b"]])
    try await bench.step(.began("file:///a"))
    #expect(bench.steps.elements == [.began("file:///a")])
    try bench.end("file:///a", Self.track(-30))
    try await bench.step(.began("file:///b"))
    #expect(service.gain(for: "file:///a") == LoudnessGain(gain: 12, peak: 0.5))
    try bench.end("file:///b", .none)
    service.announce([["file:///a"], ["file:///b"], ["file:///c"]])
    try await bench.step(.began("file:///c"))
    #expect(service.gain(for: "file:///b") == nil)
    #expect(bench.steps.elements == ["a", "b", "c"].map { Step.began("file:///\($0)") })
    service.close()
  }

  @Test("Another announcement cancels the measurement of a file that it does not contain")
  func cancellation() async throws {
    let bench = Bench()
    let service = try bench.service()
    service.announce([["file:///a"]])
    try await bench.step(.began("file:///a"))
    service.announce([["file:///b"], ["file:///a"]])
    service.announce([["file:///b"]])
    try await bench.step(.cancelled("file:///a"))
    try await bench.step(.began("file:///b"))
    service.announce([])
    try await bench.step(.cancelled("file:///b"))
    #expect(service.gain(for: "file:///b") == nil)
    #expect(
      bench.steps.elements
        == [.began("file:///a"), .cancelled("file:///a"), .began("file:///b"), .cancelled("file:///b")])
  }

  @Test("A service does not measure a content that an earlier one has measured, under any name")
  func cache() async throws {
    try await withTemporaryDirectory { directory in
      let first = Bench()
      let uri = fileURI(try directory.write("some music", to: "a.flac"))
      let service = try first.service(cache: directory.file("cache"))
      service.announce([[uri]])
      try await first.step(.began(uri))
      try first.end(uri, Self.track(-30))
      // The next file begins when the result has been stored.
      let marker = fileURI(try directory.write("other music", to: "b.flac"))
      service.announce([[uri], [marker]])
      try await first.step(.began(marker))
      service.close()

      let second = Bench()
      let copy = fileURI(try directory.write("some music", to: "copy.flac"))
      let later = try second.service(cache: directory.file("cache"))
      #expect(later.gain(for: uri) == LoudnessGain(gain: 12, peak: 0.5))
      later.announce([[copy], [marker]])
      try await second.step(.began(marker))
      #expect(second.steps.elements == [.began(marker)])
      #expect(later.gain(for: copy) == LoudnessGain(gain: 12, peak: 0.5))
      later.close()
    }
  }

  @Test("The gain of an album is stored with each of its tracks")
  func albumCache() async throws {
    try await withTemporaryDirectory { directory in
      let bench = Bench()
      let uris = try ["a", "b"].map { fileURI(try directory.write("music \($0)", to: $0)) }
      let service = try bench.service(.album, cache: directory.file("cache"))
      service.announce([uris])
      for uri in uris {
        try await bench.step(.began(uri))
        try bench.end(uri, Self.track(-30.05))
      }
      let marker = fileURI(try directory.write("", to: "marker"))
      service.announce([uris, [marker]])
      try await bench.step(.began(marker))
      service.close()

      let later = try Bench().service(.album, cache: directory.file("cache"))
      let gain = try #require(later.gain(for: uris[0]))
      #expect(abs(gain.gain - 12.05) < 0.001)
    }
  }

  @Test("The key of a file is kept with its result only")
  func keys() async throws {
    try await withTemporaryDirectory { directory in
      let bench = Bench()
      let uris = try (0..<9).map { fileURI(try directory.write("music \($0)", to: "\($0)")) }
      let service = try bench.service(cache: directory.file("cache"))
      service.announce([[uris[0]], [uris[1]]])
      try await bench.step(.began(uris[0]))
      try bench.end(uris[0], Self.track(-30))
      try await bench.step(.began(uris[1]))
      for uri in uris.dropFirst(2) { #expect(service.gain(for: uri) == nil) }
      // That of the result, that of the measurement, and that of the file that was opened last.
      #expect(service.keyCount == 3)
      service.close()
    }
  }

  @Test("There is no service without the setting")
  func off() {
    let measure: LoudnessService.Measure = { _, _ in {} }
    #expect(LoudnessService(Player.Configuration(), measure: measure) == nil)
    let tagged = Player.Configuration(replayGain: Player.Configuration.ReplayGain(mode: .track))
    #expect(LoudnessService(tagged, measure: measure) == nil)
  }

  @Test("The silence of an opened file is reported once, when it has been measured or from the cache")
  func silence() async throws {
    try await withTemporaryDirectory { directory in
      let files = Bench()
      let uri = fileURI(try directory.write("music", to: "1"))
      let service = try files.service(nil, cache: directory.file("cache"), trimsSilence: true)
      let silences = EventLog<Duration>()
      service.reportSilence(of: uri) { silences.append($0) }
      service.announce([[uri], ["file:///2"]])
      try await files.step(.began(uri))
      #expect(silences.count == 0 && service.gain(for: uri) == nil)
      let result = TrackLoudness(integrated: -20, peak: 0.5, histogram: [500: 9], silence: .seconds(7))
      try files.end(uri, .measured(result))
      try await files.step(.began("file:///2"))
      #expect(silences.elements == [.seconds(7)] && service.gain(for: uri) == nil)
      service.close()
      // Without the setting, nothing is reported.
      for (trims, count) in [(false, 1), (true, 2)] {
        let later = try files.service(.track, cache: directory.file("cache"), trimsSilence: trims)
        later.reportSilence(of: uri) { silences.append($0) }
        #expect(silences.elements == Array(repeating: .seconds(7), count: count) && later.gain(for: uri) != nil)
        later.close()
      }
    }
  }
}
