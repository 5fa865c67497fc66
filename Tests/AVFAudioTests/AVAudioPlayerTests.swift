import Glibc
import GstPlayer
import Synchronization
import TestSupport
import Testing

@testable import AVFAudio

/// Tests of an audio player, on an output that plays in real time.
@MainActor
@Suite(.enabled(if: Media.isAvailable, Comment(rawValue: Media.unavailable)))
struct AVAudioPlayerTests {
  /// Runs `body` with players without an output.
  private func silently<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await PlayerDefaults.$configuration.withValue(
      Player.Configuration(audioSink: "fakesink sync=true", loadTimeout: .seconds(60)), operation: body)
  }

  private func url(_ path: String) -> URL { URL(fileURLWithPath: path) }

  /// A delegate that records its calls.
  private final class Delegate: NSObject, AVAudioPlayerDelegate, Sendable {
    let log = EventLog<String>()

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
      log.append("finished \(flag) on the main queue: \(MainQueue.isCurrent)")
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
      log.append("error \((error as NSError?)?.domain ?? "nil")")
    }

    func finish() async throws {
      try await log.first("the end", within: 30) { $0 == "finished true on the main queue: true" }
    }
  }

  @Test("Duration, channels and format are known when a player is created, and its end is reported once")
  func playToEnd() async throws {
    try await silently {
      let delegate = Delegate()
      let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 0.5)))
      player.delegate = delegate
      #expect(player.duration == 0.5 && player.numberOfChannels == 2 && player.data == nil && player.url != nil)
      #expect(player.format == AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
      #expect(player.settings[AVFormatIDKey] as? AudioFormatID == kAudioFormatFLAC)
      #expect(player.settings[AVSampleRateKey] as? Double == 44_100)
      #expect(player.settings[AVNumberOfChannelsKey] as? Int == 2)
      #expect(!player.isPlaying && player.currentTime == 0)
      #expect(player.play() && player.isPlaying)
      try await delegate.finish()
      #expect(!player.isPlaying && player.currentTime == 0)
      // It plays again.
      player.play()
      try await delegate.log.first("the second end", from: 1, within: 30) { $0.hasPrefix("finished") }
      #expect(delegate.log.count == 2)
    }
  }

  @Test("Bytes in memory play like a file, in each format", arguments: Media.Format.allCases)
  func data(format: Media.Format) async throws {
    try await silently {
      let path = try await Media.sine(seconds: 0.5, format: format)
      let bytes = try Data(contentsOf: url(path))
      let delegate = Delegate()
      let player = try AVAudioPlayer(data: bytes)
      player.delegate = delegate
      #expect(player.data == bytes && player.url == nil && abs(player.duration - 0.5) < 0.1)
      player.play()
      try await delegate.finish()
    }
  }

  @Test("A file that cannot be played throws an error of Core Audio with a description")
  func errors() async throws {
    let text = try await Media.textFile()
    let cases: [(String, OSStatus)] = [
      (Media.missing, kAudioFileFileNotFoundError), (text, kAudioFileUnsupportedFileTypeError),
      (try await Media.emptyFile(), kAudioFileInvalidFileError),
    ]
    for (path, status) in cases {
      let error = #expect(throws: NSError.self) { try AVAudioPlayer(contentsOf: url(path)) }
      #expect(error?.domain == NSOSStatusErrorDomain && error?.code == Int(status), "\(path)")
      #expect(error?.localizedDescription.isEmpty == false)
    }
    #expect(throws: NSError.self) { try AVAudioPlayer(data: Data()) }
    #expect(throws: NSError.self) { try AVAudioPlayer(data: Data("text".utf8)) }
  }

  @Test("A player plays once more than its number of loops, also if there are more than the queue holds")
  func loops() async throws {
    try await silently {
      for loops in [0, 3, 70] {
        let delegate = Delegate()
        let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 0.02)))
        player.delegate = delegate
        player.numberOfLoops = loops
        let plays = EventLog<Player.Item.ID>()
        let observation = player.player.addEventObserver { event, _ in
          if case .itemDidPlayToEnd(let item) = event { plays.append(item.id) }
        }
        player.play()
        try await delegate.finish()
        #expect(plays.count == loops + 1)
        observation.cancel()
      }
    }
  }

  @Test("A player with endless loops ends after the present play when its loops are set to 0")
  func endlessLoops() async throws {
    try await silently {
      let delegate = Delegate()
      let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 0.1)))
      player.delegate = delegate
      player.numberOfLoops = -1
      let repetitions = EventLog<Int>()
      let observation = player.player.addEventObserver { event, _ in
        if case .itemRepeated(_, let count) = event { repetitions.append(count) }
      }
      player.play()
      try await repetitions.first("the third repetition", within: 30) { $0 == 3 }
      #expect(player.isPlaying && delegate.log.count == 0)
      player.numberOfLoops = 0
      try await delegate.finish()
      observation.cancel()
    }
  }

  @Test("The current time can be set before playback, and a pause and a stop keep it")
  func time() async throws {
    try await silently {
      let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 20)))
      player.currentTime = 12
      #expect(player.currentTime == 12 && !player.isPlaying)
      player.play()
      let ticks = EventLog<Double>()
      let observation = try player.player.addPeriodicTimeObserver(forInterval: .milliseconds(100)) { time in
        ticks.append(time / .seconds(1))
      }
      try await ticks.first("the time advances", within: 30) { $0 > 12.2 }
      player.pause()
      let time = player.currentTime
      #expect(time > 12.2 && !player.isPlaying && player.currentTime == time)
      player.stop()
      #expect(player.currentTime == time)
      player.currentTime = 99
      #expect(player.currentTime == 20)
      player.currentTime = .nan
      #expect(player.currentTime == 20)
      observation.cancel()
    }
  }

  @Test("A player plays at a time of its clock, and not before")
  func start() async throws {
    try await silently {
      let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 20)))
      let time = player.deviceCurrentTime + 0.3
      let starts = EventLog<Double>()
      let observation = player.player.addEventObserver { [weak player] _, snapshot in
        if snapshot.timeControlStatus == .playing { starts.append(player?.deviceCurrentTime ?? 0) }
      }
      #expect(player.play(atTime: time) && player.isPlaying)
      let start = try await starts.first("the player plays", within: 30) { _ in true }.element
      #expect(start >= time)
      player.stop()
      // A stop cancels a start in the future.
      player.play(atTime: player.deviceCurrentTime + 3600)
      #expect(player.isPlaying && player.player.snapshot.timeControlStatus != .playing)
      player.stop()
      #expect(!player.isPlaying)
      // A time that has passed.
      player.play(atTime: 0)
      #expect(player.isPlaying)
      observation.cancel()
    }
  }

  @Test(
    "A player plays on the device with an identifier, and again on the default one",
    .enabled(if: PulseServer.isAvailable && Tool.areAvailable("pactl"), "\(PulseServer.unavailable)"))
  func device() async throws {
    let path = try await Media.sine(seconds: 20)
    try await withPulseServer { server in
      await #expect(processExitsWith: .success) {
        [environment = server.environment as [String: String], path = path as String] in
        for (name, value) in environment { unsafe setenv(name, value, 1) }
        _ = try await run(
          ["pactl", "load-module", "module-null-sink", "sink_name=second"], environment: environment)
        let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: path))
        #expect(player.currentDevice == nil && player.channelAssignments == nil)
        let devices = EventLog<String?>()
        let observation = player.player.addEventObserver { [weak player] _, _ in
          devices.append(player?.player.audioOutput?.id)
        }
        player.play()
        player.currentDevice = "second"
        #expect(player.currentDevice == "second")
        let chosen = try await devices.first("the device", within: 30) { $0 == "second" }
        // An unknown device changes nothing.
        player.currentDevice = "none"
        player.currentDevice = nil
        try await devices.first("the default device", from: chosen.index, within: 30) { $0 == nil }
        #expect(player.currentDevice == nil)
        player.stop()
        observation.cancel()
      }
    }
  }

  @Test("The rate has an effect if it is enabled, and is limited to 0.5…2")
  func rate() async throws {
    try await silently {
      let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 1)))
      player.rate = 9
      #expect(player.rate == 2 && player.player.rate == 1)
      player.enableRate = true
      #expect(player.player.rate == 2)
      player.rate = 0.1
      #expect(player.rate == 0.5 && player.player.rate == 0.5)
      player.rate = .nan
      #expect(player.rate == 0.5)
      player.enableRate = false
      #expect(player.player.rate == 1)
    }
  }

  /// Plays a sine until the meters satisfy a condition; returns the average power of the left channel.
  @discardableResult
  private func meters(
    _ expectation: String, _ change: (AVAudioPlayer) -> Void,
    until condition: @escaping @Sendable (_ left: Float, _ right: Float) -> Bool
  ) async throws -> Float {
    let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 60)))
    player.isMeteringEnabled = true
    change(player)
    player.play()
    let reached = EventLog<Float>()
    let observation = try player.player.addPeriodicTimeObserver(forInterval: .milliseconds(20)) { [weak player] _ in
      guard let player else { return }
      player.updateMeters()
      if condition(player.peakPower(forChannel: 0), player.peakPower(forChannel: 1)) {
        reached.append(player.averagePower(forChannel: 0))
      }
    }
    let average = try await reached.first(expectation, within: 30) { _ in true }.element
    #expect(player.averagePower(forChannel: 7) == -160 && player.peakPower(forChannel: -1) == -160)
    observation.cancel()
    return average
  }

  @Test("The meters show the level of the audio, after the volume and the balance")
  func levels() async throws {
    try await silently {
      // The sine has half the full amplitude.
      let average = try await meters("−6 dB in both channels") { _ in
      } until: {
        abs($0 + 6.02) < 0.1 && abs($1 + 6.02) < 0.1
      }
      // The mean square of a sine is half the square of its peak.
      #expect(abs(average + 9.03) < 0.3)
      try await meters("half the volume") {
        $0.volume = 0.5
      } until: { left, _ in
        abs(left + 12.04) < 0.1
      }
      try await meters("the left channel alone") {
        $0.pan = -1
      } until: {
        abs($0 + 6.02) < 0.1 && $1 == -160
      }
      try await meters("the right channel alone") {
        $0.pan = 1
      } until: {
        $0 == -160 && abs($1 + 6.02) < 0.1
      }
    }
  }

  @Test("A fade passes through the levels between its ends")
  func fade() async throws {
    try await silently {
      try await meters("a level between") { player in
        player.volume = 0
        player.setVolume(1, fadeDuration: 1)
        #expect(player.volume == 1)
      } until: { left, _ in
        left < -8 && left > -40
      }
      try await meters("the end of a fade") {
        $0.setVolume(0, fadeDuration: 0.2)
      } until: { left, _ in
        left == -160
      }
    }
  }

  @Test("A player without metering, or that does not play, has no level")
  func withoutMetering() async throws {
    try await silently {
      let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 20)))
      player.updateMeters()
      #expect(player.averagePower(forChannel: 0) == -160 && player.peakPower(forChannel: 0) == -160)
      player.volume = 3
      #expect(player.volume == 1)
      player.volume = .nan
      #expect(player.volume == 1)
      player.pan = -7
      #expect(player.pan == -1)
    }
  }

  @Test("A player that plays counts as activity of the program, and an interruption pauses it")
  func interruption() async throws {
    let activity = PlaybackActivity()
    try await silently {
      try await PlayerDefaults.$activity.withValue(activity) {
        let player = try AVAudioPlayer(contentsOf: url(try await Media.sine(seconds: 20)))
        player.play()
        #expect(activity.isPlaying && activity.interrupt() && !player.isPlaying)
        #expect(!activity.isPlaying && !activity.interrupt())
      }
    }
  }
}
