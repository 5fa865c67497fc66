import Simulation
import Testing

/// The faults that runs of a daemon with a disk have found, as short scripts.
@SimulationQueue
@Suite struct StorageFindingTests {
  private func breach(
    _ steps: [Step], media: Media = .plain(10_000), _ storage: StorageSettings = StorageSettings(hasJournal: false)
  ) -> Breach? {
    let scenario = Scenario(
      seed: 1, media: [media], behaviour: Behaviour { $0.messageDelay = 0 }, settings: Scenario.Settings(),
      steps: steps,
      storage: storage)
    return Simulator.run(scenario).breach
  }

  @Test("A read-only disk is reported once, not at every attempt to save the session")
  func readOnly() {
    #expect(
      breach([
        Step(after: 0, .storage(.open(.folder([3, 3], delay: 0), placement: 0, paused: false))),
        Step(after: 0, .storage(.diskReadOnly(for: 14_000))),
      ]) == nil)
  }

  @Test("A saved session survives a loss of power on a file system that does not synchronize names by itself")
  func names() {
    #expect(
      breach([
        Step(after: 0, .setVolume(29)), Step(after: 40_000, .storage(.crash(operations: 0, kept: 0, powerLoss: true))),
      ]) == nil)
  }

  @Test("A session whose folder a crashed process has not synchronized survives a later loss of power")
  func namesOfEarlierProcess() {
    let storage = StorageSettings(resume: 2, inhibitsSleep: true, hasJournal: false)
    #expect(
      breach(
        [
          Step(after: 0, .storage(.open(.list(23, delay: 0), placement: 1, paused: false))),
          Step(after: 0, .storage(.crash(operations: 6, kept: 593, powerLoss: false))),
          Step(after: 1_000, .storage(.crash(operations: 5, kept: 291, powerLoss: true))),
        ], storage) == nil)
  }

  @Test("A long queue that could not be saved on a full disk is saved as a whole later")
  func full() {
    #expect(
      breach([
        Step(after: 0, .storage(.diskFull(for: 20_000))),
        Step(after: 0, .storage(.open(.folder([504, 582], delay: 0), placement: 4, paused: false))),
        Step(after: 40_000, .storage(.sleep)),
      ]) == nil)
  }

  @Test("The session is saved while a slow folder is read")
  func slowFolder() {
    #expect(
      breach([
        Step(after: 0, .storage(.open(.folder([0, 10, 0], delay: 2_000), placement: 1, paused: false))),
        Step(after: 7_500, .storage(.crash(operations: 0, kept: 0, powerLoss: true))),
      ]) == nil)
  }

  @Test("The folder of a book continues at the file that played last, also after a restart")
  func book() {
    let steps = [
      Step(after: 0, .storage(.open(.folder([2, 3], delay: 0), placement: 0, paused: false))),
      Step(after: 2_000, .next), Step(after: 2_000, .next), Step(after: 3_000, .storage(.restart)),
      Step(after: 0, .storage(.open(.list(2, delay: 0), placement: 0, paused: false))),
      Step(after: 3_000, .storage(.reopen(0))), Step(after: 2_000, .next), Step(after: 2_000, .storage(.reopen(0))),
    ]
    #expect(breach(steps, media: .plain(60_000), StorageSettings(hasBooks: true)) == nil)
  }

  @Test("A pending request that is to play keeps the machine awake, and no longer than it is pending")
  func pendingOpen() {
    let storage = StorageSettings(inhibitsSleep: true)
    let slow = StorageAction.open(.server(0, delay: 8_000), placement: 0, paused: false)
    #expect(breach([Step(after: 0, .storage(slow)), Step(after: 4_000, .setVolume(20))], storage) == nil)
  }

  @Test(
    "The machine's sleep pauses a request that follows a failing one, unless pause-on-sleep is off", arguments: 0...2)
  func followerAfterSleep(policy: Int) {
    let storage = StorageSettings(resume: 1, pauseOnSleep: policy, inhibitsSleep: true, hasJournal: false)
    #expect(
      breach(
        [
          Step(after: 0, .storage(.open(.server(11, delay: 12_000), placement: 0, paused: true))),
          Step(after: 0, .storage(.open(.missing, placement: 2, paused: false))), Step(after: 0, .storage(.sleep)),
        ], storage) == nil)
  }

  @Test("Items that are opened while a slow disk writes the session before a suspension may be left out of it")
  func openedDuringSave() {
    let storage = StorageSettings(pauseOnSleep: 1, hasJournal: false)
    #expect(
      breach(
        [
          Step(after: 0, .storage(.open(.file(6), placement: 0, paused: false))),
          Step(after: 0, .storage(.diskSlow(latency: 2000, for: 25_159))),
          Step(after: 15_657, .storage(.open(.server(17, delay: 12_000), placement: 1, paused: false))),
          Step(after: 8_144, .storage(.open(.list(28, delay: 0), placement: 2, paused: false))),
          Step(after: 0, .storage(.sleep)),
        ], media: .plain(5_210_270), storage) == nil)
  }

  @Test("A reload of inhibit-sleep takes effect while an item plays on")
  func reloadedInhibition() {
    #expect(
      breach(
        [
          Step(after: 0, .storage(.open(.list(3, delay: 0), placement: 0, paused: false))),
          Step(after: 60_000, .storage(.configure(SimulatedConfiguration(inhibitsSleep: true)))),
          Step(after: 0, .storage(.reload(bySignal: true))), Step(after: 20_000, .setVolume(20)),
        ], media: .plain(600_000)) == nil)
  }

  @Test("The position of a long file that is left while paused is written")
  func pausedLongFile() {
    #expect(
      breach(
        [
          Step(after: 0, .storage(.open(.list(3, delay: 0), placement: 0, paused: false))),
          Step(after: 60_000, .pause(fading: false)), Step(after: 1_000, .seek(to: 600_000)),
          Step(after: 1_000, .next), Step(after: 20_000, .storage(.crash(operations: 0, kept: 0, powerLoss: false))),
        ], media: .plain(1_500_000)) == nil)
  }

  @Test("A long file that is in the queue twice plays from its start again when the first one has ended")
  func longFileTwice() {
    #expect(
      breach(
        [
          Step(after: 0, .append(media: [0, 0])), Step(after: 0, .play), Step(after: 57_548, .setLoop(2)),
          Step(after: 0, .seekFromEnd(7_681)), Step(after: 45_217, .seekToFraction(71)),
          Step(after: 585, .storage(.crash(operations: 4, kept: 217, powerLoss: true))),
        ], media: .plain(2_310_757), StorageSettings(pauseOnSleep: 1)) == nil)
  }
}
