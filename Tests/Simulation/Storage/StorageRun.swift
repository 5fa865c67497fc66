/// The companion of a world: parts of the daemon around the player.
protocol WorldCompanion: AnyObject {
  /// Returns the media of a URI that the scenario does not name.
  func media(of uri: String) -> Media?
  /// Carries out the work that is due; returns whether there was some.
  func settle() -> Bool
  func afterEvent()
  func perform(_ action: Action)
}

/// A simulated run of a daemon with a disk: one life of the process after another, until the steps are done.
final class StorageRun {
  private let scenario: Scenario
  private let isTraced: Bool
  private let disk: SimulatedDisk
  private let checks = StorageChecks()
  private var trace: [String] = []
  private var statistics = Statistics()

  private init(_ scenario: Scenario, isTraced: Bool) {
    self.scenario = scenario
    self.isTraced = isTraced
    disk = SimulatedDisk(hasJournal: scenario.storage?.hasJournal ?? true)
    let storage = scenario.storage ?? StorageSettings()
    checks.configured(
      SimulatedConfiguration(
        resume: storage.resume, pauseOnSleep: storage.pauseOnSleep, inhibitsSleep: storage.inhibitsSleep), on: disk)
  }

  static func run(_ scenario: Scenario, isTraced: Bool) -> Simulator.Result {
    let run = StorageRun(scenario, isTraced: isTraced)
    run.run()
    return Simulator.Result(
      breach: run.checks.breach, digest: run.checks.digest, statistics: run.statistics, trace: run.trace)
  }

  private func run() {
    var done = 0
    var damages: [(file: Int, manner: Int)] = []
    for _ in 0...(scenario.steps.count + 1) {
      let isLast = done >= scenario.steps.count
      let life = DaemonLife(scenario, from: done, disk: disk, checks: checks, isTraced: isTraced)
      disk.start()
      for damage in damages { checks.damage(disk, damage.file, damage.manner) }
      life.start()
      life.run()
      done += life.stepsDone
      if !disk.isDown, checks.breach == nil {
        if done >= scenario.steps.count { checks.finished(life) }
        if !disk.isDown { life.stopInOrder() }
      }
      if checks.breach == nil { checks.ended(life) }
      life.end()
      statistics += life.world.statistics
      statistics.virtual += life.world.now - VirtualClock.start
      trace += life.world.trace ?? []
      if isLast || checks.breach != nil { return }
      damages = life.damages
    }
  }
}
