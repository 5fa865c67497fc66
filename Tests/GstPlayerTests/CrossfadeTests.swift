import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of crossfades between two streams at a sound server, each on its own channel.
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
    "A sine that fades does not have a step above its own slope",
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
  private static func fastEngine(_ configuration: Player.Configuration = configuration) -> ScriptedEngine {
    ScriptedEngine(configuration, isFast: true)
  }

  @Test("The second stream begins before the first one ends, and the first one then reports its end alone")
  func events() async throws {
    let (first, second) = try await (
      Media.sine(seconds: 2, tags: Tags(title: "One")), Media.sine(seconds: 1, format: .mp3)
    )
    let engine = Self.fastEngine()
    try await engine.play(fileURI(first), then: fileURI(second), at: .milliseconds(1600), Self.shape)
    try await engine.event(.audible, of: .second)
    let place = engine.events.count
    var settings = EngineSettings(Self.configuration)
    settings.volume = 0.5
    engine.perform(.settings(settings))
    try await engine.event(.ended, of: .first)
    try await engine.event(.ended, of: .second)
    // On a busy machine, the first stream may have ended before. Its last samples may be written afterwards.
    let reported = engine.events.elements.dropFirst(place).filter { event in
      if case .stream(.first, .ranOut) = event { return false }
      return event.stream == .first && event.kind != .ended
    }
    #expect(reported.isEmpty)
    #expect(engine.events.elements.count { $0.stream == .first && $0.kind == .ended } == 1)
    let outputs = engine.events.elements.count { if case .output(.opened) = $0 { true } else { false } }
    #expect(outputs == 1)
    await engine.close()
  }

  @Test(
    "With the sample rate of each stream, one of another format is not converted, and follows the last sample",
    arguments: [(PCM(), true), (PCM(rate: 48_000), false), (PCM(bits: 24), false)])
  func matchedRate(format: PCM, overlaps: Bool) async throws {
    var configuration = Self.configuration
    configuration.matchesSampleRate = true
    let engine = Self.fastEngine(configuration)
    let (first, second) = try await (OneChannel.sine(2, isLeft: true), OneChannel.sine(1, isLeft: false, format))
    try await engine.crossfade(first, second, at: .milliseconds(1_600), Self.shape)
    let events = engine.events.elements
    let begun = try #require(events.firstIndex { $0.stream == .second && $0.kind == .audible })
    let ended = try #require(events.firstIndex { $0.stream == .first && $0.kind == .ended })
    #expect((begun < ended) == overlaps)
    guard case .stream(_, .ended(let time)) = events[ended] else { return }
    #expect(time == .seconds(2))
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
    try await engine.event(.audible, of: .second)
    engine.perform(.setPlaying(false), .setPlaying(true))
    try await engine.event(.ended, of: .first)
    try await engine.event(.ended, of: .second)
    await engine.close()
  }

  @Test("A second stream that fails does not affect the first one, which plays to its end after the release")
  func failure() async throws {
    let engine = Self.fastEngine()
    engine.open(fileURI(try await Media.sine(seconds: 1)), .first)
    engine.open(fileURI(Media.missing), .second)
    try await engine.event(.failed, of: .second)
    engine.perform(
      .plan([PlannedPart(.first, end: .seconds(1)), PlannedPart(.second, join: .overlap(Self.shape))]),
      .setPlaying(true), .close(.second), .plan([PlannedPart(.first)]))
    try await engine.event(.ended, of: .first)
    #expect(Set(engine.reports(of: .first, from: 0)) == [.settled, .read, .audible, .ended])
    await engine.close()
  }

  @Test("A closed stream is not reported as ended, whether it is to come or fades out", arguments: [true, false])
  func close(isToCome: Bool) async throws {
    let engine = Self.fastEngine()
    // A stream that fades out would end much later than the test; the shorter stream limits the overlap.
    let first = isToCome ? try await Media.sine(seconds: 1.5) : try await Media.sine(seconds: 240)
    let second = isToCome ? try await Media.sine(seconds: 1) : first
    let shape = CrossfadeShape(length: isToCome ? .milliseconds(400) : .seconds(200), curve: .equalPower)
    try await engine.play(
      fileURI(first), then: fileURI(second), at: .milliseconds(1100), shape)
    if isToCome {
      engine.perform(.close(.second), .plan([PlannedPart(.first)]))
      try await engine.event(.ended, of: .first)
      #expect(!engine.reports(of: .second, from: 0).contains { $0 == .audible || $0 == .ended })
    } else {
      try await engine.event(.audible, of: .second)
      engine.perform(
        .close(.first), .plan([PlannedPart(.second, join: .overlap(shape))]), .samplePosition(of: .second))
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
      engine.play(fileURI(try await Media.sine(seconds: 2)), .first)
      try await engine.passed(.milliseconds(50), of: .first)
      // Another output could not open a folder.
      try #require(unsafe unlink(path) == 0 && mkdir(path, 0o700) == 0)
      engine.open(fileURI(try await Media.sine(seconds: 1)), .second)
      engine.perform(
        .plan([PlannedPart(.first, end: .milliseconds(1900)), PlannedPart(.second, join: .overlap(Self.shape))]))
      try await engine.event(.audible, of: .second)
      try await engine.event(.ended, of: .first)
      try await engine.event(.ended, of: .second)
      await engine.close()
      #expect(!engine.events.elements.contains { $0.kind == .failed || isFailure($0) })
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
      engine.play(good, .first)
      engine.open(leased.uri, .second)
      try await engine.event(.settled, of: .first)
      engine.perform(.close(.second))
      try await engine.event(.ended, of: .first)
      await engine.close()
      #expect(!engine.events.elements.contains { if case .replaced = $0 { true } else { false } })
      withExtendedLifetime(leased) {}
    }
  }

  private func isFailure(_ event: EngineEvent) -> Bool { if case .output(.failed) = event { true } else { false } }

  @Test("A skip begins the next stream while the first one fades out, whose end alone is reported")
  func skip() async throws {
    let files = try await Media.continuousSine(parts: 2, samplesPerPart: 220_000)
    let engine = Self.fastEngine()
    engine.play(fileURI(files[0]), .first)
    try await engine.passed(.milliseconds(200), of: .first)
    let place = engine.events.count
    try await engine.skip(.first, to: fileURI(files[1]), .second, Self.shape)
    try await engine.event(.ended, of: .second)
    // In fast time, a busy machine may play it to its end before the skip.
    #expect(engine.reports(of: .first, from: place).allSatisfy { [.read, .ended].contains($0) })
    #expect(engine.reports(of: .first, from: 0).filter { $0 == .ended }.count == 1)
    #expect(engine.reports(of: .second, from: place).filter { $0 == .audible }.count == 1)
    await engine.close()
  }

  /// The resources in use, without free memory of the heap.
  private static var usage: ResourceUsage {
    AllocatedMemory.trim()
    return ResourceUsage.inUse
  }

  @Test("20 crossfades leave no descriptor, thread, memory or deck behind")
  func resources() async throws {
    let files = try await Media.continuousSine(parts: 2, samplesPerPart: 17_640).map(fileURI)
    await #expect(processExitsWith: .success) { [first = files[0] as String, second = files[1] as String] in
      let engine = CrossfadeEventTests.fastEngine()
      engine.play(first, .first)
      var early = ResourceUsage.inUse
      for number in UInt64(2)..<22 {
        let (present, next) = (StreamToken(number: number - 1), StreamToken(number: number))
        engine.open(number.isMultiple(of: 2) ? second : first, next)
        let shape = CrossfadeShape(length: .milliseconds(100), curve: .linear)
        engine.perform(
          .plan([PlannedPart(present, end: .milliseconds(400)), PlannedPart(next, join: .overlap(shape))]))
        try await engine.event(.audible, of: next)
        try await engine.event(.ended, of: present)
        engine.perform(.close(present), .plan([PlannedPart(next, join: .overlap(shape))]))
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
