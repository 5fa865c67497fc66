/// The report of a failed run, as a test that can be pasted into Tests/SimulationTests.
package enum Report {
  /// Returns the scenario as a Swift expression.
  package static func expression(_ scenario: Scenario) -> String {
    let steps = scenario.steps.map { "    Step(after: \($0.after), \(literal($0.action)))," }.joined(separator: "\n")
    let media = scenario.media.map { "    \(literal($0))," }.joined(separator: "\n")
    let storage = scenario.storage.map { ",\n    storage: \(literal($0))" } ?? ""
    return """
      Scenario(
        seed: \(scenario.seed),
        media: [
      \(media)
        ],
        behaviour: \(behaviour(scenario.behaviour)),
        settings: \(literal(scenario.settings)),
        steps: [
      \(steps)
        ]\(storage))
      """
  }

  /// Returns a test of the scenario.
  package static func test(_ scenario: Scenario, _ breach: Breach, seed: UInt64) -> String {
    let body = expression(scenario).split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    return """
        /// \(breach)
        @Test("Seed \(seed) keeps \(breach.invariant.rawValue)") func seed\(seed)() {
          let scenario =
      \(body)
          #expect(Simulator.run(scenario).breach == nil)
        }
      """
  }

  /// Returns a value as a Swift expression: enumerations and structures print as such.
  private static func literal(_ value: Any) -> String {
    String(reflecting: value).replacing("Simulation.", with: "")
  }

  /// Returns the fields of a behaviour that differ from the usual one.
  private static func behaviour(_ behaviour: Behaviour) -> String {
    let usual = Mirror(reflecting: Behaviour()).children
    let changes = zip(usual, Mirror(reflecting: behaviour).children).compactMap { usual, actual in
      let text = literal(actual.value)
      return text == literal(usual.value) ? nil : "$0.\(actual.label ?? "") = \(text)"
    }
    return changes.isEmpty ? "Behaviour()" : "Behaviour { \(changes.joined(separator: "; ")) }"
  }
}
