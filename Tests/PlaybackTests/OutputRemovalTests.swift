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
    let effects = harness.report(.output(.removed("headset")))
    #expect(effects.engineCommands == [.setPlaying(false)])
    #expect(effects.events == [.warning("the output device “headset” was removed; playback is paused")])
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.position == .seconds(3))
    #expect(harness.report(.output(.removed("headset"))).isEmpty)
    var stopped = MachineHarness()
    #expect(stopped.report(.output(.removed("headset"))).isEmpty)
  }

  @Test("Unplugging headphones pauses playback at its position, if configured, and the output stays the selected one")
  func unplugged() {
    let card = AudioOutput(id: "card", name: "Card", isDefault: false, sinkDescription: "fakesink sync=true")
    for pauses in [true, false] {
      var harness = MachineHarness(configuration: Player.Configuration(pausesWhenOutputIsRemoved: pauses))
      harness.start()
      harness.decide(.setAudioOutput(card))
      harness.run()
      harness.advance(.seconds(3))
      let effects = harness.report(.output(.unplugged("Headphones")))
      #expect(effects.events == (pauses ? [.warning("“Headphones” was unplugged; playback is paused")] : []))
      #expect(effects.engineCommands == (pauses ? [.setPlaying(false)] : []))
      #expect(harness.snapshot.transport == (pauses ? .paused : .playing))
      #expect(harness.snapshot.outputStatus == .selected)
      #expect(harness.report(.output(.unplugged("Headphones"))).isEmpty)
    }
  }

  @Test(
    "After a removal during a call, the end of the call resumes only without a pause on removal",
    arguments: [OutputEvent.removed("headset"), .unplugged("Headphones")])
  func interrupted(event: OutputEvent) {
    for pauses in [true, false] {
      var harness = MachineHarness(configuration: Player.Configuration(pausesWhenOutputIsRemoved: pauses))
      harness.start()
      harness.report(.output(.pauseRequested))
      harness.report(.output(event))
      harness.report(.output(.resumeRequested))
      #expect(harness.snapshot.transport == (pauses ? .paused : .playing))
    }
  }

  @Test(
    "The selected device is used again when it returns, and playback does not start by itself",
    arguments: [true, false])
  func returns(pauses: Bool) {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness(configuration: Player.Configuration(pausesWhenOutputIsRemoved: pauses))
    harness.start()
    harness.report(.output(.removed("headset")))
    // Nothing is selected, so the sound server decides.
    #expect(harness.report(.output(.added("headset"))).isEmpty)
    harness.decide(.setAudioOutput(headset))
    harness.decide(.play)
    harness.run()
    #expect(harness.report(.output(.added("headset"))).isEmpty)
    harness.report(.output(.removed("headset")))
    let transport = harness.snapshot.transport
    #expect(transport == (pauses ? .paused : .playing))
    #expect(harness.report(.output(.added("speakers"))).isEmpty)
    let effects = harness.report(.output(.added("headset")))
    #expect(effects.engineCommands == [.reopenOutput])
    #expect(effects.events == [.warning("the output device “headset” is connected again; switching to it")])
    #expect(harness.snapshot.outputStatus == .selected)
    #expect(harness.snapshot.transport == transport)
    #expect(harness.report(.output(.added("headset"))).isEmpty)
  }

  @Test("Choosing a removed output again reopens it, once")
  func chosenAgain() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness(configuration: pausing)
    harness.start()
    harness.decide(.setAudioOutput(headset))
    harness.run()
    harness.advance(.seconds(3))
    harness.report(.output(.removed("headset")))
    let held = harness.position
    let effects = harness.decide(.setAudioOutput(headset))
    #expect(effects.engineCommands == [.reopenOutput])
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
    harness.run()
    #expect(harness.snapshot.outputStatus == .selected)
    #expect(harness.report(.output(.removed("headset"))) == [.emit(.changed)])
    #expect(harness.snapshot.outputStatus == .substituted)
    #expect(harness.snapshot.transport == .playing)
    #expect(harness.decide(.setAudioOutput(headset)).engineCommands == [.reopenOutput])
    #expect(harness.snapshot.outputStatus == .selected)
    #expect(harness.decide(.setAudioOutput(headset)).isEmpty)
  }

  @Test("An output that plays on another device than the selected one is substituted until it plays there")
  func substituted() {
    let headset = AudioOutput(id: "headset", name: "Headset", isDefault: false, sinkDescription: "fakesink sync=true")
    var harness = MachineHarness()
    harness.start()
    #expect(harness.report(.output(.inUse("speakers"))).isEmpty)
    harness.decide(.setAudioOutput(headset))
    #expect(harness.report(.output(.inUse("speakers"))) == [.emit(.changed)])
    #expect(harness.snapshot.outputStatus == .substituted)
    harness.report(.output(.inUse("headset")))
    #expect(harness.snapshot.outputStatus == .selected)
  }

  @Test("A silent output and a failed output are states of the output")
  func states() {
    var harness = MachineHarness()
    harness.start()
    harness.report(.output(.opened(isSilent: true)))
    #expect(harness.snapshot.outputStatus == .silent)
    harness.report(.output(.opened(isSilent: false)))
    #expect(harness.snapshot.outputStatus == .selected)
    harness.loseOutput()
    #expect(harness.snapshot.outputStatus == .unavailable)
  }

  @Test("Removing a device while its output is lost pauses playback and keeps the position")
  func lost() {
    var harness = MachineHarness(configuration: pausing)
    harness.start()
    harness.advance(.seconds(2))
    harness.loseOutput()
    harness.report(.output(.removed("headset")))
    #expect(harness.snapshot.transport == .paused)
    #expect(harness.position == .seconds(2))
  }
}
