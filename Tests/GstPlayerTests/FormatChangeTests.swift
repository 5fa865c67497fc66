import Glibc
import TestSupport
import Testing

@testable import GstPlayer
@testable import Playback

/// Tests of gapless items of different formats, recorded at a sound server.
///
/// The output buffers a second of audio. At 1 s the first item, of 1.9 s, therefore waits for its last sample to be
/// played, before the output opens for the format of the second item.
@Suite(
  "Gapless items of different formats",
  .enabled(if: PulseServer.isAvailable && SoundRecorder.isAvailable, "\(PulseServer.unavailable)"), .serialized)
struct FormatChangeTests {
  private static let count = 83_801
  private static let tolerance = Waveform.sampleRate / 50
  private let stereo = PCM().sine(count: count)
  private let mono = PCM(channels: 1).sine(frequency: 330, count: count / 2)

  private func uris() async throws -> [String] {
    let (stereo, mono) = (
      try await Media.wav(stereo, PCM()), try await Media.wav(mono, PCM(channels: 1))
    )
    return [fileURI(stereo), fileURI(mono)]
  }

  /// A command during the wait for the last sample.
  enum Command: String, Codable, CaseIterable, Sendable {
    case pause, seek, next, remove, stop
  }

  /// Plays items of different formats with a command at 1 s of the first, and returns the recorded samples.
  private func recorded(_ uris: [String], _ command: Command?) async throws -> [Int32] {
    try await withPulseServer { server in
      let environment = server.environment
      return try await withSoundRecorder(of: PulseServer.sink, environment: environment, milliseconds: 5) { recorder in
        // libpulse reads the server address from the environment, which is shared by the whole process.
        await #expect(processExitsWith: .success) {
          [uris = uris as [String], environment = environment as [String: String], command = command as Command?] in
          for (name, value) in environment { unsafe setenv(name, value, 1) }
          let harness = PlayerHarness(uris, configuration: Player.Configuration())
          try await Self.play(harness, command, environment)
          #expect(harness.failures.isEmpty)
          await harness.end()
        }
        return try await recorder.samples(until: Waveform.sampleRate, within: 30)
      }
    }
  }

  private static func play(
    _ harness: PlayerHarness, _ command: Command?, _ environment: [String: String]
  ) async throws {
    let (player, items) = (harness.player, harness.items)
    guard let command else { return try await harness.playToEnd() }
    let observation = try player.addBoundaryTimeObserver(forTimes: [.seconds(1)]) { _ in
      switch command {
      case .pause: player.pause()
      case .seek: player.seek(to: .seconds(0.5))
      case .next: player.advanceToNextItem()
      case .remove: player.remove(items[1].id)
      case .stop: player.stop()
      }
    }
    let place = harness.events.count
    player.play()
    switch command {
    case .pause:
      let held = try await harness.reaches("paused") { $0.transport == .paused }.position
      #expect(held > .milliseconds(900), "held at \(held)")
      #expect(player.snapshot.currentItem == items[0])
      observation.cancel()
      try await withSoundRecorder(of: PulseServer.sink, environment: environment) { try await $0.record(seconds: 0.5) }
      #expect(player.snapshot.position == held)
      player.play()
    case .seek:
      try await harness.reaches("the target") { $0.position < .seconds(0.9) }
      observation.cancel()
    case .next, .remove: break
    case .stop:
      try await harness.reaches("stopped") { $0.transport == .stopped }
      return
    }
    try await harness.event(.queueEnded, from: place)
  }

  /// Expects that the recording has these samples, whatever the silence in between; if it is not whole, at its end.
  ///
  /// Only where the output starts, a few milliseconds may be missing, and where it pauses, they may be missing or repeated,
  /// as in every recording of a null sink.
  private func expect(_ recorded: [Int32], _ expected: [Int32], starts: Int, isWhole: Bool = true) {
    let (recorded, expected) = (recorded.filter { $0 != 0 }, expected.filter { $0 != 0 })
    var (place, rest) = (recorded.endIndex, expected.endIndex)
    var differences = 0
    while place > 0, rest > 0 {
      if recorded[place - 1] == expected[rest - 1] {
        (place, rest) = (place - 1, rest - 1)
        continue
      }
      if !isWhole, rest <= Self.tolerance { break }
      // The nearest index before which both are equal again: samples may be missing and repeated close to each other.
      var skips: [ArraySlice<Int32>: Int] = [:]
      for skip in 0...min(Self.tolerance, rest) {
        let window = expected[..<(rest - skip)].suffix(64)
        skips[window] = skips[window] ?? skip
      }
      let found = (0...min(Self.tolerance, place)).lazy.compactMap { more in
        skips[recorded[..<(place - more)].suffix(64)].map { (more: more, skip: $0) }
      }.first
      guard let found else {
        Issue.record("\(recorded.count) samples differ at \(place) from the expected \(expected.count) at \(rest)")
        return
      }
      (place, rest) = (place - found.more, rest - found.skip)
      differences += 1
    }
    if rest > 0 { differences += 1 }
    #expect(place == 0 || !isWhole, "\(place) of \(recorded.count) samples are not expected")
    #expect(rest <= Self.tolerance && differences <= starts, "\(rest) missing at the start, \(differences) differences")
  }

  @Test("Each item of another format plays from its first to its last sample")
  func complete() async throws {
    let uris = try await uris()
    let recorded = try await recorded(uris + [uris[0]], nil)
    expect(recorded, stereo + mono + stereo, starts: 3)
  }

  @Test("A pause while the last audio before another format plays loses no sample")
  func pause() async throws {
    expect(try await recorded(try await uris(), .pause), stereo + mono, starts: 3)
  }

  @Test("A seek while the last audio before another format plays continues in the first item")
  func seek() async throws {
    let recorded = try await recorded(try await uris(), .seek)
    expect(recorded, stereo.dropFirst(Waveform.sampleRate / 2) + mono, starts: 2, isWhole: false)
  }

  @Test("A skip while the last audio before another format plays begins the next item")
  func next() async throws {
    let recorded = try await recorded(try await uris(), .next)
    expect(recorded, mono, starts: 1, isWhole: false)
    #expect(recorded.count { $0 != 0 } < stereo.count + mono.count - Self.tolerance)
  }

  @Test("If the successor is removed while the last audio before its format plays, its samples are not played")
  func remove() async throws {
    expect(try await recorded(try await uris(), .remove), stereo, starts: 1)
  }

  @Test("A stop while the last audio before another format plays is immediate")
  func stop() async throws {
    let recorded = try await recorded(try await uris(), .stop)
    #expect(recorded.count { $0 != 0 } < stereo.count - Self.tolerance)
  }
}
