package import Playback

/// The entry of a program or a test: runs scenarios.
package enum Simulator {
  /// The result of a run.
  package struct Result: Sendable {
    package var breach: Breach?
    package var digest: UInt64
    package var statistics: Statistics
    /// The lines of the trace, if the run was traced.
    package var trace: [String]
    /// The latest inputs of the player, if the run was recorded.
    package var recording: PlaybackRecording?
    /// What readers of a player see at the end; nil for a daemon.
    package var snapshot: Player.Snapshot?
  }

  /// The number of steps of a run.
  package static let usualSteps = 300

  /// Runs a scenario.
  package static func run(_ scenario: Scenario, isTraced: Bool = false, isRecorded: Bool = false) -> Result {
    if scenario.storage != nil { return StorageRun.run(scenario, isTraced: isTraced) }
    let world = World(scenario, isTraced: isTraced, isRecorded: isRecorded)
    world.run()
    return Result(
      breach: world.checker.breach, digest: world.checker.digest, statistics: world.statistics,
      trace: world.trace ?? [],
      recording: world.player.recording, snapshot: world.player.internals.snapshot)
  }

  /// A kind of scenario; each seed has one of each kind, but long runs of many seeds leave some out.
  package enum Kind: CaseIterable, Sendable {
    /// A player alone.
    case player
    /// A daemon with a disk, a login manager and a queue loader.
    case storage
  }

  /// Whether a run of many seeds includes this kind: players always, and daemons of every fourth seed on average.
  package static func includes(_ kind: Kind, seed: UInt64) -> Bool {
    var random = RandomSource(seed: seed ^ 0x6B69_6E64)
    return kind == .player || random.chance(25)
  }

  /// Returns the scenario of a seed; `steps` is the number for a player alone.
  package static func scenario(_ kind: Kind, seed: UInt64, steps: Int = usualSteps) -> Scenario {
    switch kind {
    case .player: Workload.scenario(seed: seed, steps: steps)
    case .storage: Workload.storageScenario(seed: seed, steps: steps / 5)
    }
  }

  /// Runs the scenario of a seed for a player alone.
  package static func run(seed: UInt64, steps: Int = usualSteps, isTraced: Bool = false, isRecorded: Bool = false)
    -> Result
  {
    run(Workload.scenario(seed: seed, steps: steps), isTraced: isTraced, isRecorded: isRecorded)
  }
}
