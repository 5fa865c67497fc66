import Simulation
import Testing

/// The faults that runs of a player have found, as short scripts.
@SimulationQueue
@Suite struct PlayerFindingTests {
  @Test("The preroll of a pause that is reported after a seek has begun does not end the seek")
  func prerollBeforeSeek() {
    let scenario = Scenario(
      seed: 5_761_032_899_620_537_557, media: [.plain(10_000)],
      behaviour: Behaviour {
        ($0.aboutToFinish, $0.errors, $0.messageDelay, $0.callDuration) = (1, 2, 0, 800)
        ($0.outputBuffer, $0.drift, $0.tempoLoss) = (20, 50, 60)
        ($0.lateEnds, $0.startsNameSuccessors) = (true, true)
      },
      settings: Scenario.Settings(fade: 0, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 1000, .replace(media: [7, 4, 6, 4, 4, 1, 2, 2], start: 0)), Step(after: 0, .client(1, .play)),
        Step(after: 1000, .pause(fading: true)), Step(after: 0, .play),
        Step(after: 0, .seekAwaited(to: -5000, tolerance: -1)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }
}
