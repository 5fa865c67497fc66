import Testing

@testable import Playback

@Suite("Player settings") struct PlaybackSettingsTests {
  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    var edit: @Sendable (inout PlaybackSettings) -> Void
    var commands: [EngineCommand]
    var testDescription: String { name }

    static let all = [
      Change(name: "nothing", edit: { _ in }, commands: []),
      Change(name: "volume", edit: { $0.volume = 0.5 }, commands: [.setVolume(0.5)]),
      Change(name: "mute", edit: { $0.isMuted = true }, commands: [.setMuted(true)]),
      Change(
        name: "forward buffer", edit: { $0.forwardBuffer = .seconds(4) }, commands: [.setForwardBuffer(.seconds(4))]),
      Change(name: "languages", edit: { $0.audioLanguages = ["de"] }, commands: [.setAudioLanguages(["de"])]),
      Change(name: "low power", edit: { $0.isLowPowerModeEnabled = true }, commands: [.setLowPowerMode(true)]),
      Change(
        name: "volume and mute",
        edit: {
          $0.volume = 2
          $0.isMuted = true
        }, commands: [.setVolume(2), .setMuted(true)]),
      Change(
        name: "crossfade", edit: { $0.crossfade.length = .seconds(6) }, commands: [.setCrossfading(true)]),
      Change(name: "crossfade at a skip", edit: { $0.crossfade.skipLength = .seconds(1) }, commands: []),
      Change(name: "rate", edit: { $0.rate = 2 }, commands: []),
      Change(name: "action at the end", edit: { $0.actionAtItemEnd = .pause }, commands: []),
    ]
  }

  @Test("A change sends only the changed settings to the engine", arguments: Change.all)
  func changes(_ change: Change) {
    let old = PlaybackSettings(configuration: Player.Configuration())
    var new = old
    change.edit(&new)
    #expect(new.commands(since: old) == change.commands)
  }

  @Test("A new engine receives every setting, including the default buffer")
  func all() {
    let settings = PlaybackSettings(configuration: Player.Configuration())
    #expect(
      settings.commands(since: nil) == [
        .setVolume(1), .setMuted(false), .setForwardBuffer(nil), .setAudioLanguages([]), .setLowPowerMode(false),
      ])
  }

  @Test("Another treatment of the pitch opens the loaded item again at its position, in a new pipeline")
  func timePitch() throws {
    var harness = MachineHarness()
    let commands = harness.decide(.setTimePitch(.varispeed)).engineCommands
    #expect(commands.starts(with: [.setTimePitch(.varispeed), .setSink(nil)]))
    #expect(harness.decide(.setTimePitch(.varispeed)).isEmpty)
  }

  @Test("Setting the present value does nothing")
  func unchanged() {
    var harness = MachineHarness()
    #expect(
      harness.decide(.setVolume(0.5)) == [.command(.setVolume(0.5)), .emit(.changed)])
    #expect(harness.decide(.setVolume(0.5)).isEmpty)
  }
}
