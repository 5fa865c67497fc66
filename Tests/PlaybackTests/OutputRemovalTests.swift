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
    let effects = harness.step { $0.outputRemoved("headset", now: $1) }
    #expect(effects.engineCommands == [.setPlaying(false)])
    #expect(effects.events == [.warning("the output device “headset” was removed; playback is paused")])
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.position == .seconds(3))
    #expect(harness.step { $0.outputRemoved("headset", now: $1) }.isEmpty)
    var stopped = MachineHarness()
    #expect(stopped.step { $0.outputRemoved("headset", now: $1) }.isEmpty)
  }

  @Test("Choosing a removed output again reopens it, once")
  func chosenAgain() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness(configuration: pausing)
    harness.start()
    harness.step { $0.setAudioOutput(headset, now: $1) }
    harness.settle()
    harness.run()
    harness.advance(.seconds(3))
    harness.step { $0.outputRemoved("headset", now: $1) }
    let held = harness.position
    let effects = harness.step { $0.setAudioOutput(headset, now: $1) }
    #expect(effects.engineCommands.first == .setSink("fakesink sync=true"))
    #expect(effects.loads == ["file:///0"])
    #expect(harness.position == held)
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.step { $0.setAudioOutput(headset, now: $1) }.isEmpty)
  }

  @Test("Without a pause on removal, playback continues; choosing the removed output again reopens it, once")
  func chosenAgainWhilePlaying() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness(configuration: Player.Configuration(pausesWhenOutputIsRemoved: false))
    harness.start()
    harness.step { $0.setAudioOutput(headset, now: $1) }
    harness.settle()
    harness.run()
    #expect(harness.snapshot.outputStatus == .selected)
    #expect(harness.step { $0.outputRemoved("headset", now: $1) } == [.emit(.changed)])
    #expect(harness.snapshot.outputStatus == .substituted)
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.step { $0.setAudioOutput(headset, now: $1) }.loads == ["file:///0"])
    #expect(harness.snapshot.outputStatus == .selected)
    #expect(harness.step { $0.setAudioOutput(headset, now: $1) }.isEmpty)
  }

  @Test("An output that plays on another device than the selected one is substituted until it plays there")
  func substituted() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness()
    harness.start()
    #expect(harness.step { machine, _ in machine.outputInUse(machine.token, "speakers") }.isEmpty)
    let before = harness.token
    harness.step { $0.setAudioOutput(headset, now: $1) }
    #expect(harness.step { machine, _ in machine.outputInUse(before, "speakers") }.isEmpty, "the output chosen before")
    #expect(harness.step { machine, _ in machine.outputInUse(machine.token, "speakers") } == [.emit(.changed)])
    #expect(harness.snapshot.outputStatus == .substituted)
    harness.step { machine, _ in machine.outputInUse(machine.token, "headset") }
    #expect(harness.snapshot.outputStatus == .selected)
  }

  @Test("A silent output and a failed output are states of the output")
  func states() {
    var harness = MachineHarness()
    harness.start()
    harness.step { $0.handle(.outputOpened(isSilent: true), now: $1) }
    #expect(harness.snapshot.outputStatus == .silent)
    harness.step { $0.handle(.outputOpened(isSilent: false), now: $1) }
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
    harness.step { $0.outputRemoved("headset", now: $1) }
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.position == .seconds(2))
  }
}
