import Testing

@testable import Playback

/// The faults of crossfades that simulations have found, on a scripted pipeline.
@Suite("Hazards of crossfades")
struct CrossfadeHazardTests {
  private static let crossfade = Player.Crossfade(length: .seconds(6), skipLength: .seconds(3))

  /// Returns a machine that plays its first item, which is one minute long.
  private func harness(tags: MediaMetadata? = nil) -> MachineHarness {
    var configuration = Player.Configuration(fade: .seconds(1))
    configuration.crossfade = Self.crossfade
    var harness = MachineHarness(configuration: configuration)
    harness.start(duration: 60)
    if let tags { harness.report(.tags(harness.token, tags, about: .stream)) }
    harness.advance(.seconds(3))
    return harness
  }

  private static var album: MediaMetadata {
    var metadata = MediaMetadata()
    metadata.album = "A"
    return metadata
  }

  @Test("The engine receives a configured crossfade before the first load")
  func configured() {
    var configuration = Player.Configuration()
    configuration.crossfade = Self.crossfade
    var machine = PlaybackMachine(configuration: configuration)
    #expect(machine.takeEffects().engineCommands == [.setCrossfading(true)])
    var plain = PlaybackMachine(configuration: Player.Configuration())
    #expect(plain.takeEffects().isEmpty)
  }

  // MARK: Skips

  /// An input after a skip, and whether it silences the skipped item.
  struct Input: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var input: PlaybackInput
    var isStarted = false
    var ends: Bool
  }

  static let inputs = [
    Input(testDescription: "a pause while the next item is opened", input: .pause(fading: true), ends: true),
    Input(testDescription: "a pause without a fade", input: .pause(fading: false), isStarted: true, ends: true),
    Input(testDescription: "a stop", input: .stop, ends: true),
    Input(
      testDescription: "a seek during playback",
      input: .seek(to: .seconds(9), within: .zero, SeekTicket(number: 0)), isStarted: true, ends: true),
    Input(
      testDescription: "a start position", input: .seek(to: .seconds(9), within: .zero, SeekTicket(number: 0)),
      ends: false),
    Input(testDescription: "another volume", input: .setVolume(0.5), ends: false),
  ]

  @Test("What silences the current item silences a skipped item that fades out", arguments: inputs)
  func skipped(input: Input) {
    var harness = harness()
    let first = harness.token
    _ = harness.next()
    if input.isStarted {
      harness.settle(duration: 60)
      harness.run()
    }
    harness.advance(.seconds(1))
    #expect(harness.decide(input.input).engineCommands.contains(.release(first)) == input.ends)
    #expect(harness.violations.isEmpty)
  }

  @Test("After its fade-out, a skipped item is not released again")
  func skippedLongAgo() {
    var harness = harness()
    let first = harness.token
    _ = harness.next()
    harness.settle(duration: 60)
    harness.run()
    harness.advance(.seconds(3))
    #expect(!harness.decide(.pause(fading: false)).engineCommands.contains(.release(first)))
  }

  @Test("A skipped item fades out although the next one fails")
  func failureAfterSkip() {
    var harness = harness()
    let first = harness.token
    _ = harness.next()
    let commands = harness.fail().engineCommands
    #expect(!commands.contains(.release(first)))
    #expect(commands.contains { if case .load = $0 { true } else { false } })
  }

  @Test("An item that fades out before a pause does not fade out longer when it is skipped")
  func skipDuringPause() {
    var harness = harness()
    _ = harness.pause()
    #expect(!harness.next().engineCommands.contains { if case .leave = $0 { true } else { false } })
  }

  @Test("A crossfade that begins while a skipped item fades out ends it: at most two items are audible")
  func crossfadeAfterSkip() throws {
    var configuration = Player.Configuration()
    configuration.crossfade = Player.Crossfade(length: .seconds(1), skipLength: .seconds(5))
    var harness = MachineHarness(configuration: configuration)
    harness.start(duration: 60)
    let skipped = harness.token
    _ = harness.next()
    harness.settle(duration: 4)
    harness.run()
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(2))
    harness.startNext(next, in: 0.1, duration: 60)
    let commands = harness.advance(.milliseconds(200)).engineCommands
    #expect(commands.contains(.enter(next)))
    #expect(commands.contains(.release(skipped)))
  }

  @Test("A wait for data does not hold a skipped item that fades out")
  func stallAfterSkip() {
    var configuration = Player.Configuration()
    configuration.crossfade = Self.crossfade
    var harness = MachineHarness(configuration: configuration, scheme: "http")
    harness.start(duration: 60)
    let first = harness.token
    _ = harness.next()
    harness.settle(duration: 60)
    harness.run()
    harness.advance(.seconds(1))
    let commands = harness.buffer(0).engineCommands
    #expect(commands.contains(.setPlaying(false)) && commands.contains(.release(first)))
  }

  // MARK: Albums

  @Test("Items of one album follow gaplessly, also on an output that plays one stream")
  func albumOnOneStream() throws {
    var harness = harness(tags: Self.album)
    harness.advance(.seconds(45.4))
    let next = try harness.requirePrepared()
    var error = PlayerError(code: .output, message: "busy")
    error.isUnusableOutput = true
    harness.report(.failed(next, error))
    #expect(harness.crossfades.isEmpty && harness.effects.engineCommands.contains(.release(next)))
    #expect(harness.offer()?.uri == harness.items[1].uri)
  }

  @Test(
    "Tags and chapters that arrive after the times of a crossfade still exclude it", arguments: [true, false])
  func lateTags(isAlbum: Bool) throws {
    var harness = harness(tags: Self.album)
    harness.advance(.seconds(45.4))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    var other = MediaMetadata()
    other.title = "x"
    harness.report(.tags(next, other, about: .stream))
    harness.advance(.seconds(4.2))
    #expect(harness.crossfades.count == 1)
    let chapter = Chapter(start: .zero, duration: nil, title: "1")
    let event = isAlbum ? EngineEvent.tags(next, Self.album, about: .stream) : .chapters(next, [chapter])
    #expect(harness.report(event).engineCommands == [.release(next)])
    #expect(harness.offer()?.uri == harness.items[1].uri && harness.violations.isEmpty)
  }

  // MARK: The output

  @Test("An item that has been found to be shorter does not fade out alone")
  func shorterOnOneStream() throws {
    var harness = harness()
    harness.advance(.seconds(45.4))
    let next = try harness.requirePrepared()
    harness.report(.endFound(harness.token, at: .seconds(49)))
    var error = PlayerError(code: .output, message: "busy")
    error.isUnusableOutput = true
    harness.report(.failed(next, error))
    #expect(harness.crossfades.isEmpty)
  }

  @Test("The lead of an item that was opened for a crossfade is that of its own output")
  func lead() throws {
    var harness = harness()
    harness.decide(.setLowPowerMode(true))
    harness.advance(.seconds(45.4))
    let next = try harness.requirePrepared()
    harness.settleIncoming(next)
    harness.advance(.seconds(4.2))
    harness.startNext(next, in: 1, duration: 60)
    harness.advance(.seconds(2))
    #expect(harness.current == harness.items[1] && harness.outputLead == .seconds(5))
  }
}
