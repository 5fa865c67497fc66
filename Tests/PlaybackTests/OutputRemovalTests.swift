import Testing

@testable import Playback

@Suite("Removal of an output device") struct OutputRemovalTests {
  private let pausing = Player.Configuration(pausesWhenOutputIsRemoved: true)

  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(seconds) }

  @Test("Removing the device pauses playback at its position with a warning; a paused or stopped player is unaffected")
  func paused() {
    var harness = MachineHarness(configuration: pausing)
    harness.start()
    harness.advance(.seconds(3))
    let effects = harness.report(.outputRemoved("headset"))
    #expect(effects.engineCommands == [.setPlaying(false)])
    #expect(effects.events == [.warning("the output device “headset” was removed; playback is paused")])
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.position == .seconds(3))
    #expect(harness.report(.outputRemoved("headset")).isEmpty)
    var stopped = MachineHarness()
    #expect(stopped.report(.outputRemoved("headset")).isEmpty)
  }

  @Test("Choosing a removed output again reopens it, once")
  func chosenAgain() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness(configuration: pausing)
    harness.start()
    harness.decide(.setAudioOutput(headset))
    harness.settle()
    harness.run()
    harness.advance(.seconds(3))
    harness.report(.outputRemoved("headset"))
    let held = harness.position
    let effects = harness.decide(.setAudioOutput(headset))
    #expect(effects.engineCommands.first == .setSink("fakesink sync=true"))
    #expect(effects.loads == ["file:///0"])
    #expect(harness.position == held)
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.decide(.setAudioOutput(headset)).isEmpty)
  }

  @Test("Without a pause on removal, playback continues; choosing the removed output again reopens it, once")
  func chosenAgainWhilePlaying() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness(configuration: Player.Configuration(pausesWhenOutputIsRemoved: false))
    harness.start()
    harness.decide(.setAudioOutput(headset))
    harness.settle()
    harness.run()
    #expect(harness.snapshot.outputStatus == .selected)
    #expect(harness.report(.outputRemoved("headset")) == [.emit(.changed)])
    #expect(harness.snapshot.outputStatus == .substituted)
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.decide(.setAudioOutput(headset)).loads == ["file:///0"])
    #expect(harness.snapshot.outputStatus == .selected)
    #expect(harness.decide(.setAudioOutput(headset)).isEmpty)
  }

  @Test("An output that plays on another device than the selected one is substituted until it plays there")
  func substituted() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness()
    harness.start()
    #expect(harness.report(.outputInUse(harness.token, "speakers")).isEmpty)
    let before = harness.token
    harness.decide(.setAudioOutput(headset))
    #expect(harness.report(.outputInUse(before, "speakers")).isEmpty, "the output chosen before")
    #expect(harness.report(.outputInUse(harness.token, "speakers")) == [.emit(.changed)])
    #expect(harness.snapshot.outputStatus == .substituted)
    harness.report(.outputInUse(harness.token, "headset"))
    #expect(harness.snapshot.outputStatus == .selected)
  }

  @Test("A silent output and a failed output are states of the output")
  func states() {
    var harness = MachineHarness()
    harness.start()
    harness.report(.outputOpened(isSilent: true))
    #expect(harness.snapshot.outputStatus == .silent)
    harness.report(.outputOpened(isSilent: false))
    #expect(harness.snapshot.outputStatus == .selected)
    harness.fail(.output)
    #expect(harness.snapshot.outputStatus == .unavailable)
  }

  @Test("Removing a device while its output is lost pauses playback and keeps the position")
  func lost() {
    var harness = MachineHarness(configuration: pausing)
    harness.start()
    harness.advance(.seconds(2))
    harness.fail(.output)
    harness.report(.outputRemoved("headset"))
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.position == .seconds(2))
  }
}
