import FoundationEssentials
import Simulation
import Testing

/// Checks that docs/SIMULATION.md lists every invariant.
@Suite struct InvariantTableTests {
  private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  @Test("The table of invariants is that of the code, in its order")
  func table() throws {
    let text = try String(contentsOfFile: "\(Self.root)/docs/SIMULATION.md", encoding: .utf8)
    let rows = text.split(separator: "\n").filter { row in
      Invariant.allCases.contains { row.hasPrefix("| `\($0.rawValue)` |") }
    }
    #expect(rows.map(String.init) == Invariant.allCases.map { "| `\($0.rawValue)` | \($0.sentence) |" })
    #expect(Invariant.allCases.count >= 40)
  }
}
