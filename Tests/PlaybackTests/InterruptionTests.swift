import Testing

@testable import Playback

@Suite("Interruptions by the sound server") struct InterruptionTests {
  /// Returns a machine that has played for three seconds and was paused by a request.
  private func interrupted() -> MachineHarness {
    var harness = MachineHarness()
    harness.start()
    harness.advance(.seconds(3))
    let effects = harness.report(.output(.pauseRequested))
    #expect(effects.engineCommands == [.setPlaying(false)])
    #expect(effects.events == [.warning("playback is paused by a request of the sound server, as for a call")])
    return harness
  }

  @Test("A request pauses playback at its position; at the end of the request it continues there")
  func resumes() {
    var harness = interrupted()
    #expect(harness.snapshot.transport == .paused)
    harness.advance(.seconds(100))
    #expect(harness.position == .seconds(3))
    #expect(harness.report(.output(.pauseRequested)).isEmpty)
    #expect(harness.report(.output(.resumeRequested)).engineCommands == [.setPlaying(true)])
    #expect(harness.snapshot.transport == .playing)
    harness.run()
    harness.advance(.seconds(2))
    #expect(harness.position == .seconds(5))
    #expect(harness.report(.output(.resumeRequested)).isEmpty)
  }

  @Test("The output is kept open during an interruption, because the request ends by a message to its stream")
  func keepsOutput() {
    var harness = interrupted()
    let effects = harness.advance(.seconds(3_600))
    #expect(effects.engineCommands.isEmpty)
    var paused = MachineHarness()
    paused.start()
    paused.decide(.pause(fading: false))
    #expect(paused.advance(.seconds(3_600)).engineCommands == [.close(paused.token), .plan([])])
  }

  @Test(
    "After a command, the end of a request changes nothing",
    arguments: [
      .pause(fading: true), .stop, .advance(by: 1), .seek(to: .seconds(1), within: .zero, SeekTicket(number: 99)),
    ] as [PlaybackInput])
  func command(input: PlaybackInput) {
    var harness = interrupted()
    harness.decide(input)
    let transport = harness.snapshot.transport
    #expect(transport != .playing)
    harness.report(.output(.resumeRequested))
    #expect(harness.snapshot.transport == transport)
  }

  @Test("A play in an interruption plays, and a later pause is the user's")
  func play() {
    var harness = interrupted()
    harness.decide(.play)
    #expect(harness.snapshot.transport == .playing)
    harness.decide(.pause(fading: false))
    harness.report(.output(.resumeRequested))
    #expect(harness.snapshot.transport == .paused)
  }

  @Test("A change of the volume does not end an interruption")
  func settings() {
    var harness = interrupted()
    harness.decide(.setVolume(0.5))
    harness.decide(.setMuted(true))
    harness.report(.output(.resumeRequested))
    #expect(harness.snapshot.transport == .playing)
  }

  @Test("Requests to a paused and to a stopped player change nothing, and one to resume never starts it")
  func idle() {
    var paused = MachineHarness()
    paused.start()
    paused.decide(.pause(fading: false))
    var stopped = MachineHarness()
    for event in [EngineEvent.output(.pauseRequested), .output(.resumeRequested)] {
      #expect(paused.report(event).isEmpty && stopped.report(event).isEmpty)
    }
    #expect(paused.snapshot.transport == .paused && stopped.snapshot.transport == .stopped)
  }
}
