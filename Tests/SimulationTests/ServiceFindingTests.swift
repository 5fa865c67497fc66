import Simulation
import Testing

/// The faults that runs with clients on a bus have found, as short scripts.
@SimulationQueue
@Suite struct ServiceFindingTests {
  @Test("A state that was published between two events is corrected, although it is the same after both")
  func publishedBetweenEvents() {
    let scenario = Scenario(
      seed: 5_881_759_353_496_429_382, media: [.plain(457_793)],
      behaviour: Behaviour {
        ($0.messageDelay, $0.callDuration, $0.drift, $0.startDelay) = (0, 0, 500, 20)
        $0.slowObservers = true
        $0.readAhead = 0
      },
      settings: Scenario.Settings(fade: 0, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 0, .append(media: [3, 0])),
        Step(after: 1000, .client(2, .addTrack(media: 1, after: 3, isCurrent: false))),
        Step(after: 0, .play), Step(after: 0, .client(0, .playPause)), Step(after: 1000, .client(0, .reload)),
        Step(after: 0, .client(0, .pause)), Step(after: 0, .play),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("Clients receive the crossfade that another client has set")
  func crossfadeIsSignalled() {
    let scenario = Scenario(
      seed: 6_312_179_563_377_621_081, media: [.plain(10_000)],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) },
      settings: Scenario.Settings(fade: 0, pausesOnRemoval: false, release: 5000),
      steps: [
        Step(after: 0, .append(media: [1, 2, 4, 5])), Step(after: 0, .setCrossfade(3713, skip: 3000, isLinear: true)),
        Step(after: 0, .client(1, .setPosition(permille: 402))), Step(after: 1000, .remove(9)),
        Step(after: 0, .client(1, .verify)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("Clients receive a playlist that the request of another client for a file has found")
  func playlistFoundByName() {
    let scenario = Scenario(
      seed: 2_730_161_200_432_247_078, media: [.plain(88_024)],
      behaviour: Behaviour { ($0.messageDelay, $0.callDuration) = (0, 0) }, settings: Scenario.Settings(),
      steps: [
        Step(after: 0, .client(1, .previous)), Step(after: 1000, .playlistFolder(.written(2, media: [0]))),
        Step(after: 0, .client(0, .playlistURI(9))),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }
}
