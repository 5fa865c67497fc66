import Glibc
import Simulation
import TestSupport
import Testing

@Suite("The model and GStreamer agree", .enabled(if: TestSupport.Media.isAvailable, "\(TestSupport.Media.unavailable)"))
struct ModelAgreementTests {
  /// The seeds of the scripts: a fixed set, or those that `make simulate REAL=FIRST-LAST` names.
  private static let seeds: ClosedRange<UInt64> = {
    guard let text = unsafe getenv("REAL") else { return 1...16 }
    let bounds = unsafe String(cString: text).split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return 1...16 }
    return first...last
  }()

  /// The permitted difference of times, in milliseconds: more than a buffer of the output.
  private static let tolerance = 120

  @Test("A script has the same course with the model of the pipeline and with GStreamer", arguments: seeds)
  func agrees(seed: UInt64) async throws {
    let (script, real) = try await withHTTPServer { server in
      let script = try await AgreementScript(seed: seed, server: server)
      return (script, await RealRun.run(script.scenario, files: script.files))
    }
    let model = ModelRun.run(script.scenario) { $0.difference(from: real.course, tolerance: Self.tolerance) == nil }
    if Self.seeds.count == 1 {
      for step in script.scenario.steps { print("\(step)") }
      for entry in model.course.entries { print("model     \(entry)") }
      for entry in real.course.entries { print("GStreamer \(entry)") }
      for line in model.course.offers { print("model, not compared:     \(line)") }
      for line in real.course.offers { print("GStreamer, not compared: \(line)") }
    }
    #expect(real.fault == nil, "make simulate REAL=\(seed) prints both courses")
    #expect(model.breach == nil)
    #expect(real.course.violation == nil)
    let difference = model.course.difference(from: real.course, tolerance: Self.tolerance)
    #expect(difference == nil, "make simulate REAL=\(seed) prints both courses\n\(difference ?? "")")
  }
}
