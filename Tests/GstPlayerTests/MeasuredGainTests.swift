import Glibc
import Playback
import PlayerClock
import TestSupport
import Testing

@testable import EngineProcess
@testable import GstPlayer

/// Tests of the gain of files without loudness tags by the peak of the rendered samples.
@Suite("Measured gain", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct MeasuredGainTests {
  private static func configuration(
    _ tap: Tap, _ mode: Player.Configuration.ReplayGain.Mode = .track, cache: String?, preAmp: Double = 0
  ) -> Player.Configuration {
    var gain = Player.Configuration.ReplayGain(mode: mode, preAmp: preAmp)
    gain.measurement = cache.map { Player.Configuration.ReplayGain.Measurement(cacheFolder: $0) }
    return Player.Configuration(audioSink: tap.sink(.everything), replayGain: gain)
  }

  /// Plays files to their end; returns the peak of each.
  private func peaks(
    _ paths: [String], lasting seconds: [Double], _ configuration: (Tap) -> Player.Configuration,
    in directory: TemporaryDirectory, named name: String = "heard.raw"
  ) async throws -> [Double] {
    let tap = try Tap(directory, named: name)
    let harness = PlayerHarness(paths.map(fileURI), configuration: configuration(tap))
    try await harness.playToEnd()
    await harness.end()
    var rest = try tap.recorded()[...]
    return seconds.map { seconds in
      let count = Int(seconds * 44_100)
      defer { rest = rest.dropFirst(count) }
      // The borders are left out.
      return Double(rest.prefix(count).dropFirst(2_000).dropLast(2_000).reduce(0) { max($0, abs(Int($1))) }) / 32_768
    }
  }

  /// Writes a sine of 997 Hz with a peak level; its loudness in LUFS is the same number.
  private func sine(_ level: Double, seconds: Double, _ name: String, in directory: TemporaryDirectory) throws -> String
  {
    let scale = 2 * pow(10, level / 20)
    let samples = PCM().sine(frequency: 997, count: Int(seconds * 44_100)).map { Int32((Double($0) * scale).rounded()) }
    return try directory.write(PCM().wav(samples), to: name)
  }

  private func decibels(_ peak: Double) -> Double { 20 * log10(peak) }

  @Test("A quiet and a loud file play at −18 LUFS, and the peak limits the gain")
  func quietAndLoud() async throws {
    try await withTemporaryDirectory { directory in
      let cache = directory.file("cache")
      let files = try [
        sine(-6, seconds: 1, "loud.wav", in: directory), sine(-30, seconds: 1, "quiet.wav", in: directory),
      ]
      try await LoudnessCache.fill(cache, with: files)
      let peaks = try await peaks(files, lasting: [1, 1], { Self.configuration($0, cache: cache) }, in: directory)
      for peak in peaks { #expect(abs(decibels(peak) + 18) <= 0.1, "\(decibels(peak)) dBFS") }
      let raised = try await self.peaks(
        [files[0]], lasting: [1], { Self.configuration($0, cache: cache, preAmp: 30) }, in: directory,
        named: "raised.raw")
      #expect(abs(decibels(raised[0])) <= 0.1, "\(decibels(raised[0])) dBFS")
    }
  }

  @Test("A file that is not measured plays unchanged, also gaplessly after one with tags", arguments: [0.0, 6])
  func unchanged(preAmp: Double) async throws {
    try await withTemporaryDirectory { directory in
      let plain = try sine(-20, seconds: 1, "plain.wav", in: directory)
      let tagged = directory.file("tagged.flac")
      let tags = ["TRACK_GAIN", "ALBUM_GAIN"].flatMap { ["-T", "REPLAYGAIN_\($0)=-12 dB"] }
      #expect(try await run(["flac", "--silent", "-o", tagged] + tags + [plain]).succeeded)
      let peaks = try await peaks(
        [plain, tagged, plain], lasting: [1, 1, 1], { Self.configuration($0, cache: nil, preAmp: preAmp) },
        in: directory)
      for (peak, level) in zip(peaks, [-20, -32 + preAmp, -20]) {
        #expect(abs(decibels(peak) - level) <= 0.1, "\(decibels(peak)) dBFS instead of \(level)")
      }
    }
  }

  @Test("The tags of a file replace its measured gain")
  func tagged() async throws {
    try await withTemporaryDirectory { directory in
      let cache = directory.file("cache")
      let plain = try sine(-20, seconds: 1, "plain.wav", in: directory)
      let tagged = directory.file("tagged.flac")
      let tags = ["-T", "REPLAYGAIN_TRACK_GAIN=-12 dB", "-T", "REPLAYGAIN_REFERENCE_LOUDNESS=89 dB"]
      #expect(try await run(["flac", "--silent", "-o", tagged] + tags + [plain]).succeeded)
      let results = LoudnessCache(folder: cache, digest: GLib.sha256)
      results.write(
        TrackLoudness(integrated: -20, peak: 0.1, histogram: [:]),
        for: try #require(results.key(ofFileAt: Array(tagged.utf8))))
      let peaks = try await peaks([tagged], lasting: [1], { Self.configuration($0, cache: cache) }, in: directory)
      #expect(abs(decibels(peaks[0]) + 32) <= 0.1, "\(decibels(peaks[0])) dBFS")
    }
  }

  @Test("Playback measures the files of the queue once; a second start measures nothing and has their gains")
  func secondStart() async throws {
    try await withTemporaryDirectory { directory in
      let files = try [-20.0, -10, -26].map { try sine($0, seconds: 1, "\($0).wav", in: directory) }
      let tap = try Tap(directory)
      let configuration = Self.configuration(tap, cache: directory.file("cache"))
      let first = EventLog<String>()
      let player = try player(configuration, first)
      player.replaceQueue(with: files.map { Player.Item(uri: fileURI($0)) })
      player.loop = .playlist
      player.play()
      // When the third measurement begins, the results of the others have been stored.
      try await first.first("three measurements", from: 2, within: 30)
      await player.close()
      #expect(Set(first.elements) == Set(files.map(fileURI)))

      let second = EventLog<String>()
      let other = try Tap(directory, named: "second.raw")
      let again = try self.player(Self.configuration(other, cache: directory.file("cache")), second)
      let events = again.events()
      again.replaceQueue(with: first.elements.prefix(2).map { Player.Item(uri: $0) })
      again.play()
      try await deadline(20, "the queue ends") { for await event in events where event == .queueEnded { return } }
      await again.close()
      #expect(second.count == 0)
      let samples = try other.recorded()
      for half in [samples[4_000..<40_000], samples[48_000..<84_000]] {
        let peak = Double(half.reduce(0) { max($0, abs(Int($1))) }) / 32_768
        #expect(abs(decibels(peak) + 18) <= 0.1, "\(decibels(peak)) dBFS")
      }
    }
  }

  @Test("In low power mode the known results are used, and no file is measured")
  func lowPower() async throws {
    try await withTemporaryDirectory { directory in
      let cache = directory.file("cache")
      let files = try [-26.0, -10].map { try sine($0, seconds: 1, "\($0).wav", in: directory) }
      try await LoudnessCache.fill(cache, with: [files[0]])
      let tap = try Tap(directory)
      var configuration = Self.configuration(tap, cache: cache)
      configuration.isLowPowerModeEnabled = true
      let measured = EventLog<String>()
      let player = try player(configuration, measured)
      let events = player.events()
      player.replaceQueue(with: files.map { Player.Item(uri: fileURI($0)) })
      player.play()
      try await deadline(20, "the queue ends") { for await event in events where event == .queueEnded { return } }
      await player.close()
      #expect(measured.count == 0)
      let samples = try tap.recorded()
      for (part, level) in [(samples[4_000..<40_000], -18.0), (samples[48_000..<84_000], -10)] {
        let peak = Double(part.reduce(0) { max($0, abs(Int($1))) }) / 32_768
        #expect(abs(decibels(peak) - level) <= 0.1, "\(decibels(peak)) dBFS instead of \(level)")
      }
    }
  }

  /// Makes a player that records the files that it measures.
  private func player(_ configuration: Player.Configuration, _ measured: EventLog<String>) throws -> Player {
    let service = LoudnessService(configuration, digest: GLib.sha256) { uri, _ throws(PlayerError) in
      measured.append(uri)
      for await result in LoudnessMeasurement.results(of: uri) { return result }
      throw PlayerError(code: .cancelled, message: "cancelled")
    }
    _ = try #require(service)
    return Player(
      configuration: configuration, engine: DeckEngine(configuration: configuration), loudness: service,
      clock: DispatchClock(), observers: ObserverQueue())
  }
}

extension LoudnessMeasurement {
  /// Measures a file; idle threads hardly run beside other tests.
  fileprivate static func results(of uri: String) -> AsyncStream<TrackLoudness?> {
    AsyncStream { continuation in
      let measurement = LoudnessMeasurement(of: uri, isIdle: false) { continuation.yield($0) }
      continuation.onTermination = { _ in measurement.cancel() }
      measurement.begin()
    }
  }
}

extension LoudnessCache {
  /// Measures files into a cache.
  static func fill(_ folder: String, with paths: [String]) async throws {
    let cache = LoudnessCache(folder: folder, digest: GLib.sha256)
    for path in paths {
      let result = try await deadline(30, "the loudness of \(path)") {
        for await result in LoudnessMeasurement.results(of: fileURI(path)) { return result }
        return nil
      }
      cache.write(try #require(result), for: try #require(cache.key(ofFileAt: Array(path.utf8))))
    }
  }
}
