import Playback

@testable import Simulation

/// A run of a script with the model of the engine, without the recovery that follows a simulation.
enum ModelRun {
  /// The result of a run.
  struct Result: Sendable {
    var trace: RunTrace
    var breach: String?
  }

  /// Runs a script with the behaviours of GStreamer that files have; returns the first result without a difference, or
  /// else the one whose first difference is the last.
  static func run(
    _ scenario: Scenario, difference: (RunTrace) -> RunTrace.Difference?
  ) -> (Result, RunTrace.Difference?) {
    var best: (result: Result, difference: RunTrace.Difference?)?
    for behaviour in AgreementScript.behaviours {
      var scenario = scenario
      scenario.behaviour = behaviour
      let result = run(scenario)
      guard let difference = difference(result.trace) else { return (result, nil) }
      if best.map({ $0.difference?.index ?? 0 < difference.index }) ?? true { best = (result, difference) }
    }
    return best ?? (run(scenario), nil)
  }

  private static func run(_ scenario: Scenario) -> Result {
    let world = World(scenario, isRecorded: true)
    _ = world.player
    world.settle()
    var instant = world.now
    for (index, step) in scenario.steps.enumerated() {
      instant += Int64(step.after) * 1_000_000
      world.schedule(.step(index), at: instant)
    }
    world.run(until: instant + 1_000_000_000)
    let result = Result(
      trace: RunTrace(world.player.recording, until: instant + 1_000_000_000),
      breach: world.checker.breach.map { "\($0)" })
    world.close()
    return result
  }
}
