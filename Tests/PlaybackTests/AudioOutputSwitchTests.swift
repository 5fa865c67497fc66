import TestSupport
import Testing

@testable import Playback

@Suite("Switching the audio output during playback") struct AudioOutputSwitchTests {
  private let other = AudioOutput(id: "other", name: "Other", isDefault: false, sinkDescription: "fakesink sync=true")

  @Test("Switching the output resumes at the same position and skips no track")
  func playing() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    let effects = harness.decide(.setAudioOutput(other))
    #expect(effects.engineCommands == [.settings(harness.engineSettings)])
    #expect(harness.engineSettings.sink == "fakesink sync=true")
    #expect(effects.events.isEmpty)
    #expect(harness.position == .seconds(3))
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.run().events.isEmpty)
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(4))
    #expect(harness.snapshot.audioOutput == other)
    #expect(harness.decide(.setAudioOutput(other)).isEmpty)
  }

  @Test("A newly found output replaces silence, without another load")
  func found() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    harness.report(.output(.opened(isSilent: true)))
    #expect(harness.snapshot.outputStatus == .silent)
    let effects = harness.report(.output(.found)) + harness.report(.output(.opened(isSilent: false)))
    #expect(effects.engineCommands.isEmpty)
    #expect(effects.events == [.warning("an audio output is available; switching to it")])
    #expect(harness.snapshot.outputStatus == .selected)
    #expect(harness.position == .seconds(3))
    #expect(harness.snapshot.transport == .playing)
  }

  @Test("Switching the output while paused stays paused; after a release or a stop, nothing is loaded")
  func atRest() {
    var paused = MachineHarness()
    paused.startPaused()
    paused.decide(.setAudioOutput(other))
    #expect(paused.snapshot.transport == .paused && paused.engineSettings.sink == "fakesink sync=true")
    #expect(paused.lastEffects.engineCommands == [.settings(paused.engineSettings)])
    paused.advance(.seconds(60))
    #expect(paused.isReleased)
    paused.decide(.setAudioOutput(nil))
    #expect(paused.engineSettings.sink == nil)
    #expect(paused.lastEffects.engineCommands == [.settings(paused.engineSettings)])
    var stopped = MachineHarness()
    stopped.decide(.setAudioOutput(other))
    #expect(stopped.lastEffects.engineCommands == [.settings(stopped.engineSettings)])
    #expect(stopped.engineSettings.sink == "fakesink sync=true")
  }

  @Test("Selecting another output after the current one is lost reloads the item at once")
  func lost() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    harness.loseOutput()
    let opened = harness.decide(.setAudioOutput(other)).opened
    #expect(opened == [StreamRequest(uri: "file:///0", stream: harness.token, start: .seconds(2))])
    #expect(harness.position == .seconds(2))
  }
}
