import Playback
import Synchronization
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer

private func fileURI(_ path: String) -> String { "file://" + path }

/// Tests of the order, the cancellation and the cache of measurements, with measurements that the test ends.
@Suite("Loudness service")
struct LoudnessServiceTests {
  private enum Step: Equatable, Sendable {
    case began(String)
    case cancelled(String)
  }

  /// A service whose measurements end when the test reports their results.
  private final class Bench: Sendable {
    let steps = EventLog<Step>()
    let reports = EventLog<LoudnessReport>()
    private let ends = Mutex<[String: AsyncStream<TrackLoudness?>.Continuation]>([:])
    private let lastStream = Mutex<UInt64>(0)

    func service(
      _ mode: Player.Configuration.ReplayGain.Mode? = .track, cache: String? = nil, trimsSilence: Bool = false
    ) throws -> LoudnessService {
      var configuration = Player.Configuration()
      let measurement = Player.Configuration.ReplayGain.Measurement(cacheFolder: cache)
      configuration.replayGain = mode.map { Player.Configuration.ReplayGain(mode: $0) }
      configuration.replayGain?.measurement = measurement
      if trimsSilence { configuration.silenceTrimming = measurement }
      let service = LoudnessService(configuration, digest: GLib.sha256) { [self] uri, _ throws(PlayerError) in
        let (results, end) = AsyncStream<TrackLoudness?>.makeStream()
        ends.withLock { $0[uri] = end }
        steps.append(.began(uri))
        let result = await withTaskCancellationHandler {
          for await result in results { return result as TrackLoudness?? }
          return nil
        } onCancel: { [self] in
          steps.append(.cancelled(uri))
        }
        guard let result else { throw PlayerError(code: .cancelled, message: "cancelled") }
        return result
      }
      let made = try #require(service)
      made.open { [reports] in reports.append($0) }
      return made
    }

    func end(_ uri: String, _ result: TrackLoudness?) throws {
      let end = try #require(ends.withLock { $0[uri] })
      end.yield(result)
    }

    func step(_ step: Step) async throws { try await steps.first("\(step)") { $0 == step } }

    /// Opens a file; returns its stream.
    func open(_ uri: String, _ service: LoudnessService) -> StreamToken {
      let stream = lastStream.withLock { last in
        last += 1
        return StreamToken(number: last)
      }
      service.request(uri, for: stream, asSuccessor: false)
      return stream
    }

    /// Opens a file; returns the gain that is reported for it.
    func gain(of uri: String, _ service: LoudnessService) async throws -> LoudnessGain? {
      let stream = open(uri, service)
      let report = try await reports.first("the gain of \(uri)") {
        if case .gain(_, stream) = $0 { true } else { false }
      }.element
      return if case .gain(let gain, _) = report { gain } else { nil }
    }
  }

  private static func track(_ loudness: Double) -> TrackLoudness {
    TrackLoudness(
      integrated: loudness, peak: 0.5, histogram: [Int((loudness + 70) / LoudnessGate.step): 9], album: nil)
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
    #expect(try await bench.gain(of: "file:///a", service) == LoudnessGain(gain: 12, peak: 0.5))
    try bench.end("file:///b", nil)
    service.announce([["file:///a"], ["file:///b"], ["file:///c"]])
    try await bench.step(.began("file:///c"))
    #expect(try await bench.gain(of: "file:///b", service) == nil)
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
    #expect(try await bench.gain(of: "file:///b", service) == nil)
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
      #expect(try await second.gain(of: uri, later) == LoudnessGain(gain: 12, peak: 0.5))
      later.announce([[copy], [marker]])
      try await second.step(.began(marker))
      #expect(second.steps.elements == [.began(marker)])
      #expect(try await second.gain(of: copy, later) == LoudnessGain(gain: 12, peak: 0.5))
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

      let second = Bench()
      let later = try second.service(.album, cache: directory.file("cache"))
      let gain = try #require(try await second.gain(of: uris[0], later))
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
      for uri in uris.dropFirst(2) { #expect(try await bench.gain(of: uri, service) == nil) }
      // The keys of the result, of the measurement, and of the file that was opened last.
      #expect(service.keyCount == 3)
      service.close()
    }
  }

  @Test("Without the setting, the service is not created")
  func off() {
    let measure: LoudnessService.Measure = { _, _ in nil }
    #expect(LoudnessService(Player.Configuration(), digest: GLib.sha256, measure: measure) == nil)
    #expect(LoudnessService(Player.Configuration(), digest: GLib.sha256) == nil)
    let tagged = Player.Configuration(replayGain: Player.Configuration.ReplayGain(mode: .track))
    #expect(LoudnessService(tagged, digest: GLib.sha256, measure: measure) == nil)
  }

  @Test("The silence of an opened file is reported once, when it has been measured or from the cache")
  func silence() async throws {
    try await withTemporaryDirectory { directory in
      let files = Bench()
      let uri = fileURI(try directory.write("music", to: "1"))
      let service = try files.service(nil, cache: directory.file("cache"), trimsSilence: true)
      let stream = files.open(uri, service)
      service.announce([[uri], ["file:///2"]])
      try await files.step(.began(uri))
      #expect(files.reports.count == 0)
      let result = TrackLoudness(integrated: -20, peak: 0.5, histogram: [500: 9], silence: .seconds(7))
      try files.end(uri, result)
      try await files.step(.began("file:///2"))
      try await files.reports.first("the silence")
      // Without the setting of a gain, none is reported.
      #expect(files.reports.elements == [.silence(from: .seconds(7), of: stream)])
      service.close()
      // Without the setting of silence, none is reported.
      for trims in [false, true] {
        let bench = Bench()
        let later = try bench.service(.track, cache: directory.file("cache"), trimsSilence: trims)
        let stream = bench.open(uri, later)
        try await bench.reports.first("the gain") { $0 == .gain(LoudnessGain(gain: 2, peak: 0.5), of: stream) }
        if trims { try await bench.reports.first("the silence") { $0 == .silence(from: .seconds(7), of: stream) } }
        // A request after it is answered later.
        #expect(try await bench.gain(of: "file:///2", later) == nil)
        #expect(bench.reports.elements.count { if case .silence = $0 { true } else { false } } == (trims ? 1 : 0))
        later.close()
      }
    }
  }

  @Test("A request that is late because of the file system does not change the gains of later ones")
  func late() {
    var state = LoudnessService.State(results: LoudnessResults(mode: .track))
    _ = state.results.note(.measured(Self.track(-30)), for: "a")
    _ = state.results.note(.measured(Self.track(-24)), for: "b")
    #expect(state.gain(for: "b", 2, asSuccessor: false) == LoudnessGain(gain: 6, peak: 0.5))
    #expect(state.gain(for: "a", 1, asSuccessor: false) == nil)
    _ = state.results.note(.none, for: "b")
    #expect(state.gain(for: "b", 3, asSuccessor: false) == LoudnessGain(gain: 6, peak: 0.5))
  }
}
