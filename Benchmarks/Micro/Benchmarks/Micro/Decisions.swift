import Benchmark

@testable import Playback

/// The decisions of the state machine.
func measureDecisions() {
  var machine = PlaybackMachine.playing(of: 3)
  let now = MonotonicTime(nanoseconds: 1_000_000_000)
  Benchmark("machine: pause and play") { benchmark in
    for _ in benchmark.scaledIterations {
      machine.decide(.pause(fading: false), now: now)
      machine.decide(.play, now: now)
      machine.decide(.event(.audible(machine.token, at: .seconds(1))), now: now)
      blackHole(machine.takeEffects())
    }
  }
  Benchmark("machine: snapshot") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(machine.snapshot(at: now)) }
  }
}
