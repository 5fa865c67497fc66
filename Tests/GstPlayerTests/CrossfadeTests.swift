import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of crossfades between two streams at a sound server, each on a channel of its own.
@Suite(
  "Crossfades at a sound server",
  .enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "\(PulseServer.unavailable)"))
struct CrossfadeTests {
  @Test("Two streams of different rates overlap by the length of the crossfade, with constant power")
  func power() async throws {
    let (first, second) = try await (
      OneChannel.noise(2.5, isLeft: true, rate: 48_000), OneChannel.noise(2, isLeft: false)
    )
    let sound = try await RecordedCrossfade.record(.whole, first, second)
    #expect(abs(sound.overlapLength - 1000) < 5, "\(sound.overlapLength) ms")
    let begin = try #require(sound.overlap).begin
    // Windows of 100 ms: those before the overlap, and of the overlap.
    let powers = sound.powers(4_410, from: begin % 4_410)
    let place = begin / 4_410
    let single = powers[2..<place].reduce(0, +) / Double(place - 2)
    for window in place..<place + 10 {
      let decibels = 10 * log10(powers[window] / single)
      #expect(abs(decibels) < 0.5, "\(decibels) dB at \((window - place) * 100) ms")
    }
  }

  @Test("A second stream of a high data rate plays without a hole")
  func dataRate() async throws {
    let sound = try await RecordedCrossfade.record(
      .long, OneChannel.sine(5, isLeft: true), OneChannel.sine(5, isLeft: false, PCM(rate: 192_000, bits: 32)))
    let levels = RecordedCrossfade.levels(sound.second, 441)
    let (begin, end) = (levels.firstIndex { $0 > 100 }, levels.lastIndex { $0 > 100 })
    let (first, last) = (try #require(begin), try #require(end))
    #expect(last - first > 480)
    #expect(levels[first...last].allSatisfy { $0 > 100 })
  }

  @Test("A stream that is loaded in an overlap begins at its full level")
  func replacement() async throws {
    let sound = try await RecordedCrossfade.record(
      .replaced, OneChannel.noise(2.5, isLeft: true), OneChannel.noise(5, isLeft: false))
    let end = try #require(sound.first.lastIndex { $0 != 0 })
    let levels = RecordedCrossfade.levels(Array(sound.first[(end - sound.rate * 12 / 5)...end]), sound.rate / 10)
    let (least, greatest) = (levels.min() ?? 0, levels.max() ?? 0)
    #expect(least > 0.8 * greatest, "\(levels)")
  }

  @Test("A stream that is released just before its first sample stays silent, and is closed")
  func earlyRelease() async throws {
    let sound = try await RecordedCrossfade.record(
      .releasedEarly, OneChannel.noise(4, isLeft: true), OneChannel.noise(5, isLeft: false))
    #expect(sound.second.allSatisfy { $0 == 0 })
  }

  @Test(
    "A sine that fades has no step above its own slope",
    arguments: [CrossfadeScenario.whole, .paused, .pausedEarly, .released, .skipped])
  func steps(scenario: CrossfadeScenario) async throws {
    let sound = try await RecordedCrossfade.record(
      scenario, OneChannel.sine(3, isLeft: true), OneChannel.sine(2, isLeft: false))
    let slope = 16_384 * 2 * Double.pi * 441 / 44_100
    // The recording begins within a sound, and the files end within one.
    let first = RecordedCrossfade.greatestStep(Array(sound.first.dropFirst().dropLast()))
    let second = RecordedCrossfade.greatestStep(Array(sound.second.dropLast()))
    switch scenario {
    case .whole: #expect(first < slope * 1.02 && second < slope * 1.02)
    // A pause cuts the sound.
    case .paused, .pausedEarly: #expect(abs(sound.overlapLength - 1000) < 50, "\(sound.overlapLength) ms")
    case .released:
      #expect(first < slope * 1.02)
      // The first stream returns to the full level, and the second one ends.
      #expect(RecordedCrossfade.levels(sound.first, 441).suffix(20).dropLast(2).allSatisfy { $0 > 11_000 })
      #expect(sound.second.suffix(4_410).allSatisfy { $0 == 0 })
    case .long, .releasedEarly, .replaced: break
    case .skipped:
      #expect(first < slope * 1.02 && second < slope * 1.02)
      let faded = RecordedCrossfade.levels(sound.first, 441).filter { (200..<11_000).contains($0) }
      #expect(faded.count > 20)
    }
  }
}

/// Tests of the events and resources of crossfades, at an output without a sound server.
@Suite("Crossfades", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct CrossfadeEventTests {
  private static let shape = CrossfadeShape(length: .milliseconds(400), curve: .equalPower)

  private static var configuration: Player.Configuration {
    Player.Configuration(audioSink: "\(FastTime.element) ! fakesink sync=true")
  }

  /// An engine in ``FastTime``.
  private static func fastEngine(
    _ configuration: Player.Configuration = configuration, next: NextStream? = nil
  ) -> ScriptedEngine {
    ScriptedEngine(configuration, next: next, isFast: true)
  }

  @Test("The second stream begins before the first one ends, and the first one then reports its end alone")
  func events() async throws {
    let (first, second) = try await (
      Media.sine(seconds: 2, tags: Tags(title: "One")), Media.sine(seconds: 1, format: .mp3)
    )
    let engine = Self.fastEngine()
    try await engine.play(fileURI(first), then: fileURI(second), at: .milliseconds(1600), Self.shape)
    try await engine.event(.nextStarted, of: .second)
    let place = engine.events.count
    engine.perform(.enter(.second), .setVolume(0.5))
    try await engine.event(.ended, of: .first)
    try await engine.event(.ended, of: .second)
    // On a busy machine, the first stream may have ended before. Its last samples may be written afterwards.
    let reported = engine.events.elements.dropFirst(place).filter { event in
      if case .ranOut(.first, _) = event { return false }
      return event.stream == .first && event.kind != .ended
    }
    #expect(reported.isEmpty)
    #expect(engine.events.elements.count { $0.stream == .first && $0.kind == .ended } == 1)
    let outputs = engine.events.elements.count { if case .outputOpened = $0 { true } else { false } }
    #expect(outputs == 1)
    await engine.close()
  }

  @Test("A pause holds the start of the second stream and the end of the first one")
  func pause() async throws {
    let files = try await Media.continuousSine(parts: 2, samplesPerPart: 70_000)
    let engine = Self.fastEngine()
    try await engine.play(fileURI(files[0]), then: fileURI(files[1]), at: .milliseconds(1180), Self.shape)
    try await engine.passed(.milliseconds(200), of: .first)
    engine.perform(.setPlaying(false))
    engine.perform(.setPlaying(true))
    try await engine.event(.nextStarted, of: .second)
    engine.perform(.enter(.second), .setPlaying(false), .setPlaying(true))
    try await engine.event(.ended, of: .first)
    try await engine.event(.ended, of: .second)
    await engine.close()
  }

  @Test("A second stream that fails does not affect the first one, which plays to its end after the release")
  func failure() async throws {
    let engine = Self.fastEngine()
    engine.perform(
      .load(uri: fileURI(try await Media.sine(seconds: 1)), .first), .prepare(uri: fileURI(Media.missing), .second))
    try await engine.event(.failed, of: .second)
    engine.perform(.crossfade(to: .second, at: .milliseconds(600), Self.shape), .setPlaying(true), .release(.second))
    try await engine.event(.ended, of: .first)
    #expect(engine.reports(of: .first, from: 0) == [.settled, .ended])
    await engine.close()
  }

  @Test("A released stream is not reported as ended, whether it is prepared or fades out", arguments: [true, false])
  func release(isPrepared: Bool) async throws {
    let engine = Self.fastEngine()
    // A stream that fades out would end much later than the test; the shorter stream limits the overlap.
    let first = isPrepared ? try await Media.sine(seconds: 1.5) : try await Media.sine(seconds: 240)
    let second = isPrepared ? try await Media.sine(seconds: 1) : first
    let shape = CrossfadeShape(length: isPrepared ? .milliseconds(400) : .seconds(200), curve: .equalPower)
    try await engine.play(
      fileURI(first), then: fileURI(second), at: .milliseconds(1100), shape)
    if isPrepared {
      engine.perform(.release(.second))
      try await engine.event(.ended, of: .first)
      #expect(engine.reports(of: .second, from: 0) == [.settled])
    } else {
      try await engine.event(.nextStarted, of: .second)
      engine.perform(.enter(.second), .release(.first), .samplePosition)
      try await engine.event(.sampled, of: .second)
      #expect(!engine.reports(of: .first, from: 0).contains(.ended))
    }
    await engine.close()
  }

  @Test("A crossfade uses the output that is open, although another one cannot be opened")
  func exclusiveOutput() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("output")
      let engine = ScriptedEngine(Player.Configuration(audioSink: "filesink location=\(path) sync=true"))
      engine.perform(.load(uri: fileURI(try await Media.sine(seconds: 2)), .first), .setPlaying(true))
      try await engine.passed(.milliseconds(50), of: .first)
      // Another output could not open a folder.
      try #require(unsafe unlink(path) == 0 && mkdir(path, 0o700) == 0)
      engine.perform(
        .prepare(uri: fileURI(try await Media.sine(seconds: 1)), .second),
        .crossfade(to: .second, at: .milliseconds(1500), Self.shape))
      try await engine.event(.nextStarted, of: .second)
      engine.perform(.enter(.second))
      try await engine.event(.ended, of: .first)
      try await engine.event(.ended, of: .second)
      await engine.close()
      #expect(!engine.events.elements.contains { $0.kind == .failed })
    }
  }

  @Test("A second stream whose file does not respond is abandoned alone")
  func hang() async throws {
    let good = fileURI(try await Media.sine(seconds: 2))
    try await withTemporaryDirectory { directory in
      let leased = try HangTests.LeasedFile(in: directory)
      var configuration = Self.configuration
      configuration.pipelineTimeout = .milliseconds(500)
      let engine = Self.fastEngine(configuration)
      engine.perform(.load(uri: good, .first), .prepare(uri: leased.uri, .second), .setPlaying(true))
      try await engine.event(.settled, of: .first)
      engine.perform(.release(.second))
      try await engine.event(.ended, of: .first)
      await engine.close()
      #expect(!engine.events.elements.contains { if case .replaced = $0 { true } else { false } })
      withExtendedLifetime(leased) {}
    }
  }

  @Test("A skip begins the next stream while the first one fades out, which reports nothing more")
  func skip() async throws {
    let files = try await Media.continuousSine(parts: 2, samplesPerPart: 70_000)
    let engine = Self.fastEngine()
    engine.perform(.load(uri: fileURI(files[0]), .first), .setPlaying(true))
    try await engine.passed(.milliseconds(200), of: .first)
    let place = engine.events.count
    engine.perform(.leave(.first, Self.shape), .load(uri: fileURI(files[1]), .second), .setPlaying(true))
    try await engine.event(.ended, of: .second)
    #expect(engine.events.elements.dropFirst(place).filter { $0.stream == .first }.isEmpty)
    await engine.close()
  }

  @Test("A release of a skipped stream ends its gapless successor, which may already be at the output")
  func releaseAfterSkip() async throws {
    let files = try await Media.continuousSine(parts: 2, samplesPerPart: 70_000)
    let engine = Self.fastEngine(next: NextStream(uri: fileURI(files[1]), stream: .second))
    engine.perform(.load(uri: fileURI(files[0]), .first), .setPlaying(true))
    try await engine.event(.nextStarted, of: .second)
    // The fade-out would be longer than the test.
    engine.perform(.leave(.first, CrossfadeShape(length: .seconds(60), curve: .equalPower)))
    let third = StreamToken(number: 3)
    engine.perform(.release(.first), .load(uri: fileURI(files[0]), third), .setPlaying(true))
    try await engine.event(.ended, of: third)
    #expect(engine.engine.progress(of: .first) == nil && engine.engine.progress(of: .second) == nil)
    await engine.close()
  }

  /// The resources in use, without free memory of the heap.
  private static var usage: ResourceUsage {
    Heap.trim()
    return ResourceUsage.inUse
  }

  @Test("20 crossfades leave no descriptor, thread, memory or deck behind")
  func resources() async throws {
    let files = try await Media.continuousSine(parts: 2, samplesPerPart: 17_640).map(fileURI)
    await #expect(processExitsWith: .success) { [first = files[0] as String, second = files[1] as String] in
      let engine = CrossfadeEventTests.fastEngine()
      engine.perform(.load(uri: first, StreamToken(number: 1)), .setPlaying(true))
      var early = ResourceUsage.inUse
      for number in UInt64(2)..<22 {
        let next = StreamToken(number: number)
        engine.perform(
          .prepare(uri: number.isMultiple(of: 2) ? second : first, next),
          .crossfade(to: next, at: .milliseconds(300), CrossfadeShape(length: .milliseconds(100), curve: .linear)))
        try await engine.event(.nextStarted, of: next)
        engine.perform(.enter(next))
        try await engine.event(.ended, of: StreamToken(number: number - 1))
        if number == 6 { early = CrossfadeEventTests.usage }
      }
      let late = CrossfadeEventTests.usage
      // One deck has more than half a megabyte.
      #expect(late.memory <= early.memory + 4_096, "\(early.memory) kB, then \(late.memory) kB")
      #expect(late.descriptors <= early.descriptors + 8)
      #expect(late.threads <= early.threads + ResourceUsage.idleThreads)
      #expect((1..<20).allSatisfy { engine.engine.progress(of: StreamToken(number: $0)) == nil })
      await engine.close()
    }
  }
}
