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
    #expect(effects.engineCommands.first == .setSink("fakesink sync=true"))
    #expect(effects.loads == ["file:///0"])
    #expect(effects.events.isEmpty)
    #expect(harness.position == .seconds(3))
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.settle().engineCommands == [.seek(to: .seconds(3), rate: 1)])
    harness.settle()
    harness.run()
    harness.advance(.seconds(1))
    #expect(harness.position == .seconds(4))
    #expect(harness.snapshot.audioOutput == other)
    #expect(harness.decide(.setAudioOutput(other)).isEmpty)
  }

  @Test("A newly found output replaces silence at the same position and skips no track")
  func found() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    let effects = harness.report(.outputFound)
    #expect(effects.engineCommands.first == .setSink(nil))
    #expect(effects.loads == ["file:///0"])
    #expect(effects.events == [.warning("an audio output is available; switching to it")])
    #expect(harness.position == .seconds(3))
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.settle().engineCommands == [.seek(to: .seconds(3), rate: 1)])
  }

  @Test("Switching the output while paused stays paused; after a release or a stop, the next load uses it")
  func atRest() {
    var paused = MachineHarness()
    paused.startPaused()
    paused.decide(.setAudioOutput(other))
    #expect(paused.snapshot.transport == .paused)
    #expect(paused.settle().engineCommands == [])
    paused.advance(.seconds(60))
    #expect(paused.decide(.setAudioOutput(nil)).engineCommands.first == .setSink(nil))
    #expect(paused.lastEffects.loads.isEmpty)
    var stopped = MachineHarness()
    #expect(stopped.decide(.setAudioOutput(other)).loads.isEmpty)
  }

  @Test("Selecting another output after the current one is lost reloads the item at once")
  func lost() {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(2))
    harness.fail(.output)
    #expect(harness.decide(.setAudioOutput(other)).loads == ["file:///0"])
    #expect(harness.position == .seconds(2))
  }
}
