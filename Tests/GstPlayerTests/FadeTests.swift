import Dispatch
import Glibc
import GstPlayer
import Synchronization
import TestSupport
import Testing

/// Tests of fades by the rendered samples of a sine, whose peaks are its level.
@Suite("Fade", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct FadeTests {
  private static let fade = Duration.milliseconds(300)
  /// The number of samples in 10 ms.
  private static let window = 441

  /// Plays a sine with a fade, and returns the rendered samples.
  private func recording(
    rate: Double = 1, fade: Duration = Self.fade, inFastTime: Bool = true, _ body: (PlayerHarness) async throws -> Void
  ) async throws -> [Int16] {
    let uri = fileURI(try await Media.sine(seconds: 5, format: .wav))
    return try await withTemporaryDirectory { directory in
      let tap = try Tap(directory)
      let harness = PlayerHarness(
        [uri], configuration: Player.Configuration(audioSink: tap.sink(.everything), fade: fade), inFastTime: inFastTime
      )
      harness.player.rate = rate
      do {
        try await body(harness)
      } catch {
        await harness.end()
        throw error
      }
      await harness.end()
      return try tap.recorded()
    }
  }

  /// Returns the peak level of each window; the level of the unfaded sine is 1.
  private func levels(_ samples: ArraySlice<Int16>) -> [Double] {
    stride(from: samples.startIndex, to: samples.endIndex - Self.window, by: Self.window).map { start in
      Double(samples[start..<start + Self.window].reduce(0) { max($0, abs(Int($1))) }) / 16_384
    }
  }

  /// Returns the length of a fade in windows; nil if the level changes in the other direction in between.
  private func length(of levels: ArraySlice<Double>, down isDown: Bool) -> Int? {
    let way = levels.prefix { isDown ? $0 > 0.07 : $0 < 0.97 }
    let steps = zip(way, way.dropFirst())
    // Within a window the peaks of the sine vary slightly.
    guard steps.allSatisfy({ isDown ? $1 < $0 + 0.01 : $1 > $0 - 0.01 }) else { return nil }
    return way.count
  }

  @Test(
    "A pause fades out and a play fades in, without losing a sample", arguments: [1, 1.5])
  func pauseAndPlay(rate: Double) async throws {
    // The pipeline has a second for the report of the fade-out, a quarter of a real second in fast time.
    let sound = try await recording(rate: rate, inFastTime: false) { harness in
      try await harness.playing(pausedAt: .seconds(1))
      // The state is paused at once. The position is held after the fade-out, and thus beyond the pause's position.
      try await harness.reaches("silence") { $0.anchor.rate == 0 }
      let held = harness.player.snapshot.position
      #expect(held >= .seconds(1) + Self.fade * rate)
      #expect(harness.player.snapshot.volume == 1 && !harness.player.snapshot.isMuted)
      try await harness.playToEnd()
    }
    let levels = levels(sound[...])
    let fall = try #require(levels.firstIndex { $0 < 0.97 })
    let falling = try #require(length(of: levels[fall...], down: true))
    #expect((25...35).contains(falling))
    let rise = try #require(levels[(fall + falling)...].firstIndex { $0 > 0.07 })
    #expect(levels[(fall + falling)..<rise].min().map { $0 < 0.05 } == true)
    let rising = try #require(length(of: levels[rise...], down: false))
    #expect((25...35).contains(rising))
    // The level stays constant until the end. The last windows may exceed the end of the audio.
    let rest = levels[(rise + rising)...].dropLast(3)
    #expect(
      rest.allSatisfy { $0 > 0.97 } && rest.count > 100,
      "\(levels.count) fall \(fall) \(falling) rise \(rise) \(rising)")
    // Without the silence, the rendered audio lasts five seconds.
    let silence = sound.reduce(into: (run: 0, longest: 0)) {
      $0.run = $1 == 0 ? $0.run + 1 : 0
      $0.longest = max($0.longest, $0.run)
    }.longest
    let duration = Double(sound.count - silence) / 44_100 * rate
    #expect(abs(duration - 5) < 0.1, "\(duration) s, and \(silence) silent samples")
  }

  @Test("A play during a fade-out reverses the fade, and no sample is repeated or lost")
  func turn() async throws {
    let sound = try await recording(fade: .seconds(2)) { harness in
      let player = harness.player
      let observation = try player.addBoundaryTimeObserver(forTimes: [.seconds(1), .milliseconds(1600)]) {
        if $0.boundary == .seconds(1) { player.pause() } else { player.play() }
      }
      try await harness.playToEnd()
      observation.cancel()
      #expect(!harness.significantEvents.contains { if case .timeJumped = $0 { true } else { false } })
    }
    let levels = levels(sound[...])
    let fall = try #require(levels.firstIndex { $0 < 0.97 })
    let lowest = try #require(levels[fall...].dropLast(3).enumerated().min { $0.element < $1.element })
    #expect(lowest.element > 0.07 && lowest.element < 0.97)
    let turn = fall + lowest.offset
    #expect(length(of: levels[turn...], down: false) != nil)
    let original = try samples(ofWAV: try await Media.sine(seconds: 5, format: .wav))
    #expect(sound.count == original.count)
    // Before the fade-out and after the fade-in, each sample equals the file's.
    let (before, after) = ((fall - 10) * Self.window, (turn + 205) * Self.window)
    expectSamples(sound.prefix(before), original.prefix(before))
    expectSamples(sound.dropFirst(after), original.dropFirst(after))
  }

  @Test("A stop fades out before the output is released")
  func stop() async throws {
    let uri = fileURI(try await Media.sine(seconds: 5, format: .wav))
    let pipe = try SoundPipe()
    let harness = PlayerHarness([uri], configuration: Player.Configuration(audioSink: pipe.sink, fade: Self.fade))
    let player = harness.player
    let observation = try player.addBoundaryTimeObserver(forTimes: [.seconds(1)]) { _ in player.stop() }
    player.play()
    try await harness.reaches("stopped") { $0.transport == .stopped && $0.itemStatus == .readyToPlay }
    #expect(player.snapshot.position == .zero)
    observation.cancel()
    try await pipe.silences.first("silence", within: 20) { $0 > Self.window / 2 }
    await harness.end()
    let levels = levels(pipe.recorded[...])
    let fall = try #require(levels.firstIndex { $0 < 0.97 })
    let falling = try #require(length(of: levels[fall...], down: true))
    #expect((25...35).contains(falling))
  }

  @Test("A pause just before the end holds there, and a play continues to the end")
  func nearEnd() async throws {
    let uri = fileURI(try await Media.sine(seconds: 3, format: .wav))
    let harness = PlayerHarness(
      [uri], configuration: Player.Configuration(audioSink: "fakesink sync=true", fade: .seconds(4)), inFastTime: true)
    try await harness.playing(pausedAt: .milliseconds(1500))
    let held = try await harness.reaches("the end") { $0.anchor.rate == 0 }
    #expect(held.transport == .paused && held.position <= .seconds(3))
    #expect(harness.significantEvents.isEmpty)
    try await harness.playToEnd()
    #expect(harness.significantEvents == [.itemDidPlayToEnd(harness.items[0]), .queueEnded])
    await harness.end()
  }

  @Test("Without a fade, a pause leaves all samples unchanged")
  func off() async throws {
    let sound = try await recording(fade: .zero) { harness in
      try await harness.playing(pausedAt: .seconds(1))
      try await harness.playToEnd()
    }
    let original = try samples(ofWAV: try await Media.sine(seconds: 5, format: .wav))
    expectSamples(sound, original)
  }
}

/// An output whose left channel can be read during playback.
private final class SoundPipe: Sendable {
  /// The number of silent samples at the end of the data received so far, recorded with each read.
  let silences = EventLog<Int>()
  private let samples = Mutex<[Int16]>([])
  private let writeEnd: Int32

  init() throws {
    var pair: [Int32] = [-1, -1]
    let made = unsafe pipe(&pair)
    try #require(made == 0)
    for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    writeEnd = pair[1]
    let readEnd = pair[0]
    DispatchQueue(label: "sound pipe").async { [weak self] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      while case let count = unsafe read(readEnd, &bytes, bytes.count), count > 0 { self?.take(bytes.prefix(count)) }
      close(readEnd)
    }
  }

  deinit { close(writeEnd) }

  var sink: String {
    "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=1,layout=interleaved ! "
      + "fdsink fd=\(writeEnd) sync=true"
  }

  var recorded: [Int16] { samples.withLock { $0 } }

  private func take(_ bytes: ArraySlice<UInt8>) {
    let silence = samples.withLock { samples in
      // A pipe keeps writes of up to a page whole, and all are of even length. Therefore no sample is split.
      for place in stride(from: 0, to: bytes.count - 1, by: 2) {
        samples.append(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
      }
      return samples.reversed().prefix { $0 == 0 }.count
    }
    silences.append(silence)
  }
}
