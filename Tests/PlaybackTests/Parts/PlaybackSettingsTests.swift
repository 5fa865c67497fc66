import Testing

@testable import Playback

@Suite("Player settings") struct PlaybackSettingsTests {
  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    var input: PlaybackInput
    /// The change of the engine's settings; nil for none.
    var edit: (@Sendable (inout EngineSettings) -> Void)?
    var testDescription: String { name }

    init(_ name: String, _ input: PlaybackInput, _ edit: (@Sendable (inout EngineSettings) -> Void)? = nil) {
      (self.name, self.input, self.edit) = (name, input, edit)
    }

    static let output = AudioOutput(id: "b", name: "B", isDefault: false, sinkDescription: "fakesink")

    static let all = [
      Change("volume", .setVolume(0.5)) { $0.volume = 0.5 },
      Change("mute", .setMuted(true)) { $0.isMuted = true },
      Change("fade", .setFade(.seconds(2))) { $0.fade = .seconds(2) },
      Change("rate", .setRate(2)) { $0.rate = 2 },
      Change("treatment of the pitch", .setTimePitch(.varispeed)) { $0.timePitch = .varispeed },
      Change("output", .setAudioOutput(output)) { $0.sink = "fakesink" },
      Change("forward buffer", .setForwardBuffer(.seconds(4))) { $0.forwardBuffer = .seconds(4) },
      Change("languages", .setAudioLanguages(["de"])) { $0.audioLanguages = ["de"] },
      Change("low power", .setLowPowerMode(true)) { $0.isLowPowerModeEnabled = true },
      Change("maximum volume", .setMaximumVolume(5)),
      Change("network time-out", .setNetworkTimeout(.seconds(9))),
      Change("waits", .setAutomaticallyWaits(false)),
      Change("crossfade", .setCrossfade(Player.Crossfade(length: .seconds(6)))),
      Change("action at the end", .setActionAtItemEnd(.pause)),
    ]
  }

  @Test("A change is sent once, as one value with all settings, and without a load or a seek", arguments: Change.all)
  func changes(_ change: Change) {
    var harness = MachineHarness()
    harness.start()
    var settings = harness.engineSettings
    change.edit?(&settings)
    #expect(harness.decide(change.input).engineCommands == (change.edit == nil ? [] : [.settings(settings)]))
    #expect(harness.engineSettings == settings)
    #expect(harness.decide(change.input).engineCommands.isEmpty)
    // Nothing sends them again.
    harness.forget()
    harness.advance(.seconds(2))
    _ = harness.pause()
    _ = harness.play()
    harness.run()
    _ = harness.seek(5)
    harness.settle()
    _ = harness.next()
    harness.settle()
    _ = harness.stop()
    _ = harness.play()
    harness.settle()
    #expect(harness.effects.settings == nil)
  }

  @Test("An engine begins with the settings of the configuration, which are not sent")
  func configured() {
    var configuration = Player.Configuration()
    (configuration.volume, configuration.preferredAudioLanguages) = (0.25, ["fr"])
    configuration.isLowPowerModeEnabled = true
    var harness = MachineHarness(configuration: configuration)
    harness.start()
    #expect(harness.engineSettings == EngineSettings(configuration))
    #expect(harness.engineSettings.volume == 0.25 && harness.engineSettings.audioLanguages == ["fr"])
    #expect(harness.effects.settings == nil)
  }

  @Test("A configuration takes over the present settings of an engine")
  func present() {
    var changed = Player.Configuration()
    (changed.volume, changed.timePitchAlgorithm, changed.isLowPowerModeEnabled) = (0.25, .varispeed, true)
    (changed.preferredForwardBufferDuration, changed.preferredAudioLanguages) = (.seconds(4), ["fr"])
    let settings = EngineSettings(changed)
    #expect(EngineSettings(Player.Configuration().with(settings)) == settings)
  }

  @Test("A replaced engine gets its streams again without the settings, which it has", arguments: [false, true])
  func replaced(hasSuccessor: Bool) throws {
    var harness = MachineHarness()
    harness.start()
    harness.decide(.setVolume(0.5))
    harness.decide(.setRate(2))
    if hasSuccessor { _ = try harness.prepareNext() }
    harness.forget()
    harness.hangOutput()
    #expect(
      harness.lastEffects.engineCommands == [.open(StreamRequest(uri: "file:///0", stream: harness.token))])
    #expect(harness.openStreams == [harness.token])
    #expect(harness.settle().engineCommands == [harness.itemPlan, .setPlaying(true)])
    harness.run()
    #expect(harness.effects.settings == nil)
    #expect(harness.engineSettings.volume == 0.5 && harness.engineSettings.rate == 2)
  }

  @Test("Setting the present value does nothing")
  func unchanged() {
    var harness = MachineHarness()
    #expect(
      harness.decide(.setVolume(0.5)) == [.emit(.changed), .command(.settings(harness.engineSettings))])
    #expect(harness.decide(.setVolume(0.5)).isEmpty)
  }

  @Test("Limits that no snapshot has are no change")
  func hiddenLimits() {
    var harness = MachineHarness()
    harness.start()
    for input in [
      PlaybackInput.setNetworkTimeout(.seconds(7)), .setMaximumVolume(2), .suspendCrossfade(true),
      .suspendCrossfade(false), .setFade(.seconds(2)),
    ] {
      #expect(!harness.decide(input).hasChanged, "\(input)")
    }
    #expect(harness.decide(.setVolume(0.25)).hasChanged)
  }
}
