import Glibc

/// The switch of the mutants of a module: the environment variable MUTANT has the number of the active one.
private enum MutantSwitch {
  static let active = number("MUTANT")

  /// A byte for each mutant in the file MUTANTS_REACHED, which outlives a crash: 1 if its code was reached.
  nonisolated(unsafe) static let reached: UnsafeMutablePointer<UInt8>? = {  // each write is the same
    guard let path = getenv("MUTANTS_REACHED") else { return nil }
    let descriptor = open(path, O_RDWR)
    let bytes = mmap(nil, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    return bytes == MAP_FAILED ? nil : bytes?.assumingMemoryBound(to: UInt8.self)
  }()

  private static func number(_ name: String) -> Int {
    guard let text = getenv(name) else { return 0 }
    return Int(String(cString: text)) ?? 0
  }
}

/// Returns whether a mutant is active.
func mutant(_ number: Int) -> Bool {
  if let reached = MutantSwitch.reached { reached[number] = 1 }
  return number == MutantSwitch.active
}

func mutantNegated(_ number: Int, _ value: Bool) -> Bool { value != mutant(number) }

func mutantPlusOne<Number: ExpressibleByIntegerLiteral & AdditiveArithmetic>(
  _ number: Int, _ value: Number
) -> Number { mutant(number) ? value + 1 : value }

func mutantDoubled<Number: ExpressibleByIntegerLiteral & AdditiveArithmetic>(
  _ number: Int, _ value: Number
) -> Number { mutant(number) ? value + value : value }
