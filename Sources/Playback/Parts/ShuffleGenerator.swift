/// Generates the random numbers of a shuffled queue from a seed, so that a recorded queue continues in the same order
/// ([SplitMix64](https://prng.di.unimi.it/splitmix64.c)).
struct ShuffleGenerator: Codable, RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator; without a seed, the system chooses one.
  init(seed: UInt64?) { state = seed ?? UInt64.random(in: .min ... .max) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
