import Dispatch
import Glibc
import GstPlayer
import Synchronization
import TestSupport
import Testing

/// Fades, heard: the samples of a sine, whose peaks are its level.
@Suite("Fade", .enabled(if: Media.isAvailable, "\(Media.unavailable)"))
struct FadeTests {
  private static let fade = Duration.milliseconds(300)
  /// Ten milliseconds of sound.
  private static let window = 441

  /// Plays a sine with a fade, and gives what was heard.
  private func recording(
    rate: Double = 1, fade: Duration = Self.fade, _ body: (Stage) async throws -> Void
  ) async throws -> [Int16] {
    let uri = fileURI(try await Media.sine(seconds: 5, format: .wav))
    return try await withTemporaryDirectory { directory in
      let tap = try Tap(directory)
      let stage = Stage([uri], configuration: PlayerConfiguration(audioSink: tap.sink(.everything), fade: fade))
      stage.player.setRate(rate)
      do {
        try await body(stage)
      } catch {
        await stage.end()
        throw error
      }
      await stage.end()
      return try tap.heard()
    }
  }

  /// The loudest sample of each window, a full sine being 1.
  private func levels(_ samples: ArraySlice<Int16>) -> [Double] {
    stride(from: samples.startIndex, to: samples.endIndex - Self.window, by: Self.window).map { start in
      Double(samples[start..<start + Self.window].reduce(0) { max($0, abs(Int($1))) }) / 16_384
    }
  }

  /// The place at which a fall or a rise ends, counted in windows from the place where it begins; nil where the level
  /// goes another way meanwhile.
  private func length(of levels: ArraySlice<Double>, down isDown: Bool) -> Int? {
    let way = levels.prefix { isDown ? $0 > 0.07 : $0 < 0.97 }
    let steps = zip(way, way.dropFirst())
    // Within a window the wave's own peaks lie a little differently.
    guard steps.allSatisfy({ isDown ? $1 < $0 + 0.01 : $1 > $0 - 0.01 }) else { return nil }
    return way.count
  }

  @Test(
    "A pause falls to silence and a play rises again, and not a sample of the music is left out", arguments: [1, 1.5])
  func pauseAndPlay(rate: Double) async throws {
    let sound = try await recording(rate: rate) { stage in
      try await stage.playing(pausedAt: .seconds(1))
      // Paused is told at once, held when the sound is down; a pause at the position where it stands is none.
      try await stage.reaches("silence") { $0.anchor.rate == 0 }
      let held = stage.player.snapshot.position
      #expect(held >= .seconds(1) + Self.fade * rate)
      #expect(stage.player.snapshot.volume == 1 && !stage.player.snapshot.isMuted)
      try await stage.playOut()
    }
    let levels = levels(sound[...])
    let fall = try #require(levels.firstIndex { $0 < 0.97 })
    let falling = try #require(length(of: levels[fall...], down: true))
    #expect((25...35).contains(falling))
    let rise = try #require(levels[(fall + falling)...].firstIndex { $0 > 0.07 })
    #expect(levels[(fall + falling)..<rise].min().map { $0 < 0.05 } == true)
    let rising = try #require(length(of: levels[rise...], down: false))
    #expect((25...35).contains(rising))
    // What follows is as it was until the end, where the last window may lie beyond it.
    let rest = levels[(rise + rising)...].dropLast(3)
    #expect(
      rest.allSatisfy { $0 > 0.97 } && rest.count > 100,
      "\(levels.count) fall \(fall) \(falling) rise \(rise) \(rising)")
    // Silence is no music: all of it is five seconds long.
    let silence = sound.reduce(into: (run: 0, longest: 0)) {
      $0.run = $1 == 0 ? $0.run + 1 : 0
      $0.longest = max($0.longest, $0.run)
    }.longest
    let duration = Double(sound.count - silence) / 44_100 * rate
    #expect(abs(duration - 5) < 0.1)
  }

  @Test("A play meanwhile turns the sound around, and nothing is heard twice or left out")
  func turn() async throws {
    let sound = try await recording(fade: .seconds(2)) { stage in
      let player = stage.player
      let observation = try player.addBoundaryTimeObserver(forTimes: [.seconds(1), .milliseconds(1600)]) {
        if $0.boundary == .seconds(1) { player.pause() } else { player.play() }
      }
      try await stage.playOut()
      observation.cancel()
      #expect(!stage.story.contains { if case .timeJumped = $0 { true } else { false } })
    }
    let levels = levels(sound[...])
    let fall = try #require(levels.firstIndex { $0 < 0.97 })
    let lowest = try #require(levels[fall...].dropLast(3).enumerated().min { $0.element < $1.element })
    #expect(lowest.element > 0.07 && lowest.element < 0.97)
    let turn = fall + lowest.offset
    #expect(length(of: levels[turn...], down: false) != nil)
    let original = try samples(ofWAV: try await Media.sine(seconds: 5, format: .wav))
    #expect(sound.count == original.count)
    // Before the fall, and after the rise, each sample is the file's.
    let (before, after) = ((fall - 10) * Self.window, (turn + 205) * Self.window)
    #expect(difference(sound.prefix(before), original.prefix(before)) == nil)
    #expect(difference(sound.dropFirst(after), original.dropFirst(after)) == nil)
  }

  @Test("A stop falls to silence before the output is let go")
  func stop() async throws {
    let uri = fileURI(try await Media.sine(seconds: 5, format: .wav))
    let pipe = try SoundPipe()
    let stage = Stage([uri], configuration: PlayerConfiguration(audioSink: pipe.sink, fade: Self.fade))
    let player = stage.player
    let observation = try player.addBoundaryTimeObserver(forTimes: [.seconds(1)]) { _ in player.stop() }
    player.play()
    try await stage.reaches("stopped") { $0.transport == .stopped && $0.itemStatus == .readyToPlay }
    #expect(player.snapshot.position == .zero)
    observation.cancel()
    try await pipe.silences.first("silence", within: 20) { $0 > Self.window / 2 }
    await stage.end()
    let levels = levels(pipe.heard[...])
    let fall = try #require(levels.firstIndex { $0 < 0.97 })
    #expect(fall >= 95)
    let falling = try #require(length(of: levels[fall...], down: true))
    #expect((25...35).contains(falling))
  }

  @Test("A pause just before the end holds there, and a play goes on to the end")
  func nearEnd() async throws {
    let uri = fileURI(try await Media.sine(seconds: 3, format: .wav))
    let stage = Stage([uri], configuration: PlayerConfiguration(audioSink: "fakesink sync=true", fade: .seconds(4)))
    try await stage.playing(pausedAt: .milliseconds(1500))
    let held = try await stage.reaches("the end") { $0.anchor.rate == 0 }
    #expect(held.transport == .paused && held.position <= .seconds(3))
    #expect(stage.story.isEmpty)
    try await stage.playOut()
    #expect(stage.story == [.itemDidPlayToEnd(stage.items[0]), .queueEnded])
    await stage.end()
  }

  @Test("Where nothing fades, each sample of a paused file is its own")
  func off() async throws {
    let sound = try await recording(fade: .zero) { stage in
      try await stage.playing(pausedAt: .seconds(1))
      try await stage.playOut()
    }
    let original = try samples(ofWAV: try await Media.sine(seconds: 5, format: .wav))
    #expect(difference(sound, original) == nil)
  }
}

/// An output whose left channel can be followed while it is heard.
private final class SoundPipe: Sendable {
  /// How many samples have been silent at the end of what has come, each time that something comes.
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

  var heard: [Int16] { samples.withLock { $0 } }

  private func take(_ bytes: ArraySlice<UInt8>) {
    let silence = samples.withLock { samples in
      // A pipe keeps writes of up to a page whole, and all are of even length: no sample is ever cut.
      for place in stride(from: 0, to: bytes.count - 1, by: 2) {
        samples.append(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
      }
      return samples.reversed().prefix { $0 == 0 }.count
    }
    silences.append(silence)
  }
}
