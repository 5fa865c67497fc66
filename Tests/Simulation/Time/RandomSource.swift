/// The random numbers of a run ([SplitMix64](https://prng.di.unimi.it/splitmix64.c)): one seed gives one sequence on any
/// machine.
package struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Returns the next number, with all 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number within a range.
  ///
  /// The standard library's generators may consume another amount of random numbers in another version.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    let count = UInt64(range.upperBound - range.lowerBound) + 1
    return range.lowerBound + Int(next() % count)
  }

  /// Returns true in `percent` of all calls.
  package mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  /// Returns an element of a list that is not empty.
  package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...(elements.count - 1))] }

  /// Returns the elements of a list in any order; one element takes no number.
  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var (rest, result) = (elements, [Element]())
    while rest.count > 1 { result.append(rest.remove(at: number(0...(rest.count - 1)))) }
    return result + rest
  }

  /// Returns an element of a list of weighted elements.
  package mutating func pick<Element>(weighted elements: [(Int, Element)]) -> Element {
    var rest = number(1...elements.reduce(0) { $0 + $1.0 })
    for (weight, element) in elements {
      rest -= weight
      if rest <= 0 { return element }
    }
    return elements[0].1
  }

  /// Returns a number within a range, the small ones more often: each power of two is equally likely.
  package mutating func scaled(_ range: ClosedRange<Int>) -> Int {
    var span = range.upperBound - range.lowerBound + 1
    for _ in 0..<number(0...12) where span > 1 { span = max(1, span / 2) }
    return range.lowerBound + number(0...(span - 1))
  }

  /// Returns an independent sequence.
  package mutating func split() -> RandomSource { RandomSource(seed: next()) }
}
