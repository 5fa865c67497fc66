/// Searches for the shortest script that still breaks the same invariant: delta debugging over the steps.
///
/// [Zeller and Hildebrandt, 2002](https://www.st.cs.uni-saarland.de/papers/tse2002/)
package enum Shrinker {
  /// Returns a scenario with fewer steps and plainer surroundings that breaks the same invariant.
  package static func shrink(_ scenario: Scenario, _ breach: Breach, runs: Int = 3_000) -> Scenario {
    var budget = runs
    let fails = { (candidate: Scenario) -> Bool in
      guard budget > 0 else { return false }
      budget -= 1
      return Simulator.run(candidate).breach?.invariant == breach.invariant
    }
    var best = scenario
    var first = best
    first.steps = Array(best.steps.prefix(breach.steps))
    if fails(first) { best = first }
    var isShorter = true
    while isShorter, budget > 0 {
      let count = best.steps.count
      best = withoutSteps(best, fails)
      best = plainer(best, fails)
      isShorter = best.steps.count < count
    }
    return best
  }

  /// Removes parts of the steps, at first large ones; the time of a removed step is kept if that is needed.
  private static func withoutSteps(_ scenario: Scenario, _ fails: @escaping (Scenario) -> Bool) -> Scenario {
    var best = scenario
    var size = max(1, best.steps.count / 2)
    while true {
      var start = 0
      while start < best.steps.count {
        let end = min(start + size, best.steps.count)
        var candidate = best
        candidate.steps.removeSubrange(start..<end)
        var delayed = candidate
        if start < delayed.steps.count {
          delayed.steps[start].after += best.steps[start..<end].reduce(0) { $0 + $1.after }
        }
        if fails(candidate) {
          best = candidate
        } else if delayed != candidate, fails(delayed) {
          best = delayed
        } else {
          start = end
        }
      }
      guard size > 1 else { return best }
      size /= 2
    }
  }

  /// Replaces media, delays and settings by plain ones where the failure stays.
  private static func plainer(_ scenario: Scenario, _ fails: @escaping (Scenario) -> Bool) -> Scenario {
    var best = scenario
    let attempt = { (change: (inout Scenario) -> Void) in
      var candidate = best
      change(&candidate)
      if candidate != best, fails(candidate) { best = candidate }
    }
    attempt { $0.behaviour = Behaviour() }
    attempt { $0.behaviour.messageDelay = 0 }
    attempt { $0.behaviour.callDuration = 0 }
    attempt { $0.settings = Scenario.Settings() }
    for index in best.media.indices {
      attempt { $0.media[index] = .plain(10_000) }
      attempt { $0.media[index].fault = .none }
      attempt { $0.media[index].server = .good }
      attempt { $0.media[index].album = nil }
    }
    while best.media.count > 1 {
      let count = best.media.count
      attempt { $0.media.removeLast() }
      if best.media.count == count { break }
    }
    for index in best.steps.indices {
      for time in [0, 1_000] where time < best.steps[index].after { attempt { $0.steps[index].after = time } }
    }
    return best
  }
}
