import Simulation
import Testing

/// Runs a fixed set of seeds; `make simulate` runs new ones.
@SimulationQueue
@Suite struct SimulationTests {
  @Test("No run of a fixed set of seeds breaks an invariant", arguments: 1...4)
  func fixedSeeds(seed: Int) {
    let result = Simulator.run(seed: UInt64(seed), steps: 120)
    #expect(result.breach == nil, "make simulate SEED=\(seed) repeats it with more steps")
  }

  @Test("No run of a daemon with a disk breaks an invariant for a fixed set of seeds", arguments: 1...8)
  func fixedStorageSeeds(seed: Int) {
    let result = Simulator.run(Simulator.scenario(.storage, seed: UInt64(seed)))
    #expect(result.breach == nil, "make simulate SEED=\(seed) repeats it")
  }

  @Test("One seed gives the same run of a daemon with a disk each time", arguments: [1, 2])
  func repeatsStorage(seed: Int) {
    let scenario = Simulator.scenario(.storage, seed: UInt64(seed))
    let (first, second) = (Simulator.run(scenario), Simulator.run(scenario))
    #expect(first.digest == second.digest)
    #expect(first.statistics.events == second.statistics.events)
  }

  @Test("One seed gives the same run each time", arguments: [1, 2])
  func repeats(seed: Int) {
    let first = Simulator.run(seed: UInt64(seed), steps: 30)
    let second = Simulator.run(seed: UInt64(seed), steps: 30)
    #expect(first.digest == second.digest)
    #expect(first.statistics.events == second.statistics.events)
    #expect(first.digest != Simulator.run(seed: UInt64(seed) + 100, steps: 30).digest)
  }

  @Test("A folder of playlists that another one has replaced stays watched, and its changes are signalled")
  func replacedFolder() {
    let scenario = Scenario(
      seed: 1, media: [.plain(10_000)], behaviour: Behaviour(), settings: Scenario.Settings(),
      steps: [
        Step(after: 0, .playlistFolder(.written(1, media: [0]))), Step(after: 0, .client(1, .play)),
        Step(after: 1_000, .playlistFolder(.folderReplaced)),
        Step(after: 1_000, .playlistFolder(.written(2, media: [0]))), Step(after: 60_000, .client(1, .pause)),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test(
    "A station goes back, returns to the present, and continues after pauses and a lost connection",
    arguments: [5_000, 20_000, 600_000])
  func station(keptTime: Int) {
    var station = Media.plain(7_200_000)
    (station.source, station.stated, station.isSeekable, station.keptTime) = (.station, nil, false, keptTime)
    station.songTime = 7_000
    station.server = Server(speed: 100, stallAt: nil, stall: 0, cutAt: 200_000, delay: 100, isAnnounced: true)
    let scenario = Scenario(
      seed: 1, media: [station], behaviour: Behaviour(), settings: Scenario.Settings(),
      steps: [
        Step(after: 0, .replace(media: [0], start: 0)), Step(after: 0, .play),
        Step(after: 30_000, .seekAwaited(to: 12_000, tolerance: 0)), Step(after: 5_000, .pause(fading: false)),
        Step(after: 60_000, .play), Step(after: 10_000, .seekAwaited(to: 0, tolerance: 0)),
        Step(after: 10_000, .seek(to: 7_000_000)), Step(after: 200_000, .seek(to: 1_000)), Step(after: 30_000, .read),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("An item that stays silent, because the engine reports no gap, breaks an invariant", arguments: [true, false])
  func silence(isReported: Bool) {
    var jump = Media.plain(3_610_000)
    jump.fault = .gap(at: 3_000, length: 3_600_000)
    let scenario = Scenario(
      seed: 1, media: [jump, .plain(10_000)], behaviour: Behaviour { $0.reportsGaps = isReported },
      settings: Scenario.Settings(),
      steps: [
        Step(after: 0, .replace(media: [0, 1], start: 0)), Step(after: 0, .play), Step(after: 120_000, .read),
      ])
    #expect(Simulator.run(scenario).breach?.invariant == (isReported ? nil : .silenceEnds))
  }

  @Test(
    "The recovery at the end of a run cancels a sleep timer that a client has just set, and clients receive the change",
    arguments: [0, 1_000_000])
  func sleepTimer(suspension: Int) {
    let scenario = Scenario(
      seed: 1, media: [.plain(10_000), .plain(50_000)], behaviour: Behaviour(), settings: Scenario.Settings(),
      steps: [
        Step(after: 1_000, .suspended(for: suspension, playsOn: false)),
        Step(after: 0, .client(2, .sleepTimer(60_000, afterTrack: true))),
      ])
    #expect(Simulator.run(scenario).breach == nil)
  }

  @Test("A printed scenario contains every step, and only the behaviour that is not the usual one")
  func report() {
    let scenario = Scenario(
      seed: 7, media: [.plain(1_000)], behaviour: Behaviour { $0.errors = 4 }, settings: Scenario.Settings(),
      steps: [Step(after: 0, .append(media: [0])), Step(after: 5, .seekAwaited(to: 3, tolerance: -1))])
    let printed = Report.expression(scenario)
    #expect(printed.contains("Step(after: 0, Action.append(media: [0])),"))
    #expect(printed.contains("Step(after: 5, Action.seekAwaited(to: 3, tolerance: -1)),"))
    #expect(printed.contains("behaviour: Behaviour { $0.errors = 4 },"))
  }
}
