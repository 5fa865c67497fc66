import Benchmark

let benchmarks: @Sendable () -> Void = {
  unsafe Benchmark.defaultConfiguration = Benchmark.Configuration(
    metrics: [.instructions, .cpuTotal, .wallClock], timeUnits: .nanoseconds, scalingFactor: .kilo,
    maxDuration: .milliseconds(500))
  // A queue holds at most a million items, and one is inserted.
  for count in [10, 1_000, 100_000, 999_999] { measureQueue(of: count) }
  measureDecisions()
  measureCodec()
  measureChanges()
}
